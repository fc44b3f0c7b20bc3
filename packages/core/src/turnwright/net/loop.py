"""The event loop, and the signals that end it.

On Linux it is uvloop, if that is installed. Otherwise it is asyncio's loop for sockets.
asyncio is imported only when a loop runs, so that other commands start quickly.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from turnwright.net.portability import IS_LINUX

if TYPE_CHECKING:
    import asyncio

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run `main` in a new event loop of the fastest kind, and return its result.

    Afterwards, the former handlers of Ctrl-C and SIGTERM are restored.
    """
    with _same_signals(), runner() as running:
        return running.run(main)


def runner() -> asyncio.Runner:
    """Return a runner, which runs coroutines one after the other in one event loop."""
    import asyncio

    if IS_LINUX:
        with suppress(ImportError):
            from uvloop import new_event_loop

            return asyncio.Runner(loop_factory=new_event_loop)
    # This loop can poll sockets on every system. The default loop of Windows cannot.
    return asyncio.Runner(loop_factory=asyncio.SelectorEventLoop)


@contextmanager
def _same_signals() -> Iterator[None]:
    """Restore the signal handlers at the end of the block. uvloop does not restore them if an exception has
    ended the loop.
    """
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


def stop_on_signals(stop: asyncio.Event, interrupted: Callable[[], None]) -> None:
    """Make SIGTERM and SIGINT set `stop`. For SIGINT, call `interrupted` first.

    In a thread other than the main thread, the function does nothing.
    """
    import asyncio

    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        interrupted()
        stop.set()

    if threading.current_thread() is threading.main_thread():
        on_signal(loop, signal.SIGTERM, stop.set)
        on_signal(loop, signal.SIGINT, interrupt)


def on_signal(loop: asyncio.AbstractEventLoop, number: signal.Signals, call: Callable[[], object]) -> None:
    """Call a function in a loop when a signal arrives.

    If the event loop does not support signals, as on Windows, a Python signal handler passes the signal on.
    asyncio uses `signal.set_wakeup_fd` on Windows, too, so a signal wakes a waiting loop. Call the function
    only in the main thread.
    """
    try:
        loop.add_signal_handler(number, call)
    except NotImplementedError:
        signal.signal(number, lambda *_: _in_loop(loop, call))


def _in_loop(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    with suppress(RuntimeError):  # the loop has closed
        loop.call_soon_threadsafe(call)
