"""How a battle went, for the people and programs that started it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.kernel.record import TurnEntry

__all__ = ["UNANSWERED", "BattleSummary", "SeatSummary"]

UNANSWERED = "no participant ever answered a turn"
"""Why a battle was ended in which nobody said anything."""


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """One seat: percentiles of its answer time (ns) and what it missed (turns, messages).

    never_answered: it was asked, and not one answer of it came, not even a late one. last_lines: what the
    process of such a bot printed last.
    late_p50_ns, late_max_ns: by how much its late answers were late.
    """

    name: str
    version: str
    p50_ns: int
    p95_ns: int
    p99_ns: int
    max_ns: int
    skipped: int
    late: int
    malformed: int
    disqualified: bool
    team: int | None = None
    never_answered: bool = False
    last_lines: tuple[str, ...] = ()
    late_p50_ns: int = 0
    late_max_ns: int = 0


@dataclass(frozen=True, slots=True)
class BattleSummary:
    """A battle that ended. rows: the results as spectators are sent them (ResultsForObserver); also where it
    was ended because nobody ever answered.

    turns: resolved in all rounds; server_late_turns: turns in which the server's own loop was late.
    """

    ending: Literal["over", "aborted", "void"]
    seed: int
    game_type: str
    rounds: int
    turns: int
    rows: tuple[Any, ...] = ()
    seats: tuple[SeatSummary, ...] = ()
    server_late_turns: int = 0
    why: str = ""
    traceback: str = ""
    void_entry: TurnEntry | None = None
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def unanswered(self) -> bool:
        """Whether it was ended because nobody ever answered."""
        return self.ending == "aborted" and self.why == UNANSWERED
