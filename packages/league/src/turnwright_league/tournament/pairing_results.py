"""The results of pairings with their battles that count, and the numbers that all of them share.

All sums are exact, so they do not depend on the order of battles. Two numbers depend on all battles: the
correlation of a seed, and whether there are only wins. A variance is a number that is independent of these,
times a factor that depends only on these and the number of battles.
"""

from __future__ import annotations

import itertools
import math
from array import array
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from turnwright_league.tournament.intervals import (
    sample_factors,
    sample_variance,
    win_factors,
    win_variance,
)
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.scores import (
    SHARES,
    SeedTerms,
    Shares,
    battle_shares,
    correlation_of,
    seed_terms,
)

Group = tuple[str, ...]
_WINS = frozenset({0.0, 0.5, 1.0})
_UNIT_BITS = 1074
"""The bits after the point of the smallest float. Each float is a whole number of units of this size."""
_UNITS = 1 << _UNIT_BITS


class BattleShares:
    """The shares of one battle that counts.

    Attributes:
        points: the shares of the points, by entry.
        columns: the shares in the order of `SHARES`, each by entry, or None if the game does not have it.
    """

    __slots__ = ("columns", "points", "seed")

    def __init__(self, battle: PlayedBattle) -> None:
        self.seed, self.points = battle.spec.seed, battle_shares(battle)
        self.columns = tuple([shares_of(battle) for shares_of in SHARES.values()])


class PairingResults:
    """The battles of one pairing that count. It never changes. Another battle makes a new object.

    Attributes:
        values: the shares of points by entry, battle by battle.
        means: the means of these values.
        spreads: the sample variances of these values, for two or more battles.
        columns: the mean shares, in the order of `SHARES`. Each is {} if the game does not have it.
        terms: the pairing's part of the correlation of a seed.
    """

    __slots__ = (
        "_win_spreads",
        "battles",
        "columns",
        "group",
        "means",
        "spreads",
        "terms",
        "values",
    )

    def __init__(self, group: Group, battles: Sequence[BattleShares]) -> None:
        self.group, self.battles = group, len(battles)
        self.values = {entry: [one.points[entry] for one in battles] for entry in group}
        self.means = {entry: fmean(values) for entry, values in self.values.items()}
        self.spreads: dict[str, float] = {}
        if len(battles) > 1:
            self.spreads = {entry: sample_variance(values) for entry, values in self.values.items()}
        by_column = zip(*[one.columns for one in battles], strict=True)
        self.columns = tuple([_means(group, [one for one in shares if one]) for shares in by_column])
        self.terms = seed_terms(group, [(one.seed, one.points) for one in battles])
        self._win_spreads: dict[str, float] = {}

    @property
    def win_spreads(self) -> Mapping[str, float]:
        """The variance of one battle by entry, if there are only wins, draws and losses."""
        if not self._win_spreads:
            self._win_spreads = {entry: win_variance(values) for entry, values in self.values.items()}
        return self._win_spreads

    def covariance(self, one: str, other: str) -> float:
        """Return the sample covariance of the shares of two entries, for two or more battles."""
        mine, theirs = self.values[one], self.values[other]
        if self.battles == 2:
            return (mine[0] - mine[1]) * (theirs[0] - theirs[1]) / 2
        a, b = self.means[one], self.means[other]
        products = [(x - a) * (y - b) for x, y in zip(mine, theirs, strict=True)]
        return math.fsum(products) / (self.battles - 1)


def _means(group: Group, shares: Sequence[Shares]) -> dict[str, float]:
    return {entry: fmean(one[entry] for one in shares) for entry in group} if shares else {}


class ExactSum:
    """A sum of numbers without any rounding, so that a number can be removed again."""

    __slots__ = ("_units",)

    def __init__(self) -> None:
        self._units = 0

    def add(self, number: float) -> None:
        """Add a number. A negative number removes an added one."""
        top, bottom = number.as_integer_ratio()
        self._units += top << (_UNIT_BITS + 1 - bottom.bit_length())

    @property
    def value(self) -> float:
        """The sum, rounded once."""
        return self._units / _UNITS


class SeedCorrelation:
    """The correlation between the two battles of a seed, over all pairings."""

    def __init__(self) -> None:
        self._between, self._within = ExactSum(), ExactSum()
        self._freedom = [0, 0]

    def add(self, terms: SeedTerms, sign: int) -> None:
        """Add the terms of a pairing, or remove them (-1)."""
        self._between.add(sign * terms.between)
        self._within.add(sign * terms.within)
        self._freedom[0] += sign * terms.between_freedom
        self._freedom[1] += sign * terms.within_freedom

    @property
    def value(self) -> float:
        """The correlation, −1 to 1."""
        return correlation_of(SeedTerms(self._between.value, self._within.value, *self._freedom))


class SharedSums(NamedTuple):
    """Sums over the pairings of two entries that have equally many battles.

    Attributes:
        battles: the battles of each pairing.
        covariance: the sum of the covariances of their shares of one battle. With only wins, a covariance is
            not known, and is the most negative possible one.
        product: the sum of the products of both variances, plus twice the squared covariance.
        first: the sum of the products of the first entry's variance and the covariance. The first entry is
            the one with the smaller id.
        second: the same sum for the other entry.
    """

    battles: int
    covariance: float
    product: float
    first: float
    second: float


class Meetings:
    """The pairings of two entries.

    Attributes:
        sums: the sums over their pairings, by number of battles, without the pairings in `singles`.
        singles: the pairings of one battle whose variance is not known.
    """

    __slots__ = ("_new", "_terms", "singles", "sums")

    def __init__(self) -> None:
        self._new: dict[Group, PairingResults] = {}
        self._terms: dict[Group, SharedSums] = {}
        self.singles: set[Group] = set()
        self.sums: Sequence[SharedSums] = ()

    def put(self, group: Group, results: PairingResults | None) -> None:
        """Set the results of a pairing, for the next `refresh`. None: it has no battle any more."""
        self._terms.pop(group, None)
        self._new.pop(group, None)
        self.singles.discard(group)
        if results is not None:
            self._new[group] = results

    def refresh(self, one: str, other: str, *, only_wins: bool) -> None:
        """Compute the sums of the two entries again. Only new results are read.

        Args:
            one: the entry with the smaller id.
        """
        for group, results in self._new.items():
            if results.battles > 1 or only_wins:
                self._terms[group] = _shared_terms(results, one, other, only_wins=only_wins)
            else:
                self.singles.add(group)
        self._new.clear()
        self.sums = list(self._terms.values())
        if len(self.sums) > 1:
            by_battles: dict[int, list[SharedSums]] = {}
            for terms in self.sums:
                by_battles.setdefault(terms[0], []).append(terms)
            self.sums = [_total(some) for some in by_battles.values()]


class SharedMost(NamedTuple):
    """Upper bounds of what an entry shares with any other entry.

    Attributes:
        singles: the number of pairings of one battle whose variance is not known.
        covariance: the absolute value of the sum of covariances.
        quotient: the sum of `product`, of how far `first` and `second` are below 0, and of twice the larger
            of these two.
    """

    singles: int = 0
    covariance: float = 0.0
    quotient: float = 0.0


_NOTHING = SharedMost()


def _total(some: Sequence[SharedSums]) -> SharedSums:
    """Return the sums of pairings with equally many battles."""
    battles, *columns = zip(*some, strict=True)
    return SharedSums(battles[0], *map(math.fsum, columns))


def _shared_terms(results: PairingResults, one: str, other: str, *, only_wins: bool) -> SharedSums:
    """Return the terms of one pairing of two entries."""
    if only_wins:
        a, b = results.win_spreads[one], results.win_spreads[other]
        covariance = -math.sqrt(a * b)
    else:
        a, b = results.spreads[one], results.spreads[other]
        covariance = results.covariance(one, other)
    product = a * b + 2 * covariance * covariance
    return SharedSums(results.battles, covariance, product, a * covariance, b * covariance)


class SharedRows:
    """The `SharedSums` of every two entries, in rows that can be read quickly.

    Each row belongs to one entry, and has a number for every other entry.

    Attributes:
        place: the position of each entry in the rows.
        battles: the number of battles of each common pairing. 0 means that the two did not meet, and -1 that
            only `Meetings` has their sums.
        covariances, products: the sums `covariance` and `product`.
        mine, theirs: the sums `first` and `second`. `mine` has the one with the variance of the row's entry.
    """

    def __init__(self, entries: Sequence[str]) -> None:
        size = len(entries)
        self.place = {entry: place for place, entry in enumerate(entries)}
        self.battles = [array("l", [0]) * size for _ in entries]
        self.covariances, self.products, self.mine, self.theirs = (
            [array("d", [0.0]) * size for _ in entries] for _ in range(4)
        )
        self._most: dict[str, SharedMost] = {}

    def put(self, one: str, other: str, meetings: Meetings) -> None:
        """Set the numbers of two entries."""
        a, b = self.place[one], self.place[other]
        sums, singles = meetings.sums, len(meetings.singles)
        if len(sums) == 1 and not singles:
            battles, covariance, product, first, second = sums[0]
            self.covariances[a][b] = self.covariances[b][a] = covariance
            self.products[a][b] = self.products[b][a] = product
            self.mine[a][b] = self.theirs[b][a] = first
            self.mine[b][a] = self.theirs[a][b] = second
        else:
            battles = -1 if sums or singles else 0
        self.battles[a][b] = self.battles[b][a] = battles
        size = quotient = 0.0
        for _, covariance, product, first, second in sums:
            less, more = sorted((max(0.0, -first), max(0.0, -second)))
            size += abs(covariance)
            quotient += product + less + 3 * more
        for entry in (one, other):
            most = self.most(entry)
            if singles > most.singles or size > most.covariance or quotient > most.quotient:
                self._most[entry] = SharedMost(
                    max(singles, most.singles), max(size, most.covariance), max(quotient, most.quotient)
                )

    def most(self, entry: str) -> SharedMost:
        """Return bounds of what an entry shares with any other."""
        return self._most.get(entry, _NOTHING)


class PairingChange(NamedTuple):
    """The results of a pairing before and after new battles. None means that no battle counts."""

    group: Group
    before: PairingResults | None
    now: PairingResults | None


class Pairings:
    """All pairings of a tournament.

    Attributes:
        results: the results of the pairings with battles.
        correlation: the correlation between the two battles of a seed.
        only_wins: whether there are only wins, draws and losses.
        known_factors: the computed `factors` by number of battles.
        shared: what each entry shares with each other entry.
    """

    def __init__(self, entries: Sequence[str]) -> None:
        self.shared = SharedRows(entries)
        self.results: dict[Group, PairingResults] = {}
        self.correlation = 0.0
        self.only_wins = True
        self._battles: dict[Group, dict[str, BattleShares]] = {}
        self._met: dict[str, dict[str, Meetings]] = {}
        self._new_meetings: set[tuple[str, str]] = set()
        self._seeds = SeedCorrelation()
        self._others: dict[Group, int] = {}
        """The number of shares that are not a win, draw or loss, by pairing."""
        self._stale: set[Group] = set()
        self.known_factors: dict[int, tuple[float, float]] = {}

    def note(self, battle: PlayedBattle, sign: int) -> None:
        """Add a battle that counts, or remove it (-1). The results change at the next `refresh`."""
        group = tuple(sorted({row.entry for row in battle.scores}))
        if not group:
            return
        battles = self._battles.setdefault(group, {})
        if sign > 0:
            battles[battle.id] = BattleShares(battle)
        else:
            del battles[battle.id]
        self._stale.add(group)

    def refresh(self) -> tuple[Sequence[PairingChange], bool]:
        """Update the results.

        Returns:
            The changed pairings, and whether the variances of all entries have changed.
        """
        changed = [self._refresh_pairing(group) for group in self._stale]
        self._stale.clear()
        before, only_wins = max(0.0, self.correlation), self.only_wins
        self.only_wins = not self._others
        self.correlation = self._seeds.value
        if only_wins != self.only_wins:
            self._met.clear()
            self._new_meetings.clear()
            self.shared = SharedRows(list(self.shared.place))
            for group, now in self.results.items():
                self._put_meetings(group, now)
        self._refresh_meetings()
        all_changed = only_wins != self.only_wins or max(0.0, self.correlation) != before
        if all_changed:  # a negative correlation enlarges no variance
            self.known_factors.clear()
        return changed, all_changed

    def _refresh_pairing(self, group: Group) -> PairingChange:
        before = self.results.pop(group, None)
        if before is not None:
            self._seeds.add(before.terms, -1)
            self._others.pop(group, None)
        battles, now = self._battles[group], None
        if battles:
            now = self.results[group] = PairingResults(group, list(battles.values()))
            self._seeds.add(now.terms, 1)
            if others := sum(value not in _WINS for values in now.values.values() for value in values):
                self._others[group] = others
        self._put_meetings(group, now)
        return PairingChange(group, before, now)

    def _put_meetings(self, group: Group, now: PairingResults | None) -> None:
        for one, other in itertools.combinations(group, 2):
            mine = self._met.setdefault(one, {})
            found = mine.get(other)
            if found is None:
                found = mine[other] = self._met.setdefault(other, {})[one] = Meetings()
            found.put(group, now)
            self._new_meetings.add((one, other))

    def _refresh_meetings(self) -> None:
        for one, other in self._new_meetings:
            meetings = self._met[one][other]
            meetings.refresh(one, other, only_wins=self.only_wins)
            self.shared.put(one, other, meetings)
        self._new_meetings.clear()

    def met(self, entry: str) -> Mapping[str, Meetings]:
        """Return the pairings that this entry shares with each other entry."""
        return self._met.get(entry, {})

    def factors(self, battles: int) -> tuple[float, float]:
        """Return the variance of the mean as a multiple of one battle's variance, and degrees of freedom."""
        found = self.known_factors.get(battles)
        if found is None:
            factors = win_factors if self.only_wins else sample_factors
            found = self.known_factors[battles] = factors(battles, self.correlation)
        return found
