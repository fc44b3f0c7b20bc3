from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_tank.rules import constants


@pytest.mark.parametrize(
    ("speed", "target", "expected"),
    [
        (0.0, 8.0, 1.0),
        (0.0, 0.3, 0.3),
        (0.0, -8.0, -1.0),
        (0.0, -0.3, -0.3),
        (3.0, 8.0, 4.0),
        (7.5, 8.0, 8.0),
        (7.5, 99.0, 8.0),
        (8.0, 2.0, 6.0),
        (3.0, 2.0, 2.0),
        (8.0, 0.0, 0.0),
        (8.0, -8.0, 3.0),
        (3.0, -8.0, 0.5),
        (0.5, -8.0, -0.75),
        (-0.75, -8.0, -1.75),
        (-8.0, 8.0, -3.0),
        (-8.0, 0.0, 0.0),
        (-3.0, -8.0, -4.0),
        (-8.0, -2.0, -6.0),
    ],
)
def test_new_speed_follows_the_table(speed: float, target: float, expected: float) -> None:
    assert constants.new_speed(speed, target) == expected


def test_a_tank_that_reverses_through_zero_may_stop_at_minus_zero() -> None:
    assert math.copysign(1.0, constants.new_speed(2.0, -8.0)) == -1.0
    assert math.copysign(1.0, constants.new_speed(-1.0, 0.0)) == -1.0


@given(st.floats(-8, 8), st.floats(-1e300, 1e300))
def test_new_speed_stays_in_range_and_is_symmetric(speed: float, target: float) -> None:
    after = constants.new_speed(speed, target)
    assert -8.0 <= after <= 8.0
    assert after == -constants.new_speed(-speed, -target)


@pytest.mark.parametrize(
    ("power", "speed", "damage", "heat"),
    [(0.1, 19.7, 0.4, 1.02), (1.0, 17.0, 4.0, 1.2), (2.0, 14.0, 10.0, 1.4), (3.0, 11.0, 16.0, 1.6)],
)
def test_a_stronger_bullet_is_slower_hotter_and_hits_harder(
    power: float, speed: float, damage: float, heat: float
) -> None:
    assert constants.bullet_speed(power) == pytest.approx(speed, abs=1e-12)
    assert constants.bullet_damage(power) == pytest.approx(damage, abs=1e-12)
    assert constants.gun_heat(power) == pytest.approx(heat, abs=1e-12)


@pytest.mark.parametrize(("speed", "rate"), [(0.0, 10.0), (8.0, 4.0), (-8.0, 4.0), (1.0, 9.25)])
def test_a_faster_body_turns_slower(speed: float, rate: float) -> None:
    assert constants.turn_rate_max(speed) == rate


@pytest.mark.parametrize(("speed", "damage"), [(8, 3.0), (-8, 3.0), (5, 1.5), (2, 0.0), (0, 0.0), (99, 3.0)])
def test_wall_damage_is_half_the_speed_less_one(speed: float, damage: float) -> None:
    assert constants.wall_damage(float(speed)) == damage


@given(st.floats(-100, 100))
def test_clamp_cuts_only_values_outside_its_bounds(value: float) -> None:
    assert constants.clamp(value, -4.0, 4.0) == max(-4.0, min(4.0, value))


def test_clamp_keeps_the_sign_of_zero() -> None:
    assert math.copysign(1.0, constants.clamp(-0.0, -4.0, 4.0)) == -1.0
