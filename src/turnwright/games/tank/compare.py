"""In what two intents differ, as far as it decides anything in the arena."""

from __future__ import annotations

from turnwright.games.tank.intent import TankIntent
from turnwright.games.tank.orders import numbers_of

__all__ = ["DECIDING", "Difference", "differences"]

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
"""The fields of an intent that the rules read, in the order of `orders.numbers_of`."""
_SWITCHES_FROM = 5

Difference = tuple[str, float | bool, float | bool]
"""A field, and its value in the one and in the other intent; what is not said has its default."""


def differences(one: TankIntent, two: TankIntent) -> list[Difference]:
    """Return in which fields two intents differ. Rates in degrees a turn, speed in units a turn."""
    found: list[Difference] = []
    for k, (name, a, b) in enumerate(zip(DECIDING, numbers_of(one), numbers_of(two), strict=True)):
        if a != b:
            found.append((name, bool(a), bool(b)) if k >= _SWITCHES_FROM else (name, float(a), float(b)))
    return found
