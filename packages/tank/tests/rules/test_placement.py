from __future__ import annotations

import math
from typing import Any

import pytest

from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.rules.placement import place_tanks
from turnwright_tank.settings import read_settings


def placed(count: int, seed: int = 1, round_number: int = 1, **options: Any) -> list[Any]:
    seats = [SeatInfo(f"b{k}", options=options) for k in range(count)]
    teams = list(range(count))
    return place_tanks(read_settings({}), seats, teams, [False] * count, Streams(seed), round_number)


def test_tanks_are_placed_apart_inside_the_arena_and_look_ahead() -> None:
    tanks = placed(192)
    assert len({(int(t.x // 50), int(t.y // 50)) for t in tanks}) == 192
    for k, one in enumerate(tanks):
        assert 18 <= one.x <= 782
        assert 18 <= one.y <= 582
        assert one.direction == one.gun_direction == one.radar_direction
        assert 0 <= one.direction < 360
        assert all(math.dist((one.x, one.y), (t.x, t.y)) >= 36 for t in tanks[k + 1 :])


def test_places_follow_from_seed_and_round_alone() -> None:
    def spots(seed: int, round_number: int) -> list[tuple[float, float]]:
        return [(t.x, t.y) for t in placed(4, seed, round_number)]

    assert spots(5, 2) == spots(5, 2)
    assert spots(5, 2) != spots(5, 3)
    assert spots(5, 2) != spots(6, 2)


def test_a_wish_counts_by_parts_and_is_clamped_to_the_arena() -> None:
    (tank,) = placed(1, initial_position={"x": -50, "y": 9999, "direction": 400})
    assert (tank.x, tank.y, tank.direction) == (18.0, 582.0, 400.0)
    (free,) = placed(1)
    (partly,) = placed(1, initial_position={"y": 500})
    assert (partly.x, partly.y, partly.direction) == (free.x, 500.0, free.direction)


@pytest.mark.parametrize(("droid", "energy"), [(True, 120.0), (False, 100.0)])
def test_droids_have_more_energy(droid: bool, energy: float) -> None:
    (tank,) = placed(1, droid=droid)
    assert (tank.energy, tank.gun_heat, tank.alive) == (energy, 3.0, 1)
