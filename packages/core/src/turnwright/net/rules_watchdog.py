"""Watchdog of rules: ends a call of a game that does not return.

A thread looks now and then where another one is. If that one has been in the same call of a method of a game
for too long, an exception is raised there, which `kernel.checked_game` turns into one line. Our own games are
not checked, so they are not watched. A long call in C holds the interpreter itself and cannot be ended.
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
"""The time that one call of a game may take, seconds: less than a room's process may be silent."""
_HURRIED_S = 0.5
"""The same once a signal has asked for the end."""
LOOK_S = 0.1
"""Pause between two looks at a call."""


class RulesWatchdog(AbstractContextManager["RulesWatchdog"]):
    """Watches over the calls of games in the thread that enters it.

    Args:
        limit_s: the limit of one call, seconds; None: CALL_S_MAX.
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
        """Let SIGINT and SIGTERM end a long call, in addition to what they do now.

        Only possible in the main thread.
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
        now_s = (
            monotonic()
        )  # before the look, and of a new call behind it: never too long, whichever thread runs between
        call = _call_in(sys._current_frames().get(self._watched))
        if call is not self._call:
            self._call, self._since_s = call, monotonic()
        elif call is not None and now_s - self._since_s >= self._limit_s:
            self._end()

    def _end(self) -> None:
        """Raise an exception in the watched thread. It is raised again while a game catches it."""
        import ctypes  # when it is needed: not every command loads it

        kind = type("EndlessCall", (EndlessCall,), {"after_s": self._limit_s})
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._watched), ctypes.py_object(kind))


def _call_in(frame: FrameType | None) -> FrameType | None:
    """Return the checked call that a thread is in, or None."""
    while frame is not None and frame.f_code is not CHECKED_CALL:
        frame = frame.f_back
    return frame


@contextmanager
def watchdog_with_signals(game: FoundGame) -> Iterator[None]:
    """Watch the calls of a game; SIGINT and SIGTERM end a long call at once.

    For the main thread, behind what handles these signals.
    """
    with watchdog_of(game) as watch:
        if watch is not None:
            watch.hurry_on_signals()
        yield


def watchdog_of(game: FoundGame) -> AbstractContextManager[RulesWatchdog | None]:
    """Return a watchdog for the calls of a game; none if they are not checked."""
    return RulesWatchdog() if game.checked else nullcontext()
