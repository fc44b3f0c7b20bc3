"""Battles on a cluster behind the interface of the local pool."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from turnwright.app.tournament.clusters.archives import archive_hash, check_archive
from turnwright.app.tournament.clusters.interface import ClusterEngine
from turnwright.app.tournament.clusters.messages import (
    JobBot,
    WrongAnswer,
    job_of,
    read_result,
    written,
)
from turnwright.app.tournament.folder import TournamentBot, TournamentFolder
from turnwright.app.tournament.worker import BattleJob, JobResult
from turnwright.errors import SetupError
from turnwright.net.files.new_file import write_file

__all__ = ["ClusterWorkers"]

_READERS = 2
"""Threads that check answers and write records."""
_AHEAD = 0.25
"""Battles that wait at the cluster, as a part of its workers, so that none of them waits for us."""
_KEY_SIZE = 4


class ClusterWorkers:
    """The workers of a cluster.

    engine: that runs jobs there. folder: of the tournament, with the archives of its bots. bots: by entry's
    id. tell: told when there is no worker. Raises: SetupError for bots that cannot go there.
    """

    slows_down = False
    """Fewer battles at once do not help a late machine among many."""

    def __init__(
        self,
        engine: ClusterEngine,
        folder: TournamentFolder,
        bots: Mapping[str, TournamentBot],
        tell: Callable[[str], None],
    ) -> None:
        self._engine = engine
        self._times: Counter[str] = Counter()
        self._bots = {entry: self._remote(folder, bot) for entry, bot in bots.items()}
        self._readers = ThreadPoolExecutor(_READERS, "turnwright-results")
        if not engine.workers():
            tell(f"{engine.where} has no workers yet: waiting for the first one")

    def _remote(self, folder: TournamentFolder, bot: TournamentBot) -> JobBot:
        """Return a bot as jobs name it; its archive is held for workers."""
        if bot.directory is None:
            return JobBot(bot.given, "", bot.entry.source)
        try:
            archive = folder.archive(bot.entry.id).read_bytes()
            check_archive(archive)
        except OSError as error:
            raise SetupError(f"the archive of {bot.entry.name} cannot be read: {error.strerror}") from None
        except SetupError as error:
            raise SetupError(f"{bot.entry.name} cannot play on a cluster: in its archive, {error}") from None
        digest = archive_hash(archive)
        self._engine.keep(digest, archive)
        return JobBot(bot.directory.name, digest, bot.entry.source)

    @property
    def capacity(self) -> int:
        """Battles to be handed out at once: some more than there are workers."""
        workers = self._engine.workers()
        return workers + 1 + int(_AHEAD * workers)

    def play(self, job: BattleJob) -> Future[JobResult]:
        """Begin a battle.

        Its future raises WorkerLost, or SetupError when the cluster is gone.
        """
        bots = {entry: self._bots[entry] for entry in job.bots}
        data = written(job_of(job.spec, job.game, bots, job.machine, recorded=job.record is not None))
        digest = hashlib.blake2b(data, digest_size=_KEY_SIZE).hexdigest()
        battle = job.spec.id
        self._times[battle] += 1
        key = f"turnwright-{battle}-{self._times[battle]}-{digest}"
        archives = [bot.archive for bot in bots.values() if bot.archive]
        answer = self._engine.submit(key, data, archives)
        played: Future[JobResult] = Future()
        answer.add_done_callback(lambda done: self._read(job, done, played))
        return played

    def _read(self, job: BattleJob, answer: Future[bytes], played: Future[JobResult]) -> None:
        with suppress(RuntimeError):  # it came after the end
            self._readers.submit(_take, job, answer, played)

    def stop(self) -> None:
        """Let go of the cluster at once; nobody reads what battles that run there come to."""
        self._engine.stop()
        self._readers.shutdown(cancel_futures=True)

    def __enter__(self) -> ClusterWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _take(job: BattleJob, answer: Future[bytes], played: Future[JobResult]) -> None:
    """Check an answer and write its record."""
    try:
        found = read_result(answer.result(), job.spec)
        result = replace(found.result, worker=found.worker)
        if job.record is not None and found.record:
            result = _with_record(result, Path(job.record), found.record)
    except WrongAnswer as error:
        result = JobResult("void", why=f"a worker's answer is wrong: {error}")
    except BaseException as error:
        played.set_exception(error)
        return
    played.set_result(result)


def _with_record(result: JobResult, place: Path, record: bytes) -> JobResult:
    try:
        write_file(place, record)
    except OSError as error:
        return replace(result, record_error=error.strerror or str(error))
    return result
