"""The cause of a miss: a table of (wall, usage) and the canary."""

from __future__ import annotations

import pytest

from turnwright_world.planning.limits import Usage
from turnwright_world.planning.overload import AtFault, OverloadMeter, fault_of, own_us

PLAN_US, WALL_US = 20_000, 60_000


@pytest.mark.parametrize(
    ("wall_us", "usage", "ran_since_us", "canary_late", "wanted"),
    [
        # It computed for all its time, whatever the machine did.
        (20_000, Usage(20_000, 0), None, False, "controller"),
        (55_000, Usage(20_000, 35_000), None, True, "controller"),
        # It slept: neither ran nor waited.
        (20_000, Usage(100, 0), None, False, "controller"),
        (20_000, Usage(100, 0), None, True, "controller"),
        # It waited for the machine, so it may continue, and is not to blame in the end.
        (20_000, Usage(1_000, 18_000), None, False, None),
        (60_000, Usage(2_000, 55_000), None, False, "machine"),
        # It waits now, and the wait is not counted before its end.
        (20_000, Usage(0, 0, runnable=True), None, False, None),
        (60_000, Usage(0, 0, runnable=True), None, False, "machine"),
        # It slept, and ran a little now and then so as to seem to wait.
        (60_000, Usage(3_000, 0, runnable=True), 2_000, False, "controller"),
        (60_000, Usage(3_000, 38_500, runnable=True), 2_000, False, "machine"),
        # The system does not count waits: the canary decides.
        (20_000, Usage(100, None), None, False, "controller"),
        (20_000, Usage(100, None), None, True, None),
        (60_000, Usage(100, None), None, True, "machine"),
    ],
)
def test_blame_depends_on_the_time_that_the_machine_gave(
    wall_us: int, usage: Usage, ran_since_us: int | None, canary_late: bool, wanted: AtFault | None
) -> None:
    found = fault_of(wall_us, usage, PLAN_US, WALL_US, ran_since_us=ran_since_us, canary_late=canary_late)
    assert found == wanted


def test_own_time_is_the_elapsed_time_without_the_wait() -> None:
    assert own_us(10_000, Usage(2_000, 7_000)) == 3_000
    assert own_us(10_000, Usage(4_000, 9_000)) == 4_000
    assert own_us(10_000, Usage(2_000)) == 10_000


@pytest.mark.parametrize(
    ("wall_us", "cpu_us", "late"),
    [(260, 250, False), (5_250, 250, False), (5_251, 250, True), (14_000, 5_000, False)],
)
def test_a_canary_is_late_beyond_five_ms_and_twice_its_work(wall_us: int, cpu_us: int, late: bool) -> None:
    assert OverloadMeter.is_late(wall_us, cpu_us) is late


@pytest.mark.parametrize(
    ("wait_us", "ran_us", "crowded"),
    [(10_000, 0, False), (10_001, 0, True), (90_000, 90_000, False), (90_001, 90_000, True)],
)
def test_plans_that_waited_longer_than_they_ran_were_in_a_crowd(
    wait_us: int, ran_us: int, crowded: bool
) -> None:
    assert OverloadMeter.is_crowded(wait_us, ran_us) is crowded


def test_one_late_phase_is_not_an_overload_and_calm_ends_it() -> None:
    meter = OverloadMeter()
    noted = [meter.note(late) for late in (True, False, True, True, False, False, False)]
    assert noted == [False, False, False, True, True, False, False]
