"""The one clock and the one sleep: monotonic nanoseconds, and an alarm that never rings early.

Everything below `net` gets its time as an argument; this is where that argument comes from. An alarm that
rings early would take time away from a participant, so none does: the kernel's timer where there is one
(33–217 µs late, measured), else the event loop's, asked again until the instant is past (uvloop's fires up to
1.1 ms early).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from turnwright.net import timerfd

__all__ = ["Alarm", "LoopAlarm", "TimerfdAlarm", "create_alarm", "now_ns"]

now_ns = time.monotonic_ns
"""The time in integer nanoseconds of CLOCK_MONOTONIC: not affected by changes of the date."""


class Alarm(Protocol):
    """A one-shot alarm: calls back once when its instant is past."""

    def set(self, at_ns: int | None) -> None:
        """Ring at `at_ns` (at once when past) instead of at the instant set before; None: never."""

    def close(self) -> None:
        """Never ring again and give back what the alarm holds."""


def create_alarm(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> Alarm:
    """Return the most precise alarm that this machine has; `callback` runs on `loop`."""
    return TimerfdAlarm(loop, callback) if timerfd.supported() else LoopAlarm(loop, callback)


class TimerfdAlarm:
    """An alarm on a kernel timer.

    A turn sets a new deadline long before the old one is due. The timer is therefore left as it is when it
    rings before the new instant: it then rings for nothing, and is set to what is left. Thousands of turns a
    second cost one system call each timeout, not one each turn.
    """

    __slots__ = ("_at_ns", "_callback", "_loop", "_timer", "_timer_ns")

    def __init__(self, loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
        self._loop = loop
        self._callback = callback
        self._at_ns: int | None = None
        self._timer_ns: int | None = None
        self._timer = timerfd.create()
        loop.add_reader(self._timer, self._rung)

    def set(self, at_ns: int | None) -> None:
        """Ring at `at_ns`; None: never."""
        self._at_ns = at_ns
        if at_ns is not None and (self._timer_ns is None or at_ns < self._timer_ns):
            self._arm(at_ns)

    def close(self) -> None:
        """Never ring again; a second call does nothing."""
        if self._timer >= 0:
            self._loop.remove_reader(self._timer)
            timerfd.close(self._timer)
        self._timer = -1
        self._at_ns = None

    def _arm(self, at_ns: int) -> None:
        if self._timer >= 0:
            timerfd.set_alarm(self._timer, max(at_ns, 1))
            self._timer_ns = at_ns

    def _rung(self) -> None:
        if not timerfd.rings(self._timer):
            return
        self._timer_ns = None
        at_ns = self._at_ns
        if at_ns is None:
            return
        if now_ns() < at_ns:
            self._arm(at_ns)
            return
        self._at_ns = None
        self._callback()


class LoopAlarm:
    """An alarm on the event loop's own timers, for machines without timer file descriptors."""

    __slots__ = ("_at_ns", "_callback", "_closed", "_handle", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
        self._loop = loop
        self._callback = callback
        self._at_ns: int | None = None
        self._closed = False
        self._handle: asyncio.TimerHandle | None = None

    def set(self, at_ns: int | None) -> None:
        """Ring at `at_ns`; None: never."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._at_ns = at_ns
        if at_ns is not None and not self._closed:
            self._handle = self._loop.call_later(max(0, at_ns - now_ns()) / 1e9, self._due)

    def close(self) -> None:
        """Never ring again; a second call does nothing."""
        self._closed = True
        self.set(None)

    def _due(self) -> None:
        self._handle = None
        at_ns = self._at_ns
        if at_ns is not None and now_ns() < at_ns:
            self.set(at_ns)
            return
        self._at_ns = None
        self._callback()
