"""Ready-made answers to what every bot asks: where to turn the radar, where to aim, how to drive.

Functions of numbers; all angles in degrees. The house bots are written with them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from turnwright.bots.geometry import bullet_speed, direction_from, normalize, project
from turnwright.games.tank.view import ScannedBotEvent, TankState

__all__ = ["Drive", "aim_ahead", "drive_towards", "inside", "radar_lock", "smooth_along_walls"]

TANK_RADIUS = 18.0
_FLIGHT_TURNS_MAX = 120
_SMOOTHING_STEP_DEG = 5.0
_SMOOTHING_STEPS_MAX = 72


class Drive(NamedTuple):
    """How to drive: body turn rate in degrees a turn, and target speed (negative: backwards)."""

    turn_rate: float
    target_speed: float


def radar_lock(me: TankState, x: float, y: float) -> float:
    """Return the radar's turn rate that keeps a tank near (x, y) in its sweep, whatever it does.

    The radar must turn on its own: set both adjust_radar flags and adjust_gun_for_body_turn.
    """
    offset = normalize(direction_from(me.x, me.y, x, y) - me.radar_direction)
    distance = max(math.hypot(x - me.x, y - me.y), TANK_RADIUS)
    margin = math.degrees(math.atan2(2.0 * TANK_RADIUS, distance))
    return max(-45.0, min(45.0, offset + math.copysign(margin, offset)))


def aim_ahead(
    x: float, y: float, target: ScannedBotEvent, firepower: float, width: float, height: float
) -> float:
    """Return the direction in which a bullet from (x, y) meets a target that keeps its heading and speed.

    The target is taken to stop at the walls of an arena of width × height.
    """
    speed = bullet_speed(firepower)
    tx, ty = target.x, target.y
    dx, dy = project(0.0, 0.0, target.direction, target.speed)
    for turns in range(1, _FLIGHT_TURNS_MAX):
        if math.hypot(tx - x, ty - y) <= turns * speed:
            break
        tx = min(max(tx + dx, TANK_RADIUS), width - TANK_RADIUS)
        ty = min(max(ty + dy, TANK_RADIUS), height - TANK_RADIUS)
    return direction_from(x, y, tx, ty)


def drive_towards(me: TankState, direction: float, speed: float = 8.0) -> Drive:
    """Return how to drive in a direction, forwards or backwards, whichever turns less."""
    turn = normalize(direction - me.direction)
    if abs(turn) <= 90.0:
        return Drive(max(-10.0, min(10.0, turn)), speed)
    return Drive(max(-10.0, min(10.0, normalize(turn + 180.0))), -speed)


def inside(x: float, y: float, width: float, height: float, margin: float = TANK_RADIUS) -> bool:
    """Return whether a point is at least `margin` units from every wall of the arena."""
    return margin <= x <= width - margin and margin <= y <= height - margin


def smooth_along_walls(
    x: float, y: float, direction: float, turn: int, width: float, height: float, feeler: float = 130.0
) -> float:
    """Return the direction nearest to the given one in which `feeler` units lie inside the arena.

    turn: 1 looks for it to the left, -1 to the right.
    """
    for _ in range(_SMOOTHING_STEPS_MAX):
        ahead_x, ahead_y = project(x, y, direction, feeler)
        if inside(ahead_x, ahead_y, width, height, TANK_RADIUS + 1.0):
            break
        direction += turn * _SMOOTHING_STEP_DEG
    return direction % 360.0
