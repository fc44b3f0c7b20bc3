"""TimerQueue: timers in order of their due game time. Timers with the same time are in order of number.

The queue has only times and numbers, no functions, so a battle can be saved while timers are set. The owner
of the queue knows which timer has which number. A cancelled timer stays in the queue. When its number comes
up, the owner ignores it.
"""

from __future__ import annotations

import heapq


class TimerQueue:
    """A heap of due times.

    It is not part of a state. After a state is restored, it is filled from the state's timers.
    """

    __slots__ = ("_heap",)

    def __init__(self) -> None:
        self._heap: list[tuple[int, int]] = []

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, due: int, number: int) -> None:
        """Add the timer `number`, which is due at the game time `due`."""
        heapq.heappush(self._heap, (due, number))

    @property
    def next_due(self) -> int | None:
        """The due time of the next timer, also of a cancelled one, or None if the queue is empty."""
        return self._heap[0][0] if self._heap else None

    def pop(self, until: int) -> tuple[int, int] | None:
        """Take the next (due, number) that is due at or before `until`, or return None if none is."""
        if self._heap and self._heap[0][0] <= until:
            return heapq.heappop(self._heap)
        return None
