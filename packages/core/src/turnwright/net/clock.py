"""Monotonic nanoseconds, and an alarm that never rings early.

This module reads the clock. The code in the layers below `net` gets the time as an argument. An alarm never
rings early, because that would shorten the time of a participant. The alarm uses a kernel timer if the system
has one. It then rings 33 to 217 µs late (measured). Otherwise the alarm uses the event loop's timer. uvloop's
timer fires up to 1.1 ms early, so the alarm sets it again until the time has passed.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
import time
from collections.abc import Callable
from typing import Protocol

from turnwright.kernel.units import NS_PER_S

# A Linux timer that is a file descriptor (timerfd_create(2)).
#
# It counts CLOCK_MONOTONIC in nanoseconds, never rings early and becomes readable. So any event loop can wait
# for it together with its sockets. Python has it from 3.13 on. For earlier versions the C library provides
# it. `supported()` returns False if neither is available.


_MONOTONIC = 1
_ABSOLUTE = 1
_NONBLOCK_CLOEXEC = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class _Timerspec(ctypes.Structure):
    """The C structure itimerspec: a period (always zero here) and the time of the first ring."""

    _fields_ = (
        ("period_s", ctypes.c_long),
        ("period_ns", ctypes.c_long),
        ("first_s", ctypes.c_long),
        ("first_ns", ctypes.c_long),
    )


def _c_library() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    try:
        library = ctypes.CDLL(None, use_errno=True)
        library.timerfd_settime.argtypes = (
            ctypes.c_int,
            ctypes.c_int,
            ctypes.POINTER(_Timerspec),
            ctypes.c_void_p,
        )
        library.timerfd_create.argtypes = (ctypes.c_int, ctypes.c_int)
    except (AttributeError, OSError):
        return None
    return library


_LIBRARY = None if sys.version_info >= (3, 13) else _c_library()


def supported() -> bool:
    """Return whether this machine has timer file descriptors."""
    return _LIBRARY is not None or hasattr(os, "timerfd_create")


def create() -> int:
    """Return a new, silent timer's file descriptor (non-blocking, closed on exec).

    Raises:
        OSError: the system cannot make a timer.
    """
    if sys.version_info >= (3, 13):
        return os.timerfd_create(_MONOTONIC, flags=os.TFD_NONBLOCK | os.TFD_CLOEXEC)
    assert _LIBRARY is not None, "supported() said no"
    timer = int(_LIBRARY.timerfd_create(_MONOTONIC, _NONBLOCK_CLOEXEC))
    if timer < 0:
        raise OSError(ctypes.get_errno(), "timerfd_create failed")
    return timer


def set_alarm(timer: int, at_ns: int) -> None:
    """Let `timer` ring once at `at_ns` (CLOCK_MONOTONIC, > 0). If `at_ns` is past, it rings immediately.

    Raises:
        OSError: the descriptor is not an open timer.
    """
    if sys.version_info >= (3, 13):
        os.timerfd_settime_ns(timer, flags=os.TFD_TIMER_ABSTIME, initial=at_ns, interval=0)
        return
    assert _LIBRARY is not None, "supported() said no"
    first_s, first_ns = divmod(at_ns, NS_PER_S)
    if _LIBRARY.timerfd_settime(timer, _ABSOLUTE, _Timerspec(0, 0, first_s, first_ns), None) < 0:
        raise OSError(ctypes.get_errno(), "timerfd_settime failed")


def rings(timer: int) -> bool:
    """Return whether `timer` has rung since the last call, and reset it."""
    try:
        return len(os.read(timer, 8)) == 8
    except BlockingIOError:
        return False


def close(timer: int) -> None:
    """Close the timer's file descriptor."""
    os.close(timer)


now_ns = time.monotonic_ns
"""The time in integer nanoseconds of CLOCK_MONOTONIC. Changes of the date do not affect it."""


class Alarm(Protocol):
    """A one-shot alarm. It calls back once when its time has passed."""

    def set(self, at_ns: int | None) -> None:
        """Ring at `at_ns`. If `at_ns` is past, ring immediately. None means never ring.

        This replaces the time that was set before.
        """

    def close(self) -> None:
        """Turn the alarm off, and release its resources."""


def create_alarm(loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> Alarm:
    """Return the most precise alarm of this machine. `callback` runs on `loop`."""
    return TimerfdAlarm(loop, callback) if supported() else LoopAlarm(loop, callback)


class QueuedAlarm:
    """An alarm that never rings during `set`. If its time is past, it rings in the event loop's next round.

    Input that the event loop has already noticed is read before the alarm rings.
    """

    __slots__ = ("_alarm", "_callback", "_handle", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
        self._loop = loop
        self._callback = callback
        self._alarm = create_alarm(loop, callback)
        self._handle: asyncio.Handle | None = None

    def set(self, at_ns: int | None) -> None:
        """Ring at `at_ns`. None means never ring."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if at_ns is not None and at_ns <= now_ns():
            self._handle = self._loop.call_soon(self._ring)
            at_ns = None
        self._alarm.set(at_ns)

    def close(self) -> None:
        """Turn the alarm off, and release its resources."""
        self.set(None)
        self._alarm.close()

    def _ring(self) -> None:
        self._handle = None
        self._callback()


class TimerfdAlarm:
    """An alarm on a kernel timer.

    A turn sets a new deadline long before the old deadline is due. If the timer would ring before the new
    deadline, its time is not changed. The timer then rings once without effect, and is set to the remaining
    time. So the timer is set about once in each turn timeout, and the number of system calls does not grow
    with the number of turns per second.
    """

    __slots__ = ("_at_ns", "_callback", "_loop", "_timer", "_timer_ns")

    def __init__(self, loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
        self._loop = loop
        self._callback = callback
        self._at_ns: int | None = None
        self._timer_ns: int | None = None
        self._timer = create()
        loop.add_reader(self._timer, self._rung)

    def set(self, at_ns: int | None) -> None:
        """Ring at `at_ns`. None means never ring."""
        self._at_ns = at_ns
        if at_ns is not None and (self._timer_ns is None or at_ns < self._timer_ns):
            self._arm(at_ns)

    def close(self) -> None:
        """Turn the alarm off. A second call has no effect."""
        if self._timer >= 0:
            self._loop.remove_reader(self._timer)
            close(self._timer)
        self._timer = -1
        self._at_ns = None

    def _arm(self, at_ns: int) -> None:
        if self._timer >= 0:
            set_alarm(self._timer, max(at_ns, 1))
            self._timer_ns = at_ns

    def _rung(self) -> None:
        if not rings(self._timer):
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
    """An alarm on the event loop's own timers.

    Machines without timer file descriptors use it.
    """

    __slots__ = ("_at_ns", "_callback", "_closed", "_handle", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop, callback: Callable[[], None]) -> None:
        self._loop = loop
        self._callback = callback
        self._at_ns: int | None = None
        self._closed = False
        self._handle: asyncio.TimerHandle | None = None

    def set(self, at_ns: int | None) -> None:
        """Ring at `at_ns`. None means never ring."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        self._at_ns = at_ns
        if at_ns is not None and not self._closed:
            self._handle = self._loop.call_later(max(0, at_ns - now_ns()) / 1e9, self._due)

    def close(self) -> None:
        """Turn the alarm off. A second call has no effect."""
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
