"""The APS of each entry with its variance, as sums over its pairings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from turnwright_league.tournament.intervals import (
    MeanInterval,
    MeanVariance,
    interval_of_sums,
    single_variance,
)
from turnwright_league.tournament.pairing_results import (
    ExactSum,
    Group,
    PairingChange,
    PairingResults,
    Pairings,
)
from turnwright_league.tournament.scores import SHARES


@dataclass(frozen=True, slots=True)
class EntrySums:
    """Sums over the pairings of an entry.

    Attributes:
        classes: a row for each number of battles that pairings have. The row has that number, the number of
            such pairings, and the sums of the variances of one battle and of their squares.
        single: the variance of a pairing of one battle, or None without such a pairing or if it is not known.
        lone: its only pairing of one battle whose variance is not known, if it has just one.
        is_known: whether the variances are known.
        fewest: the fewest battles of a pairing.
        percentages: the means of its shares by column of the standings.
    """

    pairings: int
    mean: float
    classes: tuple[tuple[int, int, float, float], ...]
    single: MeanVariance | None
    lone: Group | None
    is_known: bool
    fewest: int
    percentages: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class EntryVariance:
    """The variance of an APS.

    The variance of the difference of two entries is the sum of their variances, minus the covariances in
    their common pairings. The quotient of the difference is computed in the same way.

    Attributes:
        quotient: the sum of each part's squared variance / its degrees of freedom.
        common: an upper bound of this entry's half of the covariances with another entry, without those in
            `EntrySums.lone`.
        common_quotient: an upper bound of this entry's half of what these covariances add to the quotient.
    """

    variance: float = 0.0
    quotient: float = 0.0
    common: float = 0.0
    common_quotient: float = 0.0


class _Spreads:
    """The variances of one battle in pairings that have equally many battles."""

    def __init__(self) -> None:
        self._values: dict[Group, float] = {}
        self._sum, self._squares = ExactSum(), ExactSum()
        self.most = 0.0

    def __len__(self) -> int:
        return len(self._values)

    def put(self, group: Group, value: float) -> None:
        """Add the value of a pairing."""
        self._values[group] = value
        self._sum.add(value)
        self._squares.add(value * value)
        self.most = max(self.most, value)

    def remove(self, group: Group) -> None:
        """Remove the value of a pairing."""
        value = self._values.pop(group)
        self._sum.add(-value)
        self._squares.add(-value * value)
        if value >= self.most:
            self.most = max(self._values.values(), default=0.0)

    def row(self, battles: int) -> tuple[int, int, float, float]:
        """Return a row of `EntrySums.classes`."""
        return battles, len(self), self._sum.value, self._squares.value


class _EntryTotals:
    """The pairings of one entry, as sums from which a pairing can be removed."""

    def __init__(self, entry: str, *, only_wins: bool) -> None:
        self._entry, self._only_wins = entry, only_wins
        self._pairings = 0
        self._means = ExactSum()
        self._spreads: dict[int, _Spreads] = {}
        self._singles: dict[Group, float] = {}
        """The values of pairings of one battle, whose variance is not known."""
        self._columns = [ExactSum() for _ in SHARES]
        self._known = [0] * len(SHARES)
        """The number of pairings in each of these sums."""

    def add(self, results: PairingResults, sign: int) -> None:
        """Add a pairing, or remove it (-1)."""
        entry, group, battles = self._entry, results.group, results.battles
        self._pairings += sign
        self._means.add(sign * results.means[entry])
        for nth, column in enumerate(results.columns):
            if column:
                self._columns[nth].add(sign * column[entry])
                self._known[nth] += sign
        if not self._only_wins and battles == 1:
            if sign > 0:
                self._singles[group] = results.values[entry][0]
            else:
                del self._singles[group]
            return
        spreads = self._spreads.get(battles) or self._spreads.setdefault(battles, _Spreads())
        if sign > 0:
            spreads.put(group, (results.win_spreads if self._only_wins else results.spreads)[entry])
        else:
            spreads.remove(group)
            if not spreads:
                del self._spreads[battles]

    def sums(self) -> EntrySums | None:
        """Return the sums, or None without a pairing."""
        if not self._pairings:
            return None
        singles, single = list(self._singles.values()), None
        classes = [spreads.row(battles) for battles, spreads in sorted(self._spreads.items())]
        if singles:
            single = single_variance(singles, [spreads.most for spreads in self._spreads.values()])
        if single is not None:
            sum_of_ones = float(len(singles))
            classes.append((1, len(singles), sum_of_ones, sum_of_ones))
        columns = zip(SHARES, self._columns, self._known, strict=True)
        return EntrySums(
            self._pairings,
            self._means.value / self._pairings,
            tuple(classes),
            single,
            next(iter(self._singles)) if len(singles) == 1 else None,
            single is not None or not singles,
            1 if singles else min(self._spreads),
            {name: 100 * (total.value / known) if known else None for name, total, known in columns},
        )


class EntryEstimates:
    """The sums, variances and intervals of all entries with a battle.

    Attributes:
        sums: the sums by entry.
    """

    def __init__(self, pairings: Pairings) -> None:
        self.sums: dict[str, EntrySums] = {}
        self._pairings = pairings
        self._totals: dict[str, _EntryTotals] = {}
        self._only_wins = pairings.only_wins
        self._variances: dict[str, EntryVariance] = {}
        self._intervals: dict[str, MeanInterval] = {}

    def refresh(self, changes: Iterable[PairingChange], *, all_changed: bool) -> None:
        """Compute the sums of entries again, and drop variances that are no longer valid."""
        if all_changed:
            self._variances.clear()
            self._intervals.clear()
        if self._only_wins != self._pairings.only_wins:
            self._only_wins = self._pairings.only_wins
            self._totals.clear()
            self.sums.clear()
            changes = [PairingChange(group, None, now) for group, now in self._pairings.results.items()]
        changed: set[str] = set()
        for group, before, now in changes:
            changed.update(group)
            for entry in group:
                if entry not in self._totals:
                    self._totals[entry] = _EntryTotals(entry, only_wins=self._only_wins)
                if before is not None:
                    self._totals[entry].add(before, -1)
                if now is not None:
                    self._totals[entry].add(now, 1)
        for entry in changed:
            self._variances.pop(entry, None)
            self._intervals.pop(entry, None)
            found = self._totals[entry].sums()
            if found is not None:
                self.sums[entry] = found
            else:
                self.sums.pop(entry, None)

    def variance(self, entry: str) -> EntryVariance:
        """Return the variance of an entry's APS. The entry must have a battle, and a known variance."""
        found = self._variances.get(entry)
        if found is not None:
            return found
        sums = self.sums[entry]
        weight, shared = 1 / sums.pairings**2, self._pairings.shared.most(entry)
        variance = quotient = common = common_quotient = factor_most = quotient_most = 0.0
        for count, pairings, base, squares in sums.classes:
            if sums.single is not None and count == 1:
                factor, freedom = weight * sums.single.variance, sums.single.freedom
                number = 0 if sums.lone else min(pairings, shared.singles)
                common += factor * number
                # a squared part is at most 8 (a² + b²), and its freedom may be half of this entry's
                common_quotient += 16 * factor * factor / freedom * number
            else:
                factor, freedom = self._pairings.factors(count)
                factor *= weight
                factor_most = max(factor_most, factor)
                quotient_most = max(quotient_most, factor * factor / freedom)
            variance += factor * base
            quotient += factor * factor * squares / freedom
        common += factor_most * shared.covariance  # 2ab is at most a² + b²
        common_quotient += quotient_most * shared.quotient
        found = EntryVariance(variance, quotient, common, common_quotient)
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
