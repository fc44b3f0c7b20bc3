"""What of all that has come has been read, so that nobody pays for a loop that is late.

Where the loop comes late to a landing or to a turn's end, the sockets are read before it counts. What lay in
them came at the latest when that was due, as far as anybody can know.
"""

from __future__ import annotations

from collections import deque

__all__ = ["SLICES_UNREAD", "Hearing"]

SLICES_UNREAD = 4
"""What came before the last so many slices of a turn's end began has been read; later things, perhaps.

A slice is worked at in one round of the event loop, or two in the same one when the store reports, and what
comes during a round is read before the end of the next but one.
"""


class Hearing:
    """draining: the sockets are being read. heard_ns: what had come by then has been read."""

    __slots__ = ("_asked_ns", "_slices", "draining", "heard_ns")

    def __init__(self) -> None:
        self.draining = False
        self.heard_ns = 0
        self._asked_ns = 0
        self._slices: deque[int] = deque(maxlen=SLICES_UNREAD)

    def misses(self, due_ns: int, now_ns: int) -> bool:
        """Return whether what came before `due_ns`, which has passed, may still lie in the sockets."""
        return self.heard_ns < due_ns < now_ns

    def drain(self, now_ns: int) -> None:
        """The sockets are about to be read."""
        self.draining, self._asked_ns = True, now_ns

    def drained(self) -> bool:
        """The sockets have been read; return whether anybody waited for it."""
        waited, self.draining = self.draining, False
        if waited:
            self.heard_ns = self._asked_ns
        return waited

    def cut(self, now_ns: int) -> None:
        """The end of a turn begins, in slices. Who waits for the sockets need not any more."""
        self.draining = False
        self._slices.extend([now_ns] * SLICES_UNREAD)
        self.heard_ns = now_ns

    def slice(self, now_ns: int) -> None:
        """Another slice begins."""
        self._slices.append(now_ns)
        self.heard_ns = self._slices[0]
