"""Helpers for bots: radar locks, aiming and driving.

All angles are in degrees. The built-in bots use these helpers.
"""

from __future__ import annotations

from math import atan2, copysign, degrees, sqrt
from typing import NamedTuple

from turnwright_tank.bots.bot import Bot
from turnwright_tank.bots.geometry import (
    bullet_speed,
    direction_from,
    distance_between,
    normalize,
    project,
)
from turnwright_tank.observation import BotDeathEvent, Observation, ScannedBotEvent, TankState
from turnwright_tank.rules.constants import BODY_TURN_MAX, RADAR_TURN_MAX, SPEED_MAX, TANK_RADIUS, clamp

__all__ = [
    "Drive",
    "Target",
    "TargetingBot",
    "aim_ahead",
    "drive_towards",
    "inside",
    "radar_lock",
    "smooth_along_walls",
]
_FLIGHT_TURNS_MAX = 120
_SMOOTHING_STEP_DEG = 5.0
_SMOOTHING_STEPS_MAX = 72


class Drive(NamedTuple):
    """A turn rate of the body in degrees per turn, and a target speed (negative: backwards)."""

    turn_rate: float
    target_speed: float


def radar_lock(me: TankState, x: float, y: float) -> float:
    """Return the turn rate with which the radar sweeps over (x, y) and a margin around it.

    The margin keeps a tank at (x, y) in the sweep when it moves. Set both adjust_radar flags and
    adjust_gun_for_body_turn, so that the radar turns independently.
    """
    dx, dy = x - me.x, y - me.y
    offset = normalize(degrees(atan2(dy, dx)) % 360.0 - me.radar_direction)
    margin = degrees(atan2(2.0 * TANK_RADIUS, max(sqrt(dx * dx + dy * dy), TANK_RADIUS)))
    return clamp(offset + copysign(margin, offset), -RADAR_TURN_MAX, RADAR_TURN_MAX)


def aim_ahead(
    x: float, y: float, target: ScannedBotEvent, firepower: float, width: float, height: float
) -> float:
    """Return the direction in which a bullet from (x, y) meets a target.

    The function assumes that the target keeps its heading and speed, and stops at the walls of an arena of
    width × height.
    """
    speed = bullet_speed(firepower)
    tx, ty = target.x, target.y
    dx, dy = project(0.0, 0.0, target.direction, target.speed)
    low, right, top = TANK_RADIUS, width - TANK_RADIUS, height - TANK_RADIUS
    for turns in range(1, _FLIGHT_TURNS_MAX):
        ahead_x, ahead_y = tx - x, ty - y
        if sqrt(ahead_x * ahead_x + ahead_y * ahead_y) <= turns * speed:
            break
        tx, ty = tx + dx, ty + dy
        if not (low <= tx <= right and low <= ty <= top):
            tx, ty = clamp(tx, low, right), clamp(ty, low, top)
    return direction_from(x, y, tx, ty)


def drive_towards(me: TankState, direction: float, speed: float = SPEED_MAX) -> Drive:
    """Return how to drive in a direction. The tank drives forwards or backwards, with the smaller turn."""
    turn = normalize(direction - me.direction)
    if abs(turn) <= 90.0:
        return Drive(clamp(turn, -BODY_TURN_MAX, BODY_TURN_MAX), speed)
    return Drive(clamp(normalize(turn + 180.0), -BODY_TURN_MAX, BODY_TURN_MAX), -speed)


def inside(x: float, y: float, width: float, height: float, margin: float = TANK_RADIUS) -> bool:
    """Return whether a point is at least `margin` units from every wall of the arena."""
    return margin <= x <= width - margin and margin <= y <= height - margin


def smooth_along_walls(
    x: float, y: float, direction: float, turn: int, width: float, height: float, feeler: float = 130.0
) -> float:
    """Return the nearest direction in which the next `feeler` units are inside the arena.

    With `turn` 1 the function searches to the left, with -1 to the right.
    """
    for _ in range(_SMOOTHING_STEPS_MAX):
        ahead_x, ahead_y = project(x, y, direction, feeler)
        if inside(ahead_x, ahead_y, width, height, TANK_RADIUS + 1.0):
            break
        direction += turn * _SMOOTHING_STEP_DEG
    return direction % 360.0


# ---- the choice of one enemy ----------------------------------------------------------------------------


_CHANGE_FACTOR = 0.8
"""A bot changes to another enemy if the new distance is below this part of the old distance."""


class Target:
    """The newest scan of the chosen enemy.

    A nearer enemy replaces it. After `sight_turns` turns without a scan, the enemy is lost.
    """

    _sight_turns: int
    _scan: ScannedBotEvent | None

    def __init__(self, sight_turns: int = 4) -> None:
        self._sight_turns = sight_turns
        self._scan = None

    def see(self, scan: ScannedBotEvent, me: TankState) -> None:
        """Store a scan if it shows the chosen enemy or a nearer one."""
        old = self._scan
        if old is None or old.scanned_bot_id == scan.scanned_bot_id or _nearer(scan, old, me):
            self._scan = scan

    def forget(self, bot_id: int) -> None:
        """Drop an enemy that died."""
        if self._scan is not None and self._scan.scanned_bot_id == bot_id:
            self._scan = None

    def at(self, turn_number: int) -> ScannedBotEvent | None:
        """Return the newest scan, or None if there is none or it is too old."""
        if self._scan is not None and turn_number - self._scan.turn_number > self._sight_turns:
            self._scan = None
        return self._scan


def _nearer(one: ScannedBotEvent, other: ScannedBotEvent, me: TankState) -> bool:
    near = distance_between(me.x, me.y, one.x, one.y)
    return near < _CHANGE_FACTOR * distance_between(me.x, me.y, other.x, other.y)


# ---- a base class for bots that fight one enemy at a time -----------------------------------------------


class TargetingBot(Bot):
    """A bot whose radar finds an enemy, usually the nearest, and follows it.

    Each turn it calls `attack` with the newest scan of this enemy.
    """

    _target: Target

    def on_round_started(self, round_number: int) -> None:
        """Let body, gun and radar turn independently, and forget the target."""
        self.adjust_gun_for_body_turn = True
        self.adjust_radar_for_body_turn = True
        self.adjust_radar_for_gun_turn = True
        self._target = Target()

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """Choose the nearest enemy."""
        self._target.see(event, self.me)

    def on_bot_death(self, event: BotDeathEvent) -> None:
        """Forget the enemy if it is the one that died."""
        self._target.forget(event.victim_id)

    def on_tick(self, observation: Observation) -> None:
        """Attack the chosen enemy, or stop and search for one."""
        target = self._target.at(observation.turn_number)
        if target is None:
            self.radar_turn_rate = RADAR_TURN_MAX
            self.target_speed = self.turn_rate = self.gun_turn_rate = 0.0
            return
        self.radar_turn_rate = radar_lock(self.me, target.x, target.y)
        self.attack(target, observation.turn_number)

    def attack(self, target: ScannedBotEvent, turn_number: int) -> None:
        """Drive and shoot. `target` is the newest scan of the enemy, at most a few turns old."""
        raise NotImplementedError
