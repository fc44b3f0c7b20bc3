from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.tank.tests.small_battles import duel
from turnwright_tank.intent_rows import as_floats, colors_of, numbers_of
from turnwright_tank.structs import TankIntent

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0, 1)


def test_an_intent_that_says_nothing_has_the_defaults() -> None:
    assert numbers_of(TankIntent()) == NOTHING


def test_set_fields_are_taken_in_the_order_of_a_row() -> None:
    said = TankIntent(
        target_speed=1.0,
        turn_rate=2.0,
        gun_turn_rate=3.0,
        radar_turn_rate=4.0,
        firepower=5.0,
        adjust_gun_for_body_turn=True,
        adjust_radar_for_body_turn=False,
        adjust_radar_for_gun_turn=True,
        rescan=True,
        fire_assist=False,
    )
    assert numbers_of(said) == (1.0, 2.0, 3.0, 4.0, 5.0, 1, 0, 1, 1, 0)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), 10**400, "8"])
@pytest.mark.parametrize("name", ["target_speed", "turn_rate", "firepower"])
def test_a_number_that_is_not_finite_counts_as_unset(name: str, bad: Any) -> None:
    said: dict[str, Any] = {name: bad, "gun_turn_rate": 2.0}
    assert numbers_of(TankIntent(**said)) == (0.0, 0.0, 2.0, *NOTHING[3:])


@given(*[st.none() | st.floats() | st.integers()] * 5)
def test_numbers_are_always_finite(a: Any, b: Any, c: Any, d: Any, e: Any) -> None:
    intent = TankIntent(target_speed=a, turn_rate=b, gun_turn_rate=c, radar_turn_rate=d, firepower=e)
    assert all(math.isfinite(value) for value in as_floats(numbers_of(intent)))


def test_bad_colours_change_nothing() -> None:
    before = (1, 2, 3, 4, 5, 6, 7)
    texts: list[Any] = [None, "#fff", "", "red", "#12345", 7, "#00ff00"]
    assert colors_of(texts, before) == (1, 0xFFFFFF, 3, 4, 5, 6, 0x00FF00)


def test_numbers_reset_each_turn_and_colours_stay() -> None:
    game, state, streams = duel((100, 100, 0), (500, 500, 0))
    game.resolve(state, {}, streams)
    game.resolve(state, {0: TankIntent(target_speed=8.0, turn_rate=1.0, body_color="#abc")}, streams)
    game.resolve(state, {0: TankIntent(turn_rate=2.0)}, streams)
    tank = game.observe(state, 0).bot_state
    assert (tank.speed, tank.turn_rate, tank.body_color) == (0.0, 2.0, "#AABBCC")


def test_repeating_executes_the_stored_intent_and_idling_the_defaults() -> None:
    game, state, streams = duel((100, 100, 0), (500, 500, 0))
    game.resolve(state, {}, streams)
    game.resolve(state, {0: TankIntent(target_speed=8.0)}, streams)
    game.resolve(state, {0: game.default_intent(state, 0, "repeat")}, streams)
    assert game.observe(state, 0).bot_state.speed == 2.0
    game.resolve(state, {0: game.default_intent(state, 0, "idle")}, streams)
    assert game.observe(state, 0).bot_state.speed == 0.0


def test_a_seat_without_any_answer_repeats_nothing() -> None:
    game, state, streams = duel((100, 100, 0), (500, 500, 0))
    for _ in range(3):
        game.resolve(state, {0: game.default_intent(state, 0, "repeat")}, streams)
    assert game.observe(state, 0).bot_state.x == 100.0
