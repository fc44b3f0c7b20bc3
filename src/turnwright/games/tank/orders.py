"""Intents on their way into the rows: text to numbers, what was not said to its default.

Source: protocol.md §11. The first intent of a turn resets numbers and switches that it does not say; colours
and debug graphics stay as they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from turnwright.games.tank.colors import parse_color
from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.texts import Texts, says_texts

if TYPE_CHECKING:
    from turnwright.games.tank.state import TankState

__all__ = ["NO_COLORS", "Numbers", "color_texts", "colors_of", "numbers_of", "store_intent"]

Numbers = tuple[float, float, float, float, float, int, int, int, int, int]
"""want_speed … fire_assist of a tank's row, in that order."""

color_texts = attrgetter(
    "body_color", "turret_color", "radar_color", "bullet_color", "scan_color", "tracks_color", "gun_color"
)
"""The seven colours an intent says, None where it does not, in the order of a tank's row."""

NO_COLORS = (None,) * 7
"""An intent that says no colours."""


def numbers_of(intent: TankIntent) -> Numbers:
    """Return what an intent says in numbers, else the defaults; what is not finite is not said."""
    speed = 0.0 if intent.target_speed is None else float(intent.target_speed)
    turn = 0.0 if intent.turn_rate is None else float(intent.turn_rate)
    gun_turn = 0.0 if intent.gun_turn_rate is None else float(intent.gun_turn_rate)
    radar_turn = 0.0 if intent.radar_turn_rate is None else float(intent.radar_turn_rate)
    power = 0.0 if intent.firepower is None else float(intent.firepower)
    if (speed - speed) + (turn - turn) + (gun_turn - gun_turn) + (radar_turn - radar_turn) != power - power:
        speed, turn, gun_turn, radar_turn, power = map(_finite, (speed, turn, gun_turn, radar_turn, power))
    return (
        speed,
        turn,
        gun_turn,
        radar_turn,
        power,
        1 if intent.adjust_gun_for_body_turn else 0,
        1 if intent.adjust_radar_for_body_turn else 0,
        1 if intent.adjust_radar_for_gun_turn else 0,
        1 if intent.rescan else 0,
        0 if intent.fire_assist is False else 1,
    )


def _finite(value: float) -> float:
    return value if value - value == 0.0 else 0.0


def colors_of(texts: Sequence[str | None], before: Sequence[int]) -> tuple[int, ...]:
    """Return the stored colours after an intent. before: those stored so far; bad texts change nothing."""
    after = []
    for text, color in zip(texts, before, strict=True):
        said = None if text is None else parse_color(text)
        after.append(color if said is None else said)
    return tuple(after)


def store_intent(state: TankState, seat: int, intent: TankIntent) -> None:
    """Store an intent as the one that a seat executes from now on."""
    state.tables.store(seat, numbers_of(intent))
    said = color_texts(intent)
    if said != state.said_colors[seat]:
        state.said_colors[seat] = said
        if said != NO_COLORS:
            before = state.tables.stored_colors(seat)
            after = colors_of(said, before)
            if after != before:
                state.tables.store_colors(seat, after)
    texts = state.texts[seat]
    if texts is None:
        if not says_texts(intent):
            return
        texts = state.texts[seat] = Texts()
    texts.take(intent)
