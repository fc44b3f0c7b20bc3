"""Saved states can be restored, and other data is refused."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
import pytest

from turnwright.errors import GameError
from turnwright.kernel.game import PerSeat
from turnwright.kernel.saved_state import packed_tables, restore_state, save_state


@dataclass
class Body:
    x: int = 0
    cells: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class State:
    size: Final[int]
    out: PerSeat[bool]
    bodies: PerSeat[Body]
    pile: int = 0
    rate: float = 0.5
    name: str | None = None


class Structure(msgspec.Struct):
    size: Final[int]
    out: PerSeat[bool]
    bodies: PerSeat[Body]
    pile: int = 0
    rate: float = 0.5
    name: str | None = None


both = pytest.mark.parametrize("kind", [State, Structure])


def fresh(kind: Any = State) -> Any:
    return kind(9, [False, True], [Body(1), Body(2)])


@both
def test_a_saved_state_can_be_restored(kind: Any) -> None:
    state = kind(9, [True, False], [Body(7, [(1, 2)]), Body()], 99, -0.0, "name")
    other = fresh(kind)
    restore_state(other, save_state(state))
    assert repr(other) == repr(state)
    assert b"\n" not in save_state(state)


@both
@pytest.mark.parametrize(
    "change",
    [
        {"pile": "9"},
        {"pile": True},
        {"pile": 1.5},
        {"out": [True]},
        {"out": [True, 1]},
        {"out": None},
        {"bodies": [{"x": 1, "cells": []}]},
        {"bodies": [{"x": 1, "cells": []}, {"x": 1, "cells": [[1]]}]},
        {"rate": "1"},
        {"size": 8},
        {"new": 1},
    ],
)
def test_another_type_or_length_is_refused(kind: Any, change: dict[str, object]) -> None:
    data = json.loads(save_state(fresh(kind)))
    with pytest.raises(ValueError):
        restore_state(fresh(kind), json.dumps({**data, **change}).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"null", b"{"])
def test_data_that_is_not_a_saved_state_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        restore_state(fresh(), data)


@both
def test_a_state_is_one_table_of_its_fields_and_one_of_its_seats(kind: Any) -> None:
    state, seats = packed_tables(fresh(kind))
    assert state[:2] == ("state", ("pile", "rate", "name"))
    assert state[2][:16] == struct.pack("<qd", 0, 0.5)
    assert seats[:2] == ("seats", ("out", "bodies.x", "bodies.cells"))
    rows = [seats[2][at : at + 24] for at in range(0, len(seats[2]), 24)]
    assert [row[:16] for row in rows] == [struct.pack("<2q", 0, 1), struct.pack("<2q", 1, 2)]


def test_every_field_that_changes_shows_in_the_tables() -> None:
    before = list(packed_tables(fresh()))
    for name, value in {"pile": 1, "rate": 0.25, "name": "", "out": [True, True]}.items():
        state = fresh()
        setattr(state, name, value)
        assert list(packed_tables(state)) != before
    state = fresh()
    state.bodies[1].cells.append((0, 1))
    assert list(packed_tables(state)) != before


def test_seats_of_unlike_number_are_refused_by_name() -> None:
    state = fresh()
    state.out.append(True)
    with pytest.raises(ValueError, match=r"out: 3, bodies\.x: 2"):
        list(packed_tables(state))


def test_a_state_without_fields_is_refused() -> None:
    with pytest.raises(TypeError, match=r"dataclass .*msgspec structure"):
        list(packed_tables(5))


class Foreign:
    pass


@dataclass
class Hand:
    cards: Any


@dataclass
class Holder:
    extra: Any
    hands: list[Hand]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (Holder(Foreign(), []), "state.extra is a packages.core.tests.kernel.test_saved_state.Foreign"),
        (Holder(0, [Hand(1), Hand(lambda: 0)]), r"state.hands\[1\].cards is a function"),
        (Holder({"a": [0, print]}, []), r"state.extra\['a'\]\[1\] is a builtin_function_or_method"),
    ],
)
def test_a_value_that_no_state_may_hold_is_named_with_its_field_and_the_authors_file(
    state: Holder, said: str
) -> None:
    for use in (save_state, lambda one: list(packed_tables(one))):
        with pytest.raises(GameError, match=said + r";.*\(class Holder, test_saved_state.py\)"):
            use(state)
