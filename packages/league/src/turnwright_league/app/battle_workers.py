"""Workers that play the battles of a tournament, here or on a cluster (`--on`).

local           pool.WorkerPool
dask://…        clusters.dask.DaskEngine    behind clusters.workers.ClusterWorkers
ray, ray://…    clusters.ray.RayEngine      behind clusters.workers.ClusterWorkers
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Protocol

from turnwright.catalog import names
from turnwright.errors import SetupError
from turnwright.net.participants.command import command
from turnwright.net.participants.directory import load, members
from turnwright.net.participants.runtimes import program_that_lacks
from turnwright_league.app.folder import TournamentBot, TournamentFolder
from turnwright_league.app.pool import WorkerPool
from turnwright_league.app.worker import BattleJob, JobResult, play_job
from turnwright_league.tournament.battle_spec import BattleSpec

if TYPE_CHECKING:
    from turnwright_league.app.clusters.interface import ClusterEngine


class BattleWorkers(Protocol):
    """Workers, each of which plays one battle at a time.

    Leaving the context releases them.
    """

    slows_down: bool
    """Whether running fewer battles helps when a server was late."""

    @property
    def capacity(self) -> int:
        """The number of battles that workers may have at the same time.

        It is at least 1 and may change at any time.
        """
        ...

    def cannot_play(self, spec: BattleSpec) -> str:
        """Return why no worker can play a battle now, or "" if one can or may join."""
        ...

    def play(self, job: BattleJob) -> Future[JobResult]:
        """Begin a battle.

        Its future raises WorkerLost, or SetupError if no worker will ever answer.
        """
        ...

    def __enter__(self) -> BattleWorkers: ...

    def __exit__(self, *_: object) -> None: ...


class LocalWorkers(WorkerPool):
    """Workers on this machine.

    Args:
        capacity: the number of workers.
        work: plays a battle. It is called in the worker.
    """

    slows_down = True

    def __init__(self, capacity: int, work: Callable[[BattleJob], JobResult] = play_job) -> None:
        super().__init__(capacity)
        self.capacity, self._work = capacity, work
        self._lacking: dict[str, str] = {}
        """Why this machine cannot play the battles of some entries."""

    def __enter__(self) -> LocalWorkers:
        return self

    def cannot_play(self, spec: BattleSpec) -> str:
        """Return what this machine lacks for a battle, or ""."""
        return next((self._lacking[entry] for entry in spec.seats if entry in self._lacking), "")

    def play(self, job: BattleJob) -> Future[JobResult]:
        """Begin a battle, and return its future result."""
        played = self.submit(self._work, job)
        played.add_done_callback(self._note)
        return played

    def _note(self, played: Future[JobResult]) -> None:
        if played.exception() is None:
            result = played.result()
            self._lacking.update(dict.fromkeys(result.lacking, result.why))


def open_workers(
    on: str | None,
    jobs: int,
    resource: str | None,
    game: str,
    folder: TournamentFolder,
    bots: Mapping[str, TournamentBot],
    tell: Callable[[str], None],
) -> BattleWorkers:
    """Return the workers of `--on`.

    Args:
        on: None or "local" for this machine, or the address of a cluster.
        jobs: the number of workers on this machine.
        resource: the resource that a cluster's worker must have, or None.
        game: the game's name or folder.
        bots: the bots by their entries' ids.
        tell: prints a line for the operator.

    Raises:
        SetupError: the cluster does not answer or has another version, the game is not installed as a
            package, or this machine lacks a program that starts a bot here.
    """
    if on in (None, "local"):
        _refuse_missing_programs(bots.values())
        return LocalWorkers(jobs)
    if game not in names():
        raise SetupError(
            f"the game in {game} cannot be played on a cluster: install it on all machines as a package with"
            " an entry point turnwright.games, and give its name"
        )
    from turnwright_league.app.clusters.workers import ClusterWorkers

    engine = _engine(str(on), resource)
    try:
        return ClusterWorkers(engine, folder, bots, tell)
    except BaseException:
        engine.stop()
        raise


def _refuse_missing_programs(bots: Iterable[TournamentBot]) -> None:
    """Raise SetupError if this machine lacks programs that start bots. The message names all of them."""
    lacking = []
    for bot in bots:
        for entry in () if bot.directory is None else members(load(bot.directory)):
            program = program_that_lacks(command(entry))
            if program:
                lacking.append(f"{entry.config.name} needs {program}")
    if lacking:
        raise SetupError(
            f"this machine lacks programs that start bots: {', '.join(dict.fromkeys(lacking))}: install it,"
            " or take these bots out of the folder"
        )


def _engine(on: str, resource: str | None) -> ClusterEngine:
    if on.startswith("dask://"):
        from turnwright_league.app.clusters.dask import DaskEngine

        return DaskEngine(on.removeprefix("dask://"), resource)
    from turnwright_league.app.clusters.ray import RayEngine

    return RayEngine("" if on == "ray" else on, resource)
