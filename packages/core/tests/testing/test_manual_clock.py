"""The manual driver: answers at their offsets, controls at their times, and a clock that only it moves."""

from __future__ import annotations

import pytest

from packages.core.tests.kernel.support import MS, battle
from turnwright.kernel.deadline import Receipt
from turnwright.kernel.pace import Pace
from turnwright.testing.manual_clock import BattleDriver, ScriptedAnswer


def drive(offsets_ms, tps=-1, turns=6, **more):
    answers = lambda turn, seat: [ScriptedAnswer(round(ms * MS), 1) for ms in offsets_ms]  # noqa: E731
    it = BattleDriver(battle("countdown", 2, timeout_ns=10 * MS, max_skipped=0), Pace(tps), answers, **more)
    it.run(turns)
    return it


def test_a_turn_is_cut_when_its_answers_came():
    it = drive([3])
    assert [log.collected_ns - log.opened_ns for log in it.log[1:]] == [3 * MS] * 5


def test_without_answers_it_is_cut_just_after_the_deadline():
    it = drive([])
    assert [log.collected_ns - log.opened_ns for log in it.log[1:]] == [10 * MS + 1] * 5


THOUGHTS = [
    # how a seat that needs 24 ms continues at 10 ms a turn, and what it thinks of, from when to when
    # after a late answer that leaves an observation unanswered it gets no new one for 300 ms
    ("newest", [(2, 0, 24), (4, 24, 48), (5, 348, 372)]),
    ("restart", [(2, 0, 24), (5, 324, 348), (6, 348, 372)]),
    ("each", [(2, 0, 24), (3, 24, 48), (4, 48, 72)]),
]


@pytest.mark.parametrize(("goes_on", "thoughts"), THOUGHTS)
def test_a_seat_thinks_one_thought_after_the_other(goes_on, thoughts):
    it = drive([24], turns=12, goes_on=goes_on)
    first = it.log[1].opened_ns
    of_one = [(t.turn, t.began_ns - first, t.ended_ns - first) for t in it.seats.thoughts if t.seat == 1]
    assert [(turn, began // MS, ended // MS) for turn, began, ended in of_one][:3] == thoughts
    assert {r for log in it.log for _, r in log.receipts} == {Receipt.LATE}


def test_a_seat_can_think_several_thoughts_simultaneously():
    it = drive([24], turns=5, goes_on="at once")
    assert it.seats.thoughts == [] or all(t.ended_ns - t.began_ns == 24 * MS for t in it.seats.thoughts)
    assert sum(len(log.receipts) for log in it.log) == 8, "the battle waits for late answers"


def test_an_answer_may_name_its_turn():
    it = drive([1], numbered=True)
    assert {r for log in it.log for _, r in log.receipts} == {Receipt.ACCEPTED}
    it = BattleDriver(
        battle("countdown", 2, max_skipped=0), Pace(-1), lambda t, s: [ScriptedAnswer(5, 1, 99)]
    )
    it.run(3)
    assert {r for log in it.log for _, r in log.receipts} == {Receipt.WRONG_TURN}


def test_controls_are_carried_out_once_and_in_order():
    done = []
    it = drive(
        [1], controls=[(7 * MS, lambda p: done.append(2)), (3 * MS, lambda p: done.append(1))], turns=20
    )
    assert done == [1, 2]
    assert it.now_ns >= 7 * MS


def test_a_paused_drive_stops_at_its_limit_with_the_turn_collected():
    it = drive([1], controls=[(5 * MS, Pace.pause)], turns=1)
    it.run(100, limit_ns=10**12)
    assert it.battle.is_open
    assert not it.battle.collecting.inbox.missing
    assert it.now_ns < 10**12


def test_each_log_has_the_digest_of_its_turn():
    it = drive([1])
    assert [log.digest for log in it.log] == [c.entry.digest for c in it.closed]
    assert len({log.digest for log in it.log}) == 6
