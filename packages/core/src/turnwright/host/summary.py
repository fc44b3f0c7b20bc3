"""The summary of a battle that has ended."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from turnwright.errors import VoidBattleError
from turnwright.host.latency import SeatTiming, TurnTiming
from turnwright.kernel.battle import Battle
from turnwright.kernel.failure import Failure, FailureReason, PrintedError, refusal
from turnwright.kernel.game import Seat
from turnwright.kernel.printed import PrintedLine
from turnwright.kernel.record import Footer, TurnEntry

# for the people and programs that started the battle


UNANSWERED = "no participant ever answered a turn"
"""The reason for which a battle is aborted if no participant ever answered."""


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """The summary of one seat.

    The percentiles are computed from the seat's answer times, in ns.

    Attributes:
        never_answered: whether it was asked and never sent a valid answer, not even a late one.
        last_lines: the last lines that its process printed, as far as they are known.
        left: whether it left before the battle ended.
        late, malformed: the numbers of its late answers, and of its messages with mistakes.
        late_p50_ns, late_max_ns: how late its late answers were.
        held_ns: the time for which the battle waited for its late answers.
        owes: whether the seat has not answered its newest observation. If so, its next message may be this
            answer.
        failure: why it stopped playing, or None.
        disqualified: whether it was disqualified from the battle.
        disqualifications: the seat's disqualifications from rounds, each with reason and turn. If the seat
            was disqualified from the battle, this is the last entry.
        skip_reasons: the reasons of the missed turns (see `SkipReason`).
        printed_error: the first error that its process printed without failing, or None.
    """

    name: str
    version: str
    p50_ns: int
    p95_ns: int
    p99_ns: int
    max_ns: int
    skipped: int
    late: int
    malformed: int
    disqualified: bool
    team: int | None = None
    never_answered: bool = False
    last_lines: tuple[str, ...] = ()
    late_p50_ns: int = 0
    late_max_ns: int = 0
    held_ns: int = 0
    left: bool = False
    owes: bool = False
    failure: Failure | None = None
    printed_error: PrintedError | None = None
    disqualifications: tuple[Failure, ...] = ()
    skip_reasons: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BattleSummary:
    """The summary of a battle.

    Attributes:
        rows: the results as they are sent to spectators. An aborted battle has results only if no seat ever
            answered.
        turns: the number of resolved turns in all rounds.
        server_late_turns: the number of turns in which the server's own loop was late.
        late_missed_turns: among the turns in which the server was late, the number of turns in which an
            answer came after the end of the turn, but by less time than the server was late.
        shared_skip_turns: the number of turns that two or more seats missed together.
        details: the game's own results, or None.
        printed: the output of bots, in order.
        round_scores: the scores by round and seat.
        why: the reason if the battle is aborted or void.
        traceback, void_entry: if the rules raised an exception, its traceback, and the turn that failed.
        behaviour_version: the behaviour version of the rules.
        digest: the digest of the last state.
    """

    ending: Literal["over", "aborted", "void"]
    seed: int
    game_type: str
    rounds: int
    turns: int
    rows: tuple[Any, ...] = ()
    seats: tuple[SeatSummary, ...] = ()
    server_late_turns: int = 0
    late_missed_turns: int = 0
    why: str = ""
    traceback: str = ""
    void_entry: TurnEntry | None = None
    details: Any = None
    shared_skip_turns: int = 0
    round_scores: tuple[tuple[float, ...], ...] = ()
    behaviour_version: int = 0
    digest: str = ""
    printed: tuple[PrintedLine, ...] = ()

    @property
    def unanswered(self) -> bool:
        """Whether the battle was aborted because no seat ever answered."""
        return self.ending == "aborted" and self.why == UNANSWERED


Ending = Literal["over", "aborted", "void"]


def summarize(
    battle: Battle,
    ending: Ending,
    rows: Sequence[Any],
    timing: Sequence[SeatTiming],
    *,
    game_type: str,
    rounds: int,
    turn_timing: TurnTiming,
    why: str,
    error: VoidBattleError | None,
) -> BattleSummary:
    """Return the summary of a battle.

    Args:
        rows: the results. They are kept if the battle is over, or if no seat ever answered.
        why: why a battle ended before its end, for people.
        error: why a battle is void.
    """
    cause = error.__cause__ if error is not None else None
    entry = error.entry if error is not None else None
    return BattleSummary(
        ending=ending,
        seed=battle.streams.seed,
        game_type=game_type,
        rounds=rounds,
        turns=battle.turn,
        rows=tuple(rows) if ending == "over" or why == UNANSWERED else (),
        seats=tuple(_seat(battle, seat, timing[seat]) for seat in range(battle.seats)),
        server_late_turns=turn_timing.late_turns,
        late_missed_turns=battle.referee.skips.late_misses.turns,
        why=why,
        traceback="".join(traceback.format_exception(cause)) if cause is not None else "",
        void_entry=entry if isinstance(entry, TurnEntry) else None,
        details=None if battle.outcome is None else battle.outcome.results,
        shared_skip_turns=battle.referee.shared_skips,
        round_scores=battle.score_sheet.by_round(battle.outcome),
        behaviour_version=battle.header.behaviour_version,
        digest=battle.digest,
    )


def every_failure(names: Sequence[str], failures: Mapping[Seat, Failure]) -> str:
    """Return the error of a battle that all participants have left.

    The error describes what happened to each participant.

    Args:
        names: the names by seat.
    """
    told = [f"{names[seat]} {failure.full_text}" for seat, failure in sorted(failures.items())]
    return "\n  ".join(["every participant has left; correct them and start again:", *told])


def without_battle(game_type: str, why: str) -> BattleSummary:
    """Return the summary of a battle that never began."""
    return BattleSummary("aborted", 0, game_type, 0, 0, why=why)


def footer(summary: BattleSummary) -> Footer:
    """Return the footer of the record.

    The footer has results only if the battle was played to its end.
    """
    rows = summary.rows if summary.ending == "over" else ()
    return Footer(summary.ending, summary.turns, [result_data(row) for row in rows])


def result_data(row: Any) -> dict[str, Any]:
    """Return a row of results for the footer of a record.

    The row is a mapping or a msgspec structure.
    """
    return dict(row) if isinstance(row, Mapping) else msgspec.structs.asdict(row)


def silence(battle: Battle, timing: Sequence[SeatTiming], turns_max: int | None) -> str:
    """Return the reason to end a battle in which no seat has answered, or "".

    Args:
        turns_max: the number of turns after which such a battle ends. None means never.
    """
    if battle.turn != turns_max:
        return ""
    pairs = zip(timing, battle.referee.skips.seats, strict=True)
    return "" if any(_has_answered(answers, faults.late) for answers, faults in pairs) else UNANSWERED


def _has_answered(timing: SeatTiming, late: int) -> bool:
    return timing.answers.count > 0 or late > 0


def _seat(battle: Battle, seat: int, timing: SeatTiming) -> SeatSummary:
    info, faults, answers = battle.header.seats[seat], battle.referee.skips.seats[seat], timing.answers
    is_silent = faults.skipped > 0 and not _has_answered(timing, faults.late)
    silent = (
        Failure(FailureReason.SILENT, error=refusal(battle.referee.refusals.first(seat)))
        if is_silent
        else None
    )
    failure = battle.referee.failures.get(seat, silent)
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
        disqualified=faults.is_out_of_battle,
        team=info.team,
        never_answered=is_silent,
        late_p50_ns=timing.late_by.percentile_ns(50),
        late_max_ns=timing.late_by.max_ns,
        held_ns=battle.collecting.late_rule.held_ns.get(seat, 0),
        left=seat in battle.referee.gone,
        owes=faults.skipped_in_row > 0,
        failure=failure,
        last_lines=() if failure is None else failure.printed,
        skip_reasons={str(reason): count for reason, count in faults.reasons.items()},
        disqualifications=tuple(battle.referee.disqualifications.get(seat, ())),
    )
