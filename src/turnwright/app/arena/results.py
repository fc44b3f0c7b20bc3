"""Results of a bot arena's battles, from those of its workers. No I/O."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright._version import __version__
from turnwright.app.arena.store import TrialResult
from turnwright.app.tournament.worker import JobResult
from turnwright.kernel.failure import OUT_REASONS
from turnwright.tournament.battle_spec import BattleSpec
from turnwright.tournament.played_battle import EntryScore, PlayedBattle


def _score_of(result: JobResult, entry: str) -> EntryScore | None:
    return next((row for row in result.scores if row.entry == entry), None)


def is_doubtful_trial(result: JobResult, entry: str) -> bool:
    """Return whether a failure in a trial may be the machine's: it is played again."""
    own = _score_of(result, entry)
    return result.kind == "void" or (bool(result.suspect) and own is not None and own.failure is not None)


def trial_failure(result: JobResult, entry: str) -> str | None:
    """Return why a bot does not come out of its trial, in one line, or None."""
    own = _score_of(result, entry)
    failure = None if own is None else own.failure
    is_out = entry in result.no_answer or entry in result.disqualified
    if failure is not None and (is_out or failure.reason in OUT_REASONS):
        return _told(result, entry)
    return result.why if result.kind in ("void", "refused", "changed") else None


def _told(result: JobResult, entry: str) -> str:
    """Return the failure of an entry, with the cause of a failed start, or ""."""
    failure = result.failures.get(entry)
    if failure is None:
        return ""
    cause = _start_cause(result, entry)
    if cause and result.for_author:
        return f"{failure.text}: {cause}"
    return f"{failure.full_text} ({cause})" if cause else failure.full_text


def _start_cause(result: JobResult, entry: str) -> str:
    """Return why an entry did not start, for its owner, or ""."""
    return (result.for_author or result.why) if result.kind == "blamed" and entry in result.no_answer else ""


def printed_of(result: JobResult) -> Mapping[str, tuple[str, ...]]:
    """Return what each entry printed last, behind the cause of a failed start."""
    causes = {entry: cause for entry in result.no_answer if (cause := _start_cause(result, entry))}
    started = {entry: lines for entry, lines in result.printed.items() if entry not in causes}
    return started | {one: (cause, *result.printed.get(one, ())) for one, cause in causes.items()}


def trial_result(result: JobResult, entry: str, opponent: str, record: str | None) -> TrialResult:
    """Return the trial of an entry.

    opponent: its name. record: the battle's id if it has a record, or None.
    """
    own = _score_of(result, entry)
    other = next((row for row in result.scores if row.entry != entry), None)
    return TrialResult(
        opponent=opponent,
        why=_told(result, entry) or trial_failure(result, entry) or "",
        score=own.score if own is not None else 0.0,
        opponent_score=other.score if other is not None else 0.0,
        turns=result.turns,
        skipped=own.skipped if own is not None else 0,
        p99_us=own.p99_us if own is not None else 0,
        printed=result.printed.get(entry, ()),
        sandbox=result.sandbox,
        record=record,
    )


def played_battle(
    spec: BattleSpec, result: JobResult, record: str | None, attempts: int, at_us: int, record_hash: str = ""
) -> PlayedBattle:
    """Return a battle of the ladder.

    record: its name, or None. record_hash: of its file. attempts: with this one.
    """
    nothing = tuple(EntryScore(spec.seats.index(one), one, 0.0) for one in dict.fromkeys(spec.seats))
    return PlayedBattle(
        spec,
        result.state,
        result.scores or nothing,
        result.turns,
        result.suspect,
        result.server_late_turns,
        result.digest,
        record,
        __version__,
        result.sandbox,
        attempts=attempts,
        played_us=at_us,
        record_hash=record_hash,
    )
