"""The actions of a learner in the tank arena, and the intents that they mean."""

from __future__ import annotations

from collections.abc import Sequence

from turnwright_tank.structs import TankIntent

ACTIONS = ("speed", "turn", "gun", "radar", "power")
"""The numbers of an action, each from -1 to 1."""
_SCALES = (8.0, 10.0, 20.0, 45.0, 3.0)
"""The value of each number at 1: units per turn, degrees per turn (three times), and firepower. A power of 0
or less does not fire.
"""
DISCRETE = (
    (-1.0, 0.0, 1.0),
    (-1.0, -0.3, 0.0, 0.3, 1.0),
    (-1.0, -0.3, -0.1, -0.03, 0.0, 0.03, 0.1, 0.3, 1.0),
    (-1.0, -0.3, 0.0, 0.3, 1.0),
    (0.0, 2.0 / 3.0, 1.0),
)
"""The discrete form: the values that each number of an action can have."""


def wishes_of(action: Sequence[float]) -> tuple[float, float, float, float, float]:
    """Return the target speed, turn rate, gun turn rate, radar turn rate and firepower of an action.

    Numbers outside -1 … 1 count as the nearest bound.
    """
    speed, turn, gun, radar, power = (
        scale * min(max(float(number), -1.0), 1.0) for scale, number in zip(_SCALES, action, strict=True)
    )
    return speed, turn, gun, radar, power if power > 0.0 else 0.0


def intent_of(action: Sequence[float]) -> TankIntent:
    """Return the intent of the five numbers of an action. Body, gun and radar turn independently."""
    speed, turn, gun, radar, power = wishes_of(action)
    return TankIntent(
        target_speed=speed,
        turn_rate=turn,
        gun_turn_rate=gun,
        radar_turn_rate=radar,
        firepower=power,
        adjust_gun_for_body_turn=True,
        adjust_radar_for_body_turn=True,
        adjust_radar_for_gun_turn=True,
        fire_assist=False,
    )
