"""Geometry for bots.

Angles are in degrees: 0 east, counter-clockwise (90 is north).
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
    """Return the same angle in [-180, 180): the shortest way to turn."""
    return (angle + 180.0) % 360.0 - 180.0


def absolute(angle: float) -> float:
    """Return the same angle in [0, 360): a direction."""
    return angle % 360.0


def direction_from(x0: float, y0: float, x1: float, y1: float) -> float:
    """Return the direction, [0, 360), in which (x1, y1) lies as seen from (x0, y0)."""
    return degrees(atan2(y1 - y0, x1 - x0)) % 360.0


def distance_between(x0: float, y0: float, x1: float, y1: float) -> float:
    """Return the distance of two points in units, the same on every system."""
    dx, dy = x1 - x0, y1 - y0
    return sqrt(dx * dx + dy * dy)


def project(x: float, y: float, direction: float, distance: float) -> tuple[float, float]:
    """Return the point that lies `distance` units from (x, y) in a direction."""
    angle = radians(direction)
    return x + distance * cos(angle), y + distance * sin(angle)


def bullet_speed(firepower: float) -> float:
    """Return the speed of a bullet in units per turn: 19.7 (power 0.1) … 11 (power 3)."""
    return constants.bullet_speed(_possible(firepower))


def bullet_damage(firepower: float) -> float:
    """Return the energy that a bullet takes from the tank it hits.

    0.4 (power 0.1) … 16 (power 3).
    """
    return constants.bullet_damage(_possible(firepower))


def _possible(firepower: float) -> float:
    """Return the firepower that a gun would fire with."""
    return constants.clamp(firepower, constants.FIREPOWER_MIN, constants.FIREPOWER_MAX)


def max_turn_rate(speed: float) -> float:
    """Return how many degrees a tank of that speed can turn in a turn.

    10 (standing) … 4 (full speed).
    """
    return constants.turn_rate_max(min(abs(speed), constants.SPEED_MAX))


def speed_after(speed: float, target: float) -> float:
    """Return the speed one turn after `speed` if `target` is asked for.

    Gains 1, loses 2, stops at once.
    """
    return constants.new_speed(speed, target)
