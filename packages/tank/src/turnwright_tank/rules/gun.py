"""Guns fire when cool, and otherwise cool down. Source: tank-rules.md#guns.

A gun fires from the tank's centre before the tank moves, in the gun's direction at the end of the last turn.
A shot costs the requested firepower, even if it is more than the power of the strongest bullet.
"""

from __future__ import annotations

from turnwright_tank.rules.constants import (
    DISABLED_BELOW,
    FIREPOWER_MAX,
    FIREPOWER_MIN,
    bullet_speed,
    gun_heat,
)
from turnwright_tank.rules.energy import change_energy
from turnwright_tank.rules.events import FIRED, ROOM_BULLETS, ROOM_EVENTS, add_event
from turnwright_tank.rules.rows import Rows, Tank
from turnwright_tank.rules.trig import absolute_degrees, atan2_degrees, sincos


def fire_guns(rows: Rows) -> int:
    """Stage: let every gun fire or cool, in order of seat."""
    arena = rows.arena
    if len(rows.bullets) <= arena.bullets + arena.tanks:
        return ROOM_BULLETS
    if len(rows.events) < arena.events + arena.tanks:
        return ROOM_EVENTS
    cooling_rate = arena.cooling_rate
    for tank in rows.tanks:
        if tank.alive == 0:
            continue
        heat = tank.gun_heat
        if heat == 0.0 and tank.energy >= DISABLED_BELOW:
            if tank.want_power >= FIREPOWER_MIN and tank.energy > tank.want_power:
                fire(rows, tank)
        else:
            heat = heat - cooling_rate
            tank.gun_heat = heat if heat > 0.0 else 0.0
    return 0


def fire_direction(tank: Tank) -> float:
    """Return the direction of a bullet: that of the gun, or with fire assist to the scanned tank."""
    direction = tank.gun_direction
    if tank.fire_assist != 0 and tank.scanned != 0 and direction == tank.radar_direction:
        return absolute_degrees(atan2_degrees(tank.scanned_y - tank.y, tank.scanned_x - tank.x))
    return direction


def fire(rows: Rows, tank: Tank) -> None:
    """Fire a bullet of a tank. The bullet moves for the first time later in this turn."""
    arena = rows.arena
    bullet = rows.bullets[arena.bullets]
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
    event = add_event(rows, FIRED, bullet.id, tank.seat)
    event.x = tank.x
    event.y = tank.y
    change_energy(tank, -tank.want_power)
