"""Intents on their way into the rows: text to numbers, what was not said to its default.

The first intent of a turn resets numbers and switches that it does not say; colours and debug graphics stay
as they were. Source: tank-rules.md#intents, royale-protocol.md#botintent.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from turnwright.games.tank.colors import parse_color
from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.texts import Texts

if TYPE_CHECKING:
    from turnwright.games.tank.state import TankState

__all__ = ["Numbers", "as_floats", "colors_of", "numbers_of", "store_intent"]

Numbers = tuple[float, float, float, float, float, int, int, int, int, int]
"""want_speed … fire_assist of a tank's row, in that order."""

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
"""How many of the words are colours, in the order of a tank's row."""
_NO_WORDS = (None,) * 11


def numbers_of(intent: TankIntent) -> Numbers:
    """Return what an intent says in numbers, else the defaults; what is not finite is not said."""
    speed = intent.target_speed
    turn = intent.turn_rate
    gun_turn = intent.gun_turn_rate
    radar_turn = intent.radar_turn_rate
    power = intent.firepower
    numbers: Numbers = (
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


def as_floats(numbers: Numbers) -> Numbers:
    """Return the same with floats where there may be integers, and 0 for what is no finite number."""
    return (*map(_finite, numbers[:5]), *numbers[5:])  # type: ignore[return-value]


def _finite(value: Any) -> float:
    try:
        number = float(value) if isinstance(value, int | float) else 0.0
    except OverflowError:
        return 0.0
    return number if number - number == 0.0 else 0.0


def colors_of(texts: Sequence[str | None], before: Sequence[int]) -> tuple[int, ...]:
    """Return the stored colours after an intent. before: those stored so far; bad texts change nothing."""
    after = []
    for text, color in zip(texts, before, strict=True):
        said = parse_color(text) if isinstance(text, str) else None
        after.append(color if said is None else said)
    return tuple(after)


def store_intent(state: TankState, seat: int, intent: TankIntent) -> None:
    """Store an intent as the one that a seat executes from now on."""
    state.tables.store(seat, numbers_of(intent))
    words = _words(intent)
    if words != _NO_WORDS or state.texts[seat] is not None:
        _store_words(state, seat, intent, words)


def _store_words(state: TankState, seat: int, intent: TankIntent, words: tuple[Any, ...]) -> None:
    colors = words[:_COLORS]
    if colors != state.said_colors[seat]:
        state.said_colors[seat] = colors
        before = state.tables.stored_colors(seat)
        after = colors_of(colors, before)
        if after != before:
            state.tables.store_colors(seat, after)
    texts = state.texts[seat]
    if texts is None:
        if words[_COLORS:] == _NO_WORDS[_COLORS:]:
            return
        texts = state.texts[seat] = Texts()
        state.texting = True
    texts.take(intent)
