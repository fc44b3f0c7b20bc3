"""Geometry for bots.

Angles are in degrees. 0 is east, 90 is north.
"""

from __future__ import annotations

from math import atan2, cos, degrees, radians, sin, sqrt

from turnwright_tank.rules import constants

__all__ = [
    "absolute",
    "bullet_damage",
    "bullet_speed",
    "direction_from",
    "distance_between",
    "max_turn_rate",
    "normalize",
    "project",
    "speed_after",
]


def normalize(angle: float) -> float:
    """Return the same angle in [-180, 180), which is the shortest turn."""
    return (angle + 180.0) % 360.0 - 180.0


def absolute(angle: float) -> float:
    """Return the same angle in [0, 360), as a direction."""
    return angle % 360.0


def direction_from(x0: float, y0: float, x1: float, y1: float) -> float:
    """Return the direction, in [0, 360), from (x0, y0) to (x1, y1)."""
    return degrees(atan2(y1 - y0, x1 - x0)) % 360.0


def distance_between(x0: float, y0: float, x1: float, y1: float) -> float:
    """Return the distance between two points in units. It is the same on every system."""
    dx, dy = x1 - x0, y1 - y0
    return sqrt(dx * dx + dy * dy)


def project(x: float, y: float, direction: float, distance: float) -> tuple[float, float]:
    """Return the point that lies `distance` units from (x, y) in a direction."""
    angle = radians(direction)
    return x + distance * cos(angle), y + distance * sin(angle)


def bullet_speed(firepower: float) -> float:
    """Return the speed of a bullet in units per turn: 19.7 at power 0.1, 11 at power 3."""
    return constants.bullet_speed(_possible(firepower))


def bullet_damage(firepower: float) -> float:
    """Return the energy that a bullet takes from a tank: 0.4 at power 0.1, 16 at power 3."""
    return constants.bullet_damage(_possible(firepower))


def _possible(firepower: float) -> float:
    """Return the firepower within the limits of a gun."""
    return constants.clamp(firepower, constants.FIREPOWER_MIN, constants.FIREPOWER_MAX)


def max_turn_rate(speed: float) -> float:
    """Return the largest turn rate at a speed, in degrees per turn: 10 at rest, 4 at full speed."""
    return constants.turn_rate_max(min(abs(speed), constants.SPEED_MAX))


def speed_after(speed: float, target: float) -> float:
    """Return the speed of the next turn for a target speed.

    A tank gains at most 1 and loses at most 2 per turn. It stops in one turn if `target` is 0.
    """
    return constants.new_speed(speed, target)
