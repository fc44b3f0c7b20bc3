"""Stores intents in the rows: colours as numbers, defaults for unset fields.

The first intent of a turn resets numbers and switches that it does not set. Colours and debug graphics stay.
Source: tank-rules.md#intents, royale-protocol.md#botintent.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from turnwright_tank.bot_output import BotOutput
from turnwright_tank.intent import IntentNumbers
from turnwright_tank.rules.colors import parse_color
from turnwright_tank.state import TankBattleState
from turnwright_tank.structs import TankIntent

_words = attrgetter(
    "body_color",
    "turret_color",
    "radar_color",
    "bullet_color",
    "scan_color",
    "tracks_color",
    "gun_color",
    "std_out",
    "std_err",
    "debug_graphics",
    "team_messages",
)
_COLORS = 7
"""Number of colours of a tank, in the order of its row."""
_NO_WORDS = (None,) * 11


def numbers_of(intent: TankIntent) -> IntentNumbers:
    """Return the numbers of an intent, with defaults for fields that are not set or not finite."""
    speed = intent.target_speed
    turn = intent.turn_rate
    gun_turn = intent.gun_turn_rate
    radar_turn = intent.radar_turn_rate
    power = intent.firepower
    numbers: IntentNumbers = (
        0.0 if speed is None else speed,
        0.0 if turn is None else turn,
        0.0 if gun_turn is None else gun_turn,
        0.0 if radar_turn is None else radar_turn,
        0.0 if power is None else power,
        1 if intent.adjust_gun_for_body_turn else 0,
        1 if intent.adjust_radar_for_body_turn else 0,
        1 if intent.adjust_radar_for_gun_turn else 0,
        1 if intent.rescan else 0,
        0 if intent.fire_assist is False else 1,
    )
    try:
        if (numbers[0] + numbers[1] + numbers[2] + numbers[3] + numbers[4]) * 0.0 == 0.0:
            return numbers
    except (OverflowError, TypeError):
        pass
    return as_floats(numbers)


def as_floats(numbers: IntentNumbers) -> IntentNumbers:
    """Return the numbers as floats, with 0 in place of numbers that are not finite."""
    return (*map(_finite, numbers[:5]), *numbers[5:])  # type: ignore[return-value]


def _finite(value: Any) -> float:
    try:
        number = float(value) if isinstance(value, int | float) else 0.0
    except OverflowError:
        return 0.0
    return number if number - number == 0.0 else 0.0


def colors_of(texts: Sequence[str | None], before: Sequence[int]) -> tuple[int, ...]:
    """Return the stored colours after an intent.

    Args:
        before: the stored colours. Invalid texts change nothing.
    """
    after = []
    for text, color in zip(texts, before, strict=True):
        said = parse_color(text) if isinstance(text, str) else None
        after.append(color if said is None else said)
    return tuple(after)


def store_intent(state: TankBattleState, seat: int, intent: TankIntent) -> None:
    """Store an intent, which the seat executes until the next one."""
    state.tables.store(seat, numbers_of(intent))
    words = _words(intent)
    if words != _NO_WORDS or state.output.texts[seat] is not None:
        _store_words(state, seat, intent, words)


def _store_words(state: TankBattleState, seat: int, intent: TankIntent, words: tuple[Any, ...]) -> None:
    output, colors = state.output, words[:_COLORS]
    if colors != output.said_colors[seat]:
        output.said_colors[seat] = colors
        before = state.tables.stored_colors(seat)
        after = colors_of(colors, before)
        if after != before:
            state.tables.store_colors(seat, after)
    texts = output.texts[seat]
    if texts is None:
        if words[_COLORS:] == _NO_WORDS[_COLORS:]:
            return
        texts = output.texts[seat] = BotOutput()
        output.any_texts = True
    texts.take(intent)


# ---- differences of two intents, in the fields that the rules read --------------------------------------


DECIDING = (
    "target_speed",
    "turn_rate",
    "gun_turn_rate",
    "radar_turn_rate",
    "firepower",
    "adjust_gun_for_body_turn",
    "adjust_radar_for_body_turn",
    "adjust_radar_for_gun_turn",
    "rescan",
    "fire_assist",
)
"""The fields of an intent that the rules read, in the order of `numbers_of`."""
NUMBERS = 5
"""The number of these fields that are numbers. The switches follow."""

Difference = tuple[str, float | bool, float | bool]
"""A field and its values in two intents. A field that is not set has its default."""


def differences(one: TankIntent, two: TankIntent) -> list[Difference]:
    """Return the fields of DECIDING in which two intents differ, with both values."""
    found: list[Difference] = []
    for k, (name, a, b) in enumerate(zip(DECIDING, numbers_of(one), numbers_of(two), strict=True)):
        if a != b:
            found.append((name, bool(a), bool(b)) if k >= NUMBERS else (name, float(a), float(b)))
    return found
