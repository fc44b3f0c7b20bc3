from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from turnwright_world.planning.limits import Idle, Reason
from turnwright_world.planning.net.fault_log import (
    MISTAKES_KEPT,
    MISTAKES_PER_TURN,
    PER_SECOND,
    SAID_AGAIN_TURNS,
    FaultLog,
)


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    lines = [record.getMessage() for record in caplog.records]
    caplog.clear()
    return lines


def test_the_same_fault_is_logged_now_and_then_with_how_often_it_came(
    caplog: pytest.LogCaptureFixture,
) -> None:
    faults, idle = FaultLog(), Idle(7, "", "goose", "error")
    for turn in range(1, SAID_AGAIN_TURNS + 1):
        faults.note(turn, idle, "minds/goose.py line 3: NameError")
    (line,) = told(caplog)
    assert not missing(line, "turn 1", "body 7", "mind goose", "error", "minds/goose.py line 3: NameError")
    faults.note(SAID_AGAIN_TURNS + 1, idle, "minds/goose.py line 3: NameError")
    (line,) = told(caplog)
    assert not missing(line, "NameError", f"{SAID_AGAIN_TURNS - 1} more")


def test_another_fault_or_another_owners_mind_is_logged_immediately(caplog: pytest.LogCaptureFixture) -> None:
    faults = FaultLog()
    for idle in (
        Idle(7, "", "goose", "error"),
        Idle(7, "", "gander", "error"),
        Idle(8, "ann\n", "goose", "error"),
    ):
        faults.note(1, idle, "why")
    first, second, third = told(caplog)
    assert ("goose" in first, "gander" in second, "\n" in third) == (True, True, False)


def test_a_turn_logs_a_few_lines_and_counts_the_others(caplog: pytest.LogCaptureFixture) -> None:
    faults = FaultLog()
    idles = [Idle(k, "", f"mind{k}", "error") for k in range(MISTAKES_PER_TURN + 1)]
    for idle in idles:
        faults.note(1, idle, "why")
    assert len(told(caplog)) == MISTAKES_PER_TURN
    faults.note(2, idles[-1], "why")
    assert not missing(told(caplog)[0], "why", "1 more")


@pytest.mark.parametrize(("others", "lines"), [(MISTAKES_KEPT - 1, 0), (MISTAKES_KEPT, 1)])
def test_a_mistake_is_logged_again_after_the_maximum_of_other_mistakes(
    others: int, lines: int, caplog: pytest.LogCaptureFixture
) -> None:
    faults, first = FaultLog(), Idle(0, "", "mind0", "error")
    faults.note(1, first, "why")
    for k in range(others):
        faults.note(2, Idle(k, "", f"other{k}", "error"), "why")
    caplog.clear()
    faults.note(3, first, "why")
    assert len(caplog.records) == lines


SECOND = 1_000_000_000


def test_plans_that_were_not_finished_are_errors_once_a_second_with_how_many(
    caplog: pytest.LogCaptureFixture,
) -> None:
    faults, slow = FaultLog(), Idle(7, "", "goose", "slow")
    faults.note(1, slow, slow.text)
    faults.flush(0)
    assert caplog.records[0].levelname == "ERROR"
    (line,) = told(caplog)
    assert not missing(line, "turn 1", "body 7", "mind goose", "slow", slow.text)
    for turn in (2, 3):
        for body in (7, 8, 9):
            faults.note(turn, Idle(body, "", "goose", "slow"), "why")
        faults.flush(SECOND - 1)
    assert told(caplog) == [], "the next second is not over"
    faults.flush(SECOND)
    (line,) = told(caplog)
    assert not missing(line, "turns 2 to 3", "6 plans", "mind goose", "slow", "body 9", "why")
    faults.flush(9 * SECOND)
    assert told(caplog) == [], "each is told once"


@pytest.mark.parametrize("reason", ["slow", "broken", "machine", "phase_ended", "no_time"])
def test_an_unfinished_plan_is_logged_as_an_error_for_every_reason(
    caplog: pytest.LogCaptureFixture, reason: Reason
) -> None:
    faults = FaultLog()
    idle = Idle(7, "ada", "goose", reason)
    faults.note(1, idle, idle.text)
    faults.flush(0)
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert (reason == "no_time") == ("no turn came" in caplog.text)


def test_many_minds_log_a_few_lines_a_second_and_all_are_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    faults = FaultLog()
    for turn in (1, 2):
        for number in range(100):
            faults.note(turn, Idle(number, f"owner{number}", "goose", "no_time"), "why")
    faults.flush(0)
    lines = told(caplog)
    assert len(lines) == PER_SECOND + 1
    assert not missing(lines[-1], "turn 2", f"{2 * (100 - PER_SECOND)} more")


def test_a_single_omitted_plan_is_counted_in_the_singular(caplog: pytest.LogCaptureFixture) -> None:
    faults = FaultLog()
    for number in range(PER_SECOND + 1):
        faults.note(1, Idle(number, f"owner{number}", "goose", "no_time"), "why")
    faults.flush(0)
    assert not missing(told(caplog)[-1], "1 more plan", "was")


def test_faults_that_wait_for_the_next_second_are_logged_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    faults = FaultLog()
    for turn in (1, 2):
        faults.note(turn, Idle(7, "", "goose", "phase_ended"), "why")
        faults.flush(turn)
    faults.flush(3, last=True)
    assert len(told(caplog)) == 2
