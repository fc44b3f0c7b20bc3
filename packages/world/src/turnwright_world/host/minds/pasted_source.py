"""Collects a mind's source that is pasted line by line."""

from __future__ import annotations

from dataclasses import dataclass, field

from turnwright_world.intent import PLAYER_SOURCE_SIZE_MAX

PASTE_LINES_MAX = 2_000
"""Lines of a paste that are read without being counted; more are counted like commands, and dropped."""
PASTE_GAP_NS = 3_000_000_000
"""After so long without a line, what is typed after a refused paste is a command again."""


@dataclass(slots=True)
class Paste:
    """A mind that is being pasted.

    Attributes:
        target: for whom.
        refused: its lines are dropped.
        heard_ns: when the last line came.
    """

    target: str
    refused: bool = False
    heard_ns: int = 0
    lines: list[str] = field(default_factory=list)
    size: int = 0
    dropped: bool = False

    @property
    def has_room(self) -> bool:
        """Whether the next line is still of a mind that could be."""
        return self.size <= PLAYER_SOURCE_SIZE_MAX and len(self.lines) < PASTE_LINES_MAX

    def is_over(self, now_ns: int) -> bool:
        """Return whether a refused paste has ended without a full stop: its lines come close together."""
        return self.refused and now_ns - self.heard_ns > PASTE_GAP_NS

    def add(self, line: str) -> None:
        """Take a line. A line that does not fit is dropped."""
        if self.has_room:
            self.lines.append(line)
            self.size += len(line.encode("utf-8", "replace")) + 1
        else:
            self.dropped = True
