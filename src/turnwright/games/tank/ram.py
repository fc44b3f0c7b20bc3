"""Tanks and tanks. Source: tank-rules.md#tanks-that-touch.

Two tanks that touch go back to where they were when the turn began, and both lose energy. Who drives towards
the other is ramming, scores, and stops. All contacts are found before any is applied.
"""

from __future__ import annotations

from turnwright.games.tank.energy import change_energy
from turnwright.games.tank.events import (
    HIT_TANK,
    ROOM_CONTACTS,
    ROOM_DUELS,
    ROOM_EVENTS,
    add_event,
)
from turnwright.games.tank.grid import fill_tanks, tank_cell
from turnwright.games.tank.rules import RAM_DAMAGE, TANK_DIAMETER
from turnwright.games.tank.score import score_ram_hit
from turnwright.games.tank.trig import atan2_degrees, relative_degrees
from turnwright.games.tank.world import Tank, World

__all__ = ["apply_tank_contacts", "find_tank_contacts", "is_ramming"]


def find_tank_contacts(world: World) -> int:
    """Stage: find all pairs of tanks that touch, in order of seats, and who of each rams the other."""
    arena = world.arena
    arena.contacts = 0
    if arena.tanks >= arena.grid_from:
        fill_tanks(world)
        find_near_contacts(world)
    else:
        find_all_contacts(world)
    return ROOM_CONTACTS if arena.contacts > len(world.contacts) else 0


def find_all_contacts(world: World) -> None:
    """Compare every tank with every other."""
    tanks = world.tanks
    count = world.arena.tanks
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
                note_contact(world, i, j)


def find_near_contacts(world: World) -> None:
    """Compare every tank with those near it in the grid; a cell holds them in order of seat."""
    arena = world.arena
    base = arena.tanks_base
    for tank in world.tanks:
        if tank.alive == 0:
            continue
        entry = world.cells[tank_cell(arena, tank.x, tank.y)]
        while entry >= base:
            node = entry - base
            entry = world.chain[node]
            seat = node // 4
            if seat > tank.seat:
                other = world.tanks[seat]
                dx = other.x - tank.x
                dy = other.y - tank.y
                if dx * dx + dy * dy <= TANK_DIAMETER * TANK_DIAMETER:
                    note_contact(world, tank.seat, seat)


def note_contact(world: World, i: int, j: int) -> None:
    """Write down that two tanks touch; only count it when the table is full."""
    arena = world.arena
    k = arena.contacts
    arena.contacts = k + 1
    if k < len(world.contacts):
        contact = world.contacts[k]
        contact.first = i
        contact.second = j
        contact.first_rammed = 1 if is_ramming(world.tanks[i], world.tanks[j]) else 0
        contact.second_rammed = 1 if is_ramming(world.tanks[j], world.tanks[i]) else 0


def is_ramming(tank: Tank, other: Tank) -> bool:
    """Return whether a tank drives towards another one, forward or backward."""
    if tank.speed == 0.0:
        return False
    bearing = relative_degrees(atan2_degrees(other.y - tank.y, other.x - tank.x) - tank.direction)
    if tank.speed > 0.0:
        return -90.0 < bearing < 90.0
    return bearing < -90.0 or bearing > 90.0


def apply_tank_contacts(world: World) -> int:
    """Stage: apply the contacts: damage, way back, events, scores."""
    arena = world.arena
    if arena.contacts == 0:
        return 0
    if len(world.events) < arena.events + 2 * arena.contacts:
        return ROOM_EVENTS
    if len(world.duels) < arena.duels + 2 * arena.contacts:
        return ROOM_DUELS
    arena.moved = 1
    for k in range(arena.contacts):
        contact = world.contacts[k]
        first = world.tanks[contact.first]
        second = world.tanks[contact.second]
        first_lived = first.energy >= 0.0
        second_lived = second.energy >= 0.0
        change_energy(first, -RAM_DAMAGE)
        change_energy(second, -RAM_DAMAGE)
        if contact.first_rammed != 0:
            score_ram_hit(world, first, second, second_lived and second.energy < 0.0)
        if contact.second_rammed != 0:
            score_ram_hit(world, second, first, first_lived and first.energy < 0.0)
        go_back(world, first, second)
        if contact.first_rammed != 0:
            first.speed = 0.0
        if contact.second_rammed != 0:
            second.speed = 0.0
        tell_contact(world, first, second, contact.first_rammed)
        tell_contact(world, second, first, contact.second_rammed)
    return 0


def go_back(world: World, first: Tank, second: Tank) -> None:
    """Put two tanks back; in turn 1, where there is no way back, the second goes to its spare place."""
    first.x = first.before_x
    first.y = first.before_y
    if world.arena.turn == 1:
        second.x = second.spare_x
        second.y = second.spare_y
    else:
        second.x = second.before_x
        second.y = second.before_y


def tell_contact(world: World, tank: Tank, other: Tank, rammed: int) -> None:
    """Tell a tank which other it touched."""
    event = add_event(world, HIT_TANK, tank.seat, other.seat)
    event.flag = rammed
    event.energy = other.energy
    event.x = other.x
    event.y = other.y
