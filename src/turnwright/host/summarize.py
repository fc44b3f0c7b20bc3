"""From a battle that has ended to its summary."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any, Literal

from turnwright.errors import VoidBattleError
from turnwright.host.latency import SeatTiming
from turnwright.host.summary import BattleSummary, SeatSummary
from turnwright.kernel.battle import Battle
from turnwright.kernel.record import Footer, TurnEntry
from turnwright.wire.royale import messages as m

__all__ = ["footer", "result_data", "summarize", "without_battle"]


def summarize(
    battle: Battle,
    ending: Literal["over", "aborted", "void"],
    rows: Sequence[m.ResultsForObserver],
    timing: Sequence[SeatTiming],
    *,
    game_type: str,
    server_late_turns: int,
    why: str,
    error: VoidBattleError | None,
) -> BattleSummary:
    """Return how a battle went; rows: its results, empty when they do not count."""
    cause = error.__cause__ if error is not None else None
    entry = error.entry if error is not None else None
    return BattleSummary(
        ending=ending,
        seed=battle.streams.seed,
        game_type=game_type,
        rounds=battle.state.round_number,
        turns=battle.turn,
        rows=tuple(rows),
        seats=tuple(_seat(battle, seat, timing[seat]) for seat in range(battle.seats)),
        server_late_turns=server_late_turns,
        why=why,
        traceback="".join(traceback.format_exception(cause)) if cause is not None else "",
        void_entry=entry if isinstance(entry, TurnEntry) else None,
    )


def without_battle(game_type: str, why: str) -> BattleSummary:
    """Return the summary of a game that never began."""
    return BattleSummary("aborted", 0, game_type, 0, 0, why=why)


def footer(summary: BattleSummary) -> Footer:
    """Return the last line of the record."""
    return Footer(summary.ending, summary.turns, [result_data(row) for row in summary.rows])


def result_data(row: m.ResultsForObserver) -> dict[str, Any]:
    """Return a row of results as the footer of a record has it."""
    return {name: getattr(row, name) for name in row.__struct_fields__}


def _seat(battle: Battle, seat: int, timing: SeatTiming) -> SeatSummary:
    info, faults, answers = battle.header.seats[seat], battle.ledger.seats[seat], timing.answers
    return SeatSummary(
        name=info.name,
        version=info.version,
        p50_ns=answers.percentile_ns(50),
        p95_ns=answers.percentile_ns(95),
        p99_ns=answers.percentile_ns(99),
        max_ns=answers.max_ns,
        skipped=faults.skipped,
        late=faults.late,
        malformed=timing.malformed,
        disqualified=faults.disqualified,
        team=info.team,
    )
