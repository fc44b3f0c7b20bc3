"""Workers that play an arena's battles, and let spectators watch them."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial

from turnwright.app.arena.live import LiveChannel
from turnwright.app.tournament.pool import WorkerPool
from turnwright.app.tournament.worker import BattleJob, JobResult, play_job
from turnwright.tournament.battle_spec import BattleSpec


class ArenaWorkers(WorkerPool):
    """Workers of a bot arena. live: where the spectators of battles come from, or None."""

    slows_down = True

    def __init__(self, capacity: int, live: LiveChannel | None) -> None:
        super().__init__(capacity)
        self.capacity = capacity
        self._play = partial(_play, live)

    def __enter__(self) -> ArenaWorkers:
        return self

    def cannot_play(self, spec: BattleSpec) -> str:
        """Return "": a bot whose program this machine lacks does not come out of its first battle."""
        return ""

    def play(self, job: BattleJob) -> Future[JobResult]:
        """Begin a battle."""
        return self.submit(self._play, job)


def _play(live: LiveChannel | None, job: BattleJob) -> JobResult:
    """Play a battle. Nothing that a bot, the rules or the settings do raises."""
    return play_job(job, None if live is None else live.spectators(job.spec.id))
