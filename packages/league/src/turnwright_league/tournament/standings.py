"""Standings of a tournament, from its entries and its played battles.

A row names the other entries that may be equally strong: the 95 % interval of the difference in APS contains
0.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import fmean
from typing import Any

from turnwright_league.tournament.columns import EntryStanding
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.intervals import are_only_wins, mean_interval
from turnwright_league.tournament.ledger import ResultLedger
from turnwright_league.tournament.pairing_results import PairingResults
from turnwright_league.tournament.pairings import ROUND_FORMATS, PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle


@dataclass(frozen=True, slots=True)
class PairingCell:
    """The result of one entry against another, by their ids.

    Attributes:
        share: 100 × the entry's mean share of the points of both in their battles, with its 95 % interval.
        win_share: the percentage of their battles in which the entry had more points. A draw counts half.
    """

    entry: str
    opponent: str
    share: float
    low: float | None
    high: float | None
    win_share: float
    battles: int


class PairingMatrix:
    """The results of all pairs of entries that met, in both directions.

    A cell is computed when it is requested.
    """

    def __init__(self, pairings: Mapping[tuple[str, ...], PairingResults], correlation: float) -> None:
        self._pairings, self._correlation = pairings, correlation

    def cells(self, entries: Container[str] | None = None) -> tuple[PairingCell, ...]:
        """Return the cells between these entries, or between all, in order of their ids."""
        met: dict[tuple[str, str], list[PairingResults]] = {}
        for group, pairing in self._pairings.items():
            known = [one for one in group if entries is None or one in entries]
            for both in itertools.permutations(known, 2):
                met.setdefault(both, []).append(pairing)
        only_wins = are_only_wins(self._all_shares())
        return tuple(self._cell(one, other, found, only_wins) for (one, other), found in sorted(met.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PairingMatrix) and self.cells() == other.cells()

    def __hash__(self) -> int:
        return hash(self.cells())

    def _all_shares(self) -> Iterator[float]:
        for group, pairing in self._pairings.items():
            for one, other in itertools.permutations(group, 2):
                yield from _shares_between(pairing, one, other)

    def _cell(self, one: str, other: str, met: Sequence[PairingResults], only_wins: bool) -> PairingCell:
        values = [share for pairing in met for share in _shares_between(pairing, one, other)]
        found = mean_interval([values], only_wins, self._correlation)
        assert found
        low = None if found.low is None else max(0.0, 100 * found.low)
        high = None if found.high is None else min(100.0, 100 * found.high)
        ahead = 100 * fmean(0.5 + 0.5 * (value > 0.5) - 0.5 * (value < 0.5) for value in values)
        return PairingCell(one, other, 100 * found.mean, low, high, ahead, len(values))


def _shares_between(pairing: PairingResults, one: str, other: str) -> Iterator[float]:
    """Yield for each battle one entry's share of the points of both."""
    return map(_between, pairing.values[one], pairing.values[other])


@dataclass(frozen=True, slots=True)
class TournamentStandings:
    """The standings of a tournament.

    Attributes:
        rows: the rows, best first.
        matrix: the results of the pairings.
        counted: the number of battles that count. In `forfeits` of them, an entry failed.
        void, suspect: the numbers of battles that do not count.
    """

    rows: tuple[EntryStanding, ...]
    matrix: PairingMatrix
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
        """Return the result of one entry against another, by ids, or None if they have not met."""
        found = self.matrix.cells({entry, opponent})
        return next((cell for cell in found if (cell.entry, cell.opponent) == (entry, opponent)), None)

    @property
    def pairings(self) -> tuple[PairingCell, ...]:
        """The results of all pairs of entries that met, in both directions, in order of their ids."""
        return self.matrix.cells()


def standings_of(
    entries: Sequence[TournamentEntry],
    played: Iterable[PlayedBattle],
    rules: PairingRules | None,
    ratings: Mapping[str, Mapping[str, float]] | None = None,
) -> TournamentStandings:
    """Return the standings from all battles that count.

    Battles with a participant that is not among the entries are left out.

    Args:
        rules: the rules of the tournament, by which swiss, ladder and knockout are ranked. With None, the
            entries are ranked by APS.
        ratings: the ratings by name and entry (`ratings.py`).
    """
    return ledger_standings(ResultLedger(entries, played), rules, ratings)


def ledger_standings(
    ledger: ResultLedger,
    rules: PairingRules | None,
    ratings: Mapping[str, Mapping[str, float]] | None = None,
) -> TournamentStandings:
    """Return the standings of a ledger, like `standings_of` for its battles."""
    entries = {entry.id: entry for entry in ledger.entries}
    places = None
    if rules is not None and rules.format in ROUND_FORMATS:
        places = ledger.meetings.rounds(ledger.entries, rules).places()
    best = {one: (-places[one].place if places else 0, ledger.aps(one)) for one in entries}
    order = sorted(entries, key=lambda one: (entries[one].name, entries[one].version, one))
    order.sort(key=best.__getitem__, reverse=True)
    names, counts = entry_labels(ledger.entries), ledger.counts
    labels = [names[one] for one in order]
    rows: list[EntryStanding] = []
    for nth, (one, alike) in enumerate(zip(order, ledger.alike(order), strict=True), 1):
        entry, found = entries[one], ledger.interval(one)
        is_equal = nth > 1 and best[one] == best[order[nth - 2]]
        battles = counts.played_by[one]
        rows.append(
            EntryStanding(
                rank=rows[-1].rank if is_equal else nth,
                entry=one,
                name=entry.name,
                version=entry.version,
                aps=found.mean if found else None,
                aps_low=found.low if found else None,
                aps_high=found.high if found else None,
                battles=battles,
                failures=counts.failed[one],
                points=places[one].points if places else None,
                ratings={name: by[one] for name, by in (ratings or {}).items() if one in by},
                cannot_be_told_apart_from=tuple(itertools.compress(labels, alike)),
                why_not="" if battles else _why_not(counts.not_counted(one)),
                **ledger.percentages(one),
            )
        )
    return TournamentStandings(
        rows=tuple(rows),
        matrix=PairingMatrix(dict(ledger.pairings), ledger.correlation),
        counted=counts.counted,
        forfeits=counts.forfeits,
        void=counts.void,
        suspect=counts.suspect,
    )


def _why_not(mine: Sequence[PlayedBattle]) -> str:
    """Return why none of these battles of an entry counts, with the reason of the newest one, or "" without a
    battle.
    """
    if not mine:
        return ""
    newest = max(mine, key=lambda one: (one.played_us, one.id))
    why = "; ".join(newest.suspect) or "the rules or the server failed"
    return f"{len(mine)} played, none counts: {why}"


def entry_labels(entries: Sequence[TournamentEntry]) -> dict[str, str]:
    """Return a unique short text for each entry's id.

    It is the name, with the version or the beginning of the id if needed.
    """
    return _labels([(entry.id, entry.name, entry.version) for entry in entries])


def ranks_alike(rows: Sequence[EntryStanding]) -> dict[str, list[tuple[int, int]]]:
    """Return for each entry, by its id, the ranks of the other entries that may be as strong.

    They are ranges (first, last). An entry without a battle has no ranges and is in none.
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
    """Return the labels of entries, each given as (id, name, version)."""
    names = Counter(name for _, name, _ in entries)
    both = Counter((name, version) for _, name, version in entries)
    labels = {}
    for entry, name, version in entries:
        label = name if names[name] == 1 else f"{name} {version}"
        labels[entry] = label if both[name, version] == 1 else f"{label} {entry[:6]}"
    return labels


def _between(mine: float, theirs: float) -> float:
    return mine / (mine + theirs) if mine + theirs > 0 else 0.5
