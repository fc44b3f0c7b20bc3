"""Statistics of turns: lateness, overruns, and their log lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

TURNS_KEPT = 4_000
"""The number of turns whose lateness is remembered."""
OVERRUNS_KEPT = 200
LATE_NS = 1_000_000
"""A delay that the operating system's timers can cause. It is not reported as lateness."""
OVERRUN_SHARE = 10
"""A turn is an overrun if it ends late by this part of its duration (a tenth)."""
_LOG_EVERY_NS = 1_000_000_000
SLOWEST = 3
"""The number of acts, and of plans, that a report of an overrun names."""
_Taken = tuple[int, int, str]
"""The time of an act or a plan in ns, the body's id, and the name of the body or of its mind."""


@dataclass(frozen=True, slots=True)
class Overrun:
    """The lateness and work of a turn. It is an overrun if one of them is large. See `MissedTurns`.

    Attributes:
        skipped: the number of turns that were left out because of the lateness.
        used_ns: the time used, by part of the turn.
        slowest: (body, mind, ns) of the slowest plans, and (body, name, ns) of the slowest acts at the end
            of the previous turn.
    """

    turn: int
    late_ns: int
    skipped: int
    used_ns: Mapping[str, int]
    slowest: tuple[tuple[int, str, int], ...] = ()


@dataclass(slots=True)
class TurnStats:
    """Counts of turns and late turns (overruns), and the lateness and work of the last turns in ns."""

    turns: int = 0
    overruns_total: int = 0
    skipped: int = 0
    late_ns: deque[int] = field(default_factory=lambda: deque(maxlen=TURNS_KEPT))
    used_ns: deque[int] = field(default_factory=lambda: deque(maxlen=TURNS_KEPT))
    overruns: deque[Overrun] = field(default_factory=lambda: deque(maxlen=OVERRUNS_KEPT))


class MissedTurns:
    """Collects overruns: turns that needed more time than they have, or that ended late.

    Overruns are logged as errors, in at most one line per second. `TurnStats.late_ns` has all delays.
    """

    def __init__(self) -> None:
        self._count = self._skipped = 0
        self._worst: Overrun | None = None
        self._next_ns = 0

    def note(self, turn: Overrun, pace_ns: int) -> None:
        """Note a turn that is over. Only overruns are counted.

        Args:
            pace_ns: the duration of a turn.
        """
        if turn.late_ns < pace_ns // OVERRUN_SHARE and sum(turn.used_ns.values()) <= pace_ns:
            return
        self._count += 1
        self._skipped += turn.skipped
        if self._worst is None or turn.late_ns > self._worst.late_ns:
            self._worst = turn

    def take(self, now_ns: int, *, last: bool = False) -> str | None:
        """Return a line about the overruns since the last line, at most once per second, or None.

        Args:
            last: return what remains, even if the last line is less than a second old.
        """
        worst = self._worst
        if worst is None or (now_ns < self._next_ns and not last):
            return None
        parts = ", ".join(f"{name} {ns / 1e6:.1f} ms" for name, ns in worst.used_ns.items())
        slowest = ", ".join(
            f"{mind or 'creature'} {body} {ns / 1e6:.0f} ms" for body, mind, ns in worst.slowest
        )
        used_ms, late_ms = sum(worst.used_ns.values()) / 1e6, worst.late_ns / 1e6
        how = f"was {late_ms:.1f} ms late" if worst.late_ns >= LATE_NS else f"worked for {used_ms:.1f} ms"
        text = f"turn {worst.turn} {how} ({parts};"
        text += f" slowest: {slowest or 'nobody'})"
        if self._count > 1:
            text = f"{self._count} turns missed their duration, the worst of them: {text}"
        if self._skipped:
            text += f"; {self._skipped} turns were left out"
        self._count = self._skipped = 0
        self._worst, self._next_ns = None, now_ns + _LOG_EVERY_NS
        return text


class TurnReports:
    """Collects statistics of turns, and the log lines about overruns.

    Attributes:
        stats: statistics of all turns.
        missed: the overruns that are still to be logged.
    """

    def __init__(self) -> None:
        self.stats = TurnStats()
        self.missed = MissedTurns()
        self._before: Sequence[_Taken] = ()
        """The slowest acts at the end of the last turn. They can make the next turn late."""

    def note(self, turn: Overrun, acts: Sequence[_Taken], plans: Sequence[_Taken], pace_ns: int) -> None:
        """Note a turn that is over.

        Args:
            acts: the slowest acts at the turn's end.
            plans: the times of all plans for the turn.
            pace_ns: the duration of the turn.
        """
        if turn.late_ns < LATE_NS:
            self._before = acts  # after a timely start, only this turn's own acts count
        slowest = sorted([*self._before, *plans], reverse=True)[:SLOWEST]
        self._before = acts
        turn = replace(turn, slowest=tuple((body, name, took_ns) for took_ns, body, name in slowest))
        stats = self.stats
        stats.turns += 1
        stats.skipped += turn.skipped
        stats.late_ns.append(turn.late_ns)
        stats.used_ns.append(sum(turn.used_ns.values()))
        if turn.late_ns >= pace_ns // OVERRUN_SHARE:
            stats.overruns_total += 1
            stats.overruns.append(turn)
        self.missed.note(turn, pace_ns)
