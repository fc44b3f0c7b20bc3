"""Battles on a cluster behind the interface of the local pool."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from turnwright.errors import SetupError
from turnwright.net.files.new_file import write_file
from turnwright_league.app.clusters.archives import archive_hash, check_archive
from turnwright_league.app.clusters.interface import ClusterEngine, RemoteAnswer
from turnwright_league.app.clusters.messages import (
    JobBot,
    WrongAnswer,
    job_of,
    read_result,
    written,
)
from turnwright_league.app.folder import TournamentBot, TournamentFolder
from turnwright_league.app.pool import BATTLE_S_MAX
from turnwright_league.app.worker import BattleJob, JobResult
from turnwright_league.tournament.battle_spec import BattleSpec

_READERS = 2
"""The number of threads that check answers and write records."""
_AHEAD = 0.25
"""The number of battles that wait at the cluster, as a part of the number of workers. So no worker waits for
the command."""
_KEY_SIZE = 4
_LOOK_S = 1.0
_REASONS_MAX = 3


@dataclass(frozen=True, slots=True)
class _HandedOut:
    """A battle that a cluster plays.

    Attributes:
        since: the time when it was handed out, by `time.monotonic`.
    """

    job: BattleJob
    played: Future[JobResult]
    since: float


class ClusterWorkers:
    """The workers of a cluster.

    A worker that cannot play is set aside and gets no more battles. A worker that lacks a program gets no
    battle of the bots that need it.

    Args:
        engine: runs jobs on the cluster.
        folder: the tournament's folder, with the archives of its bots.
        bots: the bots by their entries' ids.
        tell: prints a line for the operator if the cluster has no worker, or if a worker gets no battles.

    Raises:
        SetupError: a bot cannot be sent to the cluster.
    """

    slows_down = False
    """False, because running fewer battles does not help one late machine among many."""

    def __init__(
        self,
        engine: ClusterEngine,
        folder: TournamentFolder,
        bots: Mapping[str, TournamentBot],
        tell: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._tell = tell
        self._times: Counter[str] = Counter()
        self._aside: dict[str, str] = {}
        """Why each worker that is set aside cannot play, by the worker's name."""
        self._lacking: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """By entry, why workers cannot play it, by the worker's name."""
        self._told: set[str] = set()
        self._bots = {entry: self._remote(folder, bot) for entry, bot in bots.items()}
        self._readers = ThreadPoolExecutor(_READERS, "turnwright-results")
        self._handed_out: dict[str, _HandedOut] = {}
        self._stopped = threading.Event()
        self._watch = threading.Thread(target=self._drop_endless, name="turnwright-limit", daemon=True)
        self._watch.start()
        if not engine.workers():
            tell(f"{engine.where} has no workers yet: waiting for the first one")

    def _remote(self, folder: TournamentFolder, bot: TournamentBot) -> JobBot:
        """Return a bot as jobs name it, and provide its archive for workers."""
        if bot.directory is None:
            return JobBot(bot.given, "", bot.entry.source)
        place = folder.archive(bot.entry.id)
        try:
            archive = place.read_bytes()
            check_archive(archive)
        except OSError as error:
            raise SetupError(f"the archive of {bot.entry.name} cannot be read: {error.strerror}") from None
        except SetupError as error:
            raise SetupError(f"{bot.entry.name} cannot play on a cluster: in its archive, {error}") from None
        digest = archive_hash(archive)
        self._engine.keep(digest, place)
        return JobBot(bot.directory.name, digest, bot.entry.source)

    @property
    def capacity(self) -> int:
        """The most battles that the cluster may have at the same time, a few more than it has workers.

        Reading it also reports each worker with a problem to the operator, once.
        """
        here = self._engine.workers()
        workers = sum(one.battles for one in here if one.name not in self._aside)
        if workers:
            for one in here:
                if one.trouble and one.name not in self._told:
                    self._told.add(one.name)
                    self._tell(f"the worker {one.name} gets no battles: {one.trouble}")
        return workers + 1 + int(_AHEAD * workers)

    def cannot_play(self, spec: BattleSpec) -> str:
        """Return why no worker can play a battle, or "" if one can or there are no workers."""
        reasons = []
        for one in self._engine.workers():
            lacking = (self._lacking[entry].get(one.name) for entry in spec.seats if entry in self._lacking)
            why = one.trouble and f"the worker {one.name} cannot play: {one.trouble}"
            why = why or self._aside.get(one.name, "") or next(filter(None, lacking), "")
            if not why and one.battles:
                return ""
            reasons.append(why)
        reasons = list(dict.fromkeys(filter(None, reasons)))
        more = f"; and {len(reasons) - _REASONS_MAX} more" if len(reasons) > _REASONS_MAX else ""
        return "; ".join(reasons[:_REASONS_MAX]) + more

    def play(self, job: BattleJob) -> Future[JobResult]:
        """Begin a battle.

        Its future raises WorkerLost, or SetupError if the cluster is gone.
        """
        if why := self.cannot_play(job.spec):  # the last fit worker was set aside meanwhile
            gone: Future[JobResult] = Future()
            gone.set_result(JobResult("void", why=why, of_machine=True))
            return gone
        bots = {entry: self._bots[entry] for entry in job.bots}
        data = written(job_of(job.spec, job.game, bots, job.machine, recorded=job.record is not None))
        digest = hashlib.blake2b(data, digest_size=_KEY_SIZE).hexdigest()
        battle = job.spec.id
        self._times[battle] += 1
        key = f"turnwright-{battle}-{self._times[battle]}-{digest}"
        archives = [bot.archive for bot in bots.values() if bot.archive]
        without = set(self._aside).union(*(self._lacking[entry] for entry in bots if entry in self._lacking))
        played: Future[JobResult] = Future()
        self._handed_out[key] = _HandedOut(job, played, time.monotonic())
        answer = self._engine.submit(key, data, archives, without)
        answer.add_done_callback(lambda done: self._read(key, done))
        return played

    def _read(self, key: str, answer: Future[RemoteAnswer]) -> None:
        with suppress(RuntimeError):  # it came after the end
            self._readers.submit(self._take, key, answer)

    def _take(self, key: str, answer: Future[RemoteAnswer]) -> None:
        """Check an answer, write its record, and set the result of the battle, unless it was cancelled.

        An unfit worker gets no more battles.
        """
        handed = self._handed_out.pop(key, None)
        if handed is None:
            return
        job, played = handed.job, handed.played
        try:
            worker, data = answer.result()
            found = read_result(data, job.spec)
            result = replace(found.result, worker=found.worker)
            if found.unfit:
                self._aside[worker] = result.why
            for entry in result.lacking:
                self._lacking[entry][worker] = result.why
            if job.record is not None and found.record:
                result = _with_record(result, Path(job.record), found.record)
        except WrongAnswer as error:
            result = JobResult("void", why=f"a worker's answer is wrong: {error}")
        except BaseException as error:
            played.set_exception(error)
            return
        played.set_result(result)

    def _drop_endless(self) -> None:
        """Give up battles that take too long, each with the worker that plays it."""
        while not self._stopped.wait(_LOOK_S):
            began = time.monotonic() - BATTLE_S_MAX
            for key, handed in list(self._handed_out.items()):
                if handed.since < began and self._handed_out.pop(key, None) is not None:
                    worker = self._engine.drop(key)
                    named = f"the worker {worker}" if worker else "a worker"
                    why = f"{named} has not played a battle in {BATTLE_S_MAX / 3600:g} h"
                    if worker:
                        self._aside[worker] = why
                    handed.played.set_result(JobResult("void", why=why, worker=worker, of_machine=True))

    def stop(self) -> None:
        """Disconnect from the cluster immediately. The results of running battles are lost."""
        self._stopped.set()
        self._engine.stop()
        self._readers.shutdown(cancel_futures=True)

    def __enter__(self) -> ClusterWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _with_record(result: JobResult, place: Path, record: bytes) -> JobResult:
    try:
        write_file(place, record)
    except OSError as error:
        return replace(result, record_error=error.strerror or str(error))
    return result
