"""Finds the record, the seat and the turn that a command line names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwright.app.game.playable import PlayableGame, find_game
from turnwright.errors import RecordError, SetupError
from turnwright.kernel.branch import first_turns
from turnwright.kernel.game import Game, Seat
from turnwright.kernel.record import Record
from turnwright.net.files.reader import OnProgress, no_progress, read_record
from turnwright.net.rules_watchdog import RulesWatchdog

_TURN = re.compile(r"([1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_NAMES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class PlayedRecord:
    """A record whose seats other bots can play, with its rules and its game."""

    record: Record
    rules: Game
    game: PlayableGame


def load_played(path: Path, game: str | None = None, on_progress: OnProgress = no_progress) -> PlayedRecord:
    """Return a record together with its game.

    Args:
        game: the name of the game, or the path of its folder, if the name in the header does not lead to
            the game.

    Raises:
        RecordError: the record cannot be read, or its game is open-ended.
        SetupError: the game is unknown or cannot be loaded.
    """
    with RulesWatchdog():
        given = None if game is None else find_game(game)
        record = read_record(path, on_progress=on_progress, rules=None if given is None else given.rules())
    name = record.header.game
    played = given or find_game(name, installed_only=True)
    if played.rules().open_ended:
        raise RecordError(f"{path} is of the game {name!r}, whose seats come and go: no bot can take a seat")
    return PlayedRecord(record, played.records.rules(record), played)


def seat_of(record: Record, said: str) -> Seat:
    """Return the seat with a bot id (1, 2 …) or name.

    Raises:
        SetupError: no bot has this id or name, or several bots have this name.
    """
    names = [info.name for info in record.header.seats]
    if said.isdecimal():
        if 1 <= int(said) <= len(names):
            return int(said) - 1
    elif names.count(said) == 1:
        return names.index(said)
    found, wanted = "there is no bot", "a number or a name"
    if said in names:
        found, wanted = "more than one bot is called", "a number"
    raise SetupError(f"{found} {said[:40]!r} in this record: give {wanted} ({_listed(names)})")


def _listed(names: Sequence[str]) -> str:
    there = ", ".join(f"{k} {name}" for k, name in enumerate(names[:_NAMES_SHOWN], start=1))
    return there if len(names) <= _NAMES_SHOWN else f"{there}, …"


def turns_until(record: Record, said: str) -> int:
    """Return the number of turns up to and including ROUND.TURN. A game without rounds has one round.

    Raises:
        SetupError: `said` has another form, or the record does not have that turn.
    """
    matched = _TURN.fullmatch(said)
    if matched is None:
        raise SetupError(f"{said[:40]!r} is not a turn: give ROUND.TURN, e.g. 2.140")
    number_of_round, turn = int(matched[1]), int(matched[2])
    bounds = [*first_turns(record), len(record.turns)]
    if number_of_round >= len(bounds):
        raise SetupError(
            f"there is no turn {said} in this record: the last round of the record is {len(bounds) - 1}"
        )
    turns = bounds[number_of_round] - bounds[number_of_round - 1]
    if turn > turns:
        raise SetupError(
            f"there is no turn {said} in this record: the last one of round {number_of_round} is {turns}"
        )
    return bounds[number_of_round - 1] + turn
