"""Skipped turns in a row, and disqualification."""

from __future__ import annotations

from typing import Any

import pytest

from packages.core.tests.kernel.support import MS, drive, every_game
from turnwright.errors import SetupError
from turnwright.kernel.record import TurnEntry
from turnwright.kernel.skipped_turns import GUESTS_MAX, LateMisses, SkipCounts


@pytest.mark.parametrize("limit", [1, 10, 30])
def test_a_seat_may_be_disqualified_from_the_limit_on_until_it_is(limit):
    skips = SkipCounts(2, limit)
    assert [skips.note_skip(1) for _ in range(limit + 3)] == [False] * (limit - 1) + [True] * 4
    skips.disqualify(1, of_battle=False)
    assert sum(skips.note_skip(1) for _ in range(5)) == 0
    assert skips.seats[1].disqualified
    assert not skips.seats[0].disqualified


def test_zero_never_disqualifies():
    skips = SkipCounts(1, 0)
    assert not any(skips.note_skip(0) for _ in range(1000))


def test_an_answer_ends_the_row_but_not_the_total():
    skips = SkipCounts(1, 3)
    for _ in range(10):
        skips.note_skip(0)
        skips.note_skip(0)
        skips.note_answer(0)
    assert skips.seats[0].skipped == 20
    assert not skips.seats[0].disqualified


def test_a_negative_limit_is_refused():
    with pytest.raises(SetupError, match="max-skipped is -1"):
        SkipCounts(1, -1)


@every_game
@pytest.mark.parametrize("limit", [1, 10, 30])
def test_a_silent_seat_is_out_on_the_turn_after_the_limit(game, limit):
    it = drive(game, lambda t, s: None if s == 0 else 5, -1, limit + 4, timeout_ns=MS, max_skipped=limit)
    disqualified = [c.entry.turn for c in it.closed if c.entry.disqualified]
    first = next(log.turn for log in it.log if log.skipped)
    assert disqualified == [first + limit - 1]
    assert it.battle.referee.skips.seats[0].disqualified
    asked = [0 in log.skipped for log in it.log if log.turn > disqualified[0] + 1]
    assert not any(asked)


@every_game
def test_an_answer_just_before_the_limit_keeps_a_seat_in(game):
    sometimes = lambda t, s: None if s == 0 and t % 10 else 5  # noqa: E731
    it = drive(game, sometimes, -1, 35, timeout_ns=MS, max_skipped=10, numbered=True)
    assert not it.battle.referee.skips.seats[0].disqualified
    assert it.battle.referee.skips.seats[0].skipped >= 20


# ---- seats that the header does not name ---------------------------------------------------------------


def test_a_guest_is_counted_from_its_first_miss_until_it_answers():
    skips = SkipCounts(1, 3, open_ended=True)
    assert skips.of(900).skipped == 0
    assert [skips.note_skip(900) for _ in range(3)] == [False, False, True]
    skips.disqualify(900, of_battle=True)
    assert (skips.of(900).skipped, skips.of(900).disqualified) == (3, True)
    assert len(skips.seats) == 1
    skips.note_answers([900])
    assert (skips.of(900).skipped, skips.to_data()) == (0, [])


def test_guests_are_remembered_up_to_a_bound_and_the_oldest_forgotten():
    skips = SkipCounts(0, 0, open_ended=True)
    for seat in range(GUESTS_MAX + 3):
        skips.note_skip(seat)
    assert [skips.of(seat).skipped for seat in (0, 2, 3, GUESTS_MAX + 2)] == [0, 0, 1, 1]
    assert len(skips.to_data()) == GUESTS_MAX


def test_a_game_whose_seats_are_all_named_has_no_guests():
    skips = SkipCounts(2, 3)
    with pytest.raises(IndexError):
        skips.note_skip(2)
    with pytest.raises(ValueError, match="skipped turns of seat 2"):
        skips.restored([[2, 1, 1, 0]])


def test_guests_come_back_from_their_data():
    skips = SkipCounts(1, 5, open_ended=True)
    for seat in (77, 0, 12, 77):
        skips.note_skip(seat)
    again = skips.restored(skips.to_data())
    assert again.to_data() == skips.to_data() == [[0, 1, 1, 0], [12, 1, 1, 0], [77, 2, 2, 0]]
    again.note_answers([77])
    assert again.of(77).skipped_in_row == 0
    with pytest.raises(ValueError, match="skipped turns of seat -1"):
        again.restored([[-1, 1, 1, 0]])


# ---- turns that a late server may have cost a bot ------------------------------------------------------


def late_misses(*entries: TurnEntry) -> int:
    found = LateMisses()
    for entry in entries:
        found.note(entry, entry.server_late_ns)
    return found.turns


def missed(turn: int, *seats: int, late: int = 5 * MS, **more: Any) -> TurnEntry:
    """Return a turn that these seats missed, and in which the server was late."""
    return TurnEntry(turn, {}, seats, server_late_ns=late, **more)


def test_a_bot_that_never_answers_loses_nothing_to_a_late_server():
    assert late_misses(*(missed(turn, 0) for turn in range(1, 100))) == 0


@pytest.mark.parametrize(("late_ns", "turns"), [(9 * MS, 1), (10 * MS - 1, 1), (10 * MS, 0), (40 * MS, 0)])
def test_a_late_turn_counts_if_the_bot_missed_it_by_less_than_the_lateness(late_ns, turns):
    """The server was late by 5 ms, so the turn ended 5 ms after the deadline."""
    assert late_misses(missed(1, 0), TurnEntry(2, {0: 1}, late_ns={0: late_ns})) == turns
    assert late_misses(missed(1, 0, late_ns={0: late_ns}), TurnEntry(2, {0: 1})) == turns


def test_a_turn_that_bots_missed_together_counts_once():
    both = {0: 6 * MS, 1: 7 * MS}
    assert late_misses(missed(1, 0, 1), TurnEntry(2, {}, late_ns=both)) == 1
    assert late_misses(missed(1, 0, 1), missed(2, 0, 1, late_ns=both), missed(3, 0, 1, late_ns=both)) == 2


def test_each_late_answer_belongs_to_the_oldest_turn_that_was_missed():
    """The bot always needs 70 ms for a turn of 30 ms, and the server is late in every second turn."""
    turns = [missed(1, 0, late=0)]
    turns += [missed(k, 0, late=5 * MS * (k % 2), late_ns={0: 40 * MS}) for k in range(2, 40)]
    assert late_misses(*turns) == 0
    near = [missed(1, 0, late=0), missed(2, 0, late_ns={0: 6 * MS})]
    assert late_misses(*near) == 0
    assert late_misses(*near, TurnEntry(3, {0: 1}, late_ns={0: 6 * MS})) == 1


def test_an_answer_in_time_and_a_new_round_end_the_wait_for_a_late_one():
    late = TurnEntry(3, {0: 1}, late_ns={0: 6 * MS})
    assert late_misses(missed(1, 0), TurnEntry(2, {0: 1}), late) == 0
    assert late_misses(missed(1, 0), TurnEntry(2, {}, opening=True), late) == 0
