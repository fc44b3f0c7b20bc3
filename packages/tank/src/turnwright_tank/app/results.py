"""Results of a battle of tanks, as rows for people and programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.app.game.results import GameResults
from turnwright.app.results import Ranking, ResultRow, failure_of, rounds_of, rounds_out
from turnwright.host.summary import BattleSummary, SeatSummary, result_data
from turnwright.kernel.game import Outcome, unique_names
from turnwright.kernel.record import Record
from turnwright_tank.results import SCORES, TOTAL
from turnwright_tank.wire.royale.results import results_for_observers

COLUMNS: Mapping[str, str] = {one.name: one.heading for one in (TOTAL, *SCORES)}
"""The headings of the sums over all rounds, by name."""


def ranking_of(summary: BattleSummary) -> Ranking:
    """Return the results of a battle of tanks, with one row for a team.

    If no tank scored, all have rank 1. The Royale protocol and records have rank 0 instead.
    """
    named = _row_names(summary.rows, summary.seats)
    rows = []
    for row in summary.rows:
        seats = _seats_of(row, summary.seats)
        out = [summary.seats[seat].disqualified for seat in seats]
        silent = [summary.seats[seat].never_answered for seat in seats]
        rows.append(
            ResultRow(
                row.rank or 1,
                named[_key(row)],
                row.version,
                {name: getattr(row, name) for name in COLUMNS},
                disqualified=bool(out) and all(out),
                never_answered=bool(silent) and all(silent),
                seats=tuple(seats),
                rounds=rounds_of(summary, seats),
                failure=failure_of(summary, seats),
                disqualified_rounds=rounds_out(summary, seats),
            )
        )
    return Ranking(rows, _seat_names(summary.seats, named))


def _row_names(rows: Sequence[Any], seats: Sequence[SeatSummary]) -> dict[tuple[bool, int], str]:
    """Return unique names of all rows, by (is it a team, id). The first seat keeps its plain name."""
    in_order = sorted(rows, key=lambda row: min(_seats_of(row, seats), default=len(seats)))
    names = unique_names(row.name for row in in_order)
    return {_key(row): name for row, name in zip(in_order, names, strict=True)}


def _key(row: Any) -> tuple[bool, int]:
    return (row.is_team, row.id)


def _seats_of(row: Any, seats: Sequence[SeatSummary]) -> list[int]:
    """Return the seats of a row. The id of a bot is seat + 1, and the id of a team is its number."""
    if row.is_team:
        return [seat for seat, summary in enumerate(seats) if summary.team == row.id]
    return [row.id - 1]


def _seat_names(seats: Sequence[SeatSummary], named: dict[tuple[bool, int], str]) -> list[str]:
    """Return the name of each bot. A solo bot has the name of its row, and members of teams have their own
    names.
    """
    own = {seat: named[False, seat + 1] for seat in range(len(seats)) if (False, seat + 1) in named}
    others = [seat for seat in range(len(seats)) if seat not in own]
    extra = unique_names((seats[seat].name for seat in others), taken=named.values())
    found = {**own, **dict(zip(others, extra, strict=True))}
    return [found[seat] for seat in range(len(seats))]


class TankGameResults(GameResults):
    """The results of tank battles."""

    seat_word = ("tank", 1)

    def headings(self, rows: Sequence[ResultRow]) -> Mapping[str, str]:
        """Return the headings of a table of results, by name of the column."""
        return COLUMNS

    def ranking(self, summary: BattleSummary) -> Ranking:
        """Return the results, with one row for a team."""
        return ranking_of(summary)

    def recorded(self, record: Record, outcome: Outcome) -> list[dict[str, Any]]:
        """Return the results as observers get them."""
        return [result_data(row) for row in results_for_observers(outcome.results)]
