"""Watchdog of content: ends a server that is held in one call into C.

A loop of a verb is counted (`content/loop_limit.py`), a call such as `sum(range(10**12))` is not: the server
would stand still for ever, without a word. So each call of the host has a limit of processor time. Beyond it
the system ends the process, and stderr names the line that ran. The world is kept: a restarted server
continues from it, at most one turn back. Time in which the process does not run, asleep or stopped, does not
count. Without a timer of processor time the limit is one of real time.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
from types import TracebackType

CALL_S_MAX = 20.0
"""Processor time in user mode of one call, s; a turn is played in calls of a few milliseconds."""


class Watchdog:
    """Ends the process in a call that takes too long.

    Use it as a context manager for each call. Call `begin` before the first call and `end` after the last.

    Args:
        limit_s: the limit of a call.
    """

    def __init__(self, limit_s: float = CALL_S_MAX) -> None:
        self._limit_s = limit_s

    def begin(self) -> None:
        """Let the system end the process where a call takes too long."""
        if sys.platform == "linux":
            faulthandler.register(signal.SIGVTALRM, all_threads=True, chain=True)

    def end(self) -> None:
        """Stop watching."""
        if sys.platform == "linux":
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            faulthandler.unregister(signal.SIGVTALRM)

    def __enter__(self) -> None:
        if sys.platform == "linux":
            signal.setitimer(signal.ITIMER_VIRTUAL, self._limit_s)
        else:
            faulthandler.dump_traceback_later(self._limit_s, exit=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.platform == "linux":
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        else:
            faulthandler.cancel_dump_traceback_later()
