"""The rows of content: accepted and refused values."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from turnwright_world.kit.schema import BlowRow, ItemRow, KindRow, PlaceRow, Spawn

PLACE = {"name": "Yard", "text": "A yard.", "area": "farm"}


def test_a_row_of_a_file_becomes_a_row() -> None:
    row = msgspec.convert({**PLACE, "exits": {"north": "barn"}}, PlaceRow)
    assert row.exits == {"north": "barn"}
    assert row.tags == ()


@pytest.mark.parametrize(
    ("row", "data"),
    [
        (PlaceRow, {**PLACE, "exits": {"northwest": "barn"}}),
        (PlaceRow, {**PLACE, "exits": {"north": "The Barn"}}),
        (PlaceRow, {**PLACE, "text": "x" * 2001}),
        (PlaceRow, {**PLACE, "colour": "red"}),
        (PlaceRow, {"name": "Yard"}),
        (KindRow, {"name": "dog", "health": 0}),
        (KindRow, {"name": "dog", "health": 10.5}),
        (KindRow, {"name": "dog", "attributes": {"luck": 3}}),
        (KindRow, {"name": "dog", "attributes": {"might": 101}}),
        (KindRow, {"name": "dog", "drops": {"bone": 101}}),
        (KindRow, {"name": "dog", "senses": {"sight": float("nan")}}),
        (ItemRow, {"name": "hat", "slot": "tail"}),
        (Spawn, {"place": "yard", "kind": "dog", "count": 201}),
        (BlowRow, {"kind": "bite", "damage": 5, "window_ms": 499}),
        (BlowRow, {"kind": "bite", "damage": -1}),
    ],
)
def test_values_out_of_bounds_are_refused(row: type[Any], data: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data, row)
