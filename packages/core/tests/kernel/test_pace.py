"""Pace: speeds, pauses and steps, at any moment and in any order."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from packages.core.tests.kernel.support import MS, battle, intent_for
from turnwright.errors import SetupError
from turnwright.kernel.pace import CATCH_UP_NS, STEPS_MAX, Pace
from turnwright.testing.manual_clock import BattleDriver, ScriptedAnswer

NS = 1_000_000_000


@pytest.mark.parametrize("tps", [1001, 5000])
def test_an_invalid_speed_is_refused_with_the_valid_ones(tps):
    with pytest.raises(SetupError, match=r"-1 .* 0 .* 1 to 1000"):
        Pace(tps)


@pytest.mark.parametrize("tps", [-1, 0, 1, 999, 1000])
def test_every_speed_that_exists_is_taken(tps):
    assert Pace(tps).tps == tps


@pytest.mark.parametrize("tps", [-1, -2, -30, -(10**9)])
def test_every_negative_speed_means_no_waiting(tps):
    changed = Pace(30)
    changed.set_tps(tps)
    for pace in (Pace(tps), changed):
        assert pace.tps == -1
        pace.resolved(5, 7)
        assert pace.due_ns() == 0


def test_an_unlimited_turn_is_due_immediately():
    pace = Pace(-1)
    pace.resolved(5, 5)
    assert pace.due_ns() == 0


def test_zero_is_paused_from_the_start_and_leaving_it_resumes():
    pace = Pace(0)
    assert pace.paused
    assert pace.due_ns() is None
    pace.set_tps(50)
    assert not pace.paused
    assert pace.due_ns() == 0


def test_resume_at_zero_resumes_at_the_speed_before():
    pace = Pace(40)
    pace.set_tps(0)
    pace.resume()
    assert (pace.tps, pace.paused) == (40, False)


def test_a_step_resolves_exactly_one_turn():
    pace = Pace(30)
    pace.pause()
    pace.step()
    assert pace.due_ns() == 0
    pace.resolved(1, 1)
    assert pace.due_ns() is None


def test_steps_asked_for_ahead_of_time_are_bounded():
    pace = Pace(30)
    pace.pause()
    for _ in range(STEPS_MAX + 5):
        pace.step()
    for _ in range(STEPS_MAX):
        assert pace.due_ns() == 0
        pace.resolved(1, 1)
    assert pace.due_ns() is None


def test_a_step_while_running_does_nothing():
    pace = Pace(30)
    pace.step()
    pace.pause()
    assert pace.due_ns() is None


def test_a_late_wake_does_not_shift_the_cadence():
    pace = Pace(100)
    pace.resolved(0, 1_000)
    pace.resolved(5_000_000, 10_001_000 + 700_000)
    assert pace.due_ns() == 1_000 + 2 * 10_000_000


def test_waking_a_whole_period_late_starts_a_new_cadence():
    pace = Pace(100)
    pace.resolved(0, 1_000)
    pace.resolved(5_000_000, 40_000_000)
    assert pace.due_ns() == 50_000_000


@pytest.mark.parametrize("tps", [51, 100, 999, 1000])
@pytest.mark.parametrize("late_ns", [CATCH_UP_NS - 1, CATCH_UP_NS, CATCH_UP_NS + 1])
def test_a_fast_pace_catches_up_to_its_bound(tps, late_ns):
    pace = Pace(tps)
    pace.resolved(0, 1_000)
    late = pace.due_ns() + late_ns
    pace.resolved(late, late)
    kept, begun = 1_000 + 2 * NS // tps, late + NS // tps
    assert pace.due_ns() == (kept if late_ns < CATCH_UP_NS else begun)


@pytest.mark.parametrize("tps", [1, 30, 50])
def test_a_slow_pace_never_catches_up(tps):
    pace = Pace(tps)
    pace.resolved(0, 1_000)
    late = pace.due_ns() + 1
    pace.resolved(late, late)
    assert pace.due_ns() == late + NS // tps


class Storm(RuleBasedStateMachine):
    """Random commands while a battle runs: turns go up by one, and a pause is never stuck."""

    @initialize(tps=st.sampled_from([-1, 0, 1, 30, 1000]))
    def begin(self, tps):
        self.pace = Pace(tps)
        answers = lambda turn, seat: [ScriptedAnswer(2 * MS, intent_for("countdown", turn, seat))]  # noqa: E731
        self.drive = BattleDriver(battle("countdown", 2, timeout_ns=10 * MS), self.pace, answers)
        self.stopped = False

    def advance(self, ns):
        self.drive.control(self.drive.now_ns + ns, lambda pace: None)
        self.drive.run(10**6, limit_ns=self.drive.now_ns + ns)

    @rule(ns=st.integers(0, 3 * NS))
    def wait(self, ns):
        self.advance(ns)

    @rule()
    def pause(self):
        self.pace.pause()

    @rule()
    def resume(self):
        self.pace.resume()

    @rule()
    def step(self):
        before, paused = len(self.drive.log), self.pace.paused
        owed = self.pace.steps
        self.pace.step()
        if paused and self.drive.battle.outcome is None:
            self.advance(50 * MS * (owed + 1))
            resolved = len(self.drive.log) - before
            assert resolved == owed + 1 or self.drive.battle.outcome is not None

    @rule(tps=st.sampled_from([-1, 0, 1, 2, 30, 60, 999, 1000]))
    def change(self, tps):
        self.pace.set_tps(tps)

    @rule()
    def resume_and_expect_turns(self):
        self.pace.resume()
        before = len(self.drive.log)
        self.advance(2 * NS)
        assert len(self.drive.log) > before or self.drive.battle.outcome is not None

    @invariant()
    def turn_numbers_go_up_by_exactly_one(self):
        if hasattr(self, "drive"):
            turns = [log.turn for log in self.drive.log]
            assert turns == list(range(1, len(turns) + 1))

    @invariant()
    def a_held_turn_stays_collected(self):
        if hasattr(self, "drive") and self.pace.paused and not self.pace.stepping:
            assert self.pace.due_ns() is None


Storm.TestCase.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
test_storm = Storm.TestCase
