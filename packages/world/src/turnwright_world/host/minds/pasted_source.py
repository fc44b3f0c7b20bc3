"""Collects the source of a mind that a player pastes line by line."""

from __future__ import annotations

from dataclasses import dataclass, field

from turnwright_world.intent import PLAYER_SOURCE_SIZE_MAX

PASTE_LINES_MAX = 2_000
"""The number of lines of a paste that do not count as commands. Further lines count as commands and are
dropped.
"""
PASTE_GAP_NS = 3_000_000_000
"""A refused paste ends after this time without a line. Later lines are commands again."""


@dataclass(slots=True)
class Paste:
    """A mind that is being pasted.

    Attributes:
        target: the name of the creature that gets the mind.
        refused: whether its lines are dropped.
        heard_ns: the time of the last line.
    """

    target: str
    refused: bool = False
    heard_ns: int = 0
    lines: list[str] = field(default_factory=list)
    size: int = 0
    dropped: bool = False

    @property
    def has_room(self) -> bool:
        """Whether the source so far is within the limits, so that another line may be added."""
        return self.size <= PLAYER_SOURCE_SIZE_MAX and len(self.lines) < PASTE_LINES_MAX

    def is_over(self, now_ns: int) -> bool:
        """Return whether a refused paste has ended: no line came for PASTE_GAP_NS."""
        return self.refused and now_ns - self.heard_ns > PASTE_GAP_NS

    def add(self, line: str) -> None:
        """Add a line, or drop it if the paste is too long."""
        if self.has_room:
            self.lines.append(line)
            self.size += len(line.encode("utf-8", "replace")) + 1
        else:
            self.dropped = True
