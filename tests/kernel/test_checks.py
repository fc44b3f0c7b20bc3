"""Checks: which seat and which part of a state differ is told by a few digits."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.kernel.checks import (
    CHECKS_EVERY,
    SEAT_DIGITS,
    checks,
    differing,
    fields,
    has_everything,
    odd_columns,
    odd_seat,
    part_names,
    turn_digits,
    watched,
)
from turnwright.kernel.game import Table

COLUMNS = ("x", "y", "energy")
WATCHED = (0, 2)
SEATS = 10
TURN = SEAT_DIGITS + 3
"""Two columns of 52 steps are a number of three hex digits."""


def game_of(rows: list[bytes], other: bytes = bytes(16), *, apart: bool = True) -> Any:
    """A game whose state is a table of some seats, and one that is nobody's."""
    tables = [
        Table("tanks", COLUMNS, b"".join(rows), True, WATCHED, apart),
        Table("arena", ("turn", "round"), other, apart=apart),
    ]
    return SimpleNamespace(tables=lambda state: tables)


def rows_of() -> list[bytes]:
    return [bytes([row + 1]) * 8 + bytes([row + 4]) * 8 + bytes([row + 7]) * 8 for row in range(SEATS)]


def test_there_are_four_digits_for_the_odd_seat_then_one_for_each_watched_column_seat_and_part() -> None:
    game = game_of(rows_of())
    assert len(checks(game, None)) == TURN + SEATS + 5
    assert checks(game, None, everything=False) == checks(game, None)[:TURN]
    assert turn_digits(game, None) == TURN
    assert watched(game, None) == ["x", "energy"]
    assert part_names(game, None) == ["x", "y", "energy", "arena.turn", "arena.round"]
    int(checks(game, None), 16)


def test_a_game_may_keep_one_check_for_each_table() -> None:
    game = game_of(rows_of(), apart=False)
    assert part_names(game, None) == ["tanks", "arena"]
    assert len(checks(game, None)) == TURN + SEATS + 2


def test_the_fields_of_a_state_have_names_with_their_row() -> None:
    named = dict(fields(game_of(rows_of()), None))
    assert named["tanks[1].y"] == bytes([5]) * 8
    assert len(named) == SEATS * 3 + 2


def changed(row: int, column: int, value: bytes) -> list[bytes]:
    rows = rows_of()
    rows[row] = rows[row][: 8 * column] + value + rows[row][8 * column + 8 :]
    return rows


@given(st.integers(0, SEATS - 1), st.integers(0, 2), st.binary(min_size=8, max_size=8))
def test_a_changed_field_shows_in_its_seat_and_its_columns_only(row: int, column: int, value: bytes) -> None:
    before = checks(game_of(rows_of()), None)
    after = checks(game_of(changed(row, column, value)), None)
    found = set(differing(before[TURN:], after[TURN:]))
    assert found <= {row, SEATS + column}
    assert {WATCHED[k] for k in odd_columns(before, after, len(WATCHED))} <= {column}
    assert odd_seat(before, after, SEATS) in (row, None)


@pytest.mark.parametrize("bit", [0, 31, 51, 52, 62, 63])
@pytest.mark.parametrize("column", [0, 1, 2])
def test_nearly_every_changed_column_is_named_wherever_the_change_is(column: int, bit: int) -> None:
    before, missed, unwatched = checks(game_of(rows_of()), None), 0, 0
    for number in range(520):
        seat = number % SEATS
        old = int.from_bytes(rows_of()[seat][8 * column : 8 * column + 8], "little")
        new = (old ^ 1 << bit) + (number // SEATS << 40) & (1 << 64) - 1
        after = checks(game_of(changed(seat, column, new.to_bytes(8, "little"))), None)
        missed += SEATS + column not in differing(before[TURN:], after[TURN:])
        unwatched += [WATCHED[k] for k in odd_columns(before, after, len(WATCHED))] != [column]
    assert missed < 520 / 16 * 2
    assert column not in WATCHED or unwatched < 520 / 52 * 2.5


def test_watched_columns_that_change_together_are_all_named() -> None:
    before, named = checks(game_of(rows_of()), None), 0
    for number in range(500):
        rows = changed(3, 0, number.to_bytes(8, "big"))
        rows[3] = rows[3][:16] + (number * 7).to_bytes(8, "big")
        named += odd_columns(before, checks(game_of(rows), None), 2) == [0, 1]
    assert named > 460


def test_everything_is_checked_often_at_first_and_then_now_and_then() -> None:
    turns = [turn for turn in range(1, 3 * CHECKS_EVERY + 1) if has_everything(turn)]
    assert turns == [1, 2, 4, 8, 16, 32, 64, 128, 192]


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


@pytest.mark.parametrize("digits", ["", "00", "zz00", "a", "z" * 40])
def test_a_record_without_checks_names_nobody(digits: str) -> None:
    found = checks(game_of(rows_of()), None)
    assert differing(digits, found) == []
    assert odd_columns(digits, found, len(WATCHED)) == []
    assert odd_columns(found, found, 0) == []
    assert odd_seat(digits, "0303" + found[SEAT_DIGITS:], SEATS) is None


@given(st.binary(min_size=16, max_size=16))
def test_what_is_nobodys_shows_in_no_seat(other: bytes) -> None:
    before, after = checks(game_of(rows_of()), None), checks(game_of(rows_of(), other), None)
    assert before[:-2] == after[:-2]
