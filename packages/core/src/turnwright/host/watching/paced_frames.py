"""Shows the frames of a battle at the room's speed, if the battle does not wait for spectators.

The frames are for spectators that get every turn and have no clock of their own, such as Robocode's
observers. The battle continues while frames wait. If too many frames wait, the oldest are dropped.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from turnwright.kernel.pace import Pace

PACED_BYTES_MAX = 64 << 20
"""The largest number of bytes of waiting messages. If there are more, the oldest frames are dropped."""


@dataclass(slots=True)
class _Waiting:
    data: bytes
    made_ns: int
    is_frame: bool
    """Whether the message is a frame, which is shown for the time of a turn. Any other message is shown
    together with the frame before it.
    """


class PacedFrames:
    """Messages that wait to be shown.

    Args:
        show: sends a message. The second argument is whether a slow spectator may miss the message.
    """

    def __init__(self, tps: int, show: Callable[[bytes, bool], None]) -> None:
        self.pace = Pace(tps)
        self._show = show
        self._waiting: deque[_Waiting] = deque()
        self._bytes = 0

    def add(self, data: bytes, now_ns: int, *, is_frame: bool) -> None:
        """Append a message, and show what is due."""
        if not data:
            return
        self._waiting.append(_Waiting(data, now_ns, is_frame))
        self._bytes += len(data)
        if self._bytes > PACED_BYTES_MAX:
            self._lose_oldest()
        self.show_due(now_ns)

    @property
    def is_behind(self) -> bool:
        """Whether some messages still wait to be shown."""
        return bool(self._waiting)

    def due_ns(self) -> int | None:
        """Return the time at which the next message is due. 0 means now. None means that no message waits, or
        the frames are paused.
        """
        if not self._waiting:
            return None
        return self.pace.due_ns() if self._waiting[0].is_frame else 0

    def show_due(self, now_ns: int) -> None:
        """Show the messages that are due."""
        while (due_ns := self.due_ns()) is not None and due_ns <= now_ns:
            one = self._take()
            if one.is_frame:
                self.pace.resolved(one.made_ns, now_ns)
            self._show(one.data, one.is_frame)

    def begin(self, tps: int) -> None:
        """Begin another battle at this speed."""
        self.skip_frames()
        self.pace = Pace(tps)

    def skip_frames(self) -> None:
        """Drop all waiting frames, and show the other waiting messages. This is used when a battle begins, or
        was stopped.
        """
        while self._waiting:
            one = self._take()
            if not one.is_frame:
                self._show(one.data, False)

    def _take(self) -> _Waiting:
        one = self._waiting.popleft()
        self._bytes -= len(one.data)
        return one

    def _lose_oldest(self) -> None:
        """Drop the oldest frames until the rest fits, without the other messages before them.

        These messages are kept, because no spectator may miss them.
        """
        kept: deque[_Waiting] = deque()
        while self._waiting and self._bytes > PACED_BYTES_MAX:
            one = self._take()
            if not one.is_frame:
                kept.append(one)
        self._waiting.extendleft(reversed(kept))
        self._bytes += sum(len(one.data) for one in kept)
