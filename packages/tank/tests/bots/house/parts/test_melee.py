"""Movement among many tanks."""

from __future__ import annotations

import math
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from packages.tank.tests.bots.scenes import scan
from turnwright_tank.bots.house.parts.foe import Foe
from turnwright_tank.bots.house.parts.melee import safest_spot
from turnwright_tank.bots.house.parts.surf import Motion

ARENA = (1000.0, 1000.0)


def foes(*places: tuple[float, float]) -> list[Foe]:
    return [Foe(scan(1, scanned_bot_id=number, x=x, y=y)) for number, (x, y) in enumerate(places, start=2)]


def spot_of(
    me: Motion, others: list[Foe], seed: int = 1, old: tuple[float, float] | None = None
) -> tuple[float, float]:
    return safest_spot(me, old, 100.0, others, ARENA, random.Random(seed))


@settings(deadline=None)
@given(st.floats(18, 982), st.floats(18, 982), st.floats(-math.pi, math.pi), st.integers(0, 99))
def test_a_spot_is_never_nearer_to_a_wall_than_we_like(x: float, y: float, heading: float, seed: int) -> None:
    spot = spot_of(Motion(x, y, heading, 0.0), foes((500.0, 500.0), (100.0, 900.0)), seed)
    assert spot == (x, y) or all(36.0 <= part <= 964.0 for part in spot)


def test_a_tank_moves_away_from_near_enemies() -> None:
    me = Motion(500.0, 500.0, math.pi / 2.0, 0.0)
    for seed in range(20):
        x, y = spot_of(me, foes((560.0, 500.0), (640.0, 500.0)), seed)
        assert math.hypot(x - 560.0, y - 500.0) > 90.0


def test_at_full_speed_we_do_not_turn_round_without_need() -> None:
    me = Motion(500.0, 500.0, 0.0, 8.0)
    ahead = sum(spot_of(me, foes((500.0, 900.0), (500.0, 100.0)), seed)[0] > 500.0 for seed in range(40))
    assert ahead >= 36


def test_a_tank_stays_with_a_spot_while_none_is_clearly_better() -> None:
    me, others = Motion(500.0, 500.0, 0.0, 8.0), foes((900.0, 900.0), (100.0, 100.0))
    first = spot_of(me, others, 1)
    kept = sum(spot_of(me, others, seed, first) == first for seed in range(20))
    assert kept >= 10
