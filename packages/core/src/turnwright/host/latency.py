"""Histograms of durations in fixed memory, for each seat and each phase of a turn."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate

_SUB_BITS = 5
_SUB = 1 << _SUB_BITS
FOLD_AT = 128
"""The number of new durations after which they are sorted into the buckets."""
PHASES = ("send", "collect", "resolve", "events", "observers")
"""The phases of a turn. send: the observations are written. collect: the server waits for intents. resolve:
the rules run. events: observations are built and encoded. observers: the spectators' frame is built and
encoded.
"""


class Histogram:
    """Counts of durations in buckets that are at most 1/32 wide, the precision of percentiles.

    New durations are gathered in a list and sorted into the buckets from time to time, so that adding one is
    cheap. Memory is bounded: FOLD_AT durations, and 32 buckets for each doubling of the durations.

    Args:
        first_fold_at: the number of durations before the first sorting, 1 to FOLD_AT. Give several histograms
            different values, so that they do not all sort in the same turn.
    """

    __slots__ = ("_buckets", "_count", "_fold_at", "_fresh", "_max_ns", "_order", "_total_ns")

    def __init__(self, first_fold_at: int = FOLD_AT) -> None:
        self._fold_at = first_fold_at
        self._buckets: dict[int, int] = {}
        self._fresh: list[int] = []
        self._order: tuple[list[int], list[int]] | None = None
        """The buckets in order, and for each bucket the number of durations up to and including it. None
        means not computed yet.
        """
        self._count = 0
        self._total_ns = 0
        self._max_ns = 0

    def add(self, duration_ns: int) -> None:
        """Count a duration in ns. A negative duration counts as 0."""
        fresh = self._fresh
        fresh.append(duration_ns)
        if len(fresh) >= self._fold_at:
            self._fold_at = FOLD_AT
            self._fold()

    def _fold(self) -> None:
        fresh = self._fresh
        if not fresh:
            return
        fresh.sort()
        if fresh[0] < 0:
            fresh[:] = [max(duration_ns, 0) for duration_ns in fresh]
        buckets = self._buckets
        start, count = 0, len(fresh)
        while start < count:  # once for each bucket with a new duration
            value = fresh[start]
            shift = value.bit_length() - _SUB_BITS - 1
            key = (shift << _SUB_BITS) + (value >> shift) if shift > 0 else value
            end = bisect_right(fresh, _upper_end(key), start + 1)
            buckets[key] = buckets.get(key, 0) + end - start
            start = end
        self._total_ns += sum(fresh)
        self._max_ns = max(self._max_ns, fresh[-1])
        self._count += count
        self._order = None
        fresh.clear()

    @property
    def gathered(self) -> int:
        """The number of durations that are not in the buckets yet."""
        return len(self._fresh)

    @property
    def count(self) -> int:
        """The number of durations."""
        return self._count + self.gathered

    @property
    def total_ns(self) -> int:
        """The sum of all durations."""
        self._fold()
        return self._total_ns

    @property
    def max_ns(self) -> int:
        """The longest duration. 0 means that there are no durations."""
        self._fold()
        return self._max_ns

    def percentile_ns(self, percent: float) -> int:
        """Return the duration (ns) that `percent` % of all durations do not exceed. 0 means that there are no
        durations.
        """
        self._fold()
        if self._order is None:
            keys = sorted(self._buckets)
            self._order = keys, list(accumulate(map(self._buckets.__getitem__, keys)))
        keys, counts = self._order
        place = bisect_left(counts, percent / 100 * self._count)
        return min(_upper_end(keys[place]), self._max_ns) if place < len(keys) else self._max_ns


def _upper_end(key: int) -> int:
    if key < 2 * _SUB:
        return key
    shift = (key >> _SUB_BITS) - 1
    return (((key & (_SUB - 1)) + _SUB + 1) << shift) - 1


@dataclass(slots=True)
class SeatTiming:
    """The answer times of one seat.

    An answer time is the time from sending the observation to reading the answer.

    Attributes:
        answers: the times of all answers, in time and late.
        late_by: how late the late answers were.
        malformed: the number of messages with mistakes.
    """

    answers: Histogram = field(default_factory=Histogram)
    late_by: Histogram = field(default_factory=Histogram)
    malformed: int = 0

    def add_late(self, took_ns: int, late_ns: int) -> None:
        """Count an answer that came `late_ns` after its deadline."""
        self.answers.add(took_ns)
        self.late_by.add(late_ns)


def seat_timings(seats: int) -> list[SeatTiming]:
    """Return a SeatTiming for each seat. They sort their durations in different turns."""
    return [SeatTiming(Histogram(FOLD_AT - seat * FOLD_AT // seats)) for seat in range(seats)]


@dataclass(slots=True)
class TurnTiming:
    """The server's own times in a battle.

    Attributes:
        phases: the durations of each phase (see PHASES).
        lateness: the times from a turn's due time to its resolution.
        spread: the times from the first to the last observation of a turn.
        late_turns: the number of turns in which the server's loop woke too late.
    """

    phases: dict[str, Histogram] = field(default_factory=lambda: {name: Histogram() for name in PHASES})
    lateness: Histogram = field(default_factory=Histogram)
    spread: Histogram = field(default_factory=Histogram)
    late_turns: int = 0
    late_ns: int | None = None
    """How late the newest turn was. None means that it was not collected when it was due."""

    def note_sent(self, started_ns: int, stamps_ns: Sequence[int]) -> None:
        """Record the sending of a turn's observations.

        Args:
            started_ns: when sending began.
            stamps_ns: when each observation was sent.
        """
        self.phases["send"].add(stamps_ns[-1] - started_ns)
        self.spread.add(stamps_ns[-1] - stamps_ns[0])

    def note_turn(self, due_ns: int | None, collected_in_ns: int, now_ns: int, late: bool) -> None:
        """Record a turn that is resolved now.

        Args:
            due_ns: the time at which the turn was due. None means that at that time the turn was not
                collected yet.
            collected_in_ns: how long the turn collected answers.
            late: whether the turn counts in `late_turns`.
        """
        self.late_ns = None if due_ns is None else now_ns - due_ns
        if self.late_ns is not None:
            self.lateness.add(self.late_ns)
        self.late_turns += late
        self.phases["collect"].add(collected_in_ns)


# A warning that names a bot that is often slow, during the battle.


SLOW_SKIPS = 10
SLOW_WINDOW = 100
"""A bot is reported as slow if it missed SLOW_SKIPS of the last SLOW_WINDOW turns. After a report the count
starts again.
"""


class Slowness:
    """The turns that each seat has missed lately."""

    def __init__(self, seats: int) -> None:
        self._missed: list[deque[int]] = [deque() for _ in range(seats)]

    def note(self, seat: int, turn: int) -> int:
        """Count a missed turn of `seat`. If the seat has missed too many of the last turns, return their
        number, and start the count again. Otherwise return 0.
        """
        missed = self._missed[seat]
        missed.append(turn)
        while missed[0] <= turn - SLOW_WINDOW:
            missed.popleft()
        if len(missed) < SLOW_SKIPS:
            return 0
        count = len(missed)
        missed.clear()
        return count

    @staticmethod
    def text(name: str, missed: int, timing: SeatTiming) -> str:
        """Return the warning about a slow bot, in one line."""
        if not timing.answers.count:
            return f"{name} has never answered so far: it missed {missed} of the last {SLOW_WINDOW} turns"
        p95_ms = timing.answers.percentile_ns(95) / 1e6
        return (
            f"{name} is slow: it missed {missed} of the last {SLOW_WINDOW} turns "
            f"(95 % of its answers took up to {p95_ms:.1f} ms)"
        )
