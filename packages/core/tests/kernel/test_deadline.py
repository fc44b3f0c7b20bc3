"""Both ways of collecting: answers in time, second answers, the end of collecting, seats held or gone."""

from __future__ import annotations

import pytest

from turnwright.kernel.deadline import Opened, Receipt
from turnwright.kernel.on_late_drop import DropRule
from turnwright.kernel.on_late_next import NextRule

pytestmark = pytest.mark.parametrize("kind", ["drop", "next"])


def opened(kind, asked, awaited, merge):
    rule = DropRule(50, merge) if kind == "drop" else NextRule(merge)
    return rule.open(Opened(1, asked, awaited), 50, new_round=False)


def inbox(kind, awaited=(0, 1)):
    box = opened(kind, (0, 1, 2), awaited, lambda a, b: a + b)
    for seat in (0, 1, 2):
        box.sent(seat, 100)
    return box


def test_an_intent_in_time_is_accepted_once(kind):
    box = inbox(kind)
    assert box.submit(0, "a", 120) is Receipt.ACCEPTED
    assert box.answers == {0: "a"}


@pytest.mark.parametrize(("now_ns", "receipt"), [(149, "ACCEPTED"), (150, "ACCEPTED"), (151, "LATE")])
def test_the_deadline_itself_is_in_time_and_a_nanosecond_later_is_not(kind, now_ns, receipt):
    assert inbox(kind).submit(0, "a", now_ns) is Receipt[receipt]


def test_a_double_before_the_cut_is_merged(kind):
    box = inbox(kind)
    box.submit(0, "a", 110)
    assert box.submit(0, "b", 111) is Receipt.MERGED
    assert box.answers[0] == "ab"


def test_a_seat_that_was_not_asked_gets_a_receipt_and_changes_nothing(kind):
    box = opened(kind, (0,), (0,), lambda a, b: b)
    assert box.submit(5, "a", 0) is Receipt.NOT_ASKED
    assert not box.answers
    assert box.missing == {0}


def test_collecting_ends_when_all_awaited_have_answered(kind):
    box = inbox(kind)
    box.submit(0, "a", 110)
    assert not box.is_over(111)
    box.submit(1, "b", 112)
    assert box.is_over(112)


def test_collecting_ends_just_after_the_last_deadline_of_the_missing_seats(kind):
    box = inbox(kind)
    box.sent(1, 850)
    assert not box.is_over(900)
    assert box.is_over(901)


def test_no_turn_ends_by_deadline_before_every_observation_was_sent(kind):
    box = opened(kind, (0, 1), (0, 1), lambda a, b: b)
    box.sent(0, 10)
    assert box.last_deadline_ns is None
    assert not box.is_over(10**12)


def test_a_departed_seat_is_not_waited_for_but_its_answer_counts(kind):
    box = inbox(kind)
    box.submit(0, "a", 110)
    box.stop_waiting_for(0)
    box.stop_waiting_for(1)
    assert box.is_over(111)
    assert box.answers == {0: "a"}


def test_a_held_seat_has_no_deadline_until_it_answers(kind):
    box = inbox(kind)
    box.submit(0, "a", 110)
    box.wait_without_deadline(1)
    assert not box.is_over(10**15)
    assert box.submit(1, "b", 10**15) is Receipt.ACCEPTED
    assert box.is_over(10**15)


def test_the_next_deadline_is_the_earliest_of_the_awaited_seats(kind):
    box = opened(kind, (0, 1, 2), (0, 1, 2), lambda a, b: a + b)
    assert box.next_deadline_ns(0) is None
    for seat, deadline in ((0, 30), (1, 10), (2, 20)):
        box.sent(seat, deadline - 50)
    assert [box.next_deadline_ns(t) for t in (0, 10, 11, 20, 21, 30, 31)] == [10, 10, 20, 20, 30, 30, None]
    box.submit(1, "a", 5)
    assert box.next_deadline_ns(0) == 20
    box.wait_without_deadline(2)
    assert box.next_deadline_ns(0) == 30
    box.stop_waiting_for(0)
    assert box.next_deadline_ns(0) is None
