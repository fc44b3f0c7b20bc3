"""Constants and formulas of the arena, with their units and sources.

No function here changes anything.

Units: arena units (u), turns, degrees, energy. Source: the sections of packages/tank/docs/tank-rules.md that
the constants name.
"""

from __future__ import annotations

TANKS_MAX = 256
"""Tanks in one battle. This is our limit, and it limits the tables of a turn."""

TANK_RADIUS = 18.0
"""u. Source: tank-rules.md#numbers."""
TANK_DIAMETER = 36.0
"""u. Source: tank-rules.md#numbers."""
RADAR_RADIUS = 1200.0
"""u. Source: tank-rules.md#numbers."""

SPEED_MAX = 8.0
"""u/turn, forward and backward. Source: tank-rules.md#numbers."""
ACCELERATION = 1.0
"""u/turn². Source: tank-rules.md#numbers."""
DECELERATION = -2.0
"""u/turn². Source: tank-rules.md#numbers."""
BODY_TURN_MAX = 10.0
"""degrees/turn at rest. Source: tank-rules.md#numbers."""
BODY_TURN_LOSS = 0.75
"""degrees/turn lost for each u/turn of speed. Source: tank-rules.md#numbers."""
GUN_TURN_MAX = 20.0
"""degrees/turn. Source: tank-rules.md#numbers."""
RADAR_TURN_MAX = 45.0
"""degrees/turn. Source: tank-rules.md#numbers."""

ENERGY_TANK = 100.0
"""energy at the start of a round. Source: tank-rules.md#numbers."""
ENERGY_DROID = 120.0
"""energy at the start of a round, for a tank without radar. Source: tank-rules.md#teams-and-droids."""
DISABLED_BELOW = 1e-6
"""energy: a tank is disabled from 0 up to this energy. Source: tank-rules.md#disabled-and-dead."""
INACTIVITY_DAMAGE = 0.1
"""energy/turn. Source: tank-rules.md#inactivity."""
RAM_DAMAGE = 0.6
"""energy that each of two tanks loses. Source: tank-rules.md#numbers, #tanks-that-touch."""

GUN_HEAT_START = 3.0
"""heat at the start of a round. Source: tank-rules.md#numbers."""
FIREPOWER_MIN = 0.1
"""energy. Source: tank-rules.md#numbers."""
FIREPOWER_MAX = 3.0
"""energy. Source: tank-rules.md#numbers."""
BULLET_HIT_GAIN = 3.0
"""energy that the shooter gains, divided by the power. Source: tank-rules.md#numbers, #bullets."""
BULLET_REACH = 39.4
"""u: bullets whose ends are farther apart than this cannot meet. Source: tank-rules.md#bullets."""

SURVIVAL_SCORE = 50.0
"""points for each turn with a death that a tank survived. Source: tank-rules.md#scores."""
LAST_SURVIVOR_BONUS = 10.0
"""points for each tank that died before the last survivor. Source: tank-rules.md#scores."""
BULLET_KILL_BONUS = 0.2
"""part of the total damage to the victim. Source: tank-rules.md#scores."""
RAM_DAMAGE_SCORE = 2.0
"""points for each point of ram damage. Source: tank-rules.md#scores."""
RAM_KILL_BONUS = 0.3
"""part of the total damage to the victim. Source: tank-rules.md#scores."""

PLACEMENT_CELL = 50
"""u: the smallest side of a start cell. Source: tank-rules.md#the-start-of-a-round."""


def clamp(value: float, low: float, high: float) -> float:
    """Return `value`, or the bound that it crosses. A zero keeps its sign. Source: tank-rules.md#intents."""
    if value >= high:
        return high
    if value <= low:
        return low
    return value


def new_speed(speed: float, target: float) -> float:
    """Return the speed (u/turn) after one turn of driving at `speed` towards `target`.

    Braking to 0 takes one turn. Reversing takes a turn at v/2 - 1. Source: tank-rules.md#speed,
    calcNewBotSpeed.
    """
    if speed < 0.0:
        return -_new_speed(-speed, -target)
    return _new_speed(speed, target)


def _new_speed(speed: float, target: float) -> float:
    """Return the new speed for a `speed` of 0 or more."""
    if speed > 0.0:
        if target > 0.0:
            change = target - speed
            if change >= 0.0:
                faster = speed + (change if change < ACCELERATION else ACCELERATION)
                return faster if faster < SPEED_MAX else SPEED_MAX
            slower = speed + (change if change > DECELERATION else DECELERATION)
            return slower if slower > -SPEED_MAX else -SPEED_MAX
        if target == 0.0:
            return 0.0
        return (1.0 - speed / -DECELERATION) * -ACCELERATION
    change = target - speed
    if change >= 0.0:
        return speed + (change if change < ACCELERATION else ACCELERATION)
    return speed - (-change if -change < ACCELERATION else ACCELERATION)


def turn_rate_max(speed: float) -> float:
    """Return the largest turn rate of a body (degrees/turn) at a speed within ±8.

    Source: tank-rules.md#numbers.
    """
    return BODY_TURN_MAX - BODY_TURN_LOSS * (speed if speed >= 0.0 else -speed)


def wall_damage(speed: float) -> float:
    """Return the energy that a wall costs at `speed` (u/turn), 0…3.

    Source: tank-rules.md#numbers.
    """
    if speed < 0.0:
        speed = -speed
    if speed > SPEED_MAX:
        speed = SPEED_MAX
    damage = speed / 2.0 - 1.0
    return damage if damage > 0.0 else 0.0


def bullet_speed(power: float) -> float:
    """Return the speed (u/turn) of a bullet, 11…19.7.

    Source: tank-rules.md#numbers.

    Args:
        power: 0.1…3.
    """
    return 20.0 - 3.0 * power


def bullet_damage(power: float) -> float:
    """Return the energy that a bullet takes, 0.4…16.

    Source: tank-rules.md#numbers.

    Args:
        power: 0.1…3.
    """
    damage = 4.0 * power
    if power > 1.0:
        damage = damage + 2.0 * (power - 1.0)
    return damage


def gun_heat(power: float) -> float:
    """Return the heat of a gun that has fired, 1.02…1.6.

    Source: tank-rules.md#numbers.

    Args:
        power: 0.1…3.
    """
    return 1.0 + power / 5.0
