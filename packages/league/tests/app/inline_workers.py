"""Fast workers in this process, whose answers a test decides."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from turnwright_league.app.pool import WorkerPool


def work_here(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[Any, Any], Any] = lambda task, it: task(it)
) -> None:
    """Let pools of workers start no process.

    Args:
        work: called with a task and its argument. It returns the result, or raises what the pool's future
            raises.
    """

    def submit(_: WorkerPool, task: Callable[[Any], Any], argument: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(work(task, argument))
        except Exception as error:
            done.set_exception(error)
        return done

    monkeypatch.setattr(WorkerPool, "__init__", lambda pool, workers: None)
    monkeypatch.setattr(WorkerPool, "submit", submit)
    monkeypatch.setattr(WorkerPool, "stop", lambda pool: None)
