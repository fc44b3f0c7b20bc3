"""Random values are valid for their type."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, Literal

import msgspec
import pytest

from turnwright.kernel.random_intents import random_value
from turnwright.kernel.rng import Stream


class Way(Enum):
    UP = "up"
    DOWN = "down"


class Move(msgspec.Struct):
    way: Way
    steps: Annotated[int, msgspec.Meta(ge=1, le=3)]
    far: bool = False


@pytest.mark.parametrize(
    ("kind", "seen"),
    [
        (Literal["left", "right"], {"left", "right"}),
        (bool, {False, True}),
        (Way, {Way.UP, Way.DOWN}),
        (Annotated[int, msgspec.Meta(ge=-1, le=1)], {-1, 0, 1}),
        (None, {None}),
        (Literal[1] | None, {1, None}),
        (tuple[bool, Literal[7]], {(False, 7), (True, 7)}),
    ],
)
def test_random_values_cover_all_values_of_a_type(kind: Any, seen: set[object]) -> None:
    rng = Stream(5)
    assert {random_value(kind, rng) for _ in range(99)} == seen


def test_a_text_is_not_drawn_at_random() -> None:
    with pytest.raises(TypeError, match=r"str .*drawn"):
        random_value(str, Stream(0))
    moves = [random_value(Annotated[Move, "a move"], Stream(seed)) for seed in (1, 2)]
    assert all(1 <= move.steps <= 3 for move in moves)
