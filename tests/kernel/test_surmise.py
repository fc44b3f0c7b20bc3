"""What a state may have been: guessed, and compared with a few digits of it."""

from __future__ import annotations

import random

import pytest

from turnwright.kernel.checks import checks_of
from turnwright.kernel.game import Table
from turnwright.kernel.record import digest
from turnwright.kernel.surmise import surmise

COLUMNS = ("x", "power", "color", "mode")
SEATS = 5


def state(changes: dict[tuple[int, int], int] | None = None, seed: int = 1) -> list[Table]:
    """Return the tables of a state in which these cells (seat, column) have other values."""
    rng = random.Random(seed)
    cells = [rng.randrange(1, 1 << 64) for _ in range(SEATS * len(COLUMNS))]
    for (seat, column), value in (changes or {}).items():
        cells[seat * len(COLUMNS) + column] = value
    data = b"".join(cell.to_bytes(8, "little") for cell in cells)
    return [
        Table("arena", ("turn",), (7).to_bytes(8, "little")),
        Table("tanks", COLUMNS, data, by_seat=True, watched=(0,)),
        Table("scores", ("points",), bytes(range(8 * SEATS)), by_seat=True),
    ]


def said(tables: list[Table]) -> tuple[str, str]:
    """Return what a record says of a state."""
    return digest(b"".join(table.data for table in tables))[:3], checks_of(tables, everything=False)


def test_a_field_that_should_be_as_before_is_found() -> None:
    then, now = state(), state({(2, 1): 99})
    assert surmise(now, 2, [then], said(then)) == ("power",)


def test_up_to_four_fields_are_found_together_in_the_order_of_the_state() -> None:
    then, now = state(), state({(2, 3): 1, (2, 1): 2, (2, 2): 3, (2, 0): 4})
    assert surmise(now, 2, [then], said(then)) == COLUMNS
    mixed = state({(2, 3): 1, (2, 0): 4})
    assert surmise(now, 2, [then], said(mixed)) == ("power", "color")


def test_a_value_of_long_ago_and_zero_are_found() -> None:
    old, then, now = state({(4, 1): 55}), state({(4, 1): 66}), state({(4, 1): 66})
    assert surmise(now, 4, [old, then], said(old)) == ("power",)
    assert surmise(now, 4, [then], said(state({(4, 1): 0}))) == ("power",)


def test_a_value_that_another_seat_has_is_found() -> None:
    then, now = state({(4, 1): 77}), state({(4, 1): 99, (2, 1): 77})
    true = state({(4, 1): 77, (2, 1): 77})
    assert surmise(now, 4, [now], said(true)) == ("power",)
    assert surmise(now, 4, [now], said(true), others=False) == ()
    assert surmise(state({(4, 1): 99}), 4, [], said(then)) == (), "no seat has it"


def test_what_it_never_was_is_not_found() -> None:
    then, now = state(), state({(2, 1): 99})
    assert surmise(now, 2, [then], said(state({(2, 1): 123}))) == ()
    assert surmise(now, 3, [then], said(then)) == (), "another seat's"
    assert surmise(now, 2, [], said(then)) == ()


def test_the_digest_must_agree_too_where_it_is_known() -> None:
    then, now = state(), state({(2, 1): 99})
    digits, checks = said(then)
    other = f"{(int(digits, 16) + 1) % 4096:03x}"
    assert surmise(now, 2, [then], (other, checks)) == ()
    assert surmise(now, 2, [then], ("", checks)) == ("power",)


@pytest.mark.parametrize("seed", range(8))
def test_a_guess_is_not_right_by_chance(seed: int) -> None:
    then, now = state(seed=seed), state({(1, 1): 5, (1, 2): 6, (1, 3): 7}, seed)
    past = [state({(1, column): number * 31 + seed for column in range(4)}, seed) for number in range(40)]
    assert surmise(now, 1, [*past, then], said(state({(1, 1): 1234567, (1, 2): 7654321}, seed))) == ()
