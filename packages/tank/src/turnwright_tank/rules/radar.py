"""Radar scans. Source: tank-rules.md#radars.

A radar sees the tanks that touch the sector that it has just swept, with a radius of 1200 units, even behind
other tanks. A radar that has not turned sees along a line. If nothing of a tank has moved or turned, its
radar sees nothing, unless the intent sets rescan. Positions are those after all moves and before the bullets.
"""

from __future__ import annotations

from turnwright_tank.rules.constants import RADAR_RADIUS, TANK_RADIUS
from turnwright_tank.rules.events import ROOM_EVENTS, SCANNED, add_event
from turnwright_tank.rules.geometry import segment_meets_circle
from turnwright_tank.rules.grid import MARGIN, fill_sights
from turnwright_tank.rules.rows import Rows, Tank
from turnwright_tank.rules.trig import absolute_degrees, sincos

SIGHT = RADAR_RADIUS + TANK_RADIUS + 1.0
"""u: a radar sees nothing farther away."""
BOX_MARGIN = 2.0 * TANK_RADIUS + 1.0
"""u: a tank that touches an edge of the sector, or is up to TANK_RADIUS beyond its arc, is within this
distance.
"""
SIGHT_SQUARED = (RADAR_RADIUS + TANK_RADIUS) * (RADAR_RADIUS + TANK_RADIUS)
RADIUS_SQUARED = TANK_RADIUS * TANK_RADIUS
NEAR_EDGE = RADAR_RADIUS * (TANK_RADIUS + 0.1)
"""If the cross product of a target and an edge is farther from 0 than this, the target cannot touch the edge.
"""


def turn_radars(rows: Rows) -> int:
    """Stage: every radar scans, in order of seat. Its targets also come in order of seat."""
    arena = rows.arena
    first_event = arena.events
    by_grid = arena.tanks >= arena.grid_from
    if by_grid:
        fill_sights(rows)
    for tank in rows.tanks:
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
            scan(rows, tank, by_grid)
    if arena.events > len(rows.events):
        arena.events = first_event
        return ROOM_EVENTS
    return 0


def scan(rows: Rows, tank: Tank, by_grid: bool) -> None:
    """Let one radar scan its sector, which goes counter-clockwise from (ax, ay) to (ex, ey)."""
    radar = tank.radar_direction
    sweep = tank.radar_sweep
    other = absolute_degrees(radar - sweep)
    sin = tank.sight_sin
    cos = tank.sight_cos
    if other != tank.sight_angle:
        sin, cos = sincos(other)
    if radar != tank.sight_angle:
        tank.sight_angle = radar
        tank.sight_sin, tank.sight_cos = sincos(radar)
    ax = cos * RADAR_RADIUS
    ay = sin * RADAR_RADIUS
    ex = tank.sight_cos * RADAR_RADIUS
    ey = tank.sight_sin * RADAR_RADIUS
    if sweep < 0.0:
        ax, ay, ex, ey = ex, ey, ax, ay
    if by_grid:
        scan_near(rows, tank, ax, ay, ex, ey, other == radar)
    else:
        scan_all(rows, tank, ax, ay, ex, ey, other == radar)


def scan_all(rows: Rows, tank: Tank, ax: float, ay: float, ex: float, ey: float, is_line: bool) -> None:
    """Test every other tank. Tanks clearly right of the start or left of the end are left out first."""
    x = tank.x
    y = tank.y
    for target in rows.tanks:
        wx = target.x - x
        wy = target.y - y
        if ax * wy - ay * wx < -NEAR_EDGE or ex * wy - ey * wx > NEAR_EDGE:
            continue
        if (
            target.alive != 0
            and target.seat != tank.seat
            and sees(x, y, ax, ay, ex, ey, is_line, target.x, target.y)
        ):
            note_scan(rows, tank, target)


def scan_near(rows: Rows, tank: Tank, ax: float, ay: float, ex: float, ey: float, is_line: bool) -> None:
    """Test the tanks in the cells that the sector's box touches, and report scans in order of seat."""
    left, right, bottom, top = sector_box(ax, ay, ex, ey)
    arena = rows.arena
    x = tank.x
    y = tank.y
    across = arena.coarse_across
    last_column = across - 1
    first_column = cell_number(x + left, arena.coarse, last_column)
    last_column = cell_number(x + right, arena.coarse, last_column)
    last_row = (len(rows.cells) - arena.sights_from) // across - 1
    first_row = cell_number(y + bottom, arena.coarse, last_row)
    last_row = cell_number(y + top, arena.coarse, last_row)
    base = arena.sights_base
    found = 0
    for row in range(first_row, last_row + 1):
        cell = arena.sights_from + row * across
        for k in range(cell + first_column, cell + last_column + 1):
            entry = rows.cells[k]
            while entry >= base:
                target = rows.tanks[entry - base]
                entry = target.link
                if target.seat != tank.seat and sees(x, y, ax, ay, ex, ey, is_line, target.x, target.y):
                    put_in_order(rows, found, target.seat)
                    found += 1
    for k in range(found):
        note_scan(rows, tank, rows.tanks[rows.contacts[k].first])


def sector_box(ax: float, ay: float, ex: float, ey: float) -> tuple[float, float, float, float]:
    """Return a box around everything that a radar can see: (left, right, bottom, top) from the tank's centre.

    The sector is less than half a circle, so it contains a compass direction if the direction is between its
    edges.
    """
    left = -BOX_MARGIN
    right = BOX_MARGIN
    bottom = -BOX_MARGIN
    top = BOX_MARGIN
    if ay <= 0.0 <= ey:
        right = SIGHT
    if ax >= 0.0 >= ex:
        top = SIGHT
    if ay >= 0.0 >= ey:
        left = -SIGHT
    if ax <= 0.0 <= ex:
        bottom = -SIGHT
    left = lesser(left, lesser(ax, ex) - BOX_MARGIN)
    right = greater(right, greater(ax, ex) + BOX_MARGIN)
    bottom = lesser(bottom, lesser(ay, ey) - BOX_MARGIN)
    top = greater(top, greater(ay, ey) + BOX_MARGIN)
    return left, right, bottom, top


def lesser(one: float, two: float) -> float:
    """Return the lesser of two numbers."""
    return one if one < two else two


def greater(one: float, two: float) -> float:
    """Return the greater of two numbers."""
    return one if one > two else two


def cell_number(place: float, cells: float, last: int) -> int:
    """Return the row or column of the coarse grid nearest to a place."""
    number = int((place + MARGIN) * cells) if place > -MARGIN else 0
    return number if number < last else last


def put_in_order(rows: Rows, count: int, seat: int) -> None:
    """Insert a seat into the first `count` contacts in order. The table of contacts is free while radars
    scan.
    """
    contacts = rows.contacts
    at = count
    while at > 0 and contacts[at - 1].first > seat:
        contacts[at].first = contacts[at - 1].first
        at -= 1
    contacts[at].first = seat


def sees(
    x: float,
    y: float,
    ax: float,
    ay: float,
    ex: float,
    ey: float,
    is_line: bool,
    target_x: float,
    target_y: float,
) -> bool:
    """Return whether a target touches the sector: its centre is between the edges, or it touches an edge."""
    wx = target_x - x
    wy = target_y - y
    if wx * wx + wy * wy > SIGHT_SQUARED:
        return False
    if not is_line and ax * wy > ay * wx and ex * wy <= ey * wx:
        return True
    if -NEAR_EDGE < ax * wy - ay * wx < NEAR_EDGE and segment_meets_circle(
        x, y, x + ax, y + ay, target_x, target_y, RADIUS_SQUARED
    ):
        return True
    return -NEAR_EDGE < ex * wy - ey * wx < NEAR_EDGE and segment_meets_circle(
        x, y, x + ex, y + ey, target_x, target_y, RADIUS_SQUARED
    )


def note_scan(rows: Rows, tank: Tank, target: Tank) -> None:
    """Add the event that one tank scanned another. The first scan of a turn counts for fire assist."""
    if tank.scanned == 0:
        tank.scanned = 1
        tank.scanned_x = target.x
        tank.scanned_y = target.y
    if rows.arena.events >= len(rows.events):
        rows.arena.events += 1
        return
    event = add_event(rows, SCANNED, tank.seat, target.seat)
    event.energy = target.energy
    event.x = target.x
    event.y = target.y
    event.direction = target.direction
    event.value = target.speed
