"""Standings of a tournament, from its entries and the battles played.

A row says with which other entries its place is not certain: their difference in APS has a 95 % interval
that holds 0. `next_pairings` says which battles narrow the intervals most.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean
from typing import Any

from turnwright.tournament.battle_spec import BattleSpec
from turnwright.tournament.entries import TournamentEntry
from turnwright.tournament.intervals import (
    MeanInterval,
    MeanVariance,
    are_only_wins,
    interval_of,
    leaves_out_zero,
    mean_interval,
    mean_variances,
    sample_variance,
)
from turnwright.tournament.pairings import (
    ROUND_FORMATS,
    PairingRules,
    battle_of,
    battles_of,
    format_places,
    tournament_rounds,
)
from turnwright.tournament.played_battle import PlayedBattle
from turnwright.tournament.scores import (
    Pairings,
    average_share,
    pairing_shares,
    seed_correlation,
    survival_shares,
    win_shares,
)

__all__ = [
    "EntryStanding",
    "PairingCell",
    "TournamentStandings",
    "entry_labels",
    "next_pairings",
    "ranks_alike",
    "standings_of",
]


_FREEDOM_LEAST = 28
"""Degrees of freedom that an APS has before an interval is taken as narrow enough."""
_BATTLES_LEAST_MAX = 8
"""Battles of a pairing that are enough for that in any case."""
_PRIOR_FREEDOM = 4
"""Degrees of freedom that the variance of all pairings has in the variance of one."""


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """One entry of the standings.

    rank: 1 is best. It follows the APS, equal ones share it, entries without a battle come last; in a ladder
    it follows the ladder, in a Swiss tournament the points, in a knockout the round that an entry has
    reached, since opponents are not the same there.
    entry: its id. aps: average percentage of score, 0 to 100, with its 95 % interval; None without battles,
    the interval's ends also where there are too few. win_share, survival: percent in the same way; survival
    None in games without it. battles: those that count. failures: battles that it forfeited. points: of a
    Swiss tournament. ratings: by name of the rating.
    cannot_be_told_apart_from: labels (`entry_labels`) of entries that may be as strong. why_not: where it has
    battles and none counts, why, in a line.
    """

    rank: int
    entry: str
    name: str
    version: str
    aps: float | None = None
    aps_low: float | None = None
    aps_high: float | None = None
    win_share: float | None = None
    survival: float | None = None
    battles: int = 0
    failures: int = 0
    points: float | None = None
    ratings: Mapping[str, float] = field(default_factory=dict)
    cannot_be_told_apart_from: tuple[str, ...] = ()
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class PairingCell:
    """One entry against another, by their ids.

    share: 100 × the mean over their battles of its share of the points of both, with its 95 % interval.
    win_share: percent of their battles in which it was ahead of the other; a draw is a half.
    """

    entry: str
    opponent: str
    share: float
    low: float | None
    high: float | None
    win_share: float
    battles: int


@dataclass(frozen=True, slots=True)
class TournamentStandings:
    """The standings of a tournament.

    rows: best first. pairings: each of two entries that met, both ways round.
    counted: battles that count, of them `forfeits` with an entry that failed; void and suspect do not.
    """

    rows: tuple[EntryStanding, ...]
    pairings: tuple[PairingCell, ...]
    counted: int
    forfeits: int
    void: int
    suspect: int

    def to_data(self) -> dict[str, Any]:
        """Return the standings as JSON values: `standings`, `pairings` and the counts."""
        rest = {name: getattr(self, name) for name in ("counted", "forfeits", "void", "suspect")}
        return {
            "standings": [asdict(replace(row, ratings=dict(row.ratings))) for row in self.rows],
            "pairings": [asdict(cell) for cell in self.pairings],
            **rest,
        }

    def pairing(self, entry: str, opponent: str) -> PairingCell | None:
        """Return one entry against another (ids), None if they have not met."""
        return next((c for c in self.pairings if (c.entry, c.opponent) == (entry, opponent)), None)


def standings_of(
    entries: Sequence[TournamentEntry],
    played: Iterable[PlayedBattle],
    rules: PairingRules | None,
    ratings: Mapping[str, Mapping[str, float]] | None = None,
) -> TournamentStandings:
    """Return the standings from all battles that count.

    Battles with a participant that is not among the entries are left out.
    rules: those of the tournament, by which swiss, ladder and knockout are ranked; None for battles of no
    tournament, which are ranked by APS. ratings: for each rating's name the value by entry (`ratings.py`).
    """
    known = {entry.id for entry in entries}
    battles = [one for one in {b.id: b for b in played}.values() if set(one.spec.seats) <= known]
    counted = [battle for battle in battles if battle.counts]
    points = pairing_shares(counted)
    estimates = _Estimates(points, seed_correlation(counted))
    places = format_places(entries, rules, counted) if rules else None
    aps = {entry.id: estimates.aps(entry.id) for entry in entries}
    best = {one: (-places[one].place if places else 0, aps[one]) for one in aps}
    order = sorted(entries, key=lambda entry: (entry.name, entry.version, entry.id))
    order.sort(key=lambda entry: best[entry.id], reverse=True)
    alike = _alike(order, estimates)
    wins, survival = pairing_shares(counted, win_shares), pairing_shares(counted, survival_shares)
    played_by = Counter(one for battle in counted for one in set(battle.spec.seats))
    failed = Counter(row.entry for b in counted if b.state == "forfeit" for row in b.scores if row.failure)
    rows = []
    for entry in order:
        found = estimates.interval(entry.id)
        rows.append(
            EntryStanding(
                rank=1 + sum(other > best[entry.id] for other in best.values()),
                entry=entry.id,
                name=entry.name,
                version=entry.version,
                aps=found.mean if found else None,
                aps_low=found.low if found else None,
                aps_high=found.high if found else None,
                win_share=average_share(wins, entry.id),
                survival=average_share(survival, entry.id),
                battles=played_by[entry.id],
                failures=failed[entry.id],
                points=places[entry.id].points if places else None,
                ratings={name: by[entry.id] for name, by in (ratings or {}).items() if entry.id in by},
                cannot_be_told_apart_from=alike[entry.id],
                why_not="" if played_by[entry.id] else _why_not(entry.id, battles),
            )
        )
    return TournamentStandings(
        rows=tuple(rows),
        pairings=_cells(points, estimates.correlation),
        counted=len(counted),
        forfeits=sum(battle.state == "forfeit" for battle in counted),
        void=sum(battle.state == "void" for battle in battles),
        suspect=sum(battle.state != "void" and bool(battle.suspect) for battle in battles),
    )


def _why_not(entry: str, battles: Sequence[PlayedBattle]) -> str:
    """Return why no battle of an entry counts, with the reason of the newest; "" without a battle."""
    mine = [one for one in battles if entry in one.spec.seats]
    if not mine:
        return ""
    newest = max(mine, key=lambda one: (one.played_us, one.id))
    why = "; ".join(newest.suspect) or "the rules or the server failed"
    return f"{len(mine)} played, none counts: {why}"


def entry_labels(entries: Sequence[TournamentEntry]) -> dict[str, str]:
    """Return for each entry's id a short text that no other has.

    It is the name, if need be with version or the beginning of the id.
    """
    return _labels([(entry.id, entry.name, entry.version) for entry in entries])


def ranks_alike(rows: Sequence[EntryStanding]) -> dict[str, list[tuple[int, int]]]:
    """Return by entry's id the ranks of those that it cannot be told apart from.

    They are ranges, the first and the last rank of each. Entries without a battle are in none.
    """
    labels = _labels([(row.entry, row.name, row.version) for row in rows])
    ranks = {labels[row.entry]: row.rank for row in rows if row.battles}
    nth = {rank: place for place, rank in enumerate(sorted(set(ranks.values())))}
    alike: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        ranges = alike[row.entry] = []
        names = row.cannot_be_told_apart_from if row.battles else ()
        for rank in sorted({ranks[one] for one in names if one in ranks}):
            if ranges and nth[rank] == nth[ranges[-1][1]] + 1:
                ranges[-1] = ranges[-1][0], rank
            else:
                ranges.append((rank, rank))
    return alike


def _labels(entries: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    """Return the labels of entries: id, name, version each."""
    names = Counter(name for _, name, _ in entries)
    both = Counter((name, version) for _, name, version in entries)
    labels = {}
    for entry, name, version in entries:
        label = name if names[name] == 1 else f"{name} {version}"
        labels[entry] = label if both[name, version] == 1 else f"{label} {entry[:6]}"
    return labels


def next_pairings(
    entries: Sequence[TournamentEntry],
    rules: PairingRules,
    played: Iterable[PlayedBattle],
    half_width: float,
    known: Container[str],
    count: int = 1,
) -> list[BattleSpec]:
    """Return up to `count` battles that narrow the intervals most.

    None when all are narrow enough.
    half_width: the aim for each entry's APS interval, in points of APS. known: ids of battles that were
    played or are being played: they are not given again. First come pairings with too few battles, then the
    largest variance / (n (n + 1)), by which one more battle lowers the variance of the mean.

    An interval that is narrow by chance would end the tournament too early. So each pairing has 2 to 8
    battles, the more the fewer pairings an entry has, and its variance is drawn to that of all pairings.
    """
    played = list(played)
    points = pairing_shares(played)
    estimates = _Estimates(points, seed_correlation(played))
    groups = {group for one in tournament_rounds(entries, replace(rules, battles=1), played) for group in one}
    wide = {entry.id for entry in entries if not estimates.half_width(entry.id) <= half_width}
    if rules.format in ROUND_FORMATS or (rules.format == "melee" and len(groups) > 1):
        return _more_rounds(entries, rules, played, known, count) if wide else []
    waiting = _open_pairings(sorted(groups), points)
    waiting = [one for one in waiting if one.battles < one.least or wide & set(one.group)]
    chosen: list[BattleSpec] = []
    while waiting and len(chosen) < count:
        best = max(waiting, key=lambda one: one.gain)
        if not wide and best.battles >= best.least:
            break
        while (spec := battle_of(best.group, rules, best.index)).id in known:
            best.index += 1
        chosen.append(spec)
        best.index += 1
        best.battles += 1
    return chosen


def _more_rounds(
    entries: Sequence[TournamentEntry],
    rules: PairingRules,
    played: Iterable[PlayedBattle],
    known: Container[str],
    count: int,
) -> list[BattleSpec]:
    """Return the next battles of a format whose pairings are its own choice: what is due, then more of it."""
    for battles in itertools.count(rules.battles, 2):
        more = battles_of(entries, replace(rules, battles=battles), played)
        due = [one for one in more if one.id not in known]
        if due:
            return due[:count]
    raise AssertionError("more battles are always due")


class _OpenPairing:
    """A pairing that may get one more battle.

    least: the battles that it has at least. spread: the variance of its shares, drawn to that of all.
    """

    def __init__(self, group: tuple[str, ...], battles: int, least: int, spread: float) -> None:
        self.group, self.battles, self.least, self.spread = group, battles, least, spread
        self.index = 0

    @property
    def gain(self) -> tuple[float, int]:
        if self.battles < self.least:
            return math.inf, -self.battles
        return self.spread / (self.battles * (self.battles + 1)), -self.battles


def _open_pairings(groups: Sequence[tuple[str, ...]], points: Pairings) -> list[_OpenPairing]:
    """Return the pairings of a tournament, with what was played of them."""
    pairings_of = Counter(one for group in groups for one in group)
    spreads: dict[tuple[str, ...], float] = {}
    for group in groups:
        battles = points.get(group, [])
        if len(battles) > 1:
            spreads[group] = max(sample_variance([one[entry] for one in battles]) for entry in group)
    usual = fmean(spreads.values()) if spreads else 0.0
    found = []
    for group in groups:
        battles = points.get(group, [])
        freedom = max(0, len(battles) - 1)
        spread = (freedom * spreads.get(group, 0.0) + _PRIOR_FREEDOM * usual) / (freedom + _PRIOR_FREEDOM)
        least = 1 + max(math.ceil(_FREEDOM_LEAST / pairings_of[one]) for one in group)
        found.append(_OpenPairing(group, len(battles), min(_BATTLES_LEAST_MAX, least), spread))
    return found


class _Estimates:
    """Each entry's APS with the variances of its pairings.

    points: shares of the battles that count. correlation: between two battles of one seed.
    """

    def __init__(self, points: Pairings, correlation: float) -> None:
        self.points, self.correlation = points, correlation
        values = [value for battles in points.values() for one in battles for value in one.values()]
        self.only_wins = are_only_wins(values)
        self.groups: dict[str, list[tuple[str, ...]]] = {}
        for group in points:
            for entry in group:
                self.groups.setdefault(entry, []).append(group)
        self.variances = {entry: self._variances(entry) for entry in self.groups}
        self.groups_of = {entry: frozenset(groups) for entry, groups in self.groups.items()}
        self.sums = {entry: _sums(found) for entry, found in self.variances.items() if found}
        self.intervals = {entry: self._interval(entry) for entry in self.groups}

    def _variances(self, entry: str) -> dict[tuple[str, ...], MeanVariance] | None:
        groups = self.groups[entry]
        samples = [self.values(entry, group) for group in groups]
        found = mean_variances(samples, self.only_wins, self.correlation)
        return dict(zip(groups, found, strict=True)) if found else None

    def values(self, entry: str, group: tuple[str, ...]) -> list[float]:
        return [one[entry] for one in self.points[group]]

    def interval(self, entry: str) -> MeanInterval | None:
        """The APS in percent, within 0 and 100."""
        return self.intervals.get(entry)

    def _interval(self, entry: str) -> MeanInterval:
        groups, parts = self.groups[entry], self.variances[entry]
        weight = 1 / len(groups)
        mean = fmean(fmean(self.values(entry, group)) for group in groups)
        found = interval_of(mean, [(weight, part) for part in parts.values()] if parts else None)
        low = None if found.low is None else max(0.0, 100 * found.low)
        high = None if found.high is None else min(100.0, 100 * found.high)
        return MeanInterval(100 * found.mean, low, high)

    def aps(self, entry: str) -> float:
        """The APS in percent, below all others without a battle."""
        found = self.interval(entry)
        return found.mean if found else -math.inf

    def half_width(self, entry: str) -> float:
        found = self.interval(entry)
        return found.half_width if found else math.inf

    def differ(self, one: str, other: str) -> bool:
        """Return whether the interval of the difference of two APS leaves out 0."""
        mine, theirs = self.variances.get(one), self.variances.get(other)
        if not mine or not theirs:
            return False
        difference = (self.intervals[one].mean - self.intervals[other].mean) / 100
        common = self.groups_of[one] & self.groups_of[other]
        parts = [(1.0, self._without(entry, common)) for entry in (one, other)]
        parts += [(1.0, self._common(one, other, group)) for group in sorted(common)]
        return leaves_out_zero(difference, parts)

    def _without(self, entry: str, common: Set[tuple[str, ...]]) -> MeanVariance:
        """Return the variance of the part of an APS that comes from other pairings, as one."""
        variances, (total, spread) = self.variances[entry], self.sums[entry]
        assert variances is not None
        for group in common:
            term, quotient = _terms(variances[group], len(variances))
            total, spread = total - term, spread - quotient
        freedom = total * total / spread if total > 0 and spread > 0 else 1.0
        samples = min(part.samples for part in variances.values())
        return MeanVariance(max(0.0, total), freedom, samples)

    def _common(self, one: str, other: str, group: tuple[str, ...]) -> MeanVariance:
        """Return the variance of what a pairing of both adds to the difference."""
        mine, theirs = self.variances[one], self.variances[other]
        assert mine is not None
        assert theirs is not None
        a, b = 1 / len(mine), 1 / len(theirs)
        pairs = zip(self.values(one, group), self.values(other, group), strict=True)
        values = [a * x - b * y for x, y in pairs]
        if len(values) > 1 and not self.only_wins:
            found = mean_variances([values], correlation=self.correlation)
            assert found is not None
            return found[0]
        most = a * math.sqrt(mine[group].variance) + b * math.sqrt(theirs[group].variance)
        return MeanVariance(most * most, min(mine[group].freedom, theirs[group].freedom), len(values))


def _terms(part: MeanVariance, pairings: int) -> tuple[float, float]:
    """Return what a pairing adds to the variance of an APS, and to the quotient for its freedom."""
    term = part.variance / pairings**2
    return term, term * term / part.freedom


def _sums(variances: Mapping[tuple[str, ...], MeanVariance]) -> tuple[float, float]:
    terms = [_terms(part, len(variances)) for part in variances.values()]
    return math.fsum(term for term, _ in terms), math.fsum(quotient for _, quotient in terms)


def _alike(order: Sequence[TournamentEntry], estimates: _Estimates) -> dict[str, tuple[str, ...]]:
    labels = entry_labels(order)
    alike: dict[str, list[str]] = {entry.id: [] for entry in order}
    for one, other in itertools.combinations([entry.id for entry in order], 2):
        if not estimates.differ(one, other):
            alike[one].append(labels[other])
            alike[other].append(labels[one])
    return {entry: tuple(names) for entry, names in alike.items()}


def _cells(points: Pairings, correlation: float) -> tuple[PairingCell, ...]:
    """Return the matrix of all that met, in order of their ids."""
    met: dict[tuple[str, str], list[float]] = {}
    for group, battles in points.items():
        for one, other in itertools.permutations(group, 2):
            shares = [_between(battle[one], battle[other]) for battle in battles]
            met.setdefault((one, other), []).extend(shares)
    only_wins = are_only_wins(value for values in met.values() for value in values)
    cells = []
    for (one, other), values in sorted(met.items()):
        found = mean_interval([values], only_wins, correlation)
        assert found
        low = None if found.low is None else max(0.0, 100 * found.low)
        high = None if found.high is None else min(100.0, 100 * found.high)
        ahead = 100 * fmean(0.5 + 0.5 * (value > 0.5) - 0.5 * (value < 0.5) for value in values)
        cells.append(PairingCell(one, other, 100 * found.mean, low, high, ahead, len(values)))
    return tuple(cells)


def _between(mine: float, theirs: float) -> float:
    return mine / (mine + theirs) if mine + theirs > 0 else 0.5
