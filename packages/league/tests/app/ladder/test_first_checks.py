"""First checks: the condition to pass, the view of the owner, and the saved results."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.app.ladder.first_checks import (
    first_check_failure,
    first_check_of,
    is_doubtful,
)
from turnwright_league.app.worker import JobResult
from turnwright_league.tournament.battle_spec import BattleSpec
from turnwright_league.tournament.played_battle import EntryScore

NEW, BUILT_IN = "a" * 32, "b" * 32


CRASHED = Failure(FailureReason.CRASHED, 1, 1, "ValueError")
NOT_STARTED = Failure(FailureReason.SILENT, error="it did not start")


def result(
    failure: Failure | None = None,
    suspect: tuple[str, ...] = (),
    why: str = "",
    no_answer: tuple[str, ...] = (),
    disqualified: tuple[str, ...] = (),
) -> JobResult:
    scores = (EntryScore(0, NEW, 3.0, skipped=2, p99_us=7, failure=failure), EntryScore(1, BUILT_IN, 5.0))
    return JobResult(
        "played",
        "ok",
        scores,
        40,
        suspect,
        why=why,
        printed={NEW: ("hello",), BUILT_IN: ("no",)},
        no_answer=no_answer,
        disqualified=disqualified,
    )


def test_a_bot_that_plays_passes_its_first_check_with_its_own_figures() -> None:
    assert first_check_failure(result(), NEW) is None
    check = first_check_of(result(), NEW, "Duck", "c" * 40)
    assert (check.score, check.opponent_score, check.skipped, check.p99_us) == (3.0, 5.0, 2, 7)
    assert (check.opponent, check.printed, check.record, check.why) == ("Duck", ("hello",), "c" * 40, "")


@pytest.mark.parametrize(
    ("failure", "no_answer"),
    [
        (CRASHED, (NEW,)),
        (Failure(FailureReason.SILENT), (NEW,)),
        (Failure(FailureReason.SILENT, 1, 31), ()),
        (Failure(FailureReason.SLOW, 1, 31), ()),
    ],
)
def test_a_bot_that_fails_does_not_pass_and_the_reason_is_given(
    failure: Failure, no_answer: tuple[str, ...]
) -> None:
    failed = result(failure, no_answer=no_answer)
    assert first_check_failure(failed, NEW) == failure.full_text
    assert first_check_of(failed, NEW, "Duck", None).why == failure.full_text


def test_a_disqualified_bot_whose_error_is_learnt_afterwards_fails_its_first_check() -> None:
    assert first_check_failure(result(CRASHED, disqualified=(NEW,)), NEW) == CRASHED.full_text
    assert first_check_failure(result(CRASHED, disqualified=(BUILT_IN,)), NEW) is None


def test_the_owner_learns_the_cause_of_a_failed_start() -> None:
    scores = EntryScore(0, NEW, 0.0, failure=NOT_STARTED), EntryScore(1, BUILT_IN, 0.0)
    why = "Mine did not start: no program 'java' on this machine"
    blamed = JobResult("blamed", "forfeit", scores, why=why, no_answer=(NEW,))
    check = first_check_of(blamed, NEW, "Duck", None)
    assert not missing(check.why, NOT_STARTED.full_text, "no program 'java'")
    assert first_check_failure(blamed, NEW) == check.why
    assert any("'java'" in line for line in blamed.printed_for_owners()[NEW]), "also on the ladder"
    assert blamed.printed_for_owners().keys() == {NEW}
    assert first_check_failure(blamed, BUILT_IN) is None


def test_the_owner_gets_advice_in_place_of_the_operators() -> None:
    scores = EntryScore(0, NEW, 0.0, failure=CRASHED), EntryScore(1, BUILT_IN, 0.0)
    why, own = "Mine ended: start it by hand: cd /srv/club && bash Mine.sh", "ValueError: see line 3"
    blamed = JobResult("blamed", "forfeit", scores, why=why, no_answer=(NEW,), for_author=own)
    assert first_check_of(blamed, NEW, "Duck", None).why == f"{CRASHED.text}: {own}"
    assert blamed.printed_for_owners()[NEW] == (own,)


def test_a_bot_that_left_at_the_end_and_a_failed_opponent_do_not_fail_the_check() -> None:
    left = Failure(FailureReason.LEFT, 1, 40)
    assert first_check_failure(result(left), NEW) is None
    assert first_check_of(result(left), NEW, "Duck", None).why == left.full_text, "it is told all the same"
    assert first_check_failure(result(CRASHED), BUILT_IN) is None


@pytest.mark.parametrize("kind", ["void", "refused", "changed"])
def test_a_battle_that_was_not_played_is_a_failure_also_without_words(kind: str) -> None:
    assert first_check_failure(JobResult(kind), NEW) is not None  # type: ignore[arg-type]  # one of its kinds


def test_a_failure_on_a_machine_that_was_late_is_doubtful() -> None:
    assert is_doubtful(JobResult("void"), NEW)
    assert is_doubtful(result(CRASHED, ("the server was late",)), NEW)
    assert not is_doubtful(result(CRASHED), NEW)
    assert not is_doubtful(result(None, ("the server was late",)), NEW)


def test_a_battle_without_scores_is_saved_with_zero_for_each_entry() -> None:
    spec = BattleSpec("dice", 1, "{}", (NEW, BUILT_IN, BUILT_IN), 7)
    played = JobResult("void", why="lost").battle(spec, 3, 9)
    assert [(one.seat, one.entry, one.score) for one in played.scores] == [(0, NEW, 0.0), (1, BUILT_IN, 0.0)]
    assert (played.attempts, played.played_us, played.counts) == (3, 9, False)
