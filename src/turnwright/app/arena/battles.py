"""Plays a battle of a bot arena in a worker; finds what its bots printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from turnwright.app.arena.live import LiveChannel
from turnwright.app.game_parts import parts_of
from turnwright.app.tournament.worker import BattleJob, JobResult, entry_seats, play_job
from turnwright.errors import TurnwrightError
from turnwright.net.files.reader import read_record

__all__ = ["LINES_MAX", "ArenaJob", "play_and_read"]

LINES_MAX = 40
"""Printed lines of a bot that are kept, the last ones."""
LINE_CHARS_MAX = 300


@dataclass(frozen=True, slots=True)
class ArenaJob:
    """A battle to play.

    live: where its spectators come from, None: nobody can watch it.
    """

    battle: BattleJob
    live: LiveChannel | None = None


def play_and_read(arena_job: ArenaJob) -> JobResult:
    """Play a battle.

    To what processes printed comes what bots printed by the game's protocol.

    Nothing that a bot, the rules or the settings do raises.
    """
    job, live = arena_job.battle, arena_job.live
    result = play_job(job, None if live is None else live.spectators(job.spec.id))
    if result.kind != "played" or job.record is None or not Path(job.record).exists():
        return result
    try:
        turns = read_record(Path(job.record), lenient=True, game=job.game).turns
    except TurnwrightError:
        return result
    texts = parts_of(job.game).printed(turns)
    printed = dict(result.printed)
    for entry, seats in entry_seats(job.spec):
        lines = [line for seat in seats for line in _lines(texts.get(seat, ()))]
        if lines:
            printed[entry] = (*printed.get(entry, ()), *lines)[-LINES_MAX:]
    return replace(result, printed=printed)


def _lines(texts: Sequence[str]) -> list[str]:
    return [line[:LINE_CHARS_MAX] for text in texts[-LINES_MAX:] for line in text.splitlines()]
