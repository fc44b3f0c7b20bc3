"""Targeting: the choice of an enemy, radar lock, aiming ahead, driving."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.tank.tests.bots.scenes import ENEMY, ME, scan, scene, tank
from turnwright_tank.bots import GameInfo
from turnwright_tank.bots.geometry import bullet_speed, direction_from, normalize, project, speed_after
from turnwright_tank.bots.targeting import (
    Target,
    TargetingBot,
    aim_ahead,
    drive_towards,
    inside,
    radar_lock,
    smooth_along_walls,
)
from turnwright_tank.structs import BotDeathEvent, ScannedBotEvent

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


def test_the_formulas_of_speed_reach_the_wanted_speed() -> None:
    speed = -8.0
    for _ in range(20):
        speed = speed_after(speed, 8.0)
    assert speed == 8.0


NEAR = {"scanned_bot_id": 3, "x": 450.0}
A_LITTLE_NEARER = {"scanned_bot_id": 4, "x": 580.0}


def test_the_first_one_is_taken_and_followed() -> None:
    target = Target()
    assert target.at(1) is None
    target.see(scan(1), tank())
    target.see(scan(2, x=700.0), tank())
    found = target.at(2)
    assert found is not None
    assert found.x == 700.0


def test_only_a_much_nearer_tank_becomes_the_new_target() -> None:
    target = Target()
    target.see(scan(1), tank())
    target.see(scan(1, **A_LITTLE_NEARER), tank())
    assert target.at(1) == scan(1)
    target.see(scan(1, **NEAR), tank())
    assert target.at(1) == scan(1, **NEAR)


def test_a_target_is_lost_when_it_dies_or_has_not_been_seen_for_long() -> None:
    target = Target(sight_turns=4)
    target.see(scan(1), tank())
    target.forget(99)
    assert target.at(5) == scan(1)
    assert target.at(6) is None
    target.see(scan(7), tank())
    target.forget(ENEMY)
    assert target.at(7) is None


class Watcher(TargetingBot):
    """Keeps driving and records its targets."""

    def __init__(self) -> None:
        super().__init__()
        self.hunted: list[tuple[int, int]] = []
        self.game_started(GameInfo(my_id=ME))

    def attack(self, target: ScannedBotEvent, turn_number: int) -> None:
        self.hunted.append((target.scanned_bot_id, turn_number))
        self.target_speed = 5.0


def test_without_an_enemy_it_stops_and_its_radar_rotates() -> None:
    bot = Watcher()
    intent = bot.step(scene(1))
    assert bot.hunted == []
    assert (intent.target_speed, intent.turn_rate, intent.gun_turn_rate) == (0.0, 0.0, 0.0)
    assert intent.radar_turn_rate == 45.0
    assert intent.adjust_gun_for_body_turn is intent.adjust_radar_for_body_turn is True
    assert intent.adjust_radar_for_gun_turn is True


def test_its_radar_stays_on_an_enemy_until_that_is_dead_or_lost() -> None:
    bot = Watcher()
    found = bot.step(scene(1, scan(1), radar_direction=10.0))
    assert found.radar_turn_rate is not None
    assert found.radar_turn_rate < 0.0
    assert found.target_speed == 5.0
    bot.step(scene(2))
    assert bot.hunted == [(ENEMY, 1), (ENEMY, 2)]
    assert bot.step(scene(3, BotDeathEvent(3, ENEMY))).target_speed == 0.0
    bot.step(scene(4, scan(4)))
    assert bot.step(scene(9)).radar_turn_rate == 45.0
    assert bot.hunted[2:] == [(ENEMY, 4)]


def test_a_new_round_begins_without_an_enemy() -> None:
    bot = Watcher()
    bot.step(scene(1, scan(1)))
    bot.step(scene(1, round_number=2))
    assert len(bot.hunted) == 1


def test_a_subclass_must_define_the_reaction_to_the_enemy() -> None:
    bot = TargetingBot()
    bot.game_started(GameInfo(my_id=ME))
    with pytest.raises(NotImplementedError):
        bot.step(scene(1, scan(1)))
