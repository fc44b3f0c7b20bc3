"""The results of a tournament as sums: a new battle is added without a look at all others.

    battle ──▶ its pairing ──▶ its entries ──▶ APS, intervals, which entries differ

All sums are exact, so they do not depend on the order in which battles come. Two numbers are of all battles,
the correlation of a seed and whether there are only wins; a variance is a number that does not depend on
them, times a factor that depends on them and the number of battles alone.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.intervals import (
    MeanInterval,
    MeanVariance,
    exceeds,
    interval_of_sums,
    margin_bound,
    margin_factor,
    sample_factors,
    sample_variance,
    single_variance,
    win_factors,
    win_variance,
)
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.rounds import CountedBattles
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
_NORMAL = 1e7
"""Degrees of freedom at which t is the least."""
_UNITS = 1 << 1074
"""Each float is a whole number of so many parts of 1."""


class _BattleShares:
    """The shares of one battle that counts."""

    __slots__ = ("columns", "points", "seed")

    def __init__(self, battle: PlayedBattle) -> None:
        self.seed, self.points = battle.spec.seed, battle_shares(battle)
        self.columns = tuple(shares_of(battle) for shares_of in SHARES.values())


class PairingResults:
    """The battles of one pairing that count. It is never changed: another battle makes another one.

    values: shares of points by entry, battle by battle. means: of these. spreads: their sample variances, of
    two and more battles. columns: mean shares, in the order of `SHARES`. terms: for the
    correlation of a seed.
    """

    __slots__ = ("battles", "columns", "group", "means", "spreads", "terms", "values")

    def __init__(self, group: Group, battles: Sequence[_BattleShares]) -> None:
        self.group, self.battles = group, len(battles)
        self.values = {entry: [one.points[entry] for one in battles] for entry in group}
        self.means = {entry: fmean(values) for entry, values in self.values.items()}
        self.spreads: dict[str, float] = {}
        if len(battles) > 1:
            self.spreads = {entry: sample_variance(values) for entry, values in self.values.items()}
        by_column = zip(*(one.columns for one in battles), strict=True)
        self.columns = tuple(_means(group, [one for one in shares if one]) for shares in by_column)
        self.terms = seed_terms(group, [(one.seed, one.points) for one in battles])

    def difference_variance(self, one: str, a: float, other: str, b: float) -> float:
        """Return the sample variance of a · (share of one) − b · (share of the other)."""
        mine, theirs = self.values[one], self.values[other]
        if self.battles == 2:
            step = a * (mine[0] - mine[1]) - b * (theirs[0] - theirs[1])
            return step * step / 2
        return sample_variance([a * x - b * y for x, y in zip(mine, theirs, strict=True)])


def _most_from(values: Sequence[float]) -> list[float]:
    """Return for each value the largest of it and those behind it."""
    return list(itertools.accumulate(reversed(values), max))[::-1]


def _farthest(variance: float, quotient: float) -> float:
    """Return at least the half width of an interval in standard deviations. variance: at least its own."""
    return margin_bound(variance * variance / quotient) if quotient > 0 else math.inf


def _means(group: Group, shares: Sequence[Shares]) -> dict[str, float]:
    return {entry: fmean(one[entry] for one in shares) for entry in group} if shares else {}


@dataclass(frozen=True, slots=True)
class _EntrySums:
    """Sums over the pairings of an entry.

    classes: by number of battles of a pairing: that number, the pairings, the sums of the base variances and
    of their squares, the largest of them. single: the variance of a pairing of one battle. is_known: whether
    variances can be told. fewest: battles of a pairing. percentages: by column.
    """

    pairings: int
    mean: float
    classes: tuple[tuple[int, int, float, float, float], ...]
    single: MeanVariance | None
    is_known: bool
    fewest: int
    percentages: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class _Total:
    """The variance of an APS, and the quotient for its degrees of freedom, with the largest part of each."""

    variance: float = 0.0
    quotient: float = 0.0
    variance_most: float = 0.0
    quotient_most: float = 0.0


class _ExactSum:
    """A sum of numbers without any rounding, so that one of them can be taken out again."""

    __slots__ = ("_units",)

    def __init__(self) -> None:
        self._units = 0

    def add(self, number: float) -> None:
        """Add a number; a negative one takes out what was added."""
        top, bottom = number.as_integer_ratio()
        self._units += top * (_UNITS // bottom)

    @property
    def value(self) -> float:
        """The sum, rounded once."""
        return self._units / _UNITS


class ResultLedger:
    """The battles of some entries, and what follows from them.

    entries: battles with another participant are left out. A battle that comes again replaces its result.
    """

    def __init__(self, entries: Sequence[TournamentEntry], played: Iterable[PlayedBattle] = ()) -> None:
        self.entries = tuple(entries)
        self.battles: dict[str, PlayedBattle] = {}
        self.counted = self.forfeits = self.void = self.suspect = 0
        self.played_by: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.pairings: dict[Group, PairingResults] = {}
        self.meetings = CountedBattles()
        """The battles that count, by the entries that met."""
        self.version = 0
        """It grows with each result."""
        self.correlation = 0.0
        self.only_wins = True
        self._known = {entry.id for entry in entries}
        self._counted: dict[Group, dict[str, _BattleShares]] = {}
        self._uncounted: dict[str, dict[str, PlayedBattle]] = {}
        self._groups: dict[str, set[Group]] = {}
        self._between, self._within = _ExactSum(), _ExactSum()
        self._freedom = [0, 0]
        self._others: dict[Group, int] = {}
        self._more_than_duels = 0
        self._stale_groups: set[Group] = set()
        self._stale_entries: set[str] = set()
        self._sums: dict[str, _EntrySums] = {}
        self._totals: dict[str, _Total] = {}
        self._intervals: dict[str, MeanInterval] = {}
        self._alike: dict[str, set[str]] = {entry.id: set() for entry in entries}
        self._uncompared = set(self._known)
        for battle in played:
            self.add(battle)

    # ---- battles -----------------------------------------------------------------------------------------

    def add(self, battle: PlayedBattle) -> None:
        """Add a result, or take it for an earlier one of the same battle."""
        if not self._known.issuperset(battle.spec.seats):
            return
        before = self.battles.get(battle.id)
        if before is not None:
            self._note(before, -1)
        self.battles[battle.id] = battle
        self.version += 1
        self._note(battle, 1)

    def _note(self, battle: PlayedBattle, sign: int) -> None:
        """Count a battle, or take it out again."""
        entries = set(battle.spec.seats)
        if not battle.counts:
            self.void += sign * (battle.state == "void")
            self.suspect += sign * (battle.state != "void")
            for entry in entries:
                kept = self._uncounted.setdefault(entry, {})
                if sign > 0:
                    kept[battle.id] = battle
                else:
                    del kept[battle.id]
            return
        self.counted += sign
        self.meetings.note(battle, sign)
        for entry in entries:
            self.played_by[entry] += sign
        if battle.state == "forfeit":
            self.forfeits += sign
            for row in battle.scores:
                self.failed[row.entry] += sign * (row.failure is not None)
        group = tuple(sorted({row.entry for row in battle.scores}))
        if not group:
            return
        counted = self._counted.setdefault(group, {})
        if sign > 0:
            counted[battle.id] = _BattleShares(battle)
        else:
            del counted[battle.id]
        self._stale_groups.add(group)

    def not_counted(self, entry: str) -> Sequence[PlayedBattle]:
        """Return the battles of an entry that do not count."""
        return list(self._uncounted.get(entry, {}).values())

    # ---- sums --------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring all sums up to date: of the pairings with new battles, then of their entries."""
        if not self._stale_groups:
            return
        for group in self._stale_groups:
            self._refresh_pairing(group)
        self._stale_groups.clear()
        only_wins = not self._others
        if only_wins != self.only_wins:
            self.only_wins = only_wins
            self._stale_entries.update(self._groups)
        before = self.correlation
        self.correlation = correlation_of(SeedTerms(self._between.value, self._within.value, *self._freedom))
        if max(0.0, self.correlation) != max(0.0, before):  # a negative one enlarges no variance
            self._totals.clear()
            self._intervals.clear()
            self._uncompared.update(self._sums)
        self._uncompared |= self._stale_entries
        for entry in self._stale_entries:
            self._totals.pop(entry, None)
            self._intervals.pop(entry, None)
            if self._groups.get(entry):
                self._sums[entry] = self._sums_of(entry)
            else:
                self._sums.pop(entry, None)
        self._stale_entries.clear()

    def _refresh_pairing(self, group: Group) -> None:
        before = self.pairings.get(group)
        if before is not None:
            self._more_than_duels -= len(group) > 2
            self._add_terms(before.terms, -1)
            self._others.pop(group, None)
        self._stale_entries.update(group)
        battles = self._counted[group]
        if not battles:
            if before is not None:
                del self.pairings[group]
                for entry in group:
                    self._groups[entry].discard(group)
            return
        now = self.pairings[group] = PairingResults(group, list(battles.values()))
        self._more_than_duels += len(group) > 2
        self._add_terms(now.terms, 1)
        if others := sum(value not in _WINS for values in now.values.values() for value in values):
            self._others[group] = others
        for entry in group:
            self._groups.setdefault(entry, set()).add(group)

    def _add_terms(self, terms: SeedTerms, sign: int) -> None:
        self._between.add(sign * terms.between)
        self._within.add(sign * terms.within)
        self._freedom[0] += sign * terms.between_freedom
        self._freedom[1] += sign * terms.within_freedom

    def _sums_of(self, entry: str) -> _EntrySums:
        mine = [self.pairings[group] for group in self._groups[entry]]
        bases: dict[int, list[float]] = {}
        singles: list[float] = []
        for one in mine:
            if self.only_wins:
                bases.setdefault(one.battles, []).append(win_variance(one.values[entry]))
            elif one.battles > 1:
                bases.setdefault(one.battles, []).append(one.spreads[entry])
            else:
                singles.append(one.values[entry][0])
        single = None
        if singles:
            single = single_variance(singles, [value for values in bases.values() for value in values])
        percentages: dict[str, float | None] = {}
        for nth, column in enumerate(SHARES):
            known = [one.columns[nth][entry] for one in mine if one.columns[nth]]
            percentages[column] = 100 * fmean(known) if known else None
        return _EntrySums(
            len(mine),
            fmean(one.means[entry] for one in mine),
            tuple(
                (count, len(some), math.fsum(some), math.fsum(one * one for one in some), max(some))
                for count, some in sorted(bases.items())
            )
            + (((1, len(singles), 0.0, 0.0, 0.0),) if single is not None else ()),
            single,
            single is not None or not singles,
            min(one.battles for one in mine),
            percentages,
        )

    def _total(self, entry: str) -> _Total:
        found = self._totals.get(entry)
        if found is not None:
            return found
        sums = self._sums[entry]
        weight = 1 / sums.pairings**2
        variance = quotient = variance_most = quotient_most = 0.0
        for count, pairings, base, squares, most in sums.classes:
            if sums.single is not None and count == 1:
                factor, freedom = weight * sums.single.variance, sums.single.freedom
                base, squares, most = float(pairings), float(pairings), 1.0
            else:
                factor, freedom = self._factors(count)
                factor *= weight
            variance += factor * base
            quotient += factor * factor * squares / freedom
            variance_most = max(variance_most, factor * most)
            quotient_most = max(quotient_most, (factor * most) ** 2 / freedom)
        found = self._totals[entry] = _Total(variance, quotient, variance_most, quotient_most)
        return found

    def _factors(self, battles: int) -> tuple[float, float]:
        """Return by what a base variance is multiplied, and its degrees of freedom."""
        factors = win_factors if self.only_wins else sample_factors
        return factors(battles, self.correlation)

    # ---- what follows ------------------------------------------------------------------------------------

    def interval(self, entry: str) -> MeanInterval | None:
        """Return an entry's APS with its interval, in percent within 0 and 100; None without a battle."""
        self.refresh()
        found = self._intervals.get(entry)
        sums = self._sums.get(entry)
        if found is None and sums is not None:
            if sums.is_known:
                total = self._total(entry)
                sums_known = (total.variance, total.quotient, sums.fewest > 2)
                plain = interval_of_sums(sums.mean, *sums_known)
            else:
                plain = MeanInterval(sums.mean, None, None)
            low = None if plain.low is None else max(0.0, 100 * plain.low)
            high = None if plain.high is None else min(100.0, 100 * plain.high)
            found = self._intervals[entry] = MeanInterval(100 * plain.mean, low, high)
        return found

    def aps(self, entry: str) -> float:
        """Return the APS in percent, below all others without a battle."""
        self.refresh()
        sums = self._sums.get(entry)
        return -math.inf if sums is None else 100 * sums.mean

    def half_width(self, entry: str) -> float:
        """Return half the width of an entry's interval; infinite where there is none."""
        found = self.interval(entry)
        return found.half_width if found else math.inf

    def percentages(self, entry: str) -> Mapping[str, Any]:
        """Return the means of an entry's shares, in percent, by column; empty without a battle."""
        self.refresh()
        sums = self._sums.get(entry)
        return {} if sums is None else sums.percentages

    def alike(self) -> Mapping[str, Set[str]]:
        """Return for each entry those whose APS differs from its own by what may be chance.

        Those of which nothing is known are alike to all. Only entries that have changed are compared again.
        """
        self.refresh()
        again, self._uncompared = self._uncompared, set()
        if not again:
            return self._alike
        known = [one for one in self._alike if one in self._sums and self._sums[one].is_known]
        known.sort(key=lambda one: self._sums[one].mean)
        unknown = self._known.difference(known)
        for one in again:
            for other in self._alike[one] - again:
                self._alike[other].discard(one)
            self._alike[one] = set()
        unclear = ((one, other) for one in again for other in (self._known if one in unknown else unknown))
        for one, other in itertools.chain(unclear, self._alike_pairs(known, again)):
            if one != other:
                self._alike[one].add(other)
                self._alike[other].add(one)
        return self._alike

    def _alike_pairs(self, known: Sequence[str], again: Set[str]) -> Iterator[tuple[str, str]]:
        """Yield the pairs of entries whose difference may be chance, of which one is to be compared again.

        known: in the order of their APS. An entry is compared with others up to a distance beyond which no
        two can be alike. The variance of a difference is that of both APS, but for what they have in common:
        that adds at most its part of each once more, and takes away at most its part of each. So most pairs
        need no more than two comparisons.
        """
        means = [self._sums[one].mean for one in known]
        least, most, factors = self._bounds(known)
        farthest, largest = _most_from(most), _most_from(factors)
        sure, whole = margin_factor(_NORMAL), bool(self._more_than_duels)
        alone = [self._totals[one].variance for one in known]
        far = [
            _farthest(variance, self._totals[one].quotient)
            for variance, one in zip(alone, known, strict=True)
        ]
        changed = [place for place, one in enumerate(known) if one in again]
        for nth, one in enumerate(known):
            mean, low, high, factor = means[nth], least[nth], most[nth], factors[nth]
            end = mean + largest[nth] * math.sqrt(high + farthest[nth])
            above = range(nth + 1, len(known)) if one in again else changed[bisect_right(changed, nth) :]
            for place in above:
                if means[place] > end:
                    break
                gap = means[place] - mean
                if gap > sure * math.sqrt(low + least[place]):
                    if gap > max(factor, factors[place]) * math.sqrt(high + most[place]):
                        continue
                    if not whole and not self._common(one, known[place]):  # its variance is that of both
                        width = math.sqrt(alone[nth] + alone[place])
                        if gap > max(far[nth], far[place]) * width:
                            continue
                        if gap <= sure * width:
                            yield one, known[place]
                            continue
                    if self._differ(one, known[place]):
                        continue
                yield one, known[place]

    def _bounds(self, entries: Sequence[str]) -> tuple[list[float], list[float], list[float]]:
        """Return for each entry the least and the most that it adds to the variance of a difference.

        The third is a number of standard deviations: beyond the larger one of both, two entries differ for
        sure, since the sum of two has no fewer degrees of freedom than one of them. Of two entries with
        several pairings in common, all that they have may be in these.
        """
        totals = [self._total(one) for one in entries]
        whole = bool(self._more_than_duels)
        parts = [one.variance if whole else one.variance_most for one in totals]
        quotients = [one.quotient + 16 * (one.quotient if whole else one.quotient_most) for one in totals]
        least = [max(0.0, one.variance - part) for one, part in zip(totals, parts, strict=True)]
        most = [one.variance + part for one, part in zip(totals, parts, strict=True)]
        return least, most, list(map(_farthest, least, quotients))

    def _differ(self, one: str, other: str) -> bool:
        """Return whether the interval of the difference of two APS leaves out 0."""
        mine, theirs = self._sums[one], self._sums[other]
        a, b = 1 / mine.pairings, 1 / theirs.pairings
        total, total_other = self._totals[one], self._totals[other]
        variances = [total.variance, total_other.variance]
        quotients = [total.quotient, total_other.quotient]
        samples = min(mine.fewest, theirs.fewest)
        parts = []
        for pairing in self._common(one, other):
            variance, freedom = self._variance(one, mine, pairing)
            variance_other, freedom_other = self._variance(other, theirs, pairing)
            term, term_other = a * a * variance, b * b * variance_other
            variances[0] -= term
            variances[1] -= term_other
            quotients[0] -= term * term / freedom
            quotients[1] -= term_other * term_other / freedom_other
            if pairing.battles > 1 and not self.only_wins:
                factor, common = self._factors(pairing.battles)
                parts.append((factor * pairing.difference_variance(one, a, other, b), common))
            else:
                both = math.sqrt(term) + math.sqrt(term_other)
                parts.append((both * both, min(freedom, freedom_other)))
        for variance, quotient in zip(variances, quotients, strict=True):
            some = variance > 0 and quotient > 0
            parts.append((max(0.0, variance), variance * variance / quotient if some else 1.0))
        whole = sum(part for part, _ in parts)
        quotient = sum(part * part / freedom for part, freedom in parts)
        return exceeds(abs(mine.mean - theirs.mean), whole, quotient, is_sure=samples > 2)

    def _variance(self, entry: str, sums: _EntrySums, pairing: PairingResults) -> tuple[float, float]:
        """Return the variance of an entry's mean in a pairing, and its degrees of freedom."""
        if self.only_wins:
            factor, freedom = self._factors(pairing.battles)
            return factor * win_variance(pairing.values[entry]), freedom
        if pairing.battles > 1:
            factor, freedom = self._factors(pairing.battles)
            return factor * pairing.spreads[entry], freedom
        assert sums.single is not None
        return sums.single.variance, sums.single.freedom

    def _common(self, one: str, other: str) -> Sequence[PairingResults]:
        """Return the pairings in which both are."""
        if not self._more_than_duels:
            found = self.pairings.get((one, other) if one < other else (other, one))
            return () if found is None else (found,)
        return [self.pairings[group] for group in sorted(self._groups[one] & self._groups[other])]

    def snapshot(self) -> Mapping[Group, PairingResults]:
        """Return the pairings as they are now."""
        self.refresh()
        return self.pairings.copy()
