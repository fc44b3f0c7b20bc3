"""Attributes of a bot: wrong types, invalid numbers, and misspelt names."""

from __future__ import annotations

import math
from typing import Any

import pytest

from packages.core.tests.messages import missing
from turnwright_tank.bots import Bot
from turnwright_tank.bots.attributes import almost


class Plain(Bot):
    """A bot that does nothing."""


@pytest.mark.parametrize("name", ["turn_rate", "gun_turn_rate", "radar_turn_rate", "target_speed"])
@pytest.mark.parametrize(
    ("value", "error"),
    [("fast", TypeError), (None, TypeError), ([1], TypeError), ("5", TypeError), (math.nan, ValueError)],
)
def test_a_wrong_number_names_attribute_value_and_expected_values(
    name: str, value: Any, error: type[Exception]
) -> None:
    bot = Plain()
    with pytest.raises(error) as raised:
        setattr(bot, name, value)
    shown = value if isinstance(value, str | float) else repr(value)
    assert not missing(str(raised.value), name, shown, "takes", "number", "turn")
    assert getattr(bot, name) == 0.0


@pytest.mark.parametrize("value", ["yes", 2, None, 0.5])
def test_a_flag_takes_true_and_false(value: Any) -> None:
    bot = Plain()
    with pytest.raises(TypeError) as raised:
        bot.adjust_gun_for_body_turn = value
    assert not missing(str(raised.value), "adjust_gun_for_body_turn", "True", "False")
    bot.adjust_gun_for_body_turn = True
    assert bot.adjust_gun_for_body_turn is True
    assert Plain().adjust_gun_for_body_turn is False


def test_firing_with_a_wrong_type_names_the_expected_values() -> None:
    with pytest.raises(TypeError) as raised:
        Plain().fire("hard")  # type: ignore[arg-type]
    assert not missing(str(raised.value), "firepower", "hard", "0.1", "3")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("turnrate", "turn_rate"),
        ("turnRate", "turn_rate"),
        ("turn_raet", "turn_rate"),
        ("gun_turn_rat", "gun_turn_rate"),
        ("targetSpeed", "target_speed"),
        ("tarrget_speed", "target_speed"),
        ("fire_asist", "fire_assist"),
    ],
)
def test_a_misspelt_attribute_is_an_error_that_names_the_right_one(name: str, meant: str) -> None:
    with pytest.raises(AttributeError) as raised:
        setattr(Plain(), name, 5)
    assert not missing(str(raised.value), name, meant, "did you mean", "Plain")


def test_a_bot_can_have_its_own_attributes() -> None:
    class Own(Bot):
        turn_rates = 0

    bot: Any = Own()
    bot.turn_rates = 3
    bot.target = (1, 2)
    bot.speed = 8
    bot.target_speeds = []
    bot.random = None
    assert (bot.turn_rates, bot.target, bot.speed, bot.target_speeds) == (3, (1, 2), 8, [])


def test_a_method_that_is_set_like_an_attribute_is_refused() -> None:
    with pytest.raises(AttributeError) as raised:
        Plain().fire = 2  # type: ignore[method-assign, assignment]
    assert not missing(str(raised.value), "self.fire(2)", "method")


@pytest.mark.parametrize(
    ("name", "meant"), [("on_scaned_bot", "on_scanned_bot"), ("onTick", "on_tick"), ("on_tik", "on_tick")]
)
def test_a_misspelt_handler_is_refused_with_the_class(name: str, meant: str) -> None:
    with pytest.raises(AttributeError) as raised:
        type("Mine", (Bot,), {name: lambda self, event: None})
    assert not missing(str(raised.value), "Mine", name, meant, "did you mean")


def test_a_bots_own_methods_may_begin_like_a_handler() -> None:
    assert type("Mine", (Bot,), {"on_target": lambda self: None, "only_once": 1})


@pytest.mark.parametrize("name", ["turn", "rate", "gun_rate", "speed", "turn_rate_22", ""])
def test_other_names_are_not_taken_for_a_misspelt_one(name: str) -> None:
    assert almost(name, ("turn_rate", "gun_turn_rate", "target_speed")) is None
