"""Saving small states: what was saved comes back, and nothing else is taken."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from turnwright.kernel.saving import pack_rows, restore_fields, save_fields


@dataclass
class State:
    pile: int = 0
    out: tuple[bool, ...] | list[bool] = ()
    rate: float = 0.5


def fresh() -> State:
    return State(3, [False, True])


def test_what_was_saved_comes_back() -> None:
    state = State(99, [True, False], -0.0)
    other = fresh()
    restore_fields(other, save_fields(state))
    assert repr(other) == repr(state)
    assert b"\n" not in save_fields(state)


@pytest.mark.parametrize(
    "change",
    [
        {"pile": "9"},
        {"pile": True},
        {"pile": 1.0},
        {"out": [True]},
        {"out": [True, 1]},
        {"out": None},
        {"rate": 1},
        {"new": 1},
    ],
)
def test_another_type_or_length_is_refused(change: dict[str, object]) -> None:
    data = json.loads(save_fields(fresh()))
    with pytest.raises(ValueError, match="its "):
        restore_fields(fresh(), json.dumps({**data, **change}).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"null", b"{"])
def test_what_is_no_saved_state_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        restore_fields(fresh(), data)


def test_rows_of_whole_numbers_take_8_bytes_each() -> None:
    assert pack_rows([(1, True), (-1, 2)]) == b"".join(
        n.to_bytes(8, "little", signed=True) for n in (1, 1, -1, 2)
    )
