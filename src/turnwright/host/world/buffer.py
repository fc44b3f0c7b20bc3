"""The commands of one player that wait for their turn: bounded, visible, first come, first served.

A turn takes one of them, when its body is free. What finds no room is refused with a word; what is in it
stays. `stop` empties it at once.
"""

from __future__ import annotations

from collections import deque

__all__ = ["QUEUE_MAX", "REPEATS_MAX", "CommandBuffer", "is_repeated"]

QUEUE_MAX = 16
"""Commands that may wait; at one a turn these are seconds."""
REPEATS_MAX = 4
"""How many equal commands may stand one behind the other at the end of it."""


class CommandBuffer:
    """Lines of timed commands, in order."""

    __slots__ = ("_lines", "version")

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self.version = 0
        """Goes up with every change."""

    def __len__(self) -> int:
        return len(self._lines)

    def lines(self) -> list[str]:
        """Return what waits, the next one first."""
        return list(self._lines)

    def put(self, line: str) -> str | None:
        """Append a command; return why it was refused, or None."""
        if len(self._lines) >= QUEUE_MAX:
            return f"Your queue is full ({QUEUE_MAX}); {line!r} was not taken. Type stop to empty it."
        if is_repeated(self._lines, line):
            return f"{line!r} waits {REPEATS_MAX} times already; it was not taken once more."
        self._lines.append(line)
        self.version += 1
        return None

    def take(self) -> str | None:
        """Take the next command, or None."""
        if not self._lines:
            return None
        self.version += 1
        return self._lines.popleft()

    def purge(self) -> list[str]:
        """Empty it at once; return what was in it."""
        dropped = list(self._lines)
        self._lines.clear()
        self.version += bool(dropped)
        return dropped


def is_repeated(waiting: deque[str], line: str) -> bool:
    """Return whether the last REPEATS_MAX commands that wait are all this one."""
    last = list(waiting)[-REPEATS_MAX:]
    return len(last) == REPEATS_MAX and all(other == line for other in last)
