"""Tracker keeps radar and gun on one tank and comes as near as it likes."""

from __future__ import annotations

from packages.tank.tests.bots.battles import fight
from turnwright_tank.bots.geometry import direction_from, normalize
from turnwright_tank.bots.house.duck import Duck
from turnwright_tank.bots.house.tracker import Tracker
from turnwright_tank.structs import Frame

PLACES = ((100, 300, 90), (700, 300, 0))


def test_a_tracker_keeps_its_gun_on_the_target_and_its_distance() -> None:
    offsets, distances = [], []

    def look(frame: Frame) -> None:
        if frame.turn_number > 100 and len(frame.bot_states) == 2:
            me, duck = frame.bot_states
            offsets.append(normalize(direction_from(me.x, me.y, duck.x, duck.y) - me.gun_direction))
            distances.append(abs(me.x - duck.x))

    fight(Tracker, Duck, places=PLACES, watch=look)
    assert max(map(abs, offsets)) < 4.0
    assert 120.0 < distances[-1] < 400.0


def test_a_tracker_seldom_misses_a_still_tank() -> None:
    fired = hit = 0

    def look(frame: Frame) -> None:
        nonlocal fired, hit
        fired += sum(type(event).__name__ == "BulletFiredEvent" for event in frame.events)
        hit += sum(type(event).__name__ == "BulletHitBotEvent" for event in frame.events)

    fight(Tracker, Duck, places=PLACES, watch=look)
    assert hit >= 0.7 * fired > 0
