"""Finds the entries that may be equally strong: the 95 % interval of their difference in APS contains 0.

All pairs are compared after each result, because each result changes the correlation of a seed, and so all
variances. The variance of a difference is the sum of the variances of both APS, minus the covariance of the
two shares in the pairings of both entries. For most pairs, no exact interval is necessary: their difference
is smaller than the narrowest possible interval, or larger than an interval with few degrees of freedom.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from turnwright_league.tournament.entry_estimates import EntryEstimates
from turnwright_league.tournament.intervals import MeanVariance, exceeds, margin_bound, margin_factor
from turnwright_league.tournament.pairing_results import Pairings, Shared

_NORMAL = 1e7
"""The degrees of freedom at which an interval is narrowest."""
_FEW = 4.0
"""The fewest degrees of freedom of most differences."""
_ROUNDING = 1e-12
"""The part of two variances below which the variance of their difference is only rounding."""


class _Compared(NamedTuple):
    """A compared entry.

    Attributes:
        weight: the weight of each of its pairings in its APS.
        deviation: the standard deviation of a pairing of one battle.
        part: the largest contribution of one pairing to the variance.
        far: the squared half width of its interval in standard deviations, or a little more.
        is_sure: whether a variance of 0 means that the APS is certain.
        single: the variance of a pairing of one battle.
        end: the APS above which no other entry can be alike.
    """

    entry: str
    mean: float
    variance: float
    quotient: float
    weight: float
    deviation: float
    part: float
    far: float
    is_sure: bool
    single: MeanVariance | None
    end: float


class AlikeEntries:
    """The pairs of entries that may be equally strong."""

    def __init__(self, estimates: EntryEstimates, pairings: Pairings) -> None:
        self._pairings = pairings
        self._known = _compared(estimates, pairings)
        """The entries whose variances are known, by APS, the lowest first."""
        self._place = {one.entry: place for place, one in enumerate(self._known)}
        size = len(self._known)
        self._bits = bytearray(size * size)
        """A matrix of bits over the known entries. A bit is 1 if an entry and one above it may be equally
        strong."""
        freedoms = [_least_freedom(estimates, pairings, one.entry) for one in self._known]
        self._least_freedom = min(freedoms, default=math.inf)
        for nth in range(size):
            self._compare(nth)

    def rows(self, order: Sequence[str]) -> list[Sequence[int]]:
        """Return for each of these entries a row of bits. A bit is 1 if the two entries may be equally
        strong.

        An entry without a known variance may be as strong as any other.
        """
        size, bits = len(self._known), self._bits
        places = [self._place.get(one, size) for one in order]
        rows: list[Sequence[int]] = []
        for nth, place in enumerate(places):
            if place == size or len(order) == 1:
                rows.append([int(other != nth) for other in range(len(order))])
            else:
                below, above = (
                    bits[place : place * size : size],
                    bits[place * (size + 1) : (place + 1) * size],
                )
                rows.append(itemgetter(*places)(below + above + b"\1"))
        return rows

    def _compare(self, nth: int) -> None:
        """Compare an entry with those above it, up to the distance beyond which no two can be alike."""
        known, bits, row = self._known, self._bits, nth * len(self._known)
        entry, mean, variance, quotient, weight, deviation, part, far, is_sure, _, end = one = known[nth]
        factors, met = self._pairings.known_factors, self._pairings.met(entry)
        sure, few, only_wins = _SURE, _FAR, self._pairings.only_wins
        for place in range(nth + 1, len(known)):
            two = known[place]
            other, mean_o, variance_o, quotient_o, weight_o, deviation_o, part_o, far_o, is_sure_o, _, _ = two
            if mean_o > end:
                break
            gap, whole = mean_o - mean, variance + variance_o
            squared, meetings = gap * gap, met.get(other)
            if meetings is None:
                if squared > sure * whole and (
                    squared > (far if far > far_o else far_o) * whole
                    or exceeds(gap, whole, quotient + quotient_o, is_sure and is_sure_o)
                ):
                    continue
                bits[row + place] = 1
                continue
            shared = meetings.shared or meetings.compute(entry, other, only_wins=only_wins)
            both, rounding, most = 2 * weight * weight_o, _ROUNDING * whole, part + part_o
            for battles, covariance, _, _ in shared:
                if battles > 1 or only_wins:
                    term = both * factors[battles][0] * covariance
                else:
                    term = both * deviation * deviation_o * covariance
                whole -= term
                most += abs(term)
            if whole < rounding:
                whole = 0.0
            if squared > sure * whole:
                if squared > few * whole > 0.0:
                    more = len(shared) * most * most / self._least_freedom
                    if whole * whole >= _FEW * (quotient + quotient_o + more):
                        continue
                if exceeds(gap, whole, self._quotient(one, two, shared), is_sure and is_sure_o):
                    continue
            bits[row + place] = 1

    def _quotient(self, one: _Compared, other: _Compared, shared: Sequence[Shared]) -> float:
        """Return the quotient for the degrees of freedom of the difference of two entries that met.

        Each pairing that both were in is one part of the difference, instead of one part of each APS.
        """
        if one.entry > other.entry:
            one, other = other, one
        quotient = one.quotient + other.quotient
        for battles, covariance, variance, variance_other in shared:
            if battles > 1 or self._pairings.only_wins:
                factor, freedom = self._pairings.factors(battles)
                a, b = factor * variance * one.weight**2, factor * variance_other * other.weight**2
                whole = a + b - 2 * factor * covariance * one.weight * other.weight
                quotient += (whole * whole - a * a - b * b) / freedom
            else:
                assert one.single is not None
                assert other.single is not None
                a, b = one.single.variance * one.weight**2, other.single.variance * other.weight**2
                whole = a + b + 2 * math.sqrt(a * b)
                quotient += whole * whole / min(one.single.freedom, other.single.freedom)
                quotient -= a * a / one.single.freedom + b * b / other.single.freedom
        return quotient


def _compared(estimates: EntryEstimates, pairings: Pairings) -> list[_Compared]:
    """Return the entries whose variances are known, by APS, the lowest first.

    The variance of a difference is at most the sum of three variances: the variance of each APS, and once
    more the variance of the pairings that both entries may share.
    """
    sums = estimates.sums
    known = sorted((one for one in sums if sums[one].is_known), key=lambda one: sums[one].mean)
    shared = list(map(pairings.shared_most, known))
    totals = list(map(estimates.variance, known))
    most = [min(n * one.variance_most, one.variance) for n, one in zip(shared, totals, strict=True)]
    together = [
        _bound(one.variance - part, one.quotient + 16 * min(n * one.quotient_most, one.quotient))
        for n, part, one in zip(shared, most, totals, strict=True)
    ]
    widest = _most_from([one.variance + part for part, one in zip(most, totals, strict=True)])
    largest = _most_from(together)
    found = []
    for nth, (entry, total) in enumerate(zip(known, totals, strict=True)):
        mine = sums[entry]
        deviation = 0.0 if mine.single is None else math.sqrt(mine.single.variance)
        far = _bound(total.variance, total.quotient)
        end = mine.mean + math.sqrt(largest[nth] * (total.variance + most[nth] + widest[nth]))
        found.append(
            _Compared(
                entry,
                mine.mean,
                total.variance,
                total.quotient,
                1 / mine.pairings,
                deviation,
                total.variance_most,
                far,
                mine.fewest > 2,
                mine.single,
                end,
            )
        )
    return found


def _least_freedom(estimates: EntryEstimates, pairings: Pairings, entry: str) -> float:
    """Return the least degrees of freedom that the variance of one of an entry's pairings has."""
    sums = estimates.sums[entry]
    if sums.single is not None:
        return min([sums.single.freedom, *(pairings.factors(n)[1] for n, *_ in sums.classes if n > 1)])
    return min(pairings.factors(n)[1] for n, *_ in sums.classes)


def _most_from(values: Sequence[float]) -> list[float]:
    """Return for each position the largest value from that position on."""
    return list(itertools.accumulate(reversed(values), max))[::-1]


def _bound(variance: float, quotient: float) -> float:
    """Return an upper bound of the squared half width of an interval, in standard deviations.

    Args:
        variance: an upper bound of its variance.
    """
    return margin_bound(max(0.0, variance) ** 2 / quotient) ** 2 if quotient > 0 else math.inf


_SURE = margin_factor(_NORMAL) ** 2
_FAR = margin_factor(_FEW) ** 2
