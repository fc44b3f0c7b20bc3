"""A watchdog for rules. It ends a call of a game that does not return.

The watchdog is a thread that regularly checks what the watched thread is doing. If the watched thread has
been in the same call of a game's method for too long, the watchdog raises an exception in it.
`kernel.checked_game` turns the exception into an error of one line. Our own games have no watchdog, because
their calls are not checked. A long call of C code blocks the interpreter itself, so it cannot be ended.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import monotonic
from types import FrameType
from typing import Any

from turnwright.catalog import FoundGame
from turnwright.kernel.checked_game import CHECKED_CALL, EndlessCall

CALL_S_MAX = 50.0
"""The longest time for one call of a game, in seconds. It is shorter than the time after which a silent
room's process is ended.
"""
_HURRIED_S = 0.5
"""The longest time for one call of a game after a signal has asked the program to end, in seconds."""
LOOK_S = 0.1
"""The time between two checks of a call."""


class RulesWatchdog(AbstractContextManager["RulesWatchdog"]):
    """Ends calls of games that take too long, by raising EndlessCall in the thread that enters this context.

    Args:
        limit_s: the time limit for one call, in seconds. None means CALL_S_MAX.
    """

    def __init__(self, limit_s: float | None = None) -> None:
        self._limit_s = CALL_S_MAX if limit_s is None else limit_s
        self._over = threading.Event()
        self._call: FrameType | None = None
        self._since_s = 0.0
        self._replaced: list[tuple[signal.Signals, Callable[..., Any], Callable[..., Any]]] = []

    def __enter__(self) -> RulesWatchdog:
        self._watched = threading.get_ident()
        self._thread = threading.Thread(target=self._watch, name="turnwright-rules", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for number, before, now in self._replaced:
            if signal.getsignal(number) is now:
                signal.signal(number, before)
        self._over.set()
        self._thread.join()

    def hurry_on_signals(self) -> None:
        """Let SIGINT and SIGTERM also end a call that lasts longer than half a second.

        Their other effects stay. A signal without a handler in Python stays unchanged. In a thread other than
        the main thread, the method does nothing.
        """
        if threading.current_thread() is not threading.main_thread():
            return
        for number in (signal.SIGINT, signal.SIGTERM):
            before = signal.getsignal(number)
            if callable(before):
                now = self._hurrying(before)
                signal.signal(number, now)
                self._replaced.append((number, before, now))

    def _hurrying(self, before: Callable[[int, FrameType | None], Any]) -> Callable[..., None]:
        def hurry(number: int, frame: FrameType | None) -> None:
            self._limit_s = min(self._limit_s, _HURRIED_S)
            before(number, frame)

        return hurry

    def _watch(self) -> None:
        while not self._over.wait(LOOK_S):
            self._look()

    def _look(self) -> None:
        now_s = monotonic()  # before the look, so that no call seems to take longer than it does
        call = _call_in(sys._current_frames().get(self._watched))
        if call is not self._call:
            self._call, self._since_s = call, monotonic()
        elif call is not None and now_s - self._since_s >= self._limit_s:
            self._end()

    def _end(self) -> None:
        """Raise an exception in the watched thread. If a game catches the exception, it is raised again."""
        import ctypes  # only here, because not every command needs it

        kind = type("EndlessCall", (EndlessCall,), {"after_s": self._limit_s})
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._watched), ctypes.py_object(kind))


def _call_in(frame: FrameType | None) -> FrameType | None:
    """Return the frame of the checked call that a thread is in, or None."""
    while frame is not None and frame.f_code is not CHECKED_CALL:
        frame = frame.f_back
    return frame


@contextmanager
def watchdog_with_signals(game: FoundGame) -> Iterator[None]:
    """Watch the calls of a game. SIGINT and SIGTERM also end a call that lasts longer than half a second.

    Use it in the main thread, inside the code that handles these signals.
    """
    with watchdog_of(game) as watch:
        if watch is not None:
            watch.hurry_on_signals()
        yield


def watchdog_of(game: FoundGame) -> AbstractContextManager[RulesWatchdog | None]:
    """Return a watchdog for the calls of a game. If the calls are not checked, the context yields None."""
    return RulesWatchdog() if game.checked else nullcontext()
