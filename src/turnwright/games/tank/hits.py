"""Bullets that hit bullets and tanks. Source: rules.md §8.3–§8.7.

Both are found before anything is applied, so a bullet that meets a bullet can still hit a tank in this turn,
and one bullet can hit several tanks.
"""

from __future__ import annotations

from turnwright.games.tank.bullets import take_out
from turnwright.games.tank.energy import change_energy
from turnwright.games.tank.events import (
    BULLET_BULLET,
    BULLET_TANK,
    ROOM_CONTACTS,
    ROOM_DUELS,
    ROOM_EVENTS,
    add_event,
)
from turnwright.games.tank.geometry import segment_meets_circle, segments_meet
from turnwright.games.tank.rules import BULLET_HIT_GAIN, BULLET_REACH, TANK_RADIUS, bullet_damage
from turnwright.games.tank.score import score_bullet_hit
from turnwright.games.tank.world import Bullet, World

__all__ = ["apply_bullet_hits", "apply_meetings", "find_bullet_hits", "find_meetings"]

RADIUS_SQUARED = TANK_RADIUS * TANK_RADIUS
TANK_REACH = TANK_RADIUS + 19.7 + 0.1
"""A tank farther from a bullet than this on one axis cannot be hit in one step."""


def find_meetings(world: World) -> int:
    """Stage: find all pairs of bullets that meet, in order of firing."""
    arena = world.arena
    bullets = world.bullets
    arena.contacts = 0
    for i in range(arena.bullets - 1):
        bullet = bullets[i]
        x = bullet.next_x
        y = bullet.next_y
        for j in range(i + 1, arena.bullets):
            other = bullets[j]
            dx = other.next_x - x
            if dx > BULLET_REACH or dx < -BULLET_REACH:
                continue
            dy = other.next_y - y
            if dx * dx + dy * dy <= BULLET_REACH * BULLET_REACH and bullets_meet(bullet, other):
                note_pair(world, i, j)
    arena.meetings = arena.contacts
    return ROOM_CONTACTS if arena.contacts > len(world.contacts) else 0


def bullets_meet(one: Bullet, two: Bullet) -> bool:
    """Return whether the next steps of two bullets cross."""
    return segments_meet(one.x, one.y, one.next_x, one.next_y, two.x, two.y, two.next_x, two.next_y)


def note_pair(world: World, first: int, second: int) -> None:
    """Write down that two things touch; only count it when the table is full."""
    arena = world.arena
    k = arena.contacts
    arena.contacts = k + 1
    if k < len(world.contacts):
        contact = world.contacts[k]
        contact.first = first
        contact.second = second


def find_bullet_hits(world: World) -> int:
    """Stage: find all tanks that bullets hit: bullets in order of firing, tanks in order of seat."""
    arena = world.arena
    bullets = world.bullets
    tanks = world.tanks
    arena.contacts = arena.meetings
    for k in range(arena.bullets):
        bullet = bullets[k]
        x = bullet.x
        y = bullet.y
        for seat in range(arena.tanks):
            tank = tanks[seat]
            dx = tank.x - x
            if dx > TANK_REACH or dx < -TANK_REACH:
                continue
            dy = tank.y - y
            if dy > TANK_REACH or dy < -TANK_REACH or tank.alive == 0 or seat == bullet.owner:
                continue
            if segment_meets_circle(x, y, bullet.next_x, bullet.next_y, tank.x, tank.y, RADIUS_SQUARED):
                note_pair(world, k, seat)
    arena.hits = arena.contacts - arena.meetings
    return ROOM_CONTACTS if arena.contacts > len(world.contacts) else 0


def apply_meetings(world: World) -> int:
    """Stage: the bullets that met are marked and told."""
    arena = world.arena
    if len(world.events) < arena.events + arena.meetings:
        return ROOM_EVENTS
    for k in range(arena.meetings):
        contact = world.contacts[k]
        one = world.bullets[contact.first]
        two = world.bullets[contact.second]
        one.removed = 1
        two.removed = 1
        add_event(world, BULLET_BULLET, one.id, two.id)
    return 0


def apply_bullet_hits(world: World) -> int:
    """Stage: apply the hits in the order found, then take out all bullets that hit something."""
    arena = world.arena
    if len(world.events) < arena.events + arena.hits:
        return ROOM_EVENTS
    if len(world.duels) < arena.duels + arena.hits:
        return ROOM_DUELS
    for k in range(arena.meetings, arena.contacts):
        contact = world.contacts[k]
        apply_hit(world, world.bullets[contact.first], contact.second)
    if arena.contacts > 0:
        take_out(world)
    return 0


def apply_hit(world: World, bullet: Bullet, seat: int) -> None:
    """Let a bullet hit a tank: damage for it, energy for the shooter if it is still in the round."""
    victim = world.tanks[seat]
    shooter = world.tanks[bullet.owner]
    damage = bullet_damage(bullet.power)
    before = victim.energy
    lost = damage
    if before < damage:
        lost = before if before > 0.0 else 0.0
    change_energy(victim, -damage)
    bullet.removed = 1
    score_bullet_hit(world, shooter, victim, lost, before >= 0.0 and victim.energy < 0.0)
    event = add_event(world, BULLET_TANK, bullet.id, seat)
    event.value = damage
    event.energy = victim.energy
    if shooter.alive != 0:
        change_energy(shooter, BULLET_HIT_GAIN * bullet.power)
