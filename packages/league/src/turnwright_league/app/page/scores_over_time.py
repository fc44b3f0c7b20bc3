"""The lines over time on a tournament's page: APS and ratings of the best entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import participants_of
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.ratings import ratings_of
from turnwright_league.tournament.scores import battle_shares
from turnwright_league.tournament.standings import TournamentStandings

LINES_MAX = 8
"""The most entries with a line. The best have one."""
POINTS_MAX = 60
"""The most points of each line of APS."""
RATING_POINTS_MAX = 20
"""The most points of each line of a rating. Each point is computed from all battles until then."""
RATED_BATTLES_MAX = 20_000
"""The most battles that are rated for these lines, over all points. With more battles, lines have fewer
points."""
_RATINGS = ("glicko2", "openskill")
_DIGITS = 4


def series_data(
    entries: Sequence[TournamentEntry], battles: Iterable[PlayedBattle], standings: TournamentStandings
) -> list[dict[str, Any]]:
    """Return the lines of the best entries over the battles that count.

    Battles are in the order in which they were played. Each item of the result has three keys:

    * name: "aps", or the name of a rating that the standings have.
    * at: numbers of battles.
    * lines: for each entry its value after each of these numbers, None before its first battle.
    """
    counted = sorted((one for one in battles if one.counts), key=lambda one: (one.played_us, one.spec.seed))
    best = [row.entry for row in standings.rows if row.aps is not None][:LINES_MAX]
    found = [_aps_lines(counted, best)]
    names = [name for name in _RATINGS if standings.rows and name in standings.rows[0].ratings]
    return found + _rating_lines(entries, counted, best, names)


def short_number(value: float | None) -> float | None:
    """Return a value rounded for the page, or None for None."""
    return None if value is None else round(value, _DIGITS)


def _marks(count: int, most: int) -> list[int]:
    """Return a limited number of battle counts, evenly spread. The last one is the count of all battles."""
    points = min(most, count)
    return sorted({round((nth + 1) * count / points) for nth in range(points)})


def _aps_lines(counted: Sequence[PlayedBattle], best: Sequence[str]) -> dict[str, Any]:
    marks = _marks(len(counted), POINTS_MAX)
    running = {entry: _RunningShare() for entry in best}
    lines: list[list[float | None]] = [[] for _ in best]
    for number, battle in enumerate(counted, 1):
        shares = battle_shares(battle)
        group = participants_of(battle.spec)
        for entry in running.keys() & shares.keys():
            running[entry].add(group, shares[entry])
        if number in marks:
            for line, entry in zip(lines, best, strict=True):
                line.append(short_number(running[entry].percent))
    return {"name": "aps", "at": marks, "lines": lines}


def _rating_lines(
    entries: Sequence[TournamentEntry],
    counted: Sequence[PlayedBattle],
    best: Sequence[str],
    names: Sequence[str],
) -> list[dict[str, Any]]:
    """Return the lines of each rating. A point is the rating by all battles until then."""
    if not names or not counted:
        return []
    marks = _marks(len(counted), max(2, min(RATING_POINTS_MAX, 2 * RATED_BATTLES_MAX // len(counted))))
    columns = [ratings_of(entries, counted[:number]).columns for number in marks]
    seen: list[set[str]] = [{seat for one in counted[:number] for seat in one.spec.seats} for number in marks]
    return [
        {
            "name": name,
            "at": marks,
            "lines": [
                [
                    short_number(column[name][entry]) if entry in there else None
                    for column, there in zip(columns, seen, strict=True)
                ]
                for entry in best
            ],
        }
        for name in names
    ]


class _RunningShare:
    """The mean over pairings of the mean share, updated battle by battle."""

    def __init__(self) -> None:
        self._pairings: dict[tuple[str, ...], tuple[float, int]] = {}
        self._means = 0.0

    def add(self, group: tuple[str, ...], share: float) -> None:
        """Add the share of one battle to its pairing."""
        total, count = self._pairings.get(group, (0.0, 0))
        self._pairings[group] = total + share, count + 1
        self._means += (total + share) / (count + 1) - (total / count if count else 0.0)

    @property
    def percent(self) -> float | None:
        """100 × the mean, or None without a battle."""
        return 100 * self._means / len(self._pairings) if self._pairings else None
