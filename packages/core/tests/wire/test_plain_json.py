from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import inf, nan

import pytest

from turnwright.wire.plain_json import camel, json_bytes, read_json


@dataclass
class Move:
    way: str
    steps: tuple[int, ...] = (1, 2)


class Way(Enum):
    UP = "up"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": [1, 2.0, None, True, "Zoë"]}, '{"a":[1,2.0,null,true,"Zoë"]}'),
        ([nan, inf, {"b": -inf}], '[null,null,{"b":null}]'),
        ([Move("up", (1, nan)), {inf}], '[{"way":"up","steps":[1,null]},[null]]'),
        ({"move": Move("up")}, '{"move":{"way":"up","steps":[1,2]}}'),
        ([Way.UP, {3}], '["up",[3]]'),
        ("a\ud800b", '"a?b"'),
    ],
)
def test_values_are_written_compactly(value: object, text: str) -> None:
    assert json_bytes(value).decode() == text


def test_a_value_that_json_cannot_hold_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="object"):
        json_bytes(object())


@pytest.mark.parametrize("data", [b"", b"{", b"NaN", b"\xff", "[" * 100_000])
def test_invalid_json_is_a_value_error(data: bytes | str) -> None:
    with pytest.raises(ValueError):
        read_json(data)


def test_bytes_and_text_are_read_alike() -> None:
    assert read_json('{"a": "Zoë"}') == read_json('{"a": "Zoë"}'.encode()) == {"a": "Zoë"}


def test_names_are_written_as_in_json() -> None:
    assert [camel(name) for name in ("x", "turn_rate", "is_droid")] == ["x", "turnRate", "isDroid"]
