"""Battles on a Dask cluster.

The scheduler has the jobs, and knows which workers have an archive. The command sends an archive to a few
workers, and these send it to the others. So archives do not use the scheduler's memory, unless the command
cannot reach the workers. The command does not tell Dask which archives a job needs. Otherwise Dask would send
the job only to workers with these archives, and the other workers would stay idle. When the client
disconnects, Dask forgets its jobs and archives.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import warnings
from collections.abc import Collection, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from turnwright._version import __version__
from turnwright.errors import SetupError
from turnwright_league.app.clusters.interface import CONNECT_S, ClusterWorker, RemoteAnswer, knock
from turnwright_league.app.clusters.messages import python_minor
from turnwright_league.app.clusters.remote import play_remote
from turnwright_league.app.pool import WorkerLost

_HOLDERS = 2
"""The number of workers to which the command sends an archive."""
_COUNT_EVERY_S = 1.0
_DIRECT_S = 1.0
_FETCH_S = 300.0
_RETRY_S = 1.0
_ANSWER_S = 30.0
"""The time in seconds in which a new worker must report its versions. Until then it gets no battle."""
_CURE = "start it (`dask scheduler`), and check the address"

Result = TypeVar("Result")


class _Archives:
    """Archives that a few workers hold, for other workers to fetch.

    Args:
        workers: the workers by address. The mapping changes as workers come and go.

    Attributes:
        files: the files of the archives, by digest.
    """

    def __init__(self, client: Any, workers: Mapping[str, ClusterWorker]) -> None:
        self.files: dict[str, Path] = {}
        self._client = client
        self._workers = workers
        self._held: dict[str, Any] = {}
        self._sent = 0
        self._sending = asyncio.Lock()

    def lost(self) -> list[str]:
        """Return the digests of archives that no holder has any more. It is [] while an archive is sent."""
        found = [digest for digest, held in self._held.items() if held.status != "finished"]
        return [] if self._sending.locked() else found

    async def spread(self, digest: str) -> str:
        """Make sure that workers have an archive, and return its key. Without workers, wait for one."""
        async with self._sending:
            held = self._held.get(digest)
            while held is None or held.status != "finished":
                holders = [one.name for one in self._workers.values() if one.battles]
                if not holders:
                    await asyncio.sleep(_COUNT_EVERY_S)
                    continue
                self._sent += 1
                first = self._sent % len(holders)
                chosen = (holders[first:] + holders[:first])[:_HOLDERS]
                key = f"turnwright-archive-{digest}-{self._client.id}"
                data = await asyncio.to_thread(self.files[digest].read_bytes)
                with suppress(OSError, TimeoutError, ValueError):  # a worker went meanwhile
                    found = await self._client.scatter({key: data}, workers=chosen, broadcast=len(chosen))
                    held = self._held[digest] = found[key]
            return str(held.key)


class DaskEngine:
    """A client of a Dask scheduler, in its own thread. Until `stop`, it silences the loggers of Dask.

    Args:
        where: the scheduler's address, host:port.
        resource: the resource that a worker must have, or None.

    Raises:
        SetupError: Dask is not installed, or its scheduler does not answer or has another version.
    """

    def __init__(self, where: str, resource: str | None = None) -> None:
        try:
            import distributed
        except ImportError:
            raise SetupError(
                "clusters of Dask need the extra [dask]: pip install 'turnwright[dask]'"
            ) from None
        self.where = f"the Dask cluster at {where}"
        knock(where, self.where)
        self._dask: Any = distributed
        self._resource = resource
        self._log_levels = _silence("distributed")
        self._workers: dict[str, ClusterWorker] = {}
        self._looked: dict[str, asyncio.Task[None]] = {}
        """The tasks that ask workers for their versions, by the worker's address."""
        self._restricted: dict[Any, frozenset[str]] = {}
        """The workers that may play a job, by job."""
        self._futures: dict[str, Any] = {}
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(lambda loop, context: None)  # of tasks that end with the loop
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
                warnings.simplefilter("ignore")  # other versions: the error below names them in one line
                self._client = self._dask.Client(
                    where, asynchronous=True, timeout=CONNECT_S, set_as_default=False, name="turnwright"
                )
                async with asyncio.timeout(CONNECT_S):  # another program may listen there and never answer
                    await self._client
                    scheduler = (await self._client.scheduler.versions(packages=[]))["packages"]
        except Exception as error:  # of any kind: any program may listen there
            why = " ".join(str(error).split())[:200] or type(error).__name__
            raise SetupError(f"{self.where} does not answer: {why}: {_CURE}") from None
        found, ours = scheduler.get("distributed"), self._dask.__version__
        if found != ours:
            raise SetupError(
                f"{self.where} has distributed {found}, this machine {ours}: install the same version"
            )
        self._archives = _Archives(self._client, self._workers)
        await self._count()
        if self._looked:
            await asyncio.wait(self._looked.values(), timeout=CONNECT_S)
        self._client.direct_to_workers = await self._is_reachable()
        self._counting = asyncio.ensure_future(self._count_always())

    async def _is_reachable(self) -> bool:
        """Return whether this machine can reach workers, so that data need not pass the scheduler."""
        for address in list(self._looked)[:1]:
            host, _, port = address.rpartition("://")[2].rpartition(":")
            with suppress(OSError, ValueError, TimeoutError):
                async with asyncio.timeout(_DIRECT_S):
                    _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
                writer.close()
                return True
        return False

    # ---- workers -----------------------------------------------------------------------------------------

    async def _count(self) -> None:
        """Find the current workers, and ask a new worker for its versions before it plays.

        Also send lost archives again, and cancel the jobs that no remaining worker may play.
        """
        threads = await self._client.nthreads()
        for address in self._looked.keys() - threads.keys():
            self._looked.pop(address).cancel()
            self._workers.pop(address, None)
        for address in threads.keys() - self._looked.keys():
            self._looked[address] = asyncio.ensure_future(self._look(address, threads[address]))
        for digest in self._archives.lost():
            self._spreading = asyncio.ensure_future(self._archives.spread(digest))
        for future, allowed in list(self._restricted.items()):
            if not allowed & threads.keys():
                await future.cancel()  # no worker that may play it is there any more

    async def _look(self, address: str, threads: int) -> None:
        """Wait for a worker's versions, and note whether it can play."""
        asked = asyncio.ensure_future(self._trouble_of(address, threads))
        try:
            done, _ = await asyncio.wait([asked], timeout=_ANSWER_S)
            if not done:
                self._workers[address] = ClusterWorker(address, 0, f"it has not answered for {_ANSWER_S:g} s")
            trouble = await asked
        finally:
            asked.cancel()
        battles = int(not trouble and await self._has_resource(address))
        self._workers[address] = ClusterWorker(address, battles, trouble)

    async def _trouble_of(self, address: str, threads: int) -> str:
        """Return why a worker cannot play (other versions or too many threads), or ""."""
        found = await self._client.run(
            self._dask.versions.get_versions, packages=["turnwright"], workers=[address], on_error="return"
        )
        about = found.get(address)
        if not isinstance(about, Mapping):
            return f"it does not report its versions: {about}"[:200]
        packages = about["packages"]
        python = ".".join(str(packages.get("python")).split(".")[:2])
        has = (packages.get("turnwright"), python, packages.get("distributed"))
        wanted = (__version__, python_minor(), self._dask.__version__)
        for name, one, two in zip(("turnwright", "Python", "distributed"), has, wanted, strict=True):
            if one != two:
                found = f"{name} {one}" if one else f"no {name}"
                return f"it has {found}, the tournament {two}: install the same on all machines"
        return _threads(threads) if threads > 1 else ""

    async def _has_resource(self, address: str) -> bool:
        if self._resource is None:
            return True
        about = await self._client.scheduler.identity(n_workers=-1)
        resources = about["workers"].get(address, {}).get("resources", {})
        return bool(resources.get(self._resource, 0) >= 1)

    async def _count_always(self) -> None:
        while True:
            await asyncio.sleep(_COUNT_EVERY_S)
            with suppress(Exception):  # the battles that were there report a cluster that is gone
                await self._count()

    def workers(self) -> Sequence[ClusterWorker]:
        """Return the workers of the last count, which is about a second old."""
        return list(self._workers.values())

    # ---- jobs --------------------------------------------------------------------------------------------

    def keep(self, digest: str, archive: Path) -> None:
        """Provide an archive for workers to fetch."""
        self._archives.files[digest] = archive

    def submit(
        self, key: str, job: bytes, archives: Sequence[str], without: Collection[str]
    ) -> Future[RemoteAnswer]:
        """Begin a job, and return its future answer."""
        return asyncio.run_coroutine_threadsafe(self._played(key, job, archives, without), self._loop)

    async def _played(
        self, key: str, job: bytes, archives: Sequence[str], without: Collection[str]
    ) -> RemoteAnswer:
        keys = {digest: await self._archives.spread(digest) for digest in archives}
        with self._submitted(key, job, keys, without) as future:
            try:
                worker, answer = await future
            except self._dask.KilledWorker:
                raise WorkerLost("the workers that played the battle were killed") from None
            except (CancelledError, asyncio.CancelledError) as error:
                if self._client.status != "running":
                    raise SetupError(
                        f"{self.where} does not answer any more: no result is lost; run the same"
                        " command when it is back"
                    ) from None
                raise WorkerLost(f"the cluster dropped the battle: {error}"[:200]) from None
            except Exception as error:
                why = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                raise await self._failed(why) from None
            return str(worker), answer

    @contextmanager
    def _submitted(
        self, key: str, job: bytes, keys: Mapping[str, str], without: Collection[str]
    ) -> Iterator[Any]:
        """Hand a job to the scheduler, and give its future, which is released at the end."""
        fit = [one.name for one in self._workers.values() if one.battles and one.name not in without]
        only = fit if fit and len(fit) < len(self._looked) else None
        resources = None if self._resource is None else {self._resource: 1}
        future = self._client.submit(_play, job, keys, key=key, pure=False, workers=only, resources=resources)
        self._futures[key] = future
        if only:
            self._restricted[future] = frozenset(only)
        try:
            yield future
        finally:
            self._restricted.pop(future, None)
            self._futures.pop(key, None)
            future.release()

    async def _failed(self, why: str) -> Exception:
        """Return WorkerLost for a failed job if a worker has a problem by now, and otherwise SetupError."""
        await asyncio.sleep(_COUNT_EVERY_S)
        with suppress(Exception):
            await self._count()
        if any(one.trouble for one in self._workers.values()) or len(self._workers) < len(self._looked):
            return WorkerLost(f"a worker could not play: {why}")
        return SetupError(f"a worker of {self.where} cannot play: {why}")

    def drop(self, key: str) -> str:
        """Give up a job that takes too long. Return the worker that still plays it, or ""."""
        with suppress(Exception):
            return self._call(self._drop(key), CONNECT_S)
        return ""

    async def _drop(self, key: str) -> str:
        processing = await self._client.processing()
        future = self._futures.get(key)
        if future is not None:
            await future.cancel()
        return next((worker for worker, keys in processing.items() if key in keys), "")

    # ---- the end -----------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Disconnect from the scheduler. It forgets our jobs and archives."""
        if self._thread.is_alive():
            with suppress(Exception):
                self._call(self._close(), CONNECT_S)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
        for log, level in self._log_levels.items():
            log.setLevel(level)

    async def _close(self) -> None:
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
    """Silence the loggers of a package, which log lost connections as tracebacks. Return their levels."""
    names = [name for name in logging.root.manager.loggerDict if f"{name}.".startswith(f"{package}.")]
    levels = {log: log.level for log in map(logging.getLogger, names)}
    for log in levels:
        log.setLevel(logging.CRITICAL + 1)
    return levels


def _threads(number: int) -> str:
    return (
        f"it has {number} threads, and one process plays one battle at a time: start workers with"
        " --nthreads 1, and --nworkers for their number"
    )


def _play(job: bytes, keys: Mapping[str, str]) -> RemoteAnswer:
    """Play a job. This runs on a worker.

    Args:
        keys: the keys of the archives that it may fetch, by hash.
    """
    from distributed import get_worker

    worker = get_worker()
    number = worker.state.nthreads
    trouble = _threads(number) if number > 1 else ""
    return worker.address, play_remote(job, lambda digest: _fetch(worker, keys[digest]), trouble)


def _fetch(worker: Any, key: str) -> bytes:
    """Return an archive from other workers, after up to _FETCH_S. This runs on a worker."""
    from distributed.utils import sync

    limit = time.monotonic() + _FETCH_S
    while True:
        found = sync(worker.loop, _gathered, worker, key)
        if found is not None:
            return bytes(found)
        if time.monotonic() > limit:
            raise SetupError("no worker has the archive of a bot any more")
        time.sleep(_RETRY_S)


async def _gathered(worker: Any, key: str) -> Any:
    """Return an archive from this worker or another one, or None if no worker has it now."""
    from distributed.utils_comm import gather_from_workers

    if key in worker.data:
        return worker.data[key]
    who_has = await worker.scheduler.who_has(keys=[key])
    if not who_has.get(key):
        return None
    data, *_ = await gather_from_workers(who_has, worker.rpc, who=worker.address)
    return data.get(key)
