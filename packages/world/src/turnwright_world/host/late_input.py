"""Tracks input that lay unread while the event loop was late.

Where the loop comes late to a landing or to a turn's end, the sockets are read before it counts. What lay in
them came at the latest when that was due, as far as anybody can know.
"""

from __future__ import annotations

from collections import deque

SLICES_UNREAD = 4
"""Input that came before the last so many slices of a turn's end began has been read; later input, perhaps.

A slice is worked at in one round of the event loop, or two in the same one when the store reports, and what
comes during a round is read before the end of the next but one.
"""


class LateInput:
    """reading: the sockets are being read.

    read_until_ns: what had come by then has been read.
    """

    __slots__ = ("_asked_ns", "_slices", "read_until_ns", "reading")

    def __init__(self) -> None:
        self.reading = False
        self.read_until_ns = 0
        self._asked_ns = 0
        self._slices: deque[int] = deque(maxlen=SLICES_UNREAD)

    def may_lie_unread(self, due_ns: int, now_ns: int) -> bool:
        """Return whether input from before `due_ns` may still be unread.

        `due_ns` has passed.
        """
        return self.read_until_ns < due_ns < now_ns

    def start_reading(self, now_ns: int) -> None:
        """The sockets are about to be read."""
        self.reading, self._asked_ns = True, now_ns

    def reading_done(self) -> bool:
        """Note that the sockets have been read; return whether a turn waited for it."""
        waited, self.reading = self.reading, False
        if waited:
            self.read_until_ns = self._asked_ns
        return waited

    def turn_ends(self, now_ns: int) -> None:
        """The end of a turn begins, in slices.

        Nothing needs to wait for the sockets any more.
        """
        self.reading = False
        self._slices.extend([now_ns] * SLICES_UNREAD)
        self.read_until_ns = now_ns

    def slice_begins(self, now_ns: int) -> None:
        """Another slice begins."""
        self._slices.append(now_ns)
        self.read_until_ns = self._slices[0]
