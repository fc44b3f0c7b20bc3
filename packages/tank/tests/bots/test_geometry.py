"""The bots' geometry: angles, and the formulas of the rules that a bot needs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_tank.bots import geometry

angles = st.floats(-1e6, 1e6)


@given(angles)
def test_normalize_brings_any_angle_into_the_half_open_turn_around_zero(angle: float) -> None:
    turned = geometry.normalize(angle)
    assert -180.0 <= turned < 180.0
    assert math.isclose(math.cos(math.radians(turned)), math.cos(math.radians(angle)), abs_tol=1e-6)


@pytest.mark.parametrize(
    ("point", "direction"), [((1, 0), 0), ((0, 1), 90), ((-1, 0), 180), ((0, -1), 270), ((1, 1), 45)]
)
def test_directions_go_counter_clockwise_from_east(point: tuple[float, float], direction: float) -> None:
    assert geometry.direction_from(0, 0, *point) == pytest.approx(direction)


@given(st.floats(0, 360), st.floats(1, 2000))
def test_project_goes_where_direction_from_looks(direction: float, distance: float) -> None:
    x, y = geometry.project(100.0, 50.0, direction, distance)
    assert geometry.distance_between(100.0, 50.0, x, y) == pytest.approx(distance)
    assert geometry.normalize(geometry.direction_from(100.0, 50.0, x, y) - direction) == pytest.approx(
        0.0, abs=1e-6
    )


@pytest.mark.parametrize(
    ("power", "speed", "damage"), [(0.1, 19.7, 0.4), (1.0, 17.0, 4.0), (3.0, 11.0, 16.0), (5.0, 11.0, 16.0)]
)
def test_bullets_are_slower_and_hit_harder_with_more_power(power: float, speed: float, damage: float) -> None:
    assert geometry.bullet_speed(power) == pytest.approx(speed)
    assert geometry.bullet_damage(power) == pytest.approx(damage)


@pytest.mark.parametrize(
    ("speed", "target", "after"),
    [(0, 8, 1), (5, 8, 6), (8, 8, 8), (8, 3, 6), (8, 0, 0), (8, -8, 3), (3, -8, 0.5), (0.5, -8, -0.75),
     (0, -8, -1), (-8, 8, -3), (-2, -8, -3), (0, 0, 0)],
)  # fmt: skip
def test_speed_changes_as_the_rules_say(speed: float, target: float, after: float) -> None:
    assert geometry.speed_after(speed, target) == pytest.approx(after)


def test_a_fast_tank_turns_slowly() -> None:
    assert geometry.max_turn_rate(0.0) == 10.0
    assert geometry.max_turn_rate(-8.0) == 4.0


def test_absolute_angles_are_directions() -> None:
    assert geometry.absolute(-90.0) == 270.0
