"""Digests and check bytes: what a record says of a state."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kernel.support import battle, every_game
from turnwright.kernel.record import DIGEST_BYTES, Header, TurnRules, checks, digest


def game_of(fields: dict[str, bytes]) -> Any:
    """A game whose state is these named parts."""
    return SimpleNamespace(fields=lambda state: fields.items())


def test_a_digest_is_sixteen_hex_digits_that_any_change_changes() -> None:
    assert len(digest(b"state")) == 2 * DIGEST_BYTES
    assert digest(b"state") == digest(b"state") != digest(b"statf")
    int(digest(b""), 16)


def test_check_bytes_are_one_for_each_row_and_each_column() -> None:
    code, rows, columns = checks(game_of({"tanks[0].x": b"1", "tanks[0].y": b"2", "tanks[1].x": b"3"}), None)
    assert rows == ("tanks[0]", "tanks[1]")
    assert columns == ("x", "y")
    assert len(code) == 4


@given(st.integers(0, 2), st.sampled_from("xy"), st.binary(min_size=1, max_size=8))
def test_a_changed_field_shows_in_its_row_and_its_column_only(row: int, column: str, value: bytes) -> None:
    fields = {f"tanks[{r}].{c}": f"{r}{c}".encode() for r in range(3) for c in "xy"}
    before, rows, columns = checks(game_of(fields), None)
    name = f"tanks[{row}].{column}"
    after, _, _ = checks(game_of({**fields, name: value}), None)
    names = [f"{n}." for n in rows] + [f".{n}" for n in columns]
    differing = [n for n, one, two in zip(names, before, after, strict=True) if one != two]
    assert all(name.startswith(n) or name.endswith(n) for n in differing)


@every_game
def test_a_header_tells_all_of_the_setup_also_what_was_not_given(game: str) -> None:
    it = battle(game)
    assert set(it.game.defaults) <= set(it.header.setup)
    assert isinstance(it.header, Header)
    assert it.header.rules == TurnRules()
