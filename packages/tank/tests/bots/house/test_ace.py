"""Ace wins against guns and ways of all kinds, and is quick about it."""

from __future__ import annotations

import sys
from statistics import median

import pytest

from packages.tank.tests.bots.battles import fight
from packages.tank.tests.bots.scenes import ME, scan, scene
from turnwright_tank.bots import Bot, GameInfo
from turnwright_tank.bots.house import HOUSE
from turnwright_tank.bots.house.ace import Ace
from turnwright_tank.intent import TankIntent
from turnwright_tank.structs import Observation

CALLS_MAX = 2_000
"""The most calls of functions, ours and built-in, for one answer. Most answers take a quarter of that."""


class Circler(Bot):
    """Drives in a perfect circle."""

    def on_tick(self, observation: Observation) -> None:
        self.turn_rate, self.target_speed = 3.0, 7.0


class Swinger(Bot):
    """Drives to and fro."""

    def on_tick(self, observation: Observation) -> None:
        self.target_speed = 8.0 if observation.turn_number % 60 < 30 else -8.0


@pytest.mark.parametrize("harmless", [HOUSE["Duck"], Circler, Swinger])
def test_ace_finds_out_how_its_target_moves(harmless: type[Bot]) -> None:
    fired = hit = 0

    def look(frame: object) -> None:
        nonlocal fired, hit
        for event in frame.events:  # type: ignore[attr-defined]  # a Frame
            fired += type(event).__name__ == "BulletFiredEvent"
            hit += type(event).__name__ == "BulletHitBotEvent"

    assert fight(Ace, harmless, rounds=5, watch=look).rows[0].first_places == 5
    assert hit > 0.5 * fired


@pytest.mark.parametrize("name", ["Spinner", "Tracker", "Crawler", "Dodger"])
def test_ace_is_seldom_hit(name: str) -> None:
    ace, other = fight(Ace, HOUSE[name], rounds=5).rows
    assert ace.first_places == 5
    assert other.bullet_damage < 0.5 * ace.bullet_damage


def test_ace_is_among_the_best_of_many() -> None:
    names = ("Ace", "Tracker", "Crawler", "Rammer", "Spinner", "Duck")
    totals = fight(*[HOUSE[name] for name in names], rounds=10, seed=3).totals
    assert totals[0] > 1.2 * sum(totals[1:]) / len(totals[1:])


def test_ace_does_not_shoot_at_its_team() -> None:
    ace = Ace()
    ace.game_started(GameInfo(my_id=ME, teammate_ids=(2,)))
    for turn in range(1, 60):
        intent = ace.step(scene(turn, scan(turn), enemy_count=1))
        assert intent.firepower == 0.0
    assert intent.radar_turn_rate == 45.0


def test_ace_turns_its_radar_round_after_a_while_without_enemies() -> None:
    ace = Ace()
    ace.step(scene(1, scan(1)))
    intents = [ace.step(scene(turn)) for turn in range(2, 20)]
    assert abs(intents[0].radar_turn_rate or 0.0) < 45.0
    assert intents[-1] == TankIntent(
        turn_rate=0.0,
        gun_turn_rate=0.0,
        radar_turn_rate=45.0,
        target_speed=0.0,
        firepower=0.0,
        adjust_gun_for_body_turn=True,
        adjust_radar_for_body_turn=True,
        adjust_radar_for_gun_turn=True,
        fire_assist=False,
        body_color="#111827",
        turret_color="#374151",
        radar_color="#F59E0B",
        bullet_color="#FDE68A",
    )


def test_ace_answers_with_few_calls() -> None:
    """Its time is measured by bench/promptness.py."""
    spent: list[int] = []

    class Counted(Ace):
        def step(self, observation: Observation) -> TankIntent:
            calls = 0

            def count(frame: object, event: str, arg: object) -> None:
                nonlocal calls
                calls += event in ("call", "c_call")

            sys.setprofile(count)
            try:
                return super().step(observation)
            finally:
                sys.setprofile(None)
                spent.append(calls)

    fight(Counted, HOUSE["Dodger"], rounds=1)
    assert median(spent) < CALLS_MAX
