"""The default: a late intent does nothing, and a seat that missed a deadline is asked by silence."""

from __future__ import annotations

import pytest

from turnwright.kernel.deadline import Opened, Receipt
from turnwright.kernel.on_late_drop import HOLDS, SILENCE_NS_MIN, DropRule

MS = 1_000_000
T = 30 * MS
S = SILENCE_NS_MIN


class Turns:
    """Two seats that play turn after turn at TPS -1. Seat 1 answers promptly; the tests answer for seat 0."""

    def __init__(self):
        self.rule = DropRule(T, lambda a, b: a + b)
        self.now = self.turn = 0
        self.box = None
        self.open()
        self.say(1 * MS)
        self.next()

    def open(self, new_round=False):
        self.turn += 1
        self.box = self.rule.open(Opened(self.turn, (0, 1), (0, 1)), T, new_round=new_round)
        self.unsent = self.rule.withheld(self.now)
        sent = [seat for seat in (0, 1) if seat not in self.unsent]
        self.box.sent_all(sent, [self.now] * len(sent))
        self.box.withhold(self.unsent, self.now)
        self.box.submit(1, "other", self.now)

    def say(self, after, intent="x", numbered=False):
        """Seat 0 sends an intent some time after now."""
        self.now += after
        return self.box.submit(0, intent, self.now, numbered)

    def miss(self):
        """Let the deadline pass; return the longest time for which the turn is then held."""
        self.now = max(self.now, self.box.deadlines[0] + 1)
        self.box.end_collecting(self.now)
        return self.held()

    def held(self):
        return self.box.held_until_ns(self.box.collected_ns) - self.now

    def next(self, after=0, new_round=False):
        self.box.end_collecting(self.now)
        self.box.held_until_ns(self.box.collected_ns)
        self.now += after
        self.box.end_hold()
        self.open(new_round)


def test_a_late_intent_does_nothing_and_ends_the_hold():
    it = Turns()
    assert it.miss() == S - 1
    assert it.say(15 * MS) is Receipt.LATE
    assert it.held() <= 0
    assert 0 not in it.box.answers
    assert it.box.late_ns == {0: 15 * MS + 1}
    assert (it.box.newest_late_ns, it.box.newest_took_ns) == (15 * MS + 1, 45 * MS + 1)


def test_the_next_turn_does_not_get_it_and_the_seat_is_in_step_there():
    it = Turns()
    it.miss()
    it.say(15 * MS)
    it.next()
    assert 0 not in it.box.answers
    assert it.say(10 * MS) is Receipt.ACCEPTED


def test_an_answer_after_the_deadline_and_before_the_end_of_collecting_is_late():
    it = Turns()
    it.box.sent(1, it.now + T)
    assert it.say(T + 1) is Receipt.LATE
    assert it.miss() <= 0, "the seat has answered"
    it.next()
    assert it.say(1) is Receipt.ACCEPTED


def test_after_a_hold_in_silence_two_observations_are_unanswered_and_the_first_answer_is_late():
    it = Turns()
    it.miss()
    it.next(S)
    assert it.say(10 * MS) is Receipt.LATE
    assert it.say(10 * MS) is Receipt.ACCEPTED, "the second one is in time for the newest"


def test_after_a_late_answer_in_between_the_next_observation_waits_for_silence():
    it = Turns()
    it.miss()
    it.next(S)
    it.say(10 * MS)
    assert it.miss() == S - 20 * MS - 1, "counted from its answer"
    it.next(S)
    assert it.say(1 * MS) is Receipt.ACCEPTED
    it.next()
    assert it.say(1 * MS) is Receipt.ACCEPTED


def without_patience():
    it = Turns()
    it.rule.patience_ns[0] = 0
    it.miss()
    it.next()
    it.say(10 * MS)
    it.miss()
    it.next()
    return it


def test_without_patience_the_battle_continues_and_the_seat_gets_no_observation():
    it = without_patience()
    assert it.unsent == {0}
    assert it.box.missing == {0}, "the turn waits as long as for any other seat"
    assert it.say(10 * MS) is Receipt.LATE, "it is for the observation in between"
    assert it.box.missing == set()
    it.next()
    assert it.unsent == set()
    assert it.say(1 * MS) is Receipt.ACCEPTED


def test_without_patience_a_silent_seat_gets_the_next_observation_after_a_while():
    it = without_patience()
    turns = 0
    while it.unsent:
        it.miss()
        it.next()
        turns += 1
    assert turns == 10
    assert it.say(1 * MS) is Receipt.ACCEPTED


def test_a_hold_costs_patience_and_the_last_part_waits_for_a_late_answer():
    it = Turns()
    for left in (2, 1):
        assert it.miss() == S - 1
        it.next(S)
        assert it.rule.patience_ns[0] == pytest.approx(left * S, abs=2)
    assert it.miss() <= 2
    assert it.say(10 * MS) is Receipt.LATE
    assert it.held() == pytest.approx(S - 10 * MS, abs=2)


def test_answers_in_time_earn_patience():
    it = Turns()
    it.miss()
    it.say(45 * MS)
    assert it.rule.patience_ns[0] == HOLDS * S - 45 * MS
    assert it.rule.held_ns == {0: 45 * MS}
    for turn in range(1, 20):
        it.next()
        it.say(1)
        assert it.rule.patience_ns.get(0, HOLDS * S) == min(HOLDS * S, HOLDS * S - 45 * MS + turn * 3 * MS)


def test_each_silence_that_was_taken_for_waiting_doubles_the_next():
    it = Turns()
    for k in range(3):
        it.rule.patience_ns[0] = HOLDS * S << k
        it.miss()
        it.next(S)
        it.say(1 * MS)
        it.miss()
        assert it.rule.silent_at_ns(0) - it.rule.behind[0].quiet_ns == S << k
        it.next(S << k)
        assert it.say(1 * MS) is Receipt.ACCEPTED
        it.next()
    it.say(1 * MS)
    assert it.rule.doubts == {}, "two answers in time in a row end all doubt"


def test_a_seat_that_was_never_heard_is_not_held():
    it = Turns()
    it.rule.heard.clear()
    assert it.miss() <= 0


def test_a_seat_whose_intents_name_turns_is_not_held():
    it = Turns()
    assert it.say(1, numbered=True) is Receipt.ACCEPTED
    it.next()
    assert it.miss() <= 0
    it.next()
    assert it.box.stale(0, it.now + 19, it.turn - 1) is Receipt.LATE
    assert (it.box.late_ns, it.box.newest_took_ns) == ({0: 20}, T + 20)
    assert it.say(30, numbered=True) is Receipt.ACCEPTED


def test_second_thoughts_in_time_are_merged_and_after_the_end_of_collecting_they_do_nothing():
    it = Turns()
    assert it.say(10, "a") is Receipt.ACCEPTED
    assert it.say(10, "b") is Receipt.MERGED
    it.box.end_collecting(it.now)
    assert it.say(10, "c") is Receipt.EARLY
    it.next()
    assert 0 not in it.box.answers
    assert it.say(10) is Receipt.ACCEPTED


def test_an_unusable_answer_still_counts_as_an_answer():
    it = Turns()
    it.box.spoilt(0, it.now + 10)
    assert it.miss() <= 0
    it.next()
    it.miss()
    it.box.spoilt(0, it.now + 10)
    assert it.held() <= 0
    it.next()
    assert it.say(10) is Receipt.ACCEPTED


def test_a_seat_at_a_breakpoint_owes_nothing():
    it = Turns()
    it.miss()
    it.next(S)
    it.box.wait_without_deadline(0)
    assert it.say(10**12) is Receipt.ACCEPTED


def test_a_seat_that_left_is_not_held():
    it = Turns()
    it.miss()
    it.box.stop_waiting_for(0)
    assert it.held() <= 0


def test_a_rounds_last_observation_needs_no_answer_and_a_new_round_begins_in_step():
    it = Turns()
    it.now = it.box.deadlines[0] + 1
    it.box.end_collecting(it.now, ends_round=True)
    assert it.held() <= 0
    it.next(new_round=True)
    it.miss()
    it.next(S)
    it.box.end_collecting(it.box.deadlines[0] + 1)
    it.next(new_round=True)
    assert it.say(10) is Receipt.ACCEPTED
