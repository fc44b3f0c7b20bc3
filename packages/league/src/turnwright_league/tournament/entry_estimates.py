"""The APS of each entry with its variance, as sums over its pairings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import fmean

from turnwright_league.tournament.intervals import (
    MeanInterval,
    MeanVariance,
    interval_of_sums,
    single_variance,
)
from turnwright_league.tournament.pairing_results import Pairings
from turnwright_league.tournament.scores import SHARES


@dataclass(frozen=True, slots=True)
class EntrySums:
    """Sums over the pairings of an entry.

    Attributes:
        classes: a row for each number of battles that pairings have. The row has that number, the number of
            such pairings, the sums of the variances of one battle and of their squares, and the largest
            variance.
        single: the variance of a pairing of one battle.
        is_known: whether the variances are known.
        fewest: the fewest battles of a pairing.
        percentages: the means of its shares by column of the standings.
    """

    pairings: int
    mean: float
    classes: tuple[tuple[int, int, float, float, float], ...]
    single: MeanVariance | None
    is_known: bool
    fewest: int
    percentages: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class EntryVariance:
    """The variance of an APS.

    Attributes:
        quotient: the sum of each part's squared variance / its degrees of freedom.
        variance_most: the largest contribution of one pairing to the variance.
        quotient_most: the largest part of the quotient.
    """

    variance: float = 0.0
    quotient: float = 0.0
    variance_most: float = 0.0
    quotient_most: float = 0.0


class EntryEstimates:
    """The sums, variances and intervals of all entries with a battle.

    Attributes:
        sums: the sums by entry.
    """

    def __init__(self, pairings: Pairings) -> None:
        self.sums: dict[str, EntrySums] = {}
        self._pairings = pairings
        self._variances: dict[str, EntryVariance] = {}
        self._intervals: dict[str, MeanInterval] = {}

    def refresh(self, changed: Iterable[str], *, all_changed: bool) -> None:
        """Compute the sums of entries again, and drop variances that are no longer valid."""
        if all_changed:
            self._variances.clear()
            self._intervals.clear()
        for entry in changed:
            self._variances.pop(entry, None)
            self._intervals.pop(entry, None)
            found = self._sums_of(entry)
            if found is not None:
                self.sums[entry] = found
            else:
                self.sums.pop(entry, None)

    def _sums_of(self, entry: str) -> EntrySums | None:
        mine = self._pairings.of(entry)
        if not mine:
            return None
        only_wins = self._pairings.only_wins
        bases: dict[int, list[float]] = {}
        singles: list[float] = []
        for one in mine:
            if only_wins or one.battles > 1:
                spreads = one.win_spreads if only_wins else one.spreads
                bases.setdefault(one.battles, []).append(spreads[entry])
            else:
                singles.append(one.values[entry][0])
        single = None
        if singles:
            single = single_variance(singles, [value for values in bases.values() for value in values])
        percentages: dict[str, float | None] = {}
        for nth, column in enumerate(SHARES):
            known = [one.columns[nth][entry] for one in mine if one.columns[nth]]
            percentages[column] = 100 * fmean(known) if known else None
        return EntrySums(
            len(mine),
            fmean([one.means[entry] for one in mine]),
            tuple(
                (count, len(some), math.fsum(some), math.fsum([one * one for one in some]), max(some))
                for count, some in sorted(bases.items())
            )
            + (((1, len(singles), 0.0, 0.0, 0.0),) if single is not None else ()),
            single,
            single is not None or not singles,
            min([one.battles for one in mine]),
            percentages,
        )

    def variance(self, entry: str) -> EntryVariance:
        """Return the variance of an entry's APS, or None if it is not known."""
        found = self._variances.get(entry)
        if found is not None:
            return found
        sums = self.sums[entry]
        weight = 1 / sums.pairings**2
        variance = quotient = variance_most = quotient_most = 0.0
        for count, pairings, base, squares, most in sums.classes:
            if sums.single is not None and count == 1:
                factor, freedom = weight * sums.single.variance, sums.single.freedom
                base, squares, most = float(pairings), float(pairings), 1.0
            else:
                factor, freedom = self._pairings.factors(count)
                factor *= weight
            variance += factor * base
            quotient += factor * factor * squares / freedom
            variance_most = max(variance_most, factor * most)
            quotient_most = max(quotient_most, (factor * most) ** 2 / freedom)
        found = EntryVariance(variance, quotient, variance_most, quotient_most)
        self._variances[entry] = found
        return found

    def interval(self, entry: str) -> MeanInterval | None:
        """Return an entry's APS with its interval, in percent from 0 to 100, or None without a battle."""
        found = self._intervals.get(entry)
        sums = self.sums.get(entry)
        if found is None and sums is not None:
            if sums.is_known:
                total = self.variance(entry)
                plain = interval_of_sums(sums.mean, total.variance, total.quotient, sums.fewest > 2)
            else:
                plain = MeanInterval(sums.mean, None, None)
            low = None if plain.low is None else max(0.0, 100 * plain.low)
            high = None if plain.high is None else min(100.0, 100 * plain.high)
            found = self._intervals[entry] = MeanInterval(100 * plain.mean, low, high)
        return found
