"""A wrong setting is reported with its name, its value and the values that the game accepts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest

from turnwright import catalog
from turnwright.errors import SetupError
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright.kernel.settings import set_up

_SEATS = (SeatInfo("one"), SeatInfo("two"))


class _Settings(msgspec.Struct):
    share: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.5
    name: Annotated[str, msgspec.Meta(min_length=1)] = "a"
    seed: int | None = None
    cells: list[int] = []
    pair: tuple[int, int] = (0, 0)
    food: dict[str, int] = {}
    side: Literal["up", "down"] = "up"


class _Set:
    """A game that only converts its settings."""

    name = "set"

    def setup(self, settings: Any, *_: Any) -> _Settings:
        return msgspec.convert(settings, _Settings)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"share": 1}, "share is 1: give less than 1.0"),
        ({"name": ""}, "name is '': give a text of length 1 or more"),
        ({"seed": "x" * 90}, f"seed is '{'x' * 39}: give a whole number or null"),
        ({"cells": 3}, "cells is 3: give a list"),
        ({"cells": [1, "a"]}, "cells[1] is 'a': give a whole number"),
        ({"pair": [1]}, "pair is [1]: give a list of length 2"),
        ({"food": {"a": "b"}}, "food[...] is {'a': 'b'}: give a whole number"),
        ({"side": "left"}, "side is 'left': invalid enum value 'left'"),
        (3, "the settings of set cannot be played: Expected `object`, got `int`"),
    ],
)
def test_a_wrong_setting_is_reported_with_its_value(given: Any, told: str) -> None:
    with pytest.raises(SetupError) as caught:
        set_up(_Set(), given, _SEATS, Streams(0))  # type: ignore[arg-type]
    assert str(caught.value) == told


def test_a_games_own_error_is_reported_in_its_words() -> None:
    snake = catalog.load("snake")
    with pytest.raises(SetupError, match=r"^the settings of snake cannot be played: 4 snakes have no room"):
        set_up(snake, {**snake.defaults, "width": 5}, [*_SEATS, *_SEATS], Streams(0))
