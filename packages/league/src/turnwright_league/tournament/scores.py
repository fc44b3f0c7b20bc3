"""Shares of points, of wins and of survival in battles.

    share of an entry in a battle      its score / the sum of all scores
    all scores are zero                equal shares
    an entry that failed (forfeit)     0; the others divide the whole
    a negative score                   counts as 0
    a team, or an entry in two seats   its rows are added first
    void and suspect battles           are left out (`PlayedBattle.counts`)

A percentage of an entry (APS, wins, survival) is 100 × the mean of its pairings. The value of a pairing, a
set of entries that met, is the mean of the entry's shares in its battles. So an opponent counts once, however
often the entry met it. In battles of n equally strong entries, each has 100 / n.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from types import MappingProxyType

from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle

_SEEDS_MIN = 10
"""The fewest seeds for which a correlation is measured."""
Shares = Mapping[str, float]
"""The shares of one battle by entry, 0 to 1."""
Pairings = Mapping[tuple[str, ...], list[Shares]]
"""The shares of each counted battle, in canonical order, by the sorted ids of its entries."""


def battle_shares(battle: PlayedBattle) -> dict[str, float]:
    """Return each entry's share of the points, by id. The sum is 1, or 0 if all entries failed."""
    return _divided(battle, lambda row: row.score)


def survival_shares(battle: PlayedBattle) -> dict[str, float] | None:
    """Return each entry's share of the survival score, or None in games without survival."""
    if any(row.survival is None for row in battle.scores):
        return None
    return _divided(battle, lambda row: row.survival or 0.0)


def win_shares(battle: PlayedBattle) -> dict[str, float]:
    """Return 1 for the entry with the most points, and 0 for the others.

    Equal winners divide the 1. An entry that failed has 0, even if all have failed.
    """
    shares = battle_shares(battle)
    playing = {entry: share for entry, share in shares.items() if entry not in _failed(battle)}
    best = max(playing.values(), default=None)
    winners = [entry for entry, share in playing.items() if share == best]
    return {entry: 1 / len(winners) if entry in winners else 0.0 for entry in shares}


SHARES: Mapping[str, Callable[[PlayedBattle], Shares | None]] = MappingProxyType(
    {"win_share": win_shares, "survival": survival_shares}
)
"""The functions of shares whose mean is a column of the standings, by the column's name."""


def pairing_shares(played: Iterable[PlayedBattle]) -> Pairings:
    """Return the shares of all battles that count, by pairing.

    A battle without shares is left out. A battle that is given twice counts once. The order of battles does
    not matter.
    """
    counted = {battle.id: battle for battle in played if battle.counts}
    pairings: dict[tuple[str, ...], list[Shares]] = {}
    for one in sorted(counted):
        found = battle_shares(counted[one])
        if found:
            pairings.setdefault(tuple(sorted(found)), []).append(found)
    return dict(sorted(pairings.items()))


@dataclass(frozen=True, slots=True)
class SeedTerms:
    """Squared differences of shares, between the seeds of a pairing and within them, as sums.

    Attributes:
        between_freedom, within_freedom: the degrees of freedom.
    """

    between: float = 0.0
    within: float = 0.0
    between_freedom: int = 0
    within_freedom: int = 0


def seed_terms(group: Sequence[str], shares: Iterable[tuple[int, Shares]]) -> SeedTerms:
    """Return the terms of the correlation from the battles of one pairing.

    They are 0 unless both battles of at least two seeds are played.

    Args:
        shares: the shares, each with its seed.
    """
    by_seed: dict[int, list[Shares]] = {}
    for seed, mine in shares:
        by_seed.setdefault(seed, []).append(mine)
    pairs = [both for both in by_seed.values() if len(both) == 2]
    if len(pairs) < 2:
        return SeedTerms()
    between, within = [], []
    entries = group[: len(group) - 1]  # the last one's shares follow from the others'
    for entry in entries:
        values = [(first[entry], second[entry]) for first, second in pairs]
        centre = fmean(x for pair in values for x in pair)
        between += [(x + y - 2 * centre) ** 2 / 2 for x, y in values]
        within += [(x - y) ** 2 / 2 for x, y in values]
    many = len(entries)
    return SeedTerms(math.fsum(between), math.fsum(within), many * (len(pairs) - 1), many * len(pairs))


def correlation_of(terms: SeedTerms) -> float:
    """Return the correlation between the two battles of a seed, −1 to 1.

    It is the intraclass correlation over all pairings in which both battles of at least two seeds are played.
    If these pairings have fewer than ten such seeds in total, or equal shares in all battles, it is 0. In
    battles of n entries, each seed counts n − 1 times.

    Args:
        terms: the sums over all pairings.
    """
    if terms.within_freedom < _SEEDS_MIN or terms.between + terms.within <= 0:
        return 0.0
    a, b = terms.between / terms.between_freedom, terms.within / terms.within_freedom
    return (a - b) / (a + b)


def average_share(pairings: Pairings, entry: str) -> float | None:
    """Return 100 × the mean of an entry's pairings, or None without a battle.

    For shares of points it is the APS, the average percentage of score.
    """
    means = [fmean(one[entry] for one in battles) for group, battles in pairings.items() if entry in group]
    return 100 * fmean(means) if means else None


def _divided(battle: PlayedBattle, value: Callable[[EntryScore], float]) -> dict[str, float]:
    failed = _failed(battle)
    points: dict[str, float] = {}
    for row in battle.scores:
        mine = value(row)
        valid = row.entry not in failed and math.isfinite(mine) and mine > 0
        points[row.entry] = points.get(row.entry, 0.0) + (mine if valid else 0.0)
    largest = max(points.values(), default=0.0)
    if largest > 0:
        scaled = {entry: mine / largest for entry, mine in points.items()}  # sums of huge scores stay finite
        total = math.fsum(scaled.values())
        return {entry: mine / total for entry, mine in scaled.items()}
    playing = len(points) - len(failed)
    return {entry: 0.0 if entry in failed else 1 / playing for entry in points}


def _failed(battle: PlayedBattle) -> frozenset[str]:
    """Return the entries that forfeited a battle."""
    if battle.state != "forfeit":
        return frozenset()
    return frozenset(row.entry for row in battle.scores if row.failure is not None)
