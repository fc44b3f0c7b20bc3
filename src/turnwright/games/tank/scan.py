"""Radars: who sees whom. Source: rules.md §7.

A radar sees what touches the sector it has just swept, 1200 units wide, with no regard to what is in between;
one that has not turned sees along a line. A tank that has neither moved nor turned sees nothing, unless its
intent says rescan. Positions are those after all moves and before the bullets.
"""

from __future__ import annotations

from turnwright.games.tank.events import ROOM_EVENTS, SCANNED, add_event
from turnwright.games.tank.geometry import segment_meets_circle
from turnwright.games.tank.rules import RADAR_RADIUS, TANK_RADIUS
from turnwright.games.tank.trig import absolute_degrees, sincos
from turnwright.games.tank.world import Tank, World

__all__ = ["scan", "turn_radars"]

SIGHT_SQUARED = (RADAR_RADIUS + TANK_RADIUS) * (RADAR_RADIUS + TANK_RADIUS)
RADIUS_SQUARED = TANK_RADIUS * TANK_RADIUS
NEAR_EDGE = RADAR_RADIUS * (TANK_RADIUS + 0.1)
"""A target whose cross product with an edge is farther from 0 cannot touch that edge."""


def turn_radars(world: World) -> int:
    """Stage: every radar scans, in order of seat; targets in order of seat."""
    arena = world.arena
    first_event = arena.events
    for tank in world.tanks:
        tank.scanned = 0
        if tank.alive == 0 or tank.droid != 0:
            continue
        if (
            tank.radar_direction != tank.before_radar_direction
            or tank.x != tank.before_x
            or tank.y != tank.before_y
            or tank.direction != tank.before_direction
            or tank.gun_direction != tank.before_gun_direction
            or tank.rescan != 0
        ):
            scan(world, tank)
    if arena.events > len(world.events):
        arena.events = first_event
        return ROOM_EVENTS
    return 0


def scan(world: World, tank: Tank) -> None:
    """Let one radar scan; events that find no room are only counted."""
    x = tank.x
    y = tank.y
    radar = tank.radar_direction
    sweep = tank.radar_sweep
    old_angle = tank.sight_angle
    old_sin = tank.sight_sin
    old_cos = tank.sight_cos
    if radar != old_angle:
        tank.sight_angle = radar
        tank.sight_sin, tank.sight_cos = sincos(radar)
    other = absolute_degrees(radar - sweep)
    if other == radar:
        old_sin = tank.sight_sin
        old_cos = tank.sight_cos
    elif other != old_angle:
        old_sin, old_cos = sincos(other)
    if sweep >= 0.0:
        ax = old_cos * RADAR_RADIUS
        ay = old_sin * RADAR_RADIUS
        ex = tank.sight_cos * RADAR_RADIUS
        ey = tank.sight_sin * RADAR_RADIUS
    else:
        ax = tank.sight_cos * RADAR_RADIUS
        ay = tank.sight_sin * RADAR_RADIUS
        ex = old_cos * RADAR_RADIUS
        ey = old_sin * RADAR_RADIUS
    is_line = other == radar
    seat = tank.seat
    for target in world.tanks:
        if target.alive == 0 or target.seat == seat:
            continue
        wx = target.x - x
        wy = target.y - y
        if wx * wx + wy * wy > SIGHT_SQUARED:
            continue
        after_start = ax * wy - ay * wx
        after_end = ex * wy - ey * wx
        if (
            (not is_line and ax * wy > ay * wx and ex * wy <= ey * wx)
            or (
                -NEAR_EDGE < after_start < NEAR_EDGE
                and segment_meets_circle(x, y, x + ax, y + ay, target.x, target.y, RADIUS_SQUARED)
            )
            or (
                -NEAR_EDGE < after_end < NEAR_EDGE
                and segment_meets_circle(x, y, x + ex, y + ey, target.x, target.y, RADIUS_SQUARED)
            )
        ):
            note_scan(world, tank, target)


def note_scan(world: World, tank: Tank, target: Tank) -> None:
    """Tell a tank what it sees of another one, and keep the first sight for its fire assist."""
    if tank.scanned == 0:
        tank.scanned = 1
        tank.scanned_x = target.x
        tank.scanned_y = target.y
    if world.arena.events >= len(world.events):
        world.arena.events += 1
        return
    event = add_event(world, SCANNED, tank.seat, target.seat)
    event.energy = target.energy
    event.x = target.x
    event.y = target.y
    event.direction = target.direction
    event.value = target.speed
