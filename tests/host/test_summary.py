"""A summary is a value: equal when all of it is, and safe to keep."""

from __future__ import annotations

import dataclasses

import pytest

from turnwright.host.summary import BattleSummary, SeatSummary


def test_summaries_of_equal_battles_are_equal_and_cannot_be_changed():
    seats = (SeatSummary("a", "1", 1, 2, 3, 4, 0, 0, 0, False),)
    one, two = (BattleSummary("over", 5, "classic", 1, 10, seats=seats) for _ in range(2))
    assert one == two
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.turns = 11


def test_what_is_not_known_is_empty():
    it = BattleSummary("aborted", 0, "", 0, 0)
    assert (it.rows, it.seats, it.why, it.traceback, it.void_entry, it.notes) == ((), (), "", "", None, ())
