"""From the host's summary of a battle to the result that people and programs get."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from turnwright.host.summary import BattleSummary, SeatSummary
from turnwright.results import BattleResult, LatencyRow, ResultRow, unique_names

__all__ = ["result_of", "row_names"]

_SCORES = (
    "total_score",
    "survival",
    "last_survivor_bonus",
    "bullet_damage",
    "bullet_kill_bonus",
    "ram_damage",
    "ram_kill_bonus",
    "first_places",
    "second_places",
    "third_places",
)
_NS_PER_US = 1000


def result_of(
    summary: BattleSummary,
    record: Path | None,
    recording: Path | None = None,
    record_error: str | None = None,
) -> BattleResult:
    """Return the result of a battle that was played to its end.

    record, recording: its files, if whole; record_error: why one that was asked for is not.
    """
    named = row_names(summary.rows, summary.seats)
    names = _seat_names(summary.seats, named)
    rows = []
    for row in summary.rows:
        out = [summary.seats[seat].disqualified for seat in _seats_of(row, summary.seats)]
        silent = [summary.seats[seat].never_answered for seat in _seats_of(row, summary.seats)]
        scores = {name: getattr(row, name) for name in _SCORES}
        rows.append(
            ResultRow(
                row.rank,
                named[_key(row)],
                row.version,
                **scores,
                disqualified=bool(out) and all(out),
                never_answered=bool(silent) and all(silent),
            )
        )
    return BattleResult(
        seed=summary.seed,
        game_type=summary.game_type,
        rounds=summary.rounds,
        turns=summary.turns,
        results=tuple(rows),
        latency={names[seat]: _latency_row(seat_summary) for seat, seat_summary in enumerate(summary.seats)},
        last_lines={
            names[seat]: seat_summary.last_lines
            for seat, seat_summary in enumerate(summary.seats)
            if seat_summary.never_answered
        },
        server_late_turns=summary.server_late_turns,
        record=None if record is None else str(record),
        recording=None if recording is None else str(recording),
        record_error=record_error,
    )


def row_names(rows: Sequence[Any], seats: Sequence[SeatSummary]) -> dict[tuple[bool, int], str]:
    """Return the unlike names of all rows, by (is it a team, id): the first seat keeps the plain name."""
    in_order = sorted(rows, key=lambda row: min(_seats_of(row, seats), default=len(seats)))
    names = unique_names(row.name for row in in_order)
    return {_key(row): name for row, name in zip(in_order, names, strict=True)}


def _key(row: Any) -> tuple[bool, int]:
    return (row.is_team, row.id)


def _seats_of(row: Any, seats: Sequence[SeatSummary]) -> list[int]:
    """Return the seats that a row is about; it names a bot by seat + 1 and a team by its number."""
    if row.is_team:
        return [seat for seat, summary in enumerate(seats) if summary.team == row.id]
    return [row.id - 1]


def _seat_names(seats: Sequence[SeatSummary], named: dict[tuple[bool, int], str]) -> dict[int, str]:
    """Return the name of each bot: of a single bot that of its result, members of teams have their own."""
    own = {seat: named[False, seat + 1] for seat in range(len(seats)) if (False, seat + 1) in named}
    others = [seat for seat in range(len(seats)) if seat not in own]
    extra = unique_names((seats[seat].name for seat in others), taken=named.values())
    return {**own, **dict(zip(others, extra, strict=True))}


def _latency_row(seat: SeatSummary) -> LatencyRow:
    return LatencyRow(
        p50_us=seat.p50_ns // _NS_PER_US,
        p95_us=seat.p95_ns // _NS_PER_US,
        p99_us=seat.p99_ns // _NS_PER_US,
        max_us=seat.max_ns // _NS_PER_US,
        skipped=seat.skipped,
        late=seat.late,
        malformed=seat.malformed,
        late_p50_us=seat.late_p50_ns // _NS_PER_US,
        late_max_us=seat.late_max_ns // _NS_PER_US,
    )
