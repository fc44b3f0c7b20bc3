"""Radar lock, aiming ahead, driving: the answers that bots share."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.tank.bots.scenes import scan, tank
from turnwright.games.tank.bots.geometry import bullet_speed, direction_from, normalize, project, speed_after
from turnwright.games.tank.bots.targeting import (
    aim_ahead,
    drive_towards,
    inside,
    radar_lock,
    smooth_along_walls,
)

directions = st.floats(0, 359.999)


@given(directions, directions, st.floats(40, 1000), st.floats(-8, 8))
def test_a_locked_radar_sweeps_over_its_target_in_the_next_turn(
    radar: float, towards: float, distance: float, moved: float
) -> None:
    me = tank(radar_direction=radar)
    x, y = project(me.x, me.y, towards, distance)
    for _ in range(6):
        rate = radar_lock(me, x, y)
        before, me = me.radar_direction, tank(radar_direction=(me.radar_direction + rate) % 360.0)
    offset = normalize(direction_from(me.x, me.y, x, y) - before)
    assert abs(rate) <= 45.0
    assert rate * offset >= 0.0
    assert abs(rate) >= abs(offset)


@pytest.mark.parametrize("speed", [-8.0, -3.0, 0.0, 5.0, 8.0])
@pytest.mark.parametrize("power", [0.1, 1.0, 3.0])
def test_a_bullet_aimed_ahead_meets_a_tank_that_keeps_its_way(speed: float, power: float) -> None:
    target = scan(x=1500.0, y=1000.0, direction=110.0, speed=speed)
    aim = aim_ahead(1200.0, 900.0, target, power, 3000.0, 3000.0)
    nearest = math.inf
    for turns in range(1, 100):
        tx, ty = project(target.x, target.y, target.direction, speed * (turns - 1))
        bx, by = project(1200.0, 900.0, aim, turns * bullet_speed(power))
        nearest = min(nearest, math.hypot(tx - bx, ty - by))
    assert nearest < 18.0 + bullet_speed(power) / 2.0


def test_a_target_is_taken_to_stop_at_the_wall() -> None:
    target = scan(x=770.0, y=300.0, direction=0.0, speed=8.0)
    assert aim_ahead(400.0, 300.0, target, 1.0, 800.0, 600.0) == pytest.approx(0.0)


@given(directions, directions)
def test_driving_takes_the_shorter_turn_forwards_or_backwards(heading: float, towards: float) -> None:
    drive = drive_towards(tank(direction=heading), towards)
    assert abs(drive.turn_rate) <= 10.0
    leads = heading if drive.target_speed > 0 else heading + 180.0
    assert abs(normalize(towards - leads)) <= 90.0 + 1e-9
    assert normalize(towards - leads) * drive.turn_rate >= 0.0


@given(st.floats(18, 782), st.floats(18, 582), directions, st.sampled_from([1, -1]))
def test_a_way_along_the_walls_stays_inside(x: float, y: float, direction: float, turn: int) -> None:
    smooth = smooth_along_walls(x, y, direction, turn, 800.0, 600.0)
    assert inside(*project(x, y, smooth, 130.0), 800.0, 600.0)


def test_a_free_way_is_left_alone() -> None:
    assert smooth_along_walls(400.0, 300.0, 77.0, 1, 800.0, 600.0) == 77.0


def test_the_inside_keeps_its_margin() -> None:
    assert inside(18.0, 300.0, 800.0, 600.0)
    assert not inside(17.9, 300.0, 800.0, 600.0)
    assert not inside(400.0, 570.0, 800.0, 600.0, 40.0)


def test_the_formulas_of_speed_reach_what_is_asked() -> None:
    speed = -8.0
    for _ in range(20):
        speed = speed_after(speed, 8.0)
    assert speed == 8.0
