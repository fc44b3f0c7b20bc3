"""Workers that play the battles of a tournament, here or on a cluster (`--on`).

local           pool.WorkerPool
dask://…        clusters.dask.DaskEngine    behind clusters.workers.ClusterWorkers
ray, ray://…    clusters.ray.RayEngine      behind the same
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Protocol

from turnwright.app.tournament.folder import TournamentBot, TournamentFolder
from turnwright.app.tournament.pool import WorkerPool
from turnwright.app.tournament.worker import BattleJob, JobResult, play_job
from turnwright.catalog import names
from turnwright.errors import SetupError

if TYPE_CHECKING:
    from turnwright.app.tournament.clusters.interface import ClusterEngine

__all__ = ["BattleWorkers", "LocalWorkers", "open_workers"]


class BattleWorkers(Protocol):
    """Workers that play battles, each one at a time.

    They let go when their context is left."""

    slows_down: bool
    """Whether fewer battles at once help when a server was late."""

    @property
    def capacity(self) -> int:
        """Battles to be handed out at once; it may change at any time, and is at least 1."""
        ...

    def play(self, job: BattleJob) -> Future[JobResult]:
        """Begin a battle.

        Its future raises WorkerLost; SetupError when no worker will ever answer."""
        ...

    def __enter__(self) -> BattleWorkers: ...

    def __exit__(self, *_: object) -> None: ...


class LocalWorkers(WorkerPool):
    """Workers on this machine. capacity: how many."""

    slows_down = True

    def __init__(self, capacity: int) -> None:
        super().__init__(capacity)
        self.capacity = capacity

    def __enter__(self) -> LocalWorkers:
        return self

    def play(self, job: BattleJob) -> Future[JobResult]:
        """Begin a battle."""
        return self.submit(play_job, job)


def open_workers(
    on: str | None,
    jobs: int,
    game: str,
    folder: TournamentFolder,
    bots: Mapping[str, TournamentBot],
    tell: Callable[[str], None],
) -> BattleWorkers:
    """Return the workers of `--on`.

    jobs: how many, on this machine. game: its name, or its folder. bots: by entry's id. tell: told, in a
    line, what is worth it. Raises: SetupError for a cluster that is not there, or is of another version.
    """
    if on in (None, "local"):
        return LocalWorkers(jobs)
    if game not in names():
        raise SetupError(
            f"the game in {game} cannot be played on a cluster: install it on all machines as a package with"
            " an entry point turnwright.games, and give its name"
        )
    from turnwright.app.tournament.clusters.workers import ClusterWorkers

    engine = _engine(str(on))
    try:
        return ClusterWorkers(engine, folder, bots, tell)
    except BaseException:
        engine.stop()
        raise


def _engine(on: str) -> ClusterEngine:
    if on.startswith("dask://"):
        from turnwright.app.tournament.clusters.dask import DaskEngine

        return DaskEngine(on.removeprefix("dask://"))
    from turnwright.app.tournament.clusters.ray import RayEngine

    return RayEngine("" if on == "ray" else on)
