"""Tracks input that lay unread while the event loop was late.

If the event loop is late for the landing of an attack or for a turn's end, the server first reads the
sockets. The true arrival time of input that waited there is unknown. The server treats this input as if it
had arrived by the due time.
"""

from __future__ import annotations

from collections import deque

SLICES_UNREAD = 4
"""Input that arrived during the last SLICES_UNREAD slices of a turn's end may still be unread.

The event loop runs one slice in a round, or two when the store reports. Input that arrives during a round is
read within the next two rounds.
"""


class LateInput:
    """Tracks up to which time the input has been read.

    Attributes:
        reading: whether the sockets are being read.
        read_until_ns: all input that arrived by this time has been read.
    """

    __slots__ = ("_asked_ns", "_slices", "read_until_ns", "reading")

    def __init__(self) -> None:
        self.reading = False
        self.read_until_ns = 0
        self._asked_ns = 0
        self._slices: deque[int] = deque(maxlen=SLICES_UNREAD)

    def may_lie_unread(self, due_ns: int, now_ns: int) -> bool:
        """Return whether `due_ns` has passed and input from before it may still be unread."""
        return self.read_until_ns < due_ns < now_ns

    def start_reading(self, now_ns: int) -> None:
        """Note that the server begins to read the sockets."""
        self.reading, self._asked_ns = True, now_ns

    def reading_done(self) -> bool:
        """Note that the sockets have been read, and return whether a turn waited for this."""
        waited, self.reading = self.reading, False
        if waited:
            self.read_until_ns = self._asked_ns
        return waited

    def turn_ends(self, now_ns: int) -> None:
        """Note that the end of a turn begins. From here on nothing waits for the sockets."""
        self.reading = False
        self._slices.extend([now_ns] * SLICES_UNREAD)
        self.read_until_ns = now_ns

    def slice_begins(self, now_ns: int) -> None:
        """Note that another slice of a turn's end begins.

        Input from before the last SLICES_UNREAD slices then counts as read.
        """
        self._slices.append(now_ns)
        self.read_until_ns = self._slices[0]
