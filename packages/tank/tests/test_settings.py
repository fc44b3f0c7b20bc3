from __future__ import annotations

from typing import Any

import pytest

from turnwright.errors import SetupError
from turnwright.kernel.game import SeatInfo
from turnwright_tank.rules.constants import TANKS_MAX
from turnwright_tank.seats import check_seats
from turnwright_tank.settings import ROUNDS_MAX, SIDE_MAX, read_settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("arena_width", 0),
        ("arena_width", SIDE_MAX + 1),
        ("arena_height", 600.5),
        ("arena_height", True),
        ("number_of_rounds", 0),
        ("number_of_rounds", ROUNDS_MAX + 1),
        ("gun_cooling_rate", float("nan")),
        ("gun_cooling_rate", float("inf")),
        ("gun_cooling_rate", "fast"),
        ("max_inactivity_turns", None),
        ("game_type", 7),
        ("no_such_field", 1),
    ],
)
def test_a_bad_setting_is_refused_by_name(name: str, value: Any) -> None:
    with pytest.raises(SetupError, match=name):
        read_settings({name: value})


@pytest.mark.parametrize("rate", [0, -0.5, 3])
def test_odd_cooling_rates_are_legal_as_in_the_original(rate: float) -> None:
    assert read_settings({"gun_cooling_rate": rate}).gun_cooling_rate == rate


@pytest.mark.parametrize(
    ("count", "fits"), [(0, False), (1, True), (TANKS_MAX, True), (TANKS_MAX + 1, False)]
)
def test_the_number_of_tanks_is_bounded(count: int, fits: bool) -> None:
    settings = read_settings({"arena_width": 5000, "arena_height": 5000})
    seats = [SeatInfo("b")] * count
    if fits:
        check_seats(settings, seats)
    else:
        with pytest.raises(SetupError, match=str(TANKS_MAX)):
            check_seats(settings, seats)


@pytest.mark.parametrize(
    ("width", "height", "count", "fits"),
    [
        (100, 50, 2, True),
        (99, 50, 2, False),
        (40, 600, 1, False),
        (800, 600, 192, True),
        (800, 600, 193, False),
    ],
)
def test_every_tank_needs_a_cell(width: int, height: int, count: int, fits: bool) -> None:
    settings = read_settings({"arena_width": width, "arena_height": height})
    seats = [SeatInfo("b")] * count
    if fits:
        check_seats(settings, seats)
    else:
        with pytest.raises(SetupError, match="make it larger"):
            check_seats(settings, seats)


@pytest.mark.parametrize("value", [float("nan"), "left", True])
def test_an_invalid_wish_is_refused(value: Any) -> None:
    seat = SeatInfo("Bot", options={"initial_position": {"x": value}})
    with pytest.raises(SetupError, match="Bot"):
        check_seats(read_settings({}), [seat])
