"""The kernel's own alarm clock: a Linux timer that is a file descriptor (timerfd_create(2)).

It counts CLOCK_MONOTONIC in nanoseconds, never rings early and becomes readable, so any event loop can wait
for it beside its sockets. Python has it from 3.13 on; before that the C library is asked. `supported()` is
False where neither can be had. What to do when it rings is the business of `clock`.
"""

from __future__ import annotations

import ctypes
import os
import sys

__all__ = ["close", "create", "rings", "set_alarm", "supported"]

_MONOTONIC = 1
_ABSOLUTE = 1
_NONBLOCK_CLOEXEC = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NS_PER_S = 1_000_000_000


class _Timerspec(ctypes.Structure):
    """struct itimerspec: a period (always zero here) and the first ring."""

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
    """Return a new, silent timer's file descriptor (non-blocking, closed on exec). Raises OSError."""
    if sys.version_info >= (3, 13):
        return os.timerfd_create(_MONOTONIC, flags=os.TFD_NONBLOCK | os.TFD_CLOEXEC)
    assert _LIBRARY is not None, "supported() said no"
    timer = int(_LIBRARY.timerfd_create(_MONOTONIC, _NONBLOCK_CLOEXEC))
    if timer < 0:
        raise OSError(ctypes.get_errno(), "timerfd_create failed")
    return timer


def set_alarm(timer: int, at_ns: int) -> None:
    """Let `timer` ring once at `at_ns` (CLOCK_MONOTONIC, > 0; at once when past). Raises OSError."""
    if sys.version_info >= (3, 13):
        os.timerfd_settime_ns(timer, flags=os.TFD_TIMER_ABSTIME, initial=at_ns, interval=0)
        return
    assert _LIBRARY is not None, "supported() said no"
    first_s, first_ns = divmod(at_ns, _NS_PER_S)
    if _LIBRARY.timerfd_settime(timer, _ABSOLUTE, _Timerspec(0, 0, first_s, first_ns), None) < 0:
        raise OSError(ctypes.get_errno(), "timerfd_settime failed")


def rings(timer: int) -> bool:
    """Return whether `timer` has rung since it was last asked or set, and silence it."""
    try:
        return len(os.read(timer, 8)) == 8
    except BlockingIOError:
        return False


def close(timer: int) -> None:
    """Give the timer back."""
    os.close(timer)
