"""Plays a battle of a bot arena in a worker."""

from __future__ import annotations

from dataclasses import dataclass

from turnwright.app.arena.live import LiveChannel
from turnwright.app.tournament.worker import BattleJob, JobResult, play_job


@dataclass(frozen=True, slots=True)
class ArenaJob:
    """A battle to play.

    live: where its spectators come from, None: nobody can watch it.
    """

    battle: BattleJob
    live: LiveChannel | None = None


def play_arena_job(arena_job: ArenaJob) -> JobResult:
    """Play a battle.

    Nothing that a bot, the rules or the settings do raises.
    """
    job, live = arena_job.battle, arena_job.live
    return play_job(job, None if live is None else live.spectators(job.spec.id))
