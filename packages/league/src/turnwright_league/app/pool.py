"""A pool of worker processes that survives the loss of one of them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from types import ModuleType
from typing import Any, TypeVar

from turnwright_league.app.worker import prepare_worker

if sys.platform == "linux":
    from multiprocessing.context import ForkServerContext as StartContext
    from multiprocessing.context import ForkServerProcess as StartProcess
else:  # a new interpreter for each worker: it starts more slowly
    from multiprocessing.context import SpawnContext as StartContext
    from multiprocessing.context import SpawnProcess as StartProcess

BATTLE_S_MAX = 6 * 3600.0
"""The most seconds of one task. Then its worker is killed."""
_PRELOADED = "turnwright_league.app.worker"

Result = TypeVar("Result")


class WorkerLost(Exception):
    """A worker ended before its task did, because it was killed, ran out of memory, or took over
    BATTLE_S_MAX, or because its pool was stopped.
    """


class WorkerPool:
    """Worker processes that are kept from one task to the next. Leaving the context stops them.

    Args:
        workers: the number of workers.
    """

    def __init__(self, workers: int) -> None:
        from pebble import ProcessPool  # takes its time

        context = _WorkerContext()
        if sys.platform == "linux":
            context.set_forkserver_preload([_PRELOADED])
        self._pool = ProcessPool(max_workers=workers, initializer=prepare_worker, context=context)

    def submit(self, task: Callable[[Any], Result], argument: Any) -> Future[Result]:
        """Begin a task. Its future raises WorkerLost if its worker is lost."""
        inner = self._pool.schedule(task, args=(argument,), timeout=BATTLE_S_MAX)
        outer: Future[Result] = Future()
        inner.add_done_callback(lambda done: _pass_on(done, outer))
        return outer

    def stop(self) -> None:
        """Kill all workers, and wait for their end. Futures of their tasks raise WorkerLost."""
        self._pool.stop()  # type: ignore[no-untyped-call]  # of pebble
        self._pool.join()

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _pass_on(done: Future[Any], outer: Future[Any]) -> None:
    from pebble import ProcessExpired

    if done.cancelled():
        outer.set_exception(WorkerLost("the pool was stopped"))
        return
    error = done.exception()
    if isinstance(error, ProcessExpired | TimeoutError | BrokenExecutor):
        outer.set_exception(WorkerLost(str(error)))
    elif error is not None:
        outer.set_exception(error)
    else:
        outer.set_result(done.result())


_starting = threading.Lock()


class _WorkerProcess(StartProcess):
    """A worker that does not run the user's program again.

    A new process of `multiprocessing` imports the main program. Without `if __name__ == "__main__"`, that
    would play the tournament again. Workers need only modules of turnwright.
    """

    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        with _starting:
            main = sys.modules["__main__"]
            sys.modules["__main__"] = ModuleType("__main__")
            try:
                return StartProcess._Popen(process_obj)
            finally:
                sys.modules["__main__"] = main


class _WorkerContext(StartContext):
    """Starts workers.

    On Linux, it forks them from a process that has only imported modules.
    """

    Process = _WorkerProcess
