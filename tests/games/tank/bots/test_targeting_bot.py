"""Bots that fight one enemy at a time."""

from __future__ import annotations

import pytest

from tests.games.tank.bots.scenes import ENEMY, ME, scan, scene
from turnwright.bots import GameInfo
from turnwright.games.tank.bots.targeting import TargetingBot
from turnwright.games.tank.observation import BotDeathEvent, ScannedBotEvent


class Watcher(TargetingBot):
    """Drives on and writes down whom it hunts."""

    def __init__(self) -> None:
        super().__init__()
        self.hunted: list[tuple[int, int]] = []
        self.game_started(GameInfo(my_id=ME))

    def attack(self, target: ScannedBotEvent, turn_number: int) -> None:
        self.hunted.append((target.scanned_bot_id, turn_number))
        self.target_speed = 5.0


def test_without_an_enemy_it_stands_and_its_radar_goes_round() -> None:
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


def test_what_is_done_about_the_enemy_must_be_said() -> None:
    bot = TargetingBot()
    bot.game_started(GameInfo(my_id=ME))
    with pytest.raises(NotImplementedError):
        bot.step(scene(1, scan(1)))
