"""Finds the entries that may be equally strong: the 95 % interval of their difference in APS contains 0.

All pairs are compared after each result, because each result changes the correlation of a seed, and so all
variances. The variance of a difference is the sum of the variances of both APS, minus the covariance of the
two shares in the pairings of both entries. For most pairs, no exact interval is necessary: their difference
is smaller than the narrowest possible interval, or larger than an interval with few degrees of freedom. The
bounds of an entry hold for all other entries, or for those that it did not meet.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from turnwright_league.tournament.entry_estimates import EntryEstimates, EntrySums, EntryVariance
from turnwright_league.tournament.intervals import MeanVariance, exceeds, margin_bounds
from turnwright_league.tournament.pairing_results import Pairings

_FEW = 4.0
"""The fewest degrees of freedom of most differences."""
_ROUNDING = 1e-12
"""The part of two variances below which the variance of their difference is only rounding."""


class _Compared(NamedTuple):
    """A compared entry.

    Attributes:
        mean, variance, quotient: of its APS (see EntryVariance).
        weight: the weight of each of its pairings in its APS.
        wide: a bound of the squared half width of its interval, in standard deviations. For two entries that
            did not meet, the larger of their bounds is a bound for the difference of the two.
        wide_met: such a bound for entries that it met, without those in its only pairing of one battle.
        place: its place in `SharedRows`.
        is_sure: whether a variance of 0 means that the APS is certain.
        single: the variance of a pairing of one battle.
    """

    mean: float
    variance: float
    quotient: float
    weight: float
    wide: float
    wide_met: float
    place: int
    is_sure: bool
    entry: str
    single: MeanVariance | None


class _Reach(NamedTuple):
    """Bounds for the differences between an entry and the entries above it.

    Attributes:
        near: the APS up to which all others are alike.
        clear: the APS beyond which all entries differ that it did not meet.
        far: the APS beyond which all others differ.
        sure: a lower bound of the squared half width of an interval in standard deviations, for entries that
            it did not meet.
    """

    near: float
    clear: float
    far: float
    sure: float


class AlikeEntries:
    """The pairs of entries that may be equally strong."""

    def __init__(self, estimates: EntryEstimates, pairings: Pairings) -> None:
        sums = estimates.sums
        entries = sorted((one for one in sums if sums[one].is_known), key=lambda one: sums[one].mean)
        totals = list(map(estimates.variance, entries))
        self._pairings = pairings
        self._factors = {
            battles: (2 * factor, 2 * factor * factor / freedom)
            for battles, (factor, freedom) in pairings.known_factors.items()
        }
        """The factors of a covariance in the variance and in the quotient of a difference, by battles."""
        self._known = [
            _compared(one, sums[one], total, pairings.shared.place[one])
            for one, total in zip(entries, totals, strict=True)
        ]
        """The entries whose variances are known, by APS, the lowest first."""
        self._means = [one.mean for one in self._known]
        self._facts = [(nth, *one[:8]) for nth, one in enumerate(self._known)]
        """The place and the numbers of each, as a plain tuple, which is unpacked faster."""
        self._places = [one.place for one in self._known]
        self._place = {one: place for place, one in enumerate(entries)}
        size = len(entries)
        self._bits = bytearray(size * size)
        """A matrix of bits over the known entries. A bit is 1 if an entry and one above it may be equally
        strong."""
        reaches = _reaches(self._known, totals)
        for nth, reach in enumerate(reaches):
            self._compare(nth, *reach)
        for entry in entries:
            self._compare_lone(entry, sums[entry].lone or (), reaches)

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

    def _compare(self, nth: int, near: float, clear: float, far: float, sure: float) -> None:
        """Compare an entry with the entries above it. See `_Reach`."""
        bits, row = self._bits, nth * len(self._known)
        begin = bisect_right(self._means, near, nth + 1)
        end = bisect_right(self._means, far, begin)
        middle = bisect_right(self._means, clear, begin, end)
        bits[row + nth + 1 : row + begin] = b"\1" * (begin - nth - 1)
        _, mean, variance, quotient, weight, wide, wide_met, mine, is_sure = self._facts[nth]
        shared, factors = self._pairings.shared, self._factors
        met, covariances, products = shared.battles[mine], shared.covariances[mine], shared.products[mine]
        firsts, seconds, weight_squared = shared.mine[mine], shared.theirs[mine], weight * weight
        far_met = itertools.compress(self._facts[middle:end], map(met.__getitem__, self._places[middle:end]))
        for facts in itertools.chain(self._facts[begin:middle], far_met):
            place, mean_o, variance_o, quotient_o, weight_o, wide_o, wide_met_o, theirs, is_sure_o = facts
            gap, whole, battles = mean_o - mean, variance + variance_o, met[theirs]
            squared = gap * gap
            if not battles:
                if squared > (wide if wide > wide_o else wide_o) * whole:
                    continue
                if squared > sure * whole and exceeds(
                    gap, whole, quotient + quotient_o, is_sure and is_sure_o
                ):
                    continue
            elif battles > 0:
                twice, by_freedom = factors[battles]
                both, rounding = weight * weight_o, _ROUNDING * whole
                whole -= both * twice * covariances[theirs]
                if squared > (wide_met if wide_met > wide_met_o else wide_met_o) * whole > rounding:
                    continue
                if whole < rounding:
                    whole = 0.0
                if squared > _SURE * whole:
                    part = weight_squared * firsts[theirs] + weight_o * weight_o * seconds[theirs]
                    parts = quotient + quotient_o + both * by_freedom * (both * products[theirs] - 2 * part)
                    if squared > _FAR * whole > 0.0 and whole * whole > _FEW * parts:
                        continue
                    if exceeds(gap, whole, parts, is_sure and is_sure_o):
                        continue
            elif self._differ(self._known[nth], self._known[place]):
                continue
            bits[row + place] = 1

    def _compare_lone(self, entry: str, lone: Iterable[str], reaches: Sequence[_Reach]) -> None:
        """Compare an entry with the entries in its `lone` pairing, which no bound includes."""
        for other in lone:
            if other != entry and other in self._place:
                low, high = sorted((self._place[entry], self._place[other]))
                one, two = self._known[low], self._known[high]
                if not reaches[low].near < two.mean <= reaches[low].far:
                    self._bits[low * len(self._known) + high] = not self._differ(one, two)

    def _differ(self, one: _Compared, other: _Compared) -> bool:
        """Return whether two entries that met differ.

        Each pairing that both were in is one part of the difference, instead of one part of each APS.
        """
        gap = other.mean - one.mean
        if one.entry > other.entry:
            one, other = other, one
        _, variance, quotient, a, *_, is_sure, entry, _ = one
        _, variance_o, quotient_o, b, *_, is_sure_o, entry_o, _ = other
        meetings = self._pairings.met(entry)[entry_o]
        both, whole, parts = a * b, variance + variance_o, quotient + quotient_o
        rounding = _ROUNDING * whole
        for battles, covariance, product, first, second in meetings.sums:
            twice, by_freedom = self._factors[battles]
            whole -= both * twice * covariance
            parts += both * by_freedom * (both * product - 2 * (a * a * first + b * b * second))
        if meetings.singles:
            by, by_part = _single(one, other)
            whole += len(meetings.singles) * by
            parts += len(meetings.singles) * by_part
        return exceeds(gap, 0.0 if whole < rounding else whole, parts, is_sure and is_sure_o)


def _single(one: _Compared, other: _Compared) -> tuple[float, float]:
    """Return what a common pairing of one battle adds to the variance and the quotient of a difference."""
    assert one.single is not None
    assert other.single is not None
    freedom, freedom_other = one.single.freedom, other.single.freedom
    a, b = one.single.variance * one.weight**2, other.single.variance * other.weight**2
    both = 2 * math.sqrt(a * b)
    return both, (a + b + both) ** 2 / min(freedom, freedom_other) - a * a / freedom - b * b / freedom_other


def _compared(entry: str, sums: EntrySums, total: EntryVariance, place: int) -> _Compared:
    variance, quotient = total.variance, total.quotient
    return _Compared(
        sums.mean,
        variance,
        quotient,
        1 / sums.pairings,
        _wide(variance, quotient),
        _wide((1 - _ROUNDING) * variance - total.common, quotient + total.common_quotient),
        place,
        sums.fewest > 2,
        entry,
        sums.single,
    )


def _wide(variance: float, quotient: float) -> float:
    """Return an upper bound of the squared half width of an interval, in standard deviations."""
    return margin_bounds(variance * variance / quotient)[1] if variance > 0 and quotient > 0 else math.inf


def _reaches(known: Sequence[_Compared], totals: Sequence[EntryVariance]) -> list[_Reach]:
    """Return the bounds of each entry.

    The degrees of freedom of a difference are at least the fewest of both entries. If they did not meet, they
    are at most their sum.
    """
    least = [max(0.0, (1 - _ROUNDING) * one.variance - one.common) for one in totals]
    least_from = [-one for one in _most_from([-one for one in least])]
    most = [(1 + _ROUNDING) * one.variance + one.common for one in totals]
    freedoms = [one.variance**2 / one.quotient if one.quotient > 0 else math.inf for one in totals]
    most_from, freedoms_from = _most_from(most), _most_from(freedoms)
    variance_from = _most_from([one.variance for one in known])
    wide_from = _most_from([one.wide for one in known])
    wide_met_from = _most_from([one.wide_met for one in known])
    found = []
    for nth, one in enumerate(known):
        near = (1 - _ROUNDING) * math.sqrt(_SURE * (least[nth] + least_from[nth]))
        clear = far = math.inf
        if wide_from[nth] < math.inf:
            clear = (1 + _ROUNDING) * math.sqrt(wide_from[nth] * (one.variance + variance_from[nth]))
        if wide_met_from[nth] < math.inf:
            far = (1 + _ROUNDING) * math.sqrt(wide_met_from[nth] * (most[nth] + most_from[nth]))
        sure, _ = margin_bounds(freedoms[nth] + freedoms_from[nth])
        found.append(_Reach(one.mean + near, one.mean + clear, one.mean + far, sure))
    return found


def _most_from(values: Sequence[float]) -> list[float]:
    """Return for each position the largest value from that position on."""
    return list(itertools.accumulate(reversed(values), max))[::-1]


_SURE = margin_bounds(math.inf)[0]
_FAR = margin_bounds(_FEW)[1]
