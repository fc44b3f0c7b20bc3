"""Drives and turns tanks by their stored intents.

Source: tank-rules.md#speed, #moving-and-turning.
"""

from __future__ import annotations

from turnwright_tank.rules.constants import (
    DISABLED_BELOW,
    GUN_TURN_MAX,
    RADAR_TURN_MAX,
    clamp,
    new_speed,
    turn_rate_max,
)
from turnwright_tank.rules.rows import Rows, Tank
from turnwright_tank.rules.trig import absolute_degrees, sincos


def execute_intents(rows: Rows) -> int:
    """Stage: store the place of every tank, then execute the intents of the enabled tanks."""
    for tank in rows.tanks:
        if tank.alive == 0:
            continue
        tank.before_x = tank.x
        tank.before_y = tank.y
        tank.before_direction = tank.direction
        tank.before_gun_direction = tank.gun_direction
        tank.before_radar_direction = tank.radar_direction
        if tank.has_intent == 0 or tank.energy < DISABLED_BELOW:
            tank.executed = 0
            continue
        tank.executed = 1
        drive(tank)
        turn(tank)
        if tank.repaint != 0:
            paint(tank)
    return 0


def drive(tank: Tank) -> None:
    """Change the speed of a tank, then move it by the new speed in its old direction."""
    speed = new_speed(tank.speed, tank.want_speed)
    tank.speed = speed
    if speed == 0.0:
        return
    direction = tank.direction
    if direction != tank.head_angle:
        tank.head_angle = direction
        tank.head_sin, tank.head_cos = sincos(direction)
    tank.x += tank.head_cos * speed
    tank.y += tank.head_sin * speed


def turn(tank: Tank) -> None:
    """Turn a tank's body, gun and radar.

    The gun turns with the body and the radar with the gun, unless the intent adjusts for that.

    The sums have the order of the original, so that they are rounded in the same way.
    """
    limit = turn_rate_max(tank.speed)
    body = clamp(tank.want_turn, -limit, limit)
    gun = clamp(tank.want_gun_turn, -GUN_TURN_MAX, GUN_TURN_MAX)
    radar = clamp(tank.want_radar_turn, -RADAR_TURN_MAX, RADAR_TURN_MAX)
    gun_change = body + gun
    if tank.adjust_gun_for_body != 0:
        gun_change = gun_change - body
    radar_change = gun_change + radar
    if tank.adjust_radar_for_gun != 0:
        radar_change = radar_change - gun
        if tank.adjust_gun_for_body != 0:
            radar_change = radar_change + body
    if tank.adjust_radar_for_body != 0:
        radar_change = radar_change - body
    tank.turn_rate = body
    tank.gun_turn_rate = gun
    tank.radar_turn_rate = radar
    tank.radar_sweep = radar_change
    tank.direction = absolute_degrees(tank.direction + body)
    tank.gun_direction = absolute_degrees(tank.gun_direction + gun_change)
    tank.radar_direction = absolute_degrees(tank.radar_direction + radar_change)


def paint(tank: Tank) -> None:
    """Show the colours of the intent."""
    tank.repaint = 0
    tank.body_color = tank.want_body_color
    tank.turret_color = tank.want_turret_color
    tank.radar_color = tank.want_radar_color
    tank.bullet_color = tank.want_bullet_color
    tank.scan_color = tank.want_scan_color
    tank.tracks_color = tank.want_tracks_color
    tank.gun_color = tank.want_gun_color
