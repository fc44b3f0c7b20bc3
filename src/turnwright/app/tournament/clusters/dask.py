"""Battles on a Dask cluster.

The scheduler holds jobs and archives; workers fetch what they lack. An archive is held as metadata of the
scheduler, not as a task's result: a battle that depends on results is sent to the workers that hold them, and
others stay idle. Jobs are forgotten with their client; the archives of a client that was killed stay in the
scheduler's memory until it ends, or the same tournament is played to its end.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import warnings
from collections.abc import Coroutine, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, TypeVar

from turnwright._version import __version__
from turnwright.app.tournament.clusters.interface import CONNECT_S, knock
from turnwright.app.tournament.clusters.messages import python_minor
from turnwright.app.tournament.clusters.remote import play_remote
from turnwright.app.tournament.pool import WorkerLost
from turnwright.errors import SetupError

__all__ = ["DaskEngine"]

_ARCHIVES = "turnwright-archives"
_COUNT_EVERY_S = 1.0
_DIRECT_S = 1.0
_FETCH_S = 300.0
_CURE = "start it (`dask scheduler`), and check the address"

Result = TypeVar("Result")


class DaskEngine:
    """A client of a Dask scheduler. where: its address, host:port. Raises: SetupError."""

    def __init__(self, where: str) -> None:
        try:
            import distributed
        except ImportError:
            raise SetupError(
                "clusters of Dask need the extra [dask]: pip install 'turnwright[dask]'"
            ) from None
        self.where = f"the Dask cluster at {where}"
        knock(where, self.where)
        self._dask: Any = distributed
        self._log_levels = _silence("distributed")
        self._workers = 0
        self._kept: set[str] = set()
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda loop, context: None)  # of what nobody waits for at the end
        self._thread = threading.Thread(target=self._loop.run_forever, name="turnwright-dask", daemon=True)
        self._thread.start()
        self._client: Any = None
        try:
            self._call(self._connect(where), 3 * CONNECT_S)
        except BaseException:
            self.stop()
            raise

    # ---- connection --------------------------------------------------------------------------------------

    async def _connect(self, where: str) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # other versions: told below, in one line
                self._client = self._dask.Client(
                    where, asynchronous=True, timeout=CONNECT_S, set_as_default=False, name="turnwright"
                )
                async with asyncio.timeout(CONNECT_S):  # whatever listens there may never say a word
                    await self._client
            versions = await self._client.get_versions(packages=["turnwright"])
        except Exception as error:  # of any kind: what listens there may be anything
            why = " ".join(str(error).split())[:200] or type(error).__name__
            raise SetupError(f"{self.where} does not answer: {why}: {_CURE}") from None
        self._check(versions)
        await self._count()
        self._client.direct_to_workers = await self._is_reachable(versions["workers"])
        self._counting = asyncio.ensure_future(self._count_always())

    def _check(self, versions: dict[str, Any]) -> None:
        """Check that the scheduler and all workers have our versions. Raises: SetupError."""
        ours = self._dask.__version__
        scheduler = (versions["scheduler"] or {}).get("packages", {})
        if scheduler.get("distributed") != ours:
            found = scheduler.get("distributed")
            raise SetupError(
                f"{self.where} has distributed {found}, this machine {ours}: install the same version"
            )
        for address, about in versions["workers"].items():
            packages = about["packages"]
            python = ".".join(str(packages.get("python")).split(".")[:2])
            has = (packages.get("turnwright"), python, packages.get("distributed"))
            wanted = (__version__, python_minor(), ours)
            for name, one, two in zip(("turnwright", "Python", "distributed"), has, wanted, strict=True):
                if one != two:
                    found = f"{name} {one}" if one else f"no {name}"
                    raise SetupError(
                        f"the worker {address} has {found}, here is {two}: install the same on all machines"
                    )

    async def _is_reachable(self, workers: dict[str, Any]) -> bool:
        """Return whether workers can be reached from here, so that records need not pass the scheduler."""
        for address in list(workers)[:1]:
            host, _, port = address.rpartition("://")[2].rpartition(":")
            with suppress(OSError, ValueError, TimeoutError):
                async with asyncio.timeout(_DIRECT_S):
                    _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
                writer.close()
                return True
        return False

    async def _count(self) -> None:
        threads = await self._client.nthreads()
        crowded = next((address for address, number in threads.items() if number > 1), None)
        if crowded is not None:
            raise SetupError(_threads(crowded, threads[crowded]))
        self._workers = len(threads)

    async def _count_always(self) -> None:
        while True:
            await asyncio.sleep(_COUNT_EVERY_S)
            with suppress(Exception):  # a cluster that is gone is told by the battles that were there
                await self._count()

    # ---- jobs --------------------------------------------------------------------------------------------

    def workers(self) -> int:
        """Return the number of workers, as it was a moment ago."""
        return self._workers

    def keep(self, digest: str, archive: bytes) -> None:
        """Hold an archive for workers to fetch."""
        self._kept.add(digest)
        self._call(self._put(digest, archive), _FETCH_S)

    async def _put(self, digest: str, archive: bytes | None) -> None:
        await self._client.set_metadata([_ARCHIVES, digest], archive)

    def submit(self, key: str, job: bytes, archives: Sequence[str]) -> Future[bytes]:
        """Begin a job."""
        return asyncio.run_coroutine_threadsafe(self._played(key, job), self._loop)

    async def _played(self, key: str, job: bytes) -> bytes:
        future = self._client.submit(_play, job, key=key, pure=False)
        try:
            answer: bytes = await future
            return answer
        except self._dask.KilledWorker:
            raise WorkerLost("workers that played it were killed") from None
        except (CancelledError, asyncio.CancelledError) as error:
            if self._client.status != "running":
                raise SetupError(
                    f"{self.where} does not answer any more: no result is lost; run the same"
                    " command when it is back"
                ) from None
            raise WorkerLost(f"the cluster dropped it: {error}"[:200]) from None
        except Exception as error:
            why = " ".join(str(error).split())[:200]
            raise SetupError(f"a worker of {self.where} cannot play: {type(error).__name__}: {why}") from None
        finally:
            future.release()

    # ---- the end -----------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Let go of the scheduler; it forgets our jobs and archives."""
        if self._thread.is_alive():
            with suppress(Exception):
                self._call(self._close(), CONNECT_S)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
        for log, level in self._log_levels.items():
            log.setLevel(level)

    async def _close(self) -> None:
        with suppress(Exception):
            for digest in self._kept:
                await self._put(digest, None)
        if self._client is not None:
            await self._client.close(timeout=_DIRECT_S)
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _call(self, what: Coroutine[Any, Any, Result], timeout_s: float) -> Result:
        """Run a coroutine in the loop of the client, and wait for it."""
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(timeout_s)


def _silence(package: str) -> dict[logging.Logger, int]:
    """Quieten the loggers of a package; return their levels. They tell of lost connections in tracebacks."""
    names = [name for name in logging.root.manager.loggerDict if f"{name}.".startswith(f"{package}.")]
    levels = {log: log.level for log in map(logging.getLogger, names)}
    for log in levels:
        log.setLevel(logging.CRITICAL + 1)
    return levels


def _threads(worker: str, number: int) -> str:
    return (
        f"the worker {worker} has {number} threads, and one process plays one battle at a time: start workers"
        " with --nthreads 1, and --nworkers for their number"
    )


def _play(job: bytes) -> bytes:
    """Play a job; runs on a worker."""
    from distributed import get_worker

    worker = get_worker()
    number = worker.state.nthreads
    return play_remote(job, _fetch, _threads(worker.address, number) if number > 1 else "")


def _fetch(digest: str) -> bytes:
    """Return an archive that the scheduler holds; runs on a worker."""
    from distributed import get_worker
    from distributed.utils import sync

    worker = get_worker()
    found = sync(worker.loop, worker.scheduler.get_metadata, keys=[_ARCHIVES, digest], default=None)
    if found is None:
        raise SetupError("the scheduler has no archive of a bot any more")
    return bytes(found)
