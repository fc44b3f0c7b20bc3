"""How long things took, in flat memory: histograms, one for each seat and one for each phase of a turn."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["PHASES", "Histogram", "SeatTiming", "TurnTiming"]

_SUB_BITS = 5
_SUB = 1 << _SUB_BITS
PHASES = ("send", "collect", "resolve", "events", "observers")
"""The phases of a turn: writing the observations, waiting for intents, the rules, building and encoding
observations, building and encoding the spectators' frame."""


class Histogram:
    """Counts of durations in buckets at most 3 % wide; percentiles are right within that.

    Memory is a dictionary of the buckets used: at most a few hundred entries.
    """

    __slots__ = ("_buckets", "count", "max_ns", "total_ns")

    def __init__(self) -> None:
        self._buckets: dict[int, int] = {}
        self.count = 0
        self.total_ns = 0
        self.max_ns = 0

    def add(self, duration_ns: int) -> None:
        """Count a duration (ns; below 0 counts as 0)."""
        value = duration_ns if duration_ns > 0 else 0
        shift = value.bit_length() - _SUB_BITS - 1
        key = (shift << _SUB_BITS) + (value >> shift) if shift > 0 else value
        self._buckets[key] = self._buckets.get(key, 0) + 1
        self.count += 1
        self.total_ns += value
        if value > self.max_ns:
            self.max_ns = value

    def percentile_ns(self, percent: float) -> int:
        """Return the duration that `percent` of all do not exceed; 0 when there are none."""
        rank = percent / 100 * self.count
        seen = 0
        for key in sorted(self._buckets):
            seen += self._buckets[key]
            if seen >= rank:
                return min(_upper_end(key), self.max_ns)
        return self.max_ns


def _upper_end(key: int) -> int:
    if key < 2 * _SUB:
        return key
    shift = (key >> _SUB_BITS) - 1
    return (((key & (_SUB - 1)) + _SUB + 1) << shift) - 1


@dataclass(slots=True)
class SeatTiming:
    """One seat's answers: from the hand-over of its observation to its socket until its answer was read."""

    answers: Histogram = field(default_factory=Histogram)
    malformed: int = 0
    recent_skips: int = 0
    """Skipped turns among the last ones, as a decaying count; see `Table`."""


@dataclass(slots=True)
class TurnTiming:
    """The server's own time, for a whole battle. late_turns: turns in which its loop woke too late."""

    phases: dict[str, Histogram] = field(default_factory=lambda: {name: Histogram() for name in PHASES})
    lateness: Histogram = field(default_factory=Histogram)
    spread: Histogram = field(default_factory=Histogram)
    late_turns: int = 0
