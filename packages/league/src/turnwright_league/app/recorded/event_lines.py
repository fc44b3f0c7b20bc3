"""The events and scores of a recorded battle of any game, as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from turnwright.app.game.playable import find_game
from turnwright.errors import RecordError, VoidBattleError
from turnwright.kernel.battle import Battle
from turnwright.kernel.record import Record
from turnwright.kernel.replay import rebuild
from turnwright.net.files.reader import naming, read_record
from turnwright.net.rules_watchdog import RulesWatchdog


def event_lines(path: Path, game: str | None = None) -> Iterator[str]:
    """Yield a record as JSON lines, without the turns in which nothing happened.

    The first line has kind "battle", game, seed, settings and bots (seat, name, version). The next lines have
    kind "turn", the turn, and, if there are any, events (the game's own), skipped (seats) and scores (by
    seat, if they changed). The last line has kind "end", ending, turns and results.

    Args:
        game: the path of the game's folder, if the name in the record does not identify it.

    Raises:
        RecordError, SetupError: the record cannot be read or played, or the rules fail in a turn for which it
            has a digest.
    """
    with RulesWatchdog():
        yield from _lines(path, game)


def _lines(path: Path, game: str | None) -> Iterator[str]:
    given = None if game is None else find_game(game)
    record = read_record(path, rules=None if given is None else given.rules())
    rules = (given or find_game(record.header.game, installed_only=True)).records.rules(record)
    header = record.header
    bots = [{"seat": n, "name": one.name, "version": one.version} for n, one in enumerate(header.seats)]
    yield _line("battle", game=header.game, seed=header.seed, settings=header.setup, bots=bots)
    with naming(path):
        yield from _turns(record, rebuild(record, rules))
    footer = record.footer
    if footer is None:
        yield _line("end", ending=None, turns=len(record.turns), results=None)
    else:
        yield _line("end", ending=footer.ending, turns=footer.turns, results=footer.results)


def _turns(record: Record, battle: Battle) -> Iterator[str]:
    before: list[float] | None = None
    for entry in record.turns:
        try:
            closed = battle.replay_turn(entry)
        except VoidBattleError as error:
            if entry.digest:  # they did not fail then
                raise RecordError(f"it cannot be continued: {error}") from error
            return
        except Exception as error:
            raise RecordError(f"turn {entry.turn} cannot be played: {error}") from error
        scores = battle.scores()
        now = None if scores is None else list(scores)
        there: dict[str, Any] = {"events": list(closed.events), "skipped": list(entry.skipped)}
        if now != before:
            there["scores"], before = now, now
        if there := {name: value for name, value in there.items() if value}:
            yield _line("turn", turn=entry.turn, **there)


def _line(kind: str, **values: Any) -> str:
    return msgspec.json.encode({"kind": kind, **values}).decode()
