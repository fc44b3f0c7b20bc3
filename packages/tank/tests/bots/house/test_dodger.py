"""Dodger circles at a distance, answers shots and aims ahead."""

from __future__ import annotations

import math

from packages.tank.tests.bots.battles import fight, paths_of
from turnwright_tank.bots import Bot
from turnwright_tank.bots.house.dodger import Dodger
from turnwright_tank.bots.house.duck import Duck
from turnwright_tank.bots.house.tracker import Tracker
from turnwright_tank.structs import Frame, Observation

PLACES = ((400, 100, 0), (400, 300, 0))


def test_a_dodger_keeps_its_distance_and_keeps_moving() -> None:
    dodger, duck = paths_of(Dodger, Duck, turns=120, places=PLACES)
    gaps = [math.dist(one, two) for one, two in zip(dodger, duck, strict=True)]
    assert min(gaps[60:]) > 180.0
    assert len({(round(x), round(y)) for x, y in dodger[20:]}) > 80


def test_a_dodger_hits_a_tank_that_drives_straight() -> None:
    class Straight(Bot):
        def on_tick(self, observation: Observation) -> None:
            self.target_speed = 8.0 if observation.turn_number % 160 < 80 else -8.0

    fired = hit = 0

    def look(frame: Frame) -> None:
        nonlocal fired, hit
        fired += sum(type(event).__name__ == "BulletFiredEvent" for event in frame.events)
        hit += sum(type(event).__name__ == "BulletHitBotEvent" for event in frame.events)

    fight(Dodger, Straight, places=((400, 500, 0), (80, 100, 0)), watch=look)
    assert hit > 0.4 * fired > 0


def test_guns_that_aim_straight_at_a_dodger_miss_it() -> None:
    dodger, tracker = fight(Dodger, Tracker, rounds=3).rows
    assert tracker.bullet_damage < 0.25 * dodger.bullet_damage
