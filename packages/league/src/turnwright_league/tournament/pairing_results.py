"""The results of pairings with their battles that count, and the numbers that all of them share.

All sums are exact, so they do not depend on the order of battles. Two numbers depend on all battles: the
correlation of a seed, and whether there are only wins. A variance is a number that is independent of these,
times a factor that depends only on these and the number of battles.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence, Set
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
_UNITS = 1 << 1074
"""The number of units in 1. Each float is a whole number of units."""


class BattleShares:
    """The shares of one battle that counts."""

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
        columns: the mean shares, in the order of `SHARES`.
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
        self._units += top * (_UNITS // bottom)

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


class Shared(NamedTuple):
    """The joint statistics of two entries in one pairing.

    Attributes:
        covariance: the covariance of their shares of one battle. If it is not known, it is the most negative
            possible one. For a pairing of one battle, it assumes variances of 1.
        variance: the variance of the first entry's share of one battle. The first entry is the one with the
            smaller id.
        variance_other: the variance of the other entry's share.
    """

    battles: int
    covariance: float
    variance: float
    variance_other: float


class Meetings:
    """The pairings of two entries.

    Attributes:
        pairings: the results of the pairings that have battles.
        shared: the joint statistics of the two entries in each pairing. If it is empty, it must be computed.
    """

    __slots__ = ("pairings", "shared")

    def __init__(self) -> None:
        self.pairings: dict[Group, PairingResults] = {}
        self.shared: Sequence[Shared] = ()

    def put(self, group: Group, results: PairingResults | None) -> None:
        """Set the results of a pairing. None means that it has no battle any more."""
        if results is None:
            self.pairings.pop(group, None)
        else:
            self.pairings[group] = results
        self.shared = ()

    def compute(self, one: str, other: str, *, only_wins: bool) -> Sequence[Shared]:
        """Compute the joint statistics of the two entries, and return them."""
        one, other = min(one, other), max(one, other)
        found = []
        for results in self.pairings.values():
            if only_wins:
                a, b = results.win_spreads[one], results.win_spreads[other]
                found.append(Shared(results.battles, -math.sqrt(a * b), a, b))
            elif results.battles > 1:
                a, b = results.spreads[one], results.spreads[other]
                found.append(Shared(results.battles, results.covariance(one, other), a, b))
            else:
                found.append(Shared(1, -1.0, 1.0, 1.0))
        self.shared = found
        return found


class Pairings:
    """All pairings of a tournament.

    Attributes:
        results: the results of the pairings with battles.
        correlation: the correlation between the two battles of a seed.
        only_wins: whether there are only wins, draws and losses.
        known_factors: the computed `factors` by number of battles.
    """

    def __init__(self) -> None:
        self.results: dict[Group, PairingResults] = {}
        self.correlation = 0.0
        self.only_wins = True
        self._battles: dict[Group, dict[str, BattleShares]] = {}
        self._of: dict[str, dict[Group, PairingResults]] = {}
        self._met: dict[str, dict[str, Meetings]] = {}
        self._shared: dict[str, int] = {}
        self._seeds = SeedCorrelation()
        self._others: dict[Group, int] = {}
        """The number of shares that are not a win, draw or loss, by pairing."""
        self._stale: set[Group] = set()
        self.known_factors: dict[int, tuple[float, float]] = {}

    def note(self, battle: PlayedBattle, sign: int) -> None:
        """Add a battle that counts, or remove it (-1)."""
        group = tuple(sorted({row.entry for row in battle.scores}))
        if not group:
            return
        battles = self._battles.setdefault(group, {})
        if sign > 0:
            battles[battle.id] = BattleShares(battle)
        else:
            del battles[battle.id]
        self._stale.add(group)

    def refresh(self) -> tuple[Set[str], bool]:
        """Update the results.

        Returns:
            The entries whose pairings have changed, and whether the variances of all entries have.
        """
        changed: set[str] = set()
        for group in self._stale:
            self._refresh_pairing(group)
            changed.update(group)
        self._stale.clear()
        before, only_wins = max(0.0, self.correlation), self.only_wins
        self.only_wins = not self._others
        self.correlation = self._seeds.value
        if only_wins != self.only_wins:
            changed.update(self._of)
            for met in self._met.values():
                for meetings in met.values():
                    meetings.shared = ()
        all_changed = only_wins != self.only_wins or max(0.0, self.correlation) != before
        if all_changed:  # a negative correlation enlarges no variance
            self.known_factors.clear()
        return changed, all_changed

    def _refresh_pairing(self, group: Group) -> None:
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
        for entry in group:
            mine = self._of.setdefault(entry, {})
            if now is not None:
                mine[group] = now
            else:
                mine.pop(group, None)
        for one, other in itertools.combinations(group, 2):
            mine_met = self._met.setdefault(one, {})
            found = mine_met.get(other)
            if found is None:
                found = mine_met[other] = self._met.setdefault(other, {})[one] = Meetings()
            found.put(group, now)
            many = len(found.pairings)
            for entry in (one, other):
                if many > self._shared.get(entry, 0):
                    self._shared[entry] = many

    def of(self, entry: str) -> Collection[PairingResults]:
        """Return the results of an entry's pairings."""
        return self._of.get(entry, {}).values()

    def shared_most(self, entry: str) -> int:
        """Return an upper bound of the number of pairings that an entry shares with another entry."""
        return self._shared.get(entry, 0)

    def met(self, entry: str) -> Mapping[str, Meetings]:
        """Return the pairings that this entry shares with each other entry."""
        return self._met.get(entry, {})

    def factors(self, battles: int) -> tuple[float, float]:
        """Return the factor from the variance of one battle to that of the mean, and degrees of freedom."""
        found = self.known_factors.get(battles)
        if found is None:
            factors = win_factors if self.only_wins else sample_factors
            found = self.known_factors[battles] = factors(battles, self.correlation)
        return found
