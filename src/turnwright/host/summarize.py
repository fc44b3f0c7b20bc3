"""From a battle that has ended to its summary."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any, Literal

from turnwright.errors import VoidBattleError
from turnwright.host.latency import SeatTiming
from turnwright.host.summary import UNANSWERED, BattleSummary, SeatSummary
from turnwright.kernel.battle import Battle
from turnwright.kernel.record import Footer, TurnEntry
from turnwright.wire.royale import messages as m

__all__ = ["Ending", "footer", "result_data", "silence", "summarize", "without_battle"]

Ending = Literal["over", "aborted", "void"]


def summarize(
    battle: Battle,
    ending: Ending,
    rows: Sequence[m.ResultsForObserver],
    timing: Sequence[SeatTiming],
    *,
    game_type: str,
    server_late_turns: int,
    why: str,
    error: VoidBattleError | None,
) -> BattleSummary:
    """Return how a battle went; rows: its results. They count when it is over, or nobody ever answered."""
    cause = error.__cause__ if error is not None else None
    entry = error.entry if error is not None else None
    return BattleSummary(
        ending=ending,
        seed=battle.streams.seed,
        game_type=game_type,
        rounds=battle.state.round_number,
        turns=battle.turn,
        rows=tuple(rows) if ending == "over" or why == UNANSWERED else (),
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
    """Return the last line of the record; only a battle that came to its end has results there."""
    rows = summary.rows if summary.ending == "over" else ()
    return Footer(summary.ending, summary.turns, [result_data(row) for row in rows])


def result_data(row: m.ResultsForObserver) -> dict[str, Any]:
    """Return a row of results as the footer of a record has it."""
    return {name: getattr(row, name) for name in row.__struct_fields__}


def silence(battle: Battle, timing: Sequence[SeatTiming], turns_max: int | None) -> str:
    """Return why a battle ends whose first `turns_max` turns nobody answered, not even late; else ""."""
    if battle.turn != turns_max:
        return ""
    pairs = zip(timing, battle.ledger.seats, strict=True)
    return "" if any(_has_answered(answers, faults.late) for answers, faults in pairs) else UNANSWERED


def _has_answered(timing: SeatTiming, late: int) -> bool:
    return timing.answers.count > 0 or late > 0


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
        never_answered=faults.skipped > 0 and not _has_answered(timing, faults.late),
        late_p50_ns=timing.late_by.percentile_ns(50),
        late_max_ns=timing.late_by.max_ns,
    )
