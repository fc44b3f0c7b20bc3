"""Contacts of tanks with tanks. Source: tank-rules.md#tanks-that-touch.

Two tanks that touch go back to their places at the start of the turn, and both lose energy. A tank that
drives towards the other tank rams it, scores and stops. All contacts are found before any is applied.
"""

from __future__ import annotations

from turnwright_tank.rules.constants import RAM_DAMAGE, TANK_DIAMETER
from turnwright_tank.rules.energy import change_energy
from turnwright_tank.rules.events import HIT_TANK, ROOM_CONTACTS, ROOM_DUELS, ROOM_EVENTS, add_event
from turnwright_tank.rules.grid import fill_tanks, tank_cell
from turnwright_tank.rules.rows import Rows, Tank
from turnwright_tank.rules.score import score_ram_hit
from turnwright_tank.rules.trig import atan2_degrees, relative_degrees


def find_tank_contacts(rows: Rows) -> int:
    """Stage: find all pairs of tanks that touch, in order of seats, and which tanks ram."""
    arena = rows.arena
    arena.contacts = 0
    if arena.tanks >= arena.grid_from:
        fill_tanks(rows)
        find_near_contacts(rows)
    else:
        find_all_contacts(rows)
    return ROOM_CONTACTS if arena.contacts > len(rows.contacts) else 0


def find_all_contacts(rows: Rows) -> None:
    """Compare every tank with every other tank."""
    tanks = rows.tanks
    count = rows.arena.tanks
    for i in range(count - 1):
        tank = tanks[i]
        if tank.alive == 0:
            continue
        x = tank.x
        y = tank.y
        for j in range(i + 1, count):
            other = tanks[j]
            dx = other.x - x
            if dx > TANK_DIAMETER or dx < -TANK_DIAMETER or other.alive == 0:
                continue
            dy = other.y - y
            if dx * dx + dy * dy <= TANK_DIAMETER * TANK_DIAMETER:
                note_contact(rows, i, j)


def find_near_contacts(rows: Rows) -> None:
    """Compare every tank with the tanks near it in the grid, which come in order of seat."""
    arena = rows.arena
    base = arena.tanks_base
    for tank in rows.tanks:
        if tank.alive == 0:
            continue
        entry = rows.cells[tank_cell(arena, tank.x, tank.y)]
        while entry >= base:
            node = entry - base
            entry = rows.chain[node]
            seat = node // 4
            if seat > tank.seat:
                other = rows.tanks[seat]
                dx = other.x - tank.x
                dy = other.y - tank.y
                if dx * dx + dy * dy <= TANK_DIAMETER * TANK_DIAMETER:
                    note_contact(rows, tank.seat, seat)


def note_contact(rows: Rows, i: int, j: int) -> None:
    """Store that two tanks touch. If the table is full, only count the contact."""
    arena = rows.arena
    k = arena.contacts
    arena.contacts = k + 1
    if k < len(rows.contacts):
        contact = rows.contacts[k]
        contact.first = i
        contact.second = j
        contact.first_rammed = 1 if is_ramming(rows.tanks[i], rows.tanks[j]) else 0
        contact.second_rammed = 1 if is_ramming(rows.tanks[j], rows.tanks[i]) else 0


def is_ramming(tank: Tank, other: Tank) -> bool:
    """Return whether a tank drives towards another tank, forward or backward."""
    if tank.speed == 0.0:
        return False
    bearing = relative_degrees(atan2_degrees(other.y - tank.y, other.x - tank.x) - tank.direction)
    if tank.speed > 0.0:
        return -90.0 < bearing < 90.0
    return bearing < -90.0 or bearing > 90.0


def apply_tank_contacts(rows: Rows) -> int:
    """Stage: apply damage, return to old places, events and scores of the contacts."""
    arena = rows.arena
    if arena.contacts == 0:
        return 0
    if len(rows.events) < arena.events + 2 * arena.contacts:
        return ROOM_EVENTS
    if len(rows.duels) < arena.duels + 2 * arena.contacts:
        return ROOM_DUELS
    arena.moved = 1
    for k in range(arena.contacts):
        contact = rows.contacts[k]
        first = rows.tanks[contact.first]
        second = rows.tanks[contact.second]
        first_lived = first.energy >= 0.0
        second_lived = second.energy >= 0.0
        change_energy(first, -RAM_DAMAGE)
        change_energy(second, -RAM_DAMAGE)
        if contact.first_rammed != 0:
            score_ram_hit(rows, first, second, second_lived and second.energy < 0.0)
        if contact.second_rammed != 0:
            score_ram_hit(rows, second, first, first_lived and first.energy < 0.0)
        go_back(rows, first, second)
        if contact.first_rammed != 0:
            first.speed = 0.0
        if contact.second_rammed != 0:
            second.speed = 0.0
        add_contact_event(rows, first, second, contact.first_rammed)
        add_contact_event(rows, second, first, contact.second_rammed)
    return 0


def go_back(rows: Rows, first: Tank, second: Tank) -> None:
    """Move two tanks that touch back to their old places.

    In turn 1 there is no old place, so the second tank goes to its spare place.
    """
    first.x = first.before_x
    first.y = first.before_y
    if rows.arena.turn == 1:
        second.x = second.spare_x
        second.y = second.spare_y
    else:
        second.x = second.before_x
        second.y = second.before_y


def add_contact_event(rows: Rows, tank: Tank, other: Tank, rammed: int) -> None:
    """Add the event that a tank touched another tank."""
    event = add_event(rows, HIT_TANK, tank.seat, other.seat)
    event.flag = rammed
    event.energy = other.energy
    event.x = other.x
    event.y = other.y
