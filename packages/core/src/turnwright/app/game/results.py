"""The results of a game's battles: their ranking, their columns, and the part of them that a record
stores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from turnwright.app.results import Ranking, ResultRow, rounds_of, rounds_out
from turnwright.catalog import FoundGame
from turnwright.host.generic_protocol import column_heading, result_columns, result_rows
from turnwright.host.summary import BattleSummary, result_data
from turnwright.kernel.game import Outcome, unique_names
from turnwright.kernel.record import Record


class GameResults:
    """The results of any game. A game with differences derives a class from this one."""

    seat_word: tuple[str, int] = ("seat", 0)
    """The word for a seat in messages, and the number of the first one."""

    def __init__(self, game: FoundGame) -> None:
        self.game = game

    def headings(self, rows: Sequence[ResultRow]) -> Mapping[str, str]:
        """Return the columns of a table of results: each name with its heading.

        A column with an empty heading is left out. Without rows, there are no columns.
        """
        known = {"score": "Score", "skipped": "Missed", "left": ""}
        names = rows[0].columns if rows else ()
        found = {name: known.get(name, column_heading(name)) for name in names}
        return {name: heading for name, heading in found.items() if heading}

    def ranking(self, summary: BattleSummary) -> Ranking:
        """Return the results of a battle. If it has no scores, all bots have rank 1 and the score None.

        If `Outcome.results` has one object of plain values for each seat, the values become columns.
        Otherwise `Outcome.results` becomes `Ranking.details`.
        """
        details = msgspec.to_builtins(summary.details)
        own = result_columns(details, len(summary.seats))
        names = unique_names(seat.name for seat in summary.seats)
        ranked = [(row.rank, row.seat, row.score) for row in summary.rows]
        rows = []
        for rank, number, score in ranked or [(1, number, None) for number in range(len(names))]:
            seat = summary.seats[number]
            columns = {"score": score, **own[number], "skipped": seat.skipped, "left": seat.left}
            marks = seat.disqualified, seat.never_answered
            rounds = rounds_of(summary, [number])
            row = ResultRow(rank, names[number], seat.version, columns, *marks, (number,), rounds)
            out = rounds_out(summary, [number])
            rows.append(replace(row, failure=seat.failure, disqualified_rounds=out))
        return Ranking(rows, names, None if own is details else details)

    def recorded(self, record: Record, outcome: Outcome) -> list[dict[str, Any]] | None:
        """Return results as a record's footer stores them. None means that they are not compared."""
        names = [info.name for info in record.header.seats]
        return [result_data(row) for row in result_rows(names, outcome)]
