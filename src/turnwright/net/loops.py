"""The event loop: uvloop where it is installed, asyncio's own elsewhere."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

__all__ = ["run"]

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run `main` in a new event loop, the fastest one, and return its result.

    What Ctrl-C and SIGTERM do is afterwards what it was before.
    """
    with _same_signals():
        try:
            from uvloop import new_event_loop
        except ImportError:
            return asyncio.run(main)
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            return runner.run(main)


@contextmanager
def _same_signals() -> Iterator[None]:
    """Put handlers back: uvloop keeps those that were set in a loop which ended by an exception."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:  # None: it was not set by Python
                signal.signal(number, handler)
