"""Figures of the turns of a world: how late they ended, and which of them far too late."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["OVERRUNS_KEPT", "TURNS_KEPT", "Figures", "Overrun"]

TURNS_KEPT = 4_000
"""Turns of which the lateness is remembered."""
OVERRUNS_KEPT = 200


@dataclass(frozen=True, slots=True)
class Overrun:
    """A turn that ended late. used_ns: by part of the turn.

    slowest: (body, mind, ns) of the last plans, (body, name, ns) of who acted at the end of the turn before.
    """

    turn: int
    late_ns: int
    skipped: int
    used_ns: Mapping[str, int]
    slowest: tuple[tuple[int, str, int], ...]


@dataclass(slots=True)
class Figures:
    """Of all turns: how many, the lateness of the last ones, ns, and overruns."""

    turns: int = 0
    overruns_total: int = 0
    skipped: int = 0
    late_ns: deque[int] = field(default_factory=lambda: deque(maxlen=TURNS_KEPT))
    used_ns: deque[int] = field(default_factory=lambda: deque(maxlen=TURNS_KEPT))
    overruns: deque[Overrun] = field(default_factory=lambda: deque(maxlen=OVERRUNS_KEPT))
