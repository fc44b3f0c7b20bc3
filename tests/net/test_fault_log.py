from __future__ import annotations

import pytest

from turnwright.host.planning.rules import Idle
from turnwright.net.fault_log import PER_TURN, SAID_AGAIN_TURNS, FaultLog


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
    assert told(caplog) == [
        "turn 1: body 7 (mind goose of the world) does nothing, error: minds/goose.py line 3: NameError"
    ]
    faults.note(SAID_AGAIN_TURNS + 1, idle, "minds/goose.py line 3: NameError")
    (line,) = told(caplog)
    assert line.endswith(f"NameError ({SAID_AGAIN_TURNS - 1} more like it before)")


def test_another_fault_or_another_owners_mind_is_logged_at_once(caplog: pytest.LogCaptureFixture) -> None:
    faults = FaultLog()
    for idle in (
        Idle(7, "", "goose", "error"),
        Idle(7, "", "goose", "slow"),
        Idle(8, "ann\n", "goose", "error"),
    ):
        faults.note(1, idle, "why")
    first, second, third = told(caplog)
    assert ("error" in first, "slow" in second, "\n" in third) == (True, True, False)


def test_a_turn_has_a_few_lines_and_what_was_left_out_is_counted(caplog: pytest.LogCaptureFixture) -> None:
    faults = FaultLog()
    idles = [Idle(k, "", f"mind{k}", "error") for k in range(PER_TURN + 1)]
    for idle in idles:
        faults.note(1, idle, "why")
    assert len(told(caplog)) == PER_TURN
    faults.note(2, idles[-1], "why")
    assert told(caplog)[0].endswith("why (1 more like it before)")


def test_faults_of_thousands_of_minds_take_no_more_room(caplog: pytest.LogCaptureFixture) -> None:
    faults = FaultLog()
    for k in range(3_000):
        faults.note(k, Idle(k, "", f"mind{k}", "error"), "why")
    assert len(faults._faults) <= 1_000
