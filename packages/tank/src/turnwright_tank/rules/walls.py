"""Contacts of tanks with walls. Source: tank-rules.md#walls.

A tank that has left the arena is moved back along its path. It gets an event and loses energy, unless it got
such an event in the turn before. So a tank that keeps pushing gets an event every other turn.
"""

from __future__ import annotations

from turnwright_tank.rules.constants import TANK_RADIUS, wall_damage
from turnwright_tank.rules.energy import change_energy
from turnwright_tank.rules.events import HIT_WALL, ROOM_EVENTS, add_event
from turnwright_tank.rules.rows import Arena, Rows, Tank


def hit_walls(rows: Rows) -> int:
    """Stage: move back and stop the tanks that drove into a wall. In turn 1 nothing happens."""
    arena = rows.arena
    if arena.turn == 1:
        arena.moved = 1
        return 0
    if len(rows.events) < arena.events + arena.tanks:
        return ROOM_EVENTS
    right = arena.width
    top = arena.height
    for tank in rows.tanks:
        if tank.alive == 0:
            continue
        x = tank.x
        y = tank.y
        if x - TANK_RADIUS < 0.0 or x + TANK_RADIUS > right or y - TANK_RADIUS < 0.0 or y + TANK_RADIUS > top:
            hit_wall(rows, tank)
        else:
            tank.hit_wall = 0
    return 0


def hit_wall(rows: Rows, tank: Tank) -> None:
    """Move back a tank that has left the arena, and stop it."""
    rows.arena.moved = 1
    was_x = tank.x
    was_y = tank.y
    tank.x, tank.y = inside(rows.arena, tank)
    if tank.x == was_x and tank.y == was_y:
        tank.hit_wall = 0
        return
    if tank.hit_wall == 0:
        tank.hit_wall = 1
        add_event(rows, HIT_WALL, tank.seat, 0)
        change_energy(tank, -wall_damage(tank.speed))
    else:
        tank.hit_wall = 0
    tank.speed = 0.0


def inside(arena: Arena, tank: Tank) -> tuple[float, float]:
    """Return a tank's place inside the arena: its own place, or the point where its path of this turn crosses
    the wall.

    The y axis is computed from the original position and may overwrite the result for the x axis, as in the
    original.
    """
    x = tank.x
    y = tank.y
    old_x = tank.before_x
    old_y = tank.before_y
    dx = x - old_x
    dy = y - old_y
    new_x = x
    new_y = y
    if x - TANK_RADIUS < 0.0 or x + TANK_RADIUS > arena.width:
        new_x = TANK_RADIUS if x - TANK_RADIUS < 0.0 else arena.width - TANK_RADIUS
        if dx != 0.0:
            new_y = old_y + dy * (new_x - old_x) / dx
    if y - TANK_RADIUS < 0.0 or y + TANK_RADIUS > arena.height:
        new_y = TANK_RADIUS if y - TANK_RADIUS < 0.0 else arena.height - TANK_RADIUS
        if dy != 0.0:
            new_x = old_x + dx * (new_y - old_y) / dy
    return new_x, new_y


def keep_inside(rows: Rows) -> int:
    """Stage: put all tanks inside the walls once more, after walls or other tanks have moved some."""
    arena = rows.arena
    if arena.moved != 0:
        arena.tanks_filled = 0
        for tank in rows.tanks:
            if tank.alive != 0:
                tank.x, tank.y = inside(arena, tank)
    return 0
