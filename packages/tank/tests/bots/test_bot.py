"""The library's core: the order of its calls, and the contents of an intent."""

from __future__ import annotations

import math
from typing import Any

import pytest

from packages.tank.tests.bots.scenes import ME, scan, scene
from turnwright_tank.bots import Bot, GameInfo
from turnwright_tank.bots.bot import MESSAGES_MAX, PRINTED_CHARS_MAX
from turnwright_tank.intent import TankIntent
from turnwright_tank.structs import BotHitWallEvent, Observation, ScannedBotEvent, WonRoundEvent


class Diary(Bot):
    """Records what it receives."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.game_started(GameInfo(my_id=ME))

    def on_round_started(self, round_number: int) -> None:
        self.said.append(f"round {round_number}")

    def on_tick(self, observation: Observation) -> None:
        self.said.append(f"tick {observation.turn_number}")

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        self.said.append(f"scan of {event.turn_number} in {self.observation.turn_number}")

    def on_hit_wall(self, event: BotHitWallEvent) -> None:
        self.said.append("wall")

    def on_won_round(self, event: WonRoundEvent) -> None:
        self.said.append("won")


def step(bot: Bot, turn: int = 1, *events: Any, **changed: Any) -> TankIntent:
    return bot.step(scene(turn, *events, **changed))


def test_all_events_are_handled_before_on_tick_and_the_intent() -> None:
    class Shooter(Diary):
        def on_scanned_bot(self, event: ScannedBotEvent) -> None:
            super().on_scanned_bot(event)
            self.fire(2)

    bot = Shooter()
    intent = step(bot, 1, scan(), BotHitWallEvent(1, ME), WonRoundEvent(1))
    assert bot.said == ["round 1", "won", "wall", "scan of 1 in 1", "tick 1"]
    assert intent.firepower == 2.0


def test_a_round_begins_once_with_or_without_a_message_of_the_driver() -> None:
    bot = Diary()
    bot.round_started(1)
    step(bot, 1)
    step(bot, 1, round_number=2)
    assert bot.said == ["round 1", "tick 1", "round 2", "tick 1"]


def test_events_of_unanswered_turns_are_delivered_with_the_next_one() -> None:
    bot = Diary()
    bot.round_started(1)
    bot.note(scene(2, scan(2)))
    step(bot, 3, BotHitWallEvent(3, ME))
    assert bot.said == ["round 1", "scan of 2 in 3", "wall", "tick 3"]


def test_events_more_than_two_turns_old_are_dropped() -> None:
    bot = Diary()
    bot.round_started(1)
    for turn in (1, 2, 3):
        bot.note(scene(turn, scan(turn)))
    step(bot, 4)
    assert bot.said == ["round 1", "scan of 2 in 4", "scan of 3 in 4", "tick 4"]


def test_events_of_another_round_are_not_kept() -> None:
    bot = Diary()
    bot.round_started(1)
    bot.note(scene(9, scan(9)))
    step(bot, 1, round_number=2)
    assert bot.said == ["round 1", "round 2", "tick 1"]


def test_rates_and_speed_stay_as_set() -> None:
    bot = Diary()
    step(bot)
    bot.turn_rate, bot.gun_turn_rate, bot.radar_turn_rate, bot.target_speed = 1, -2, 3, -4
    for turn in (2, 3):
        intent = step(bot, turn)
        rates = (intent.turn_rate, intent.gun_turn_rate, intent.radar_turn_rate, intent.target_speed)
        assert rates == (1.0, -2.0, 3.0, -4.0)


def test_shot_rescan_messages_text_and_graphics_last_one_turn() -> None:
    class Busy(Diary):
        def on_tick(self, observation: Observation) -> None:
            if observation.turn_number == 1:
                self.fire(1)
                self.rescan()
                self.send_team_message({"x": 1}, 3)
                self.print("hello", 1)
                self.draw("<svg/>")

    bot = Busy()
    first = step(bot, 1, is_debugging_enabled=True)
    assert (first.firepower, first.rescan, first.std_out, first.debug_graphics) == (
        1.0, True, "hello 1\n", "<svg/>",
    )  # fmt: skip
    assert first.team_messages is not None
    assert [(m.message, m.message_type, m.receiver_id) for m in first.team_messages] == [
        ('{"x":1}', "dict", 3)
    ]
    second = step(bot, 2, is_debugging_enabled=True)
    assert (second.firepower, second.rescan, second.std_out) == (0.0, None, None)
    assert (second.team_messages, second.debug_graphics) == (None, None)


def test_a_new_round_sets_rates_and_speed_to_zero_and_keeps_flags() -> None:
    bot = Diary()
    bot.adjust_gun_for_body_turn = True
    bot.turn_rate = bot.target_speed = 5
    step(bot, 1)
    intent = step(bot, 1, round_number=2)
    assert (intent.turn_rate, intent.target_speed, intent.adjust_gun_for_body_turn) == (0.0, 0.0, True)


def test_graphics_are_sent_only_while_they_are_wanted() -> None:
    bot = Diary()
    bot.draw("<svg/>")
    assert step(bot).debug_graphics is None


def test_colours_are_sent_until_the_tank_shows_them() -> None:
    bot = Diary()
    bot.set_colors(body="#f80", scan="#00ff00")
    assert step(bot, 1).body_color == "#FF8800"
    assert step(bot, 2).scan_color == "#00FF00"
    shown = step(bot, 3, body_color="#FF8800", scan_color="#123456")
    assert (shown.body_color, shown.scan_color) == (None, "#00FF00")


@pytest.mark.parametrize("colors", [{"body": "red"}, {"body": "#12345"}, {"wheels": "#123456"}])
def test_an_invalid_colour_is_refused_with_a_reason(colors: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"expected a colour|no part"):
        Diary().set_colors(**colors)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", ["turn_rate", "gun_turn_rate", "radar_turn_rate", "target_speed"])
def test_numbers_that_are_not_finite_are_refused_where_they_are_set(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        setattr(Diary(), name, value)


def test_infinite_firepower_is_refused_and_too_large_one_is_cut() -> None:
    bot = Diary()
    with pytest.raises(ValueError, match="firepower"):
        bot.fire(math.nan)

    class Strong(Diary):
        def on_tick(self, observation: Observation) -> None:
            self.fire(99)

    assert step(Strong()).firepower == 3.0


def test_fire_assist_is_sent_only_when_it_is_off() -> None:
    bot = Diary()
    assert step(bot, 1).fire_assist is None
    bot.fire_assist = False
    assert step(bot, 2).fire_assist is False


def test_too_many_team_messages_are_refused() -> None:
    bot = Diary()
    for _ in range(MESSAGES_MAX):
        bot.send_team_message(1)
    with pytest.raises(ValueError, match=str(MESSAGES_MAX)):
        bot.send_team_message(1)


def test_printed_text_is_bounded_and_keeps_its_end() -> None:
    bot = Diary()
    bot.print("x" * 2 * PRINTED_CHARS_MAX)
    bot.print("end")
    text = step(bot).std_out
    assert text is not None
    assert len(text) == PRINTED_CHARS_MAX
    assert text.endswith("end\n")


def test_helpers_look_from_my_tank() -> None:
    bot = Diary()
    step(bot, direction=90.0, gun_direction=45.0, radar_direction=350.0)
    assert bot.distance_to(400.0, 310.0) == 10.0
    assert bot.direction_to(390.0, 300.0) == 180.0
    assert bot.bearing_to(500.0, 300.0) == -90.0
    assert bot.gun_bearing_to(500.0, 300.0) == -45.0
    assert bot.radar_bearing_to(500.0, 300.0) == 10.0
    assert bot.normalize(270.0) == -90.0


def test_the_seed_and_the_bot_id_decide_the_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    def numbers(seed: str, my_id: int) -> list[float]:
        monkeypatch.setenv("BOT_SEED", seed)
        bot = Bot()
        bot.game_started(GameInfo(my_id=my_id))
        return [bot.random.random() for _ in range(3)]

    assert numbers("5", 1) == numbers("5", 1)
    assert numbers("5", 1) != numbers("5", 2)
    assert numbers("5", 1) != numbers("6", 1)


def test_without_a_seed_two_bots_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOT_SEED", raising=False)
    assert Bot().random.random() != Bot().random.random()


def test_a_game_may_be_described_by_a_mapping() -> None:
    bot = Bot()
    bot.game_started({"my_id": 4, "arena_width": 1000, "teammate_ids": [2], "something_else": 1})
    assert bot.info == GameInfo(my_id=4, arena_width=1000, teammate_ids=(2,))
