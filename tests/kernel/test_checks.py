"""Checks: which seat and which part of a state differ is told by a few digits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.kernel.checks import check_names, checks, differing, fields, odd_seat
from turnwright.kernel.game import Table

COLUMNS = ("x", "y", "energy")
CUTS = (2,)
SEATS = 10


def game_of(rows: list[bytes], other: bytes = bytes(16)) -> Any:
    """A game whose state is a table of some seats, in two groups of columns, and one that is nobody's."""
    tables = [Table("tanks", COLUMNS, b"".join(rows), True, CUTS), Table("arena", ("turn", "round"), other)]
    return SimpleNamespace(tables=lambda state: tables)


def rows_of() -> list[bytes]:
    return [bytes([row + 1]) * 8 + bytes([row + 4]) * 8 + bytes([row + 7]) * 8 for row in range(SEATS)]


def test_there_are_four_digits_for_the_odd_seat_then_one_for_each_seat_and_group() -> None:
    game = game_of(rows_of())
    assert len(checks(game, None)) == 4 + SEATS + 3
    assert checks(game, None, everything=False) == checks(game, None)[:4]
    assert check_names(game, None) == ["x or y", "energy", "arena"]
    int(checks(game, None), 16)


def test_the_fields_of_a_state_have_names_with_their_row() -> None:
    named = dict(fields(game_of(rows_of()), None))
    assert named["tanks[1].y"] == bytes([5]) * 8
    assert len(named) == SEATS * 3 + 2


def changed(row: int, column: int, value: bytes) -> list[bytes]:
    rows = rows_of()
    rows[row] = rows[row][: 8 * column] + value + rows[row][8 * column + 8 :]
    return rows


@given(st.integers(0, SEATS - 1), st.integers(0, 2), st.binary(min_size=8, max_size=8))
def test_a_changed_field_shows_in_its_seat_and_its_group_only(row: int, column: int, value: bytes) -> None:
    before = checks(game_of(rows_of()), None)
    after = checks(game_of(changed(row, column, value)), None)
    found = differing(before, after, SEATS)
    assert found is not None
    assert set(found[0]) <= {row}
    assert set(found[1]) <= {int(column >= CUTS[0])}
    assert odd_seat(before, after, SEATS) in (row, None)


def test_nearly_every_changed_seat_is_named() -> None:
    before, missed = checks(game_of(rows_of()), None, everything=False), 0
    for number in range(2_000):
        after = checks(game_of(changed(number % SEATS, 0, number.to_bytes(8, "big"))), None)
        missed += odd_seat(before, after, SEATS) is None
    assert missed < 30


def test_of_several_changed_seats_none_is_named_but_rarely() -> None:
    before, wrong = checks(game_of(rows_of()), None), 0
    for number in range(1_000):
        rows = changed(2, 0, number.to_bytes(8, "big"))
        rows[5] = changed(5, 1, number.to_bytes(8, "little"))[5]
        wrong += odd_seat(before, checks(game_of(rows), None), SEATS) is not None
    assert wrong < 90


@pytest.mark.parametrize("digits", ["", "00", "zz00", "a"])
def test_a_record_without_checks_names_nobody(digits: str) -> None:
    found = checks(game_of(rows_of()), None)
    assert differing(digits, found, SEATS) is None
    assert odd_seat(digits, found, 0) is None


@given(st.binary(min_size=16, max_size=16))
def test_what_is_nobodys_shows_in_no_seat(other: bytes) -> None:
    before, after = checks(game_of(rows_of()), None), checks(game_of(rows_of(), other), None)
    assert before[:-1] == after[:-1]
