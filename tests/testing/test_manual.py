"""The manual driver: answers at their offsets, controls at their times, and a clock that only it moves."""

from __future__ import annotations

from kernel.support import MS, battle
from turnwright.kernel.collect import Receipt
from turnwright.kernel.pace import Pace
from turnwright.testing.manual import Answer, Drive


def drive(offsets_ms, tps=-1, turns=6, **more):
    answers = lambda turn, seat: [Answer(round(ms * MS), 1) for ms in offsets_ms]  # noqa: E731
    it = Drive(battle("countdown", 2, timeout_ns=10 * MS, max_skipped=0), Pace(tps), answers, **more)
    it.run(turns)
    return it


def test_a_turn_is_cut_when_its_answers_came():
    it = drive([3])
    assert [log.cut_ns - log.opened_ns for log in it.log[1:]] == [3 * MS] * 5


def test_without_answers_it_is_cut_just_after_the_deadline():
    it = drive([])
    assert [log.cut_ns - log.opened_ns for log in it.log[1:]] == [10 * MS + 1] * 5


def test_a_seat_thinks_one_thought_after_the_other():
    it = drive([15])
    arrivals = [r for log in it.log for _, r in log.receipts]
    assert Receipt.LATE in arrivals or Receipt.ACCEPTED in arrivals
    assert it.log[1].skipped == (0, 1)
    assert it.log[2].skipped == ()


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
    assert not it.battle.missing
    assert it.now_ns < 10**12


def test_each_log_has_the_digest_of_its_turn():
    it = drive([1])
    assert [log.digest for log in it.log] == [c.entry.digest for c in it.closed]
    assert len({log.digest for log in it.log}) == 6
