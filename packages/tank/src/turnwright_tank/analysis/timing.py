"""Timing of bots: missed turns in clusters, late answers, answer times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from turnwright.kernel.units import NS_PER_US
from turnwright_tank.analysis.facts import LateFact, SkipsFact, TimingFact

CLUSTER_GAP = 3
"""Missed turns that are at most this many turns apart are reported as one cluster."""
LATE_TOLD_MAX = 1000
"""The number of late answers of a bot that have a line each. Further late answers are only counted."""


def percentile(ordered: Sequence[int], percent: int) -> int:
    """Return the smallest value that at least `percent` % of the values do not exceed.

    Args:
        ordered: the values in ascending order, not empty.
    """
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


@dataclass(slots=True)
class Timing:
    """Timing of one bot in the whole battle.

    Attributes:
        latest_ns, answers_ns: all delays of late answers, and all answer times, in ns.
    """

    bot: int
    skipped: int = 0
    clusters: list[SkipsFact] = field(default_factory=list)
    latest_ns: list[int] = field(default_factory=list)
    late: list[LateFact] = field(default_factory=list)
    answers_ns: list[int] = field(default_factory=list)

    def skip(self, round_number: int, turn: int) -> None:
        """Add a missed turn to the last cluster, or to a new one if the gap is too large."""
        self.skipped += 1
        last = self.clusters[-1] if self.clusters else None
        if last is not None and last.round == round_number and turn - last.last <= CLUSTER_GAP:
            last.last = turn
            last.count += 1
        else:
            self.clusters.append(SkipsFact(round=round_number, bot=self.bot, first=turn, last=turn, count=1))

    def answered_late(self, round_number: int, turn: int, late_ns: int) -> None:
        """Record an answer that came after its deadline, with its delay."""
        self.latest_ns.append(late_ns)
        if len(self.late) < LATE_TOLD_MAX:
            fact = LateFact(round=round_number, turn=turn, bot=self.bot, late_us=late_ns / NS_PER_US)
            self.late.append(fact)

    def worst(self, count: int) -> list[SkipsFact]:
        """Return the clusters with the most missed turns, in order of time."""
        return sorted(
            sorted(self.clusters, key=lambda cluster: -cluster.count)[:count],
            key=lambda cluster: (cluster.round, cluster.first),
        )

    def fact(self, name: str) -> TimingFact:
        """Return the fact about the bot's timing in the whole battle, under the bot's unique name."""
        late, answers = sorted(self.latest_ns), sorted(self.answers_ns)
        return TimingFact(
            bot=self.bot,
            name=name,
            skipped=self.skipped,
            late=len(late),
            late_us_max=_us(late, 100),
            late_us_median=_us(late, 50),
            answers=len(answers),
            p50_us=_us(answers, 50),
            p95_us=_us(answers, 95),
            p99_us=_us(answers, 99),
            max_us=_us(answers, 100),
        )


def _us(ordered: Sequence[int], percent: int) -> float | None:
    return percentile(ordered, percent) / NS_PER_US if ordered else None
