"""The default: a late intent does nothing, and one that names no turn answers what its seat has missed."""

from __future__ import annotations

import pytest

from turnwright.kernel.deadline import Receipt
from turnwright.kernel.on_late_drop import ODD_MAX, DropInbox

T = 50


class Turns:
    """Seat 0 in one turn after another: each is sent when the one before is over, or at a given time."""

    def __init__(self, restarts=()):
        self.usual, self.doubts, self.restarts, self.turn = {}, {}, restarts, 0
        self.box = None
        self.next(100)

    def next(self, sent_ns, new_round=False):
        """Cut the open turn if need be, and send the next one's observation."""
        behind = None
        if self.box is not None:
            self.box.cut(sent_ns)
            behind = self.box.left_behind(new_round)
        self.turn += 1
        self.box = DropInbox(
            (0, 1),
            (0, 1),
            lambda a, b: a + b,
            T,
            turn=self.turn,
            behind=behind,
            usual_ns=self.usual,
            doubts=self.doubts,
            restarts=self.restarts,
        )
        self.box.sent_all((0, 1), (sent_ns + T, sent_ns + T))
        self.box.submit(1, "other", sent_ns)

    def say(self, at_ns, intent="x", numbered=False):
        return self.box.submit(0, intent, at_ns, numbered)


def test_a_late_intent_does_nothing_in_this_turn():
    it = Turns()
    assert it.say(170) is Receipt.LATE
    assert 0 not in it.box.answers
    assert it.box.missing == {0}
    assert it.box.late_ns == {0: 20}
    assert (it.box.newest_late_ns, it.box.newest_took_ns) == (20, 70)


def test_nor_in_the_next_and_the_seat_is_in_step_there():
    it = Turns()
    it.say(170)
    it.next(200)
    assert 0 not in it.box.answers
    assert it.say(210) is Receipt.ACCEPTED


def test_the_next_intent_after_a_missed_deadline_is_the_answer_to_what_was_missed():
    it = Turns()
    it.next(151)
    assert it.say(170) is Receipt.LATE
    assert it.box.late_ns == {0: 20}
    assert 0 not in it.box.answers
    assert it.say(200) is Receipt.ACCEPTED, "it goes on with the newest one, at 170"


def test_one_is_owed_however_many_were_missed():
    it = Turns()
    for sent in (151, 202, 253):
        it.next(sent)
    assert it.say(260) is Receipt.LATE
    assert it.box.late_ns == {0: 110}, "from the deadline of the one that it began with"
    assert it.say(290) is Receipt.ACCEPTED


def test_an_answer_between_the_deadline_and_the_next_observation_pays_for_the_older_one():
    """It thought of turn 1 until after the deadline of turn 2; so it begins with turn 2 when that is over."""
    it = Turns()
    it.next(151)
    it.box.cut(202)
    assert it.say(210) is Receipt.LATE
    it.next(250)
    assert it.say(280) is Receipt.LATE
    assert it.box.late_ns == {0: 79}
    assert it.say(299) is Receipt.ACCEPTED


@pytest.mark.parametrize("restarts", [(), (0,)])
def test_a_seat_that_was_never_in_time_never_is_by_hearsay(restarts):
    it = Turns(restarts)
    for k in range(1, 40):
        it.next(100 + 51 * k)
        assert it.say(100 + 51 * k + 20) is Receipt.LATE


@pytest.mark.parametrize(("restarts", "late_ns"), [((0,), 20), ((), 71)])
def test_how_late_a_program_was_is_counted_from_the_observation_that_it_began_with(restarts, late_ns):
    """It is late for turn 1 in turn 2; then it goes on with turn 2, or waits for 3, and is late again."""
    it = Turns(restarts)
    it.next(151)
    it.say(170)
    it.next(202)
    it.next(253)
    assert it.say(272) is Receipt.LATE
    assert it.box.late_ns == {0: late_ns}


def lagging(restarts):
    """A seat that was in time once (10), missed turn 2, and then answers each observation after 10."""
    it = Turns(restarts)
    it.say(110)
    it.next(120)
    receipts = []
    for k in range(1, ODD_MAX + 6):
        it.next(120 + 51 * k)
        receipts.append(it.say(120 + 51 * k + 10))
    return receipts


def test_a_program_on_an_official_api_leaves_one_out_and_is_in_step_again():
    receipts = lagging((0,))
    assert receipts[0] is Receipt.LATE
    assert set(receipts[1:]) == {Receipt.ACCEPTED}


def test_any_other_is_taken_to_be_in_step_after_a_while():
    receipts = lagging(())
    assert receipts[:ODD_MAX] == [Receipt.LATE] * ODD_MAX
    assert set(receipts[ODD_MAX:]) == {Receipt.ACCEPTED}


def test_a_program_on_an_official_api_with_two_hiccups_at_once_is_in_step_again_after_a_while():
    it = Turns((0,))
    it.say(110)
    receipts = []
    for k in range(1, 30):  # no answer to turns 2 and 5, one after 10 to each other
        it.next(100 + 51 * k)
        if k not in (1, 4):
            receipts.append(it.say(100 + 51 * k + 10))
    late, taken = Receipt.LATE, Receipt.ACCEPTED
    assert receipts[:3] == [late, taken, late]
    assert set(receipts[3 + ODD_MAX :]) == {taken}


def test_a_seat_that_is_believed_and_late_again_is_believed_less_and_less():
    it = Turns((0,))
    it.say(110)
    it.next(120)
    receipts = []
    for k in range(1, 30):  # a program that needs 71 from turn 2 on, and always takes the newest
        it.next(120 + 51 * k)
        if (at := 191 + 71 * ((120 + 51 * k - 191 + 70) // 71)) <= 120 + 51 * k + T:
            receipts.append(it.say(at))
    assert receipts.count(Receipt.ACCEPTED) <= 3


def test_second_thoughts_in_time_are_merged_and_after_the_cut_they_do_nothing():
    it = Turns()
    it.say(110, "a")
    assert it.say(120, "b") is Receipt.MERGED
    it.box.cut(121)
    assert it.say(130, "c") is Receipt.EARLY
    it.next(140)
    assert 0 not in it.box.answers
    assert it.say(150) is Receipt.ACCEPTED


def test_a_numbered_intent_says_itself_what_it_answers():
    it = Turns()
    it.next(151)
    assert it.say(170, numbered=True) is Receipt.ACCEPTED
    it.next(202)
    assert it.say(253, numbered=True) is Receipt.LATE
    assert it.box.late_ns == {0: 1}


def test_an_answer_to_an_older_turn_is_noted_and_owes_nothing():
    it = Turns()
    it.next(151)
    it.box.stale(0, 170, 150, T)
    assert (it.box.late_ns, it.box.newest_took_ns) == ({0: 20}, 70)
    assert it.say(180) is Receipt.ACCEPTED


def test_what_cannot_be_used_is_an_answer_all_the_same():
    it = Turns()
    it.box.spoilt(0)
    it.next(151)
    assert it.say(160) is Receipt.ACCEPTED
    it.next(170)
    it.next(221)
    it.box.spoilt(0)
    assert it.say(230) is Receipt.ACCEPTED


def test_a_held_seat_owes_nothing():
    it = Turns()
    it.next(151)
    it.box.wait_without_deadline(0)
    assert it.say(10**12) is Receipt.ACCEPTED


def test_a_turn_that_is_cut_before_a_seats_deadline_is_not_missed_by_it():
    it = Turns()
    it.next(120)
    assert it.say(130) is Receipt.ACCEPTED


def test_an_older_answer_is_awaited_in_a_new_round_and_one_to_the_rounds_last_turn_is_not():
    it = Turns()
    it.next(151, new_round=True)
    assert it.say(160) is Receipt.ACCEPTED
    it.next(170)
    it.next(221)
    it.next(272, new_round=True)
    assert it.say(280) is Receipt.LATE
    assert it.say(290) is Receipt.ACCEPTED
