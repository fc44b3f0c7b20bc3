"""Standings and choices straight from their definitions, computed from all battles each time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Sequence
from statistics import fmean

from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.intervals import (
    MeanInterval,
    MeanVariance,
    are_only_wins,
    interval_of,
    mean_variances,
    sample_variance,
)
from turnwright_league.tournament.pairings import PairingRules, battle_of
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.rounds import tournament_rounds
from turnwright_league.tournament.scores import SeedTerms, correlation_of, pairing_shares, seed_terms

Group = tuple[str, ...]


class PlainStandings:
    """APS, intervals and which entries differ."""

    def __init__(self, entries: Sequence[TournamentEntry], played: Sequence[PlayedBattle]) -> None:
        self.ids = [entry.id for entry in entries]
        battles = [one for one in played if one.counts and set(one.spec.seats) <= set(self.ids)]
        self.points = pairing_shares(battles)
        self.only_wins = are_only_wins(
            v for some in self.points.values() for one in some for v in one.values()
        )
        self.correlation = correlation_of(self._terms(battles))

    def _terms(self, battles: Sequence[PlayedBattle]) -> SeedTerms:
        found = []
        for group in self.points:
            mine = [one for one in battles if tuple(sorted({row.entry for row in one.scores})) == group]
            shares = [next(iter(pairing_shares([one]).values()))[0] for one in mine]
            seeds = [one.spec.seed for one in mine]
            found.append(seed_terms(group, zip(seeds, shares, strict=True)))
        between, within = (math.fsum(getattr(one, name) for one in found) for name in ("between", "within"))
        freedom = [sum(getattr(one, f"{name}_freedom") for one in found) for name in ("between", "within")]
        return SeedTerms(between, within, *freedom)

    def groups(self, entry: str) -> list[Group]:
        return [group for group in self.points if entry in group]

    def variances(self, entry: str) -> dict[Group, MeanVariance] | None:
        groups = self.groups(entry)
        samples = [[one[entry] for one in self.points[group]] for group in groups]
        found = mean_variances(samples, self.only_wins, self.correlation)
        return dict(zip(groups, found, strict=True)) if found else None

    def interval(self, entry: str) -> MeanInterval | None:
        groups, found = self.groups(entry), self.variances(entry)
        if not groups:
            return None
        mean = fmean(fmean(one[entry] for one in self.points[group]) for group in groups)
        return interval_of(mean, [(1 / len(groups), one) for one in found.values()] if found else None)

    def differ(self, one: str, other: str) -> bool:
        mine, theirs = self.variances(one), self.variances(other)
        if not mine or not theirs:
            return False
        a, b = 1 / len(mine), 1 / len(theirs)
        parts = [(a, part) for group, part in mine.items() if group not in theirs]
        parts += [(b, part) for group, part in theirs.items() if group not in mine]
        for group in mine.keys() & theirs.keys():
            values = [a * battle[one] - b * battle[other] for battle in self.points[group]]
            if len(values) > 1 and not self.only_wins:
                (found,) = mean_variances([values], correlation=self.correlation) or ()
            else:
                most = a * math.sqrt(mine[group].variance) + b * math.sqrt(theirs[group].variance)
                freedom = min(mine[group].freedom, theirs[group].freedom)
                found = MeanVariance(most * most, freedom, len(values))
            parts.append((1.0, found))
        ours, other_mean = self.interval(one), self.interval(other)
        assert ours
        assert other_mean
        found_interval = interval_of(ours.mean - other_mean.mean, parts)
        low, high = found_interval.low, found_interval.high
        return low is not None and high is not None and not low <= 0 <= high


def plain_choice(
    entries: Sequence[TournamentEntry],
    rules: PairingRules,
    played: Sequence[PlayedBattle],
    half_width: float,
    known: Container[str],
    count: int,
) -> list[BattleSpec]:
    """Return the battles that narrow the intervals most, of formats whose pairings are known at once."""
    found = PlainStandings(entries, played)
    groups = sorted({group for one in tournament_rounds(entries, rules) for group in one})
    of_entry = Counter(one for group in groups for one in group)
    wide = set()
    for entry in found.ids:
        interval = found.interval(entry)
        ends = None if interval is None or interval.low is None or interval.high is None else interval
        if ends is None or min(1, ends.high or 0) - max(0, ends.low or 0) > 2 * half_width / 100:
            wide.add(entry)
    spreads = {
        group: max(sample_variance([one[entry] for one in found.points[group]]) for entry in group)
        for group in groups
        if len(found.points.get(group, ())) > 1
    }
    usual = fmean(spreads.values()) if spreads else 0.0
    played_in = {group: len(found.points.get(group, ())) for group in groups}
    least = {group: min(8, 1 + max(math.ceil(28 / of_entry[one]) for one in group)) for group in groups}
    variance = {
        group: ((max(0, n - 1) * spreads.get(group, 0.0)) + 4 * usual) / (max(0, n - 1) + 4)
        for group, n in played_in.items()
    }
    chosen: list[BattleSpec] = []
    while len(chosen) < count:
        open_ones = [group for group in groups if played_in[group] < least[group] or wide & set(group)]
        if not open_ones:
            break

        def gain(group: Group) -> tuple[float, int]:
            n = played_in[group]
            return (math.inf if n < least[group] else variance[group] / (n * (n + 1)), -n)

        best = max(open_ones, key=gain)
        if not wide and played_in[best] >= least[best]:
            break
        given = {spec.id for spec in chosen}
        index = 0
        while (spec := battle_of(best, rules, index)).id in known or spec.id in given:
            index += 1
        chosen.append(spec)
        played_in[best] += 1
    return chosen
