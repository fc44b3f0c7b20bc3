"""`verify` names the first different turn, and seats and fields as soon as a full check reveals them."""

from __future__ import annotations

import dataclasses

import pytest

from packages.core.tests.kernel.support import kept
from packages.core.tests.rounds import Rounds
from turnwright import catalog
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import ChangedLine, Footer, Record
from turnwright.kernel.verify import verify

WHISPER = 9


class Whispering(Rounds):
    """An intent of WHISPER gives no points; a turn later it is forgotten."""

    def resolve(self, state, intents, streams):
        events = super().resolve(state, {s: 0 if i == WHISPER else i for s, i in intents.items()}, streams)
        for seat in (seat for seat, intent in intents.items() if intent == WHISPER):
            state.last[seat] = WHISPER
        return events


GAME = Whispering()


def standing(seed=3, turns=40, stepped=None):
    """Record a battle of three seats that take nothing, except seat 1 a point in turn `stepped`."""
    seats = [SeatInfo(name) for name in "abc"]
    it = Battle(GAME, {}, seats, seed, keep_checks=True)
    record = Record(it.header)
    for _ in range(turns):
        for seat in it.open_turn().asked:
            it.collecting.submit(seat, 1 if (it.turn + 1, seat) == (stepped, 1) else 0, 0)
        it.end_collecting(0)
        record.turns.append(it.close_turn().entry)
    return record


def with_intent(record, turn, seat, intent):
    entry = record.turns[turn - 1]
    record.turns[turn - 1] = dataclasses.replace(entry, intents={**entry.intents, seat: intent})
    return record


def mismatch_of(record, game=GAME):
    return verify(record, game).mismatch


def shortened(record):
    """Return the record as read from a file, which contains only the first digits of digests."""
    record.turns = [dataclasses.replace(entry, digest=entry.digest[:6]) for entry in record.turns]
    return record


@pytest.mark.parametrize("turn", [2, 3, 9, 17, 31, 32, 40])
def test_the_first_turn_that_differs_is_named(turn):
    found = verify(shortened(with_intent(standing(), turn, 1, 3)), GAME)
    assert (found.turns, found.mismatch.turn, found.mismatch.what) == (turn - 1, turn, "state")
    assert len(found.mismatch.recorded) == len(found.mismatch.replayed) == 6


@pytest.mark.parametrize("field", ["points", "earned"])
def test_seat_and_fields_are_named_by_the_next_full_check(field):
    found = mismatch_of(with_intent(standing(), 20, 1, 3))
    assert (found.turn, found.seen, found.seats) == (20, 32, (1,))
    assert field in found.fields


def test_a_turn_with_a_full_check_names_the_difference_immediately():
    found = mismatch_of(with_intent(standing(stepped=16), 16, 1, 0))
    assert (found.turn, found.seen, found.seats) == (16, 16, (1,))
    assert found.fields == ("points", "earned", "last")


def test_a_difference_that_vanishes_before_the_next_full_check_names_no_seats():
    found = mismatch_of(with_intent(standing(), 6, 1, WHISPER))
    assert (found.turn, found.what, found.seen, found.seats, found.fields) == (6, "state", None, (), ())


def test_a_record_without_full_checks_names_the_turn_alone():
    record = with_intent(standing(), 20, 1, 3)
    record.turns = [dataclasses.replace(entry, checks="") for entry in record.turns]
    found = mismatch_of(record)
    assert (found.turn, found.seen, found.seats, found.fields) == (20, None, (), ())


def test_intents_after_a_different_turn_may_be_impossible():
    record = with_intent(standing(), 20, 1, 3)
    record.turns[20] = dataclasses.replace(record.turns[20], intents={0: "nothing that can be taken"})
    assert (mismatch_of(record).turn, mismatch_of(record).seen) == (20, None)


def test_a_battle_that_ends_before_the_next_full_check_names_the_turn_alone():
    record = kept("countdown", 3)
    last = record.turns[-1].turn
    record.turns[-1] = dataclasses.replace(record.turns[-1], digest="0" * 16, checks="")
    found = mismatch_of(record, catalog.load("countdown"))
    assert (found.turn, found.seen) == (last, None)


# ---- a line that was changed ----------------------------------------------------------------------------


def broken_at(record, turn, **changes):
    """Change the line of a turn without correcting its hash."""
    record.turns[turn - 1] = dataclasses.replace(record.turns[turn - 1], **changes)
    record.broken = ChangedLine(turn + 1, turn, "abcd", "ef01")
    return verify(record, GAME)


def test_a_changed_line_is_named_with_its_consequences():
    record = standing()
    found = broken_at(record, 21, intents={**record.turns[20].intents, 2: 5})
    assert (found.turns, found.mismatch.turn, found.mismatch.line) == (20, 21, 22)
    assert (found.mismatch.what, found.mismatch.seen) == ("state", 32)
    assert 2 in found.mismatch.seats
    assert "points" in found.mismatch.fields
    assert (found.mismatch.recorded, found.mismatch.replayed) == ("abcd", "ef01")


@pytest.mark.parametrize(
    "changes", [{}, {"digest": "000000"}, {"answered": "JJJ"}, {"checks": "00"}, {"disqualified": (1,)}]
)
def test_a_changed_line_of_which_nothing_comes_is_named(changes):
    found = broken_at(standing(), 21, **changes)
    assert (found.turns, found.mismatch.turn, found.mismatch.line) == (20, 21, 22)
    assert (found.mismatch.what, found.mismatch.seats, found.mismatch.fields) == ("line", (), ())


def test_a_difference_before_a_changed_line_comes_first():
    found = broken_at(with_intent(standing(), 10, 1, 3), 21)
    assert (found.mismatch.turn, found.mismatch.line, found.mismatch.seats) == (10, None, (1,))


@pytest.mark.parametrize(("turn", "turns"), [(0, 0), (None, 40), (41, 40)])
def test_a_header_a_footer_and_a_line_that_cannot_be_read_are_named(turn, turns):
    record = standing()
    if turn == 0:
        record.turns.clear()
    record.footer = Footer("over", 99) if turn is None else None
    record.broken = ChangedLine(5, turn, "abcd", "ef01")
    found = verify(record, GAME)
    assert (found.turns, found.mismatch.turn, found.mismatch.what, found.mismatch.line) == (
        turns,
        turn,
        "line",
        5,
    )
