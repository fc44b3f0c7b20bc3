"""Receipts: what becomes of an intent that is in time, late, early, double, misaddressed."""

from __future__ import annotations

import pytest

from turnwright.kernel.collect import Inbox, Receipt, deadline_ns


def inbox(awaited=(0, 1), **kept):
    box = Inbox((0, 1, 2), awaited, lambda a, b: a + b, **kept)
    for seat in (0, 1, 2):
        box.sent(seat, deadline_ns(100, 50))
    return box


def test_an_intent_in_time_is_accepted_once():
    box = inbox()
    assert box.submit(0, "a", 120) is Receipt.ACCEPTED
    assert box.answers == {0: "a"}


@pytest.mark.parametrize(("now_ns", "receipt"), [(149, "ACCEPTED"), (150, "ACCEPTED"), (151, "LATE")])
def test_the_deadline_itself_is_in_time_and_a_nanosecond_later_is_not(now_ns, receipt):
    assert inbox().submit(0, "a", now_ns) is Receipt[receipt]


def test_a_double_before_the_cut_is_merged():
    box = inbox()
    box.submit(0, "a", 110)
    assert box.submit(0, "b", 111) is Receipt.MERGED
    assert box.answers[0] == "ab"


def test_an_intent_after_the_cut_is_early_and_kept():
    box = inbox()
    box.submit(0, "a", 110)
    box.submit(1, "b", 111)
    box.cut(111)
    assert box.submit(0, "c", 112) is Receipt.EARLY
    assert (box.answers[0], box.kept) == ("a", {0: "c"})


def test_a_late_intent_is_kept_with_its_lateness_and_answers_the_next_observation():
    box = inbox()
    assert box.submit(1, "late", 170) is Receipt.LATE
    assert (box.kept, box.kept_late_ns) == ({1: "late"}, {1: 20})
    following = inbox(kept=box.kept, kept_late_ns=box.kept_late_ns, owed=box.owed)
    assert following.answers == {1: "late"}
    assert following.late_ns == {1: 20}
    assert following.missing == {0}


def test_the_first_answer_after_a_missed_observation_is_late_and_counts():
    before = inbox()
    before.cut(151)
    box = inbox(owed=before.owed, missed=before.left_unanswered())
    box.sent(1, 350)
    assert box.submit(1, "late", 170) is Receipt.LATE
    assert (box.answers, box.late_ns) == ({1: "late"}, {1: 20})
    assert 1 not in box.missing
    assert box.submit(1, "its next", 180) is Receipt.EARLY
    assert box.kept == {1: "its next"}
    assert box.kept_late_ns == {}


def test_after_a_late_answer_nothing_is_late_by_hearsay():
    before = inbox()
    before.cut(151)
    box = inbox(owed=before.owed, missed=before.left_unanswered())
    box.submit(1, "late", 170)
    box.cut(351)
    after = inbox(owed=box.owed, missed=box.left_unanswered())
    after.sent(1, 550)
    assert after.submit(1, "in time", 400) is Receipt.ACCEPTED


def test_of_several_missed_observations_the_first_tells_how_late_an_answer_is():
    first = inbox()
    first.cut(151)
    second = inbox(owed=first.owed, missed=first.left_unanswered())
    second.sent(1, 350)
    second.cut(351)
    third = inbox(owed=second.owed, missed=second.left_unanswered())
    third.sent(1, 550)
    assert third.submit(1, "late", 400) is Receipt.LATE
    assert third.late_ns == {1: 250}


def test_a_numbered_answer_after_a_missed_observation_is_in_time():
    before = inbox()
    before.cut(151)
    box = inbox(owed=before.owed, missed=before.left_unanswered())
    box.sent(1, 350)
    assert box.submit(1, "this one", 170, numbered=True) is Receipt.ACCEPTED
    assert box.late_ns == {}


def test_a_numbered_intent_that_is_late_is_dropped_and_how_late_it_was_is_noted():
    box = inbox()
    assert box.submit(1, "late", 170, numbered=True) is Receipt.LATE
    assert box.kept == {}
    assert box.late_ns == {1: 20}


def test_an_answer_to_a_turn_before_is_as_late_as_after_the_first_deadline_it_missed():
    first = inbox()
    first.cut(151)
    box = inbox(owed=first.owed, missed=first.left_unanswered())
    box.sent(1, 350)
    box.dropped(1, 170)
    box.dropped(1, 200)
    assert box.late_ns == {1: 20}
    assert box.answers == {}
    box.cut(351)
    assert box.left_unanswered()[1] == 350, "the next late one answers the turn after"


def test_a_seat_that_is_not_asked_gets_a_receipt_and_changes_nothing():
    box = Inbox((0,), (0,), lambda a, b: b)
    assert box.submit(5, "a", 0) is Receipt.NOT_ASKED
    assert not box.answers
    assert box.missing == {0}


def test_a_lagging_seats_second_intent_is_its_next_answer_not_a_double():
    late = inbox()
    late.submit(0, "one", 170)
    box = inbox(kept=late.kept, kept_late_ns=late.kept_late_ns, owed=late.owed)
    assert box.submit(0, "two", 120) is Receipt.EARLY
    assert (box.answers[0], box.kept[0]) == ("one", "two")


def test_collecting_ends_when_all_awaited_have_answered():
    box = inbox()
    box.submit(0, "a", 110)
    assert not box.is_over(111)
    box.submit(1, "b", 112)
    assert box.is_over(112)


def test_collecting_ends_just_after_the_last_deadline_of_those_missing():
    box = inbox()
    box.sent(1, 900)
    assert not box.is_over(900)
    assert box.is_over(901)


def test_no_turn_ends_by_deadline_before_every_observation_was_sent():
    box = Inbox((0, 1), (0, 1), lambda a, b: b)
    box.sent(0, 10)
    assert box.last_deadline_ns is None
    assert not box.is_over(10**12)


def test_nobody_waits_for_a_seat_that_left_but_its_answer_counts():
    box = inbox()
    box.submit(0, "a", 110)
    box.forgo(0)
    box.forgo(1)
    assert box.is_over(111)
    assert box.answers == {0: "a"}


def test_a_held_seat_has_no_deadline_until_it_answers():
    box = inbox()
    box.submit(0, "a", 110)
    box.hold(1)
    assert not box.is_over(10**15)
    assert box.submit(1, "b", 10**15) is Receipt.ACCEPTED
    assert box.is_over(10**15)


def test_the_next_deadline_is_the_first_ahead_of_those_still_waited_for():
    box = Inbox((0, 1, 2), (0, 1, 2), lambda a, b: a + b)
    assert box.next_deadline_ns(0) is None
    for seat, deadline in ((0, 30), (1, 10), (2, 20)):
        box.sent(seat, deadline)
    assert [box.next_deadline_ns(t) for t in (0, 10, 11, 20, 21, 30, 31)] == [10, 10, 20, 20, 30, 30, None]
    box.submit(1, "a", 5)
    assert box.next_deadline_ns(0) == 20
    box.hold(2)
    assert box.next_deadline_ns(0) == 30
    box.forgo(0)
    assert box.next_deadline_ns(0) is None
