"""Checks: two digits each identify the seats and parts in which a state differs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.kernel.game import StateTable
from turnwright.kernel.state_checks import (
    CHECKS_EVERY,
    differing,
    fields,
    full_check,
    is_full_check,
    part_names,
)

COLUMNS = ("x", "y", "energy")
SEATS = 10


def game_of(rows: list[bytes], other: bytes = bytes(16), *, every_column: bool = True) -> Any:
    """A game whose state is a table of some seats, and one without a seat."""
    tables = [
        StateTable("tanks", COLUMNS, b"".join(rows), True, every_column),
        StateTable("arena", ("turn", "round"), other, every_column=every_column),
    ]
    return SimpleNamespace(tables=lambda state: tables)


def rows_of() -> list[bytes]:
    return [bytes([row + 1]) * 8 + bytes([row + 4]) * 8 + bytes([row + 7]) * 8 for row in range(SEATS)]


def test_there_are_two_digits_for_each_seat_and_then_for_each_part() -> None:
    game = game_of(rows_of())
    assert len(full_check(game, None)) == 2 * (SEATS + 5)
    assert part_names(game, None) == ["x", "y", "energy", "arena.turn", "arena.round"]
    int(full_check(game, None), 16)


def test_a_game_may_keep_one_check_for_each_table() -> None:
    game = game_of(rows_of(), every_column=False)
    assert part_names(game, None) == ["tanks", "arena"]
    assert len(full_check(game, None)) == 2 * (SEATS + 2)


def test_a_table_without_rows_has_checks_too() -> None:
    game = game_of([], b"")
    assert len(full_check(game, None)) == 2 * 5


def test_the_fields_of_a_state_have_names_with_their_row() -> None:
    named = dict(fields(game_of(rows_of()), None))
    assert named["tanks[1].y"] == bytes([5]) * 8
    assert len(named) == SEATS * 3 + 2


def changed(row: int, column: int, value: bytes) -> list[bytes]:
    rows = rows_of()
    rows[row] = rows[row][: 8 * column] + value + rows[row][8 * column + 8 :]
    return rows


@given(st.integers(0, SEATS - 1), st.integers(0, 2), st.binary(min_size=8, max_size=8))
def test_a_changed_field_shows_in_its_seat_and_its_column_only(row: int, column: int, value: bytes) -> None:
    seats, parts = differing(game_of(changed(row, column, value)), None, full_check(game_of(rows_of()), None))
    assert set(seats) <= {row}
    assert set(parts) <= {COLUMNS[column]}


@pytest.mark.parametrize("column", [0, 1, 2])
def test_nearly_every_change_is_named(column: int) -> None:
    before, named = full_check(game_of(rows_of()), None), 0
    for number in range(500):
        rows = changed(number % SEATS, column, number.to_bytes(8, "little"))
        named += differing(game_of(rows), None, before) == ((number % SEATS,), (COLUMNS[column],))
    assert named > 490


def test_all_seats_and_columns_that_differ_are_named() -> None:
    rows = changed(2, 0, bytes(8))
    rows[5] = changed(5, 2, bytes(8))[5]
    found = differing(game_of(rows), None, full_check(game_of(rows_of()), None))
    assert found == ((2, 5), ("x", "energy"))


def test_a_difference_outside_of_seats_names_no_seat() -> None:
    other = bytes(8) + (7).to_bytes(8, "little")
    found = differing(game_of(rows_of(), other), None, full_check(game_of(rows_of()), None))
    assert found == ((), ("arena.round",))


def test_everything_is_checked_often_at_first_and_then_now_and_then() -> None:
    turns = [turn for turn in range(1, 3 * CHECKS_EVERY + 1) if is_full_check(turn)]
    assert turns == [1, 2, 4, 8, 16, 32, 64, 128, 192]


@pytest.mark.parametrize("digits", ["", "00", "z" * 29])
def test_a_check_of_another_length_names_nothing(digits: str) -> None:
    assert differing(game_of(rows_of()), None, digits) == ((), ())
