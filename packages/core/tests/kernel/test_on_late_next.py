"""The official server's way: a late intent answers the next observation."""

from __future__ import annotations

from turnwright.kernel.deadline import Receipt
from turnwright.kernel.on_late_next import NextInbox


def inbox(before=None, sent=100, awaited=(0, 1)):
    box = NextInbox((0, 1, 2), awaited, lambda a, b: a + b, 50, before)
    for seat in (0, 1, 2):
        box.sent(seat, sent)
    return box


def test_an_intent_after_the_cut_is_early_and_kept():
    box = inbox()
    box.submit(0, "a", 110)
    box.submit(1, "b", 111)
    box.end_collecting(111)
    assert box.submit(0, "c", 112) is Receipt.EARLY
    assert (box.answers[0], box.kept) == ("a", {0: "c"})


def test_a_late_intent_answers_the_next_observation_with_its_lateness():
    box = inbox()
    assert box.submit(1, "late", 170) is Receipt.LATE
    assert (box.kept, box.kept_late_ns) == ({1: "late"}, {1: 20})
    following = inbox(box)
    assert following.answers == {1: "late"}
    assert following.late_ns == {1: 20}
    assert following.missing == {0}


def test_the_first_answer_after_a_missed_observation_is_late_and_counts():
    before = inbox()
    before.end_collecting(151)
    box = inbox(before)
    box.sent(1, 300)
    assert box.submit(1, "late", 170) is Receipt.LATE
    assert (box.answers, box.late_ns) == ({1: "late"}, {1: 20})
    assert 1 not in box.missing
    assert box.submit(1, "its next", 180) is Receipt.EARLY
    assert box.kept == {1: "its next"}
    assert box.kept_late_ns == {}


def test_after_a_late_answer_nothing_is_late_by_hearsay():
    before = inbox()
    before.end_collecting(151)
    box = inbox(before)
    box.sent(1, 300)
    box.submit(1, "late", 170)
    box.end_collecting(351)
    after = inbox(box)
    after.sent(1, 500)
    assert after.submit(1, "in time", 400) is Receipt.ACCEPTED


def test_lateness_is_measured_from_the_first_missed_observation():
    first = inbox()
    first.end_collecting(151)
    second = inbox(first)
    second.sent(1, 300)
    second.end_collecting(351)
    third = inbox(second)
    third.sent(1, 500)
    assert third.submit(1, "late", 400) is Receipt.LATE
    assert third.late_ns == {1: 250}


def test_a_numbered_answer_after_a_missed_observation_is_in_time():
    before = inbox()
    before.end_collecting(151)
    box = inbox(before)
    box.sent(1, 300)
    assert box.submit(1, "this one", 170, numbered=True) is Receipt.ACCEPTED
    assert box.late_ns == {}


def test_a_numbered_intent_that_is_late_is_dropped_and_how_late_it_was_is_noted():
    box = inbox()
    assert box.submit(1, "late", 170, numbered=True) is Receipt.LATE
    assert box.kept == {}
    assert box.late_ns == {1: 20}


def test_an_answer_to_a_turn_before_is_as_late_as_after_the_first_deadline_it_missed():
    first = inbox()
    first.end_collecting(151)
    box = inbox(first)
    box.sent(1, 300)
    box.stale(1, 170, 1)
    box.stale(1, 200, 1)
    assert box.late_ns == {1: 20}
    assert box.answers == {}
    box.end_collecting(351)
    assert box.left_unanswered()[1] == 350, "the next late one answers the turn after"


def test_a_lagging_seats_second_intent_is_its_next_answer_not_a_double():
    late = inbox()
    late.submit(0, "one", 170)
    box = inbox(late)
    assert box.submit(0, "two", 120) is Receipt.EARLY
    assert (box.answers[0], box.kept[0]) == ("one", "two")
