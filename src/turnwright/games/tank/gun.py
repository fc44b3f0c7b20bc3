"""Guns: they fire when cool, else they cool down. Source: tank-rules.md#guns.

A gun fires from the centre of the tank, before it moves, in the direction that the last turn showed. The
energy it costs is what was asked for, even where that is more than the strongest bullet.
"""

from __future__ import annotations

from turnwright.games.tank.energy import change_energy
from turnwright.games.tank.events import FIRED, ROOM_BULLETS, ROOM_EVENTS, add_event
from turnwright.games.tank.rules import DISABLED_BELOW, FIREPOWER_MAX, FIREPOWER_MIN, bullet_speed, gun_heat
from turnwright.games.tank.trig import absolute_degrees, atan2_degrees, sincos
from turnwright.games.tank.world import Tank, World

__all__ = ["fire_direction", "fire_guns"]


def fire_guns(world: World) -> int:
    """Stage: let every gun fire or cool, in order of seat."""
    arena = world.arena
    if len(world.bullets) <= arena.bullets + arena.tanks:
        return ROOM_BULLETS
    if len(world.events) < arena.events + arena.tanks:
        return ROOM_EVENTS
    cooling_rate = arena.cooling_rate
    for tank in world.tanks:
        if tank.alive == 0:
            continue
        heat = tank.gun_heat
        if heat == 0.0 and tank.energy >= DISABLED_BELOW:
            if tank.want_power >= FIREPOWER_MIN and tank.energy > tank.want_power:
                fire(world, tank)
        else:
            heat = heat - cooling_rate
            tank.gun_heat = heat if heat > 0.0 else 0.0
    return 0


def fire_direction(tank: Tank) -> float:
    """Return where a tank's bullet goes: along the gun, or with fire assist to what it scanned last turn."""
    direction = tank.gun_direction
    if tank.fire_assist != 0 and tank.scanned != 0 and direction == tank.radar_direction:
        return absolute_degrees(atan2_degrees(tank.scanned_y - tank.y, tank.scanned_x - tank.x))
    return direction


def fire(world: World, tank: Tank) -> None:
    """Put a bullet of a tank into the air; it moves for the first time later in this turn."""
    arena = world.arena
    bullet = world.bullets[arena.bullets]
    arena.bullets += 1
    arena.bullets_fired += 1
    power = tank.want_power if tank.want_power < FIREPOWER_MAX else FIREPOWER_MAX
    direction = fire_direction(tank)
    speed = bullet_speed(power)
    sin, cos = sincos(direction)
    bullet.id = arena.bullets_fired
    bullet.owner = tank.seat
    bullet.power = power
    bullet.direction = direction
    bullet.color = tank.bullet_color
    bullet.ticks = 0
    bullet.start_x = tank.x
    bullet.start_y = tank.y
    bullet.speed = speed
    bullet.sin = sin
    bullet.cos = cos
    bullet.x = tank.x
    bullet.y = tank.y
    bullet.next_x = tank.x + cos * speed
    bullet.next_y = tank.y + sin * speed
    bullet.removed = 0
    tank.gun_heat = gun_heat(power)
    event = add_event(world, FIRED, bullet.id, tank.seat)
    event.x = tank.x
    event.y = tank.y
    change_energy(tank, -tank.want_power)
