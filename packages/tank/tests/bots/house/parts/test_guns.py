"""The guns: how they aim, and how they learn which of them to trust."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator

import pytest

from packages.tank.tests.bots.scenes import scan
from turnwright_tank.bots.house.parts.foe import Foe, wrap
from turnwright_tank.bots.house.parts.guns import Guns, foresee

ARENA = (4000.0, 4000.0)
GUN = (1700.0, 1900.0)
"""The place of the gun, next to the path of `run`, which begins at (2000, 2000) and leads north."""


def run(turning_deg: float, speed: float, turns: int) -> list[Foe]:
    """Return an enemy in each turn that drives a circle or straight on."""
    x, y, heading = 2000.0, 2000.0, 90.0
    foe = Foe(scan(0, x=x, y=y, direction=heading, speed=speed))
    seen = []
    for turn in range(1, turns):
        x += math.cos(math.radians(heading)) * speed
        y += math.sin(math.radians(heading)) * speed
        heading += turning_deg
        foe.see(scan(turn, x=x, y=y, direction=heading % 360.0, speed=speed))
        copy = Foe(scan(turn, x=x, y=y, direction=heading % 360.0, speed=speed))
        copy.turning, copy.gain = foe.turning, 0.0
        seen.append(copy)
    return seen


@pytest.mark.parametrize("turning", [0.0, 4.0, -6.0])
@pytest.mark.parametrize("bullet_pace", [11.0, 17.0, 19.7])
def test_a_foreseen_way_is_met_by_the_bullet(turning: float, bullet_pace: float) -> None:
    way = run(turning, 7.0, 90)
    now = 5
    aim = foresee(*GUN, bullet_pace, way[now], math.radians(turning), 0, ARENA)
    nearest = min(
        math.hypot(
            GUN[0] + math.cos(aim) * bullet_pace * (turn - now - 0.5) - way[turn].x,
            GUN[1] + math.sin(aim) * bullet_pace * (turn - now - 0.5) - way[turn].y,
        )
        for turn in range(now + 2, len(way))
    )
    assert nearest < 18.0


def test_an_old_scan_is_carried_forward() -> None:
    way = run(0.0, 8.0, 60)
    fresh = foresee(*GUN, 14.0, way[20], 0.0, 0, ARENA)
    stale = foresee(*GUN, 14.0, way[12], 0.0, 8, ARENA)
    assert stale == pytest.approx(fresh)


def test_a_wall_ends_a_straight_way() -> None:
    foe = Foe(scan(1, x=760.0, y=300.0, direction=0.0, speed=8.0))
    aim = foresee(400.0, 100.0, 11.0, foe, 0.0, 0, (800.0, 600.0))
    assert aim == pytest.approx(math.atan2(200.0, 382.0))


def taught_by(enemies: Iterable[Foe]) -> Guns:
    """Return guns that have followed an enemy, a turn at a time, from the same place."""
    guns = Guns(*ARENA)
    for turn, foe in enumerate(enemies, start=1):
        guns.learn(foe)
        guns.plan(*GUN, turn + 1, 14.0, foe, turn)
    return guns


def test_the_gun_that_foresees_the_way_comes_to_be_trusted() -> None:
    straight, curved, direct, *_ = taught_by(run(5.0, 7.0, 400)).ratings
    assert curved > 0.9
    assert curved > straight + 0.3
    assert curved > direct + 0.3
    straight, _, direct, *_ = taught_by(run(0.0, 4.0, 130)).ratings
    assert straight > direct + 0.2


def stop_and_go(turns: int) -> Iterator[Foe]:
    """Yield an enemy that circles the gun and stops now and then: it gets half as far as it could."""
    lot, angle, left, moving = random.Random(4), 0.0, 0, False
    foe = Foe(scan(0, x=GUN[0] + 300.0, y=GUN[1], direction=90.0))
    for turn in range(1, turns):
        if left == 0:
            moving, left = not moving, lot.randint(4, 6)
        left -= 1
        speed = 8.0 if moving else 0.0
        angle += math.asin(speed / 300.0)
        x, y = GUN[0] + 300.0 * math.cos(angle), GUN[1] + 300.0 * math.sin(angle)
        foe.see(scan(turn, x=x, y=y, direction=math.degrees(angle) % 360.0 + 90.0, speed=speed))
        yield foe


def test_irregular_movement_is_learned() -> None:
    straight, curved, direct, learned, _ = taught_by(stop_and_go(1500)).ratings
    assert learned > max(straight, curved, direct) + 0.2


def swing(turns: int) -> Iterator[Foe]:
    """Yield an enemy that turns round every 30 turns."""
    x = 2000.0
    foe = Foe(scan(0, x=x, y=2200.0, direction=0.0))
    for turn in range(1, turns):
        speed = 8.0 if turn % 60 < 30 else -8.0
        x += speed
        foe.see(scan(turn, x=x, y=2200.0, direction=0.0, speed=speed))
        yield foe


def test_repeated_movement_is_remembered() -> None:
    guns = taught_by(swing(900))
    assert guns.rating == guns.ratings[4] > 0.8


def test_waves_are_forgotten_with_the_round_and_ratings_are_remembered() -> None:
    guns = Guns(*ARENA)
    for turn, foe in enumerate(run(5.0, 7.0, 200), start=1):
        guns.learn(foe)
        guns.plan(*GUN, turn + 1, 14.0, foe, turn)
    ratings = list(guns.ratings)
    guns.new_round()
    guns.learn(run(5.0, 7.0, 3)[-1])
    assert guns.ratings == ratings


def test_a_first_shot_goes_somewhere_near_the_enemy() -> None:
    foe = Foe(scan(1, x=2000.0, y=2000.0, direction=0.0, speed=8.0))
    aim = Guns(*ARENA).plan(2000.0, 1600.0, 2, 14.0, foe, 1)
    assert abs(wrap(aim - math.pi / 2.0)) < math.asin(8.0 / 14.0) + 0.01
