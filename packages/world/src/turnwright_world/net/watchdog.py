"""Watchdog for content: ends a server that is blocked by one call into C.

`content/loop_limit.py` limits the loops of a verb, but not a call such as `sum(range(10**12))`, which would
block the server without any message. So each call of the host has a limit of processor time. After this time
the system ends the process, and stderr names the line that ran. The world is stored, and a restarted server
continues at most one turn earlier. Time in which the process sleeps or is stopped does not count. On systems
without a timer for processor time, the limit is real time.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
from types import TracebackType

CALL_S_MAX = 20.0
"""The limit of one call in s of processor time. A turn is played in calls of a few milliseconds."""


class Watchdog:
    """Ends the process in a call that takes too long.

    Use it as a context manager for each call. Call `begin` before the first call and `end` after the last.

    Args:
        limit_s: the time limit of a call.
    """

    def __init__(self, limit_s: float = CALL_S_MAX) -> None:
        self._limit_s = limit_s

    def begin(self) -> None:
        """On Linux, let the timer's signal print the running lines before it ends the process."""
        if sys.platform == "linux":
            faulthandler.register(signal.SIGVTALRM, all_threads=True, chain=True)

    def end(self) -> None:
        """Stop the timer, and handle the signal as before `begin`."""
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
