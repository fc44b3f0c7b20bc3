"""Digests and check bytes: what a record says of a state."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kernel.support import battle, every_game
from turnwright.kernel.game import Table
from turnwright.kernel.record import DIGEST_BYTES, Header, TurnRules, check_names, checks, digest, fields

COLUMNS = ("x", "y", "energy")
CUTS = (2,)


def game_of(rows: list[bytes], other: bytes = bytes(16)) -> Any:
    """A game whose state is a table of three seats, in two groups of columns, and one that is nobody's."""
    tables = [Table("tanks", COLUMNS, b"".join(rows), True, CUTS), Table("arena", ("turn", "round"), other)]
    return SimpleNamespace(tables=lambda state: tables)


def rows_of() -> list[bytes]:
    return [bytes([row + 1]) * 8 + bytes([row + 4]) * 8 + bytes([row + 7]) * 8 for row in range(3)]


def test_a_digest_is_sixteen_hex_digits_that_any_change_changes() -> None:
    assert len(digest(b"state")) == 2 * DIGEST_BYTES
    assert digest(b"state") == digest(b"state") != digest(b"statf")
    int(digest(b""), 16)


def test_checks_are_a_digit_for_each_group_and_each_seat() -> None:
    game = game_of(rows_of())
    assert len(checks(game, None)) == 2 + 1 + 3
    assert check_names(game, None) == ["x or y", "energy", "arena", "", "", ""]
    int(checks(game, None), 16)


def test_the_fields_of_a_state_have_names_with_their_row() -> None:
    named = dict(fields(game_of(rows_of()), None))
    assert named["tanks[1].y"] == bytes([5]) * 8
    assert len(named) == 3 * 3 + 2


@given(st.integers(0, 2), st.integers(0, 2), st.binary(min_size=8, max_size=8))
def test_a_changed_field_shows_in_its_group_and_its_seat_only(row: int, column: int, value: bytes) -> None:
    rows = rows_of()
    before = checks(game_of(rows), None)
    rows[row] = rows[row][: 8 * column] + value + rows[row][8 * column + 8 :]
    after = checks(game_of(rows), None)
    differing = {k for k in range(6) if before[k] != after[k]}
    assert differing <= {int(column >= CUTS[0]), 3 + row}


def test_nearly_every_change_shows() -> None:
    before, missed = checks(game_of(rows_of()), None), 0
    for number in range(500):
        rows = rows_of()
        rows[1] = number.to_bytes(8, "little") + rows[1][8:]
        after = checks(game_of(rows), None)
        missed += before[0] == after[0] or before[4] == after[4]
    assert 20 < missed < 110  # two digits of four bits each: one of eight is missed by one of them


@given(st.binary(min_size=16, max_size=16))
def test_what_is_nobodys_shows_in_no_seat(other: bytes) -> None:
    before, after = checks(game_of(rows_of()), None), checks(game_of(rows_of(), other), None)
    assert before[:2] + before[3:] == after[:2] + after[3:]


@every_game
def test_a_header_tells_all_of_the_setup_also_what_was_not_given(game: str) -> None:
    it = battle(game)
    assert set(it.game.defaults) <= set(it.header.setup)
    assert isinstance(it.header, Header)
    assert it.header.rules == TurnRules()
