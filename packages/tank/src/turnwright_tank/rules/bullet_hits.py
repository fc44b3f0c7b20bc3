"""Bullets that hit bullets and tanks. Source: tank-rules.md#bullets.

All meetings and hits are found before any is applied. So a bullet that meets a bullet can still hit a tank in
this turn, and one bullet can hit several tanks.
"""

from __future__ import annotations

from turnwright_tank.rules.bullets import remove_bullets
from turnwright_tank.rules.constants import BULLET_HIT_GAIN, BULLET_REACH, TANK_RADIUS, bullet_damage
from turnwright_tank.rules.energy import change_energy
from turnwright_tank.rules.events import (
    BULLET_BULLET,
    BULLET_TANK,
    ROOM_CONTACTS,
    ROOM_DUELS,
    ROOM_EVENTS,
    add_event,
)
from turnwright_tank.rules.geometry import segment_meets_circle, segments_meet
from turnwright_tank.rules.grid import MARGIN, TANK_REACH, fill_tanks
from turnwright_tank.rules.rows import Bullet, Rows, Tank
from turnwright_tank.rules.score import score_bullet_hit

RADIUS_SQUARED = TANK_RADIUS * TANK_RADIUS


def find_bullet_contacts(rows: Rows) -> int:
    """Stage: find all pairs of bullets that meet, in order of firing."""
    arena = rows.arena
    arena.contacts = 0
    if arena.bullets >= arena.grid_from:
        find_near_bullet_contacts(rows)
    else:
        find_all_bullet_contacts(rows)
    arena.bullet_contacts = arena.contacts
    if arena.contacts > len(rows.contacts):
        return ROOM_CONTACTS
    return 0


def find_all_bullet_contacts(rows: Rows) -> None:
    """Compare every bullet with every later one."""
    bullets = rows.bullets
    count = rows.arena.bullets
    for i in range(count - 1):
        bullet = bullets[i]
        x = bullet.next_x
        y = bullet.next_y
        for j in range(i + 1, count):
            other = bullets[j]
            dx = other.next_x - x
            if dx > BULLET_REACH or dx < -BULLET_REACH:
                continue
            dy = other.next_y - y
            if dx * dx + dy * dy <= BULLET_REACH * BULLET_REACH and bullets_touch(bullet, other):
                note_pair(rows, i, j)


def find_near_bullet_contacts(rows: Rows) -> None:
    """Compare every bullet with the earlier bullets near it in the grid, then put it into the grid."""
    arena = rows.arena
    cells = rows.cells
    bullets = rows.bullets
    first = arena.bullets_from
    across = arena.fine_across
    fine = arena.fine
    near = (BULLET_REACH + 0.1) * fine
    far = 1.0 - near
    base = arena.stamp
    arena.stamp = base + arena.bullets
    for i in range(arena.bullets):
        bullet = bullets[i]
        x = (bullet.next_x + MARGIN) * fine
        y = (bullet.next_y + MARGIN) * fine
        column = int(x)
        row = int(y)
        x = x - column
        y = y - row
        cell = first + row * across + column
        aside = -1 if x < near else (1 if x > far else 0)
        above = -across if y < near else (across if y > far else 0)
        entry = cells[cell]
        if entry >= base:
            contact_in_cell(rows, i, entry, base)
        if aside != 0 and cells[cell + aside] >= base:
            contact_in_cell(rows, i, cells[cell + aside], base)
        if above != 0:
            if cells[cell + above] >= base:
                contact_in_cell(rows, i, cells[cell + above], base)
            if aside != 0 and cells[cell + above + aside] >= base:
                contact_in_cell(rows, i, cells[cell + above + aside], base)
        bullet.link = entry
        cells[cell] = base + i
    sort_pairs(rows)


def contact_in_cell(rows: Rows, i: int, entry: int, base: int) -> None:
    """Compare a bullet with the earlier bullets in one cell."""
    bullet = rows.bullets[i]
    while entry >= base:
        other = rows.bullets[entry - base]
        dx = other.next_x - bullet.next_x
        dy = other.next_y - bullet.next_y
        if dx * dx + dy * dy <= BULLET_REACH * BULLET_REACH and bullets_touch(other, bullet):
            note_pair(rows, entry - base, i)
        entry = other.link


def sort_pairs(rows: Rows) -> None:
    """Sort the few pairs that were found by order of firing."""
    contacts = rows.contacts
    count = rows.arena.contacts
    if count > len(contacts):
        return
    for k in range(1, count):
        first = contacts[k].first
        second = contacts[k].second
        at = k
        while at > 0 and (
            contacts[at - 1].first > first
            or (contacts[at - 1].first == first and contacts[at - 1].second > second)
        ):
            contacts[at].first = contacts[at - 1].first
            contacts[at].second = contacts[at - 1].second
            at = at - 1
        contacts[at].first = first
        contacts[at].second = second


def bullets_touch(one: Bullet, two: Bullet) -> bool:
    """Return whether the next steps of two bullets cross."""
    return segments_meet(one.x, one.y, one.next_x, one.next_y, two.x, two.y, two.next_x, two.next_y)


def note_pair(rows: Rows, first: int, second: int) -> None:
    """Store that two objects touch. If the table is full, only count the pair."""
    arena = rows.arena
    k = arena.contacts
    arena.contacts = k + 1
    if k < len(rows.contacts):
        contact = rows.contacts[k]
        contact.first = first
        contact.second = second


def find_bullet_hits(rows: Rows) -> int:
    """Stage: find all tanks that bullets hit, by bullets in order of firing and tanks in order of seat."""
    arena = rows.arena
    arena.contacts = arena.bullet_contacts
    if arena.tanks >= arena.grid_from:
        if arena.tanks_filled == 0:
            fill_tanks(rows)
        find_near_hits(rows)
    else:
        find_all_hits(rows)
    arena.hits = arena.contacts - arena.bullet_contacts
    return ROOM_CONTACTS if arena.contacts > len(rows.contacts) else 0


def find_all_hits(rows: Rows) -> None:
    """Compare every bullet with every tank."""
    bullets = rows.bullets
    for k in range(rows.arena.bullets):
        bullet = bullets[k]
        x = bullet.x
        y = bullet.y
        for tank in rows.tanks:
            dx = tank.x - x
            if dx > TANK_REACH or dx < -TANK_REACH:
                continue
            dy = tank.y - y
            if dy > TANK_REACH or dy < -TANK_REACH:
                continue
            if tank.alive != 0 and bullet_hits(bullet, tank):
                note_pair(rows, k, tank.seat)


def find_near_hits(rows: Rows) -> None:
    """Compare every bullet with the tanks near it in the grid, which come in order of seat."""
    arena = rows.arena
    bullets = rows.bullets
    cells = rows.cells
    across = arena.fine_across
    fine = arena.fine
    base = arena.tanks_base
    for k in range(arena.bullets):
        bullet = bullets[k]
        entry = cells[int((bullet.y + MARGIN) * fine) * across + int((bullet.x + MARGIN) * fine)]
        while entry >= base:
            node = entry - base
            entry = rows.chain[node]
            seat = node // 4
            if bullet_hits(bullet, rows.tanks[seat]):
                note_pair(rows, k, seat)


def bullet_hits(bullet: Bullet, tank: Tank) -> bool:
    """Return whether the next step of a bullet touches a tank that did not fire it."""
    if tank.seat == bullet.owner:
        return False
    return segment_meets_circle(
        bullet.x, bullet.y, bullet.next_x, bullet.next_y, tank.x, tank.y, RADIUS_SQUARED
    )


def apply_bullet_contacts(rows: Rows) -> int:
    """Stage: mark the bullets that met, and add their events."""
    arena = rows.arena
    if len(rows.events) < arena.events + arena.bullet_contacts:
        return ROOM_EVENTS
    for k in range(arena.bullet_contacts):
        contact = rows.contacts[k]
        one = rows.bullets[contact.first]
        two = rows.bullets[contact.second]
        one.removed = 1
        two.removed = 1
        add_event(rows, BULLET_BULLET, one.id, two.id)
    return 0


def apply_bullet_hits(rows: Rows) -> int:
    """Stage: apply the hits in the order found, then remove all bullets that hit something."""
    arena = rows.arena
    if len(rows.events) < arena.events + arena.hits:
        return ROOM_EVENTS
    if len(rows.duels) < arena.duels + arena.hits:
        return ROOM_DUELS
    for k in range(arena.bullet_contacts, arena.contacts):
        contact = rows.contacts[k]
        apply_hit(rows, rows.bullets[contact.first], contact.second)
    if arena.contacts > 0:
        remove_bullets(rows)
    return 0


def apply_hit(rows: Rows, bullet: Bullet, seat: int) -> None:
    """Let a bullet hit a tank.

    The tank loses the damage. The shooter gains energy if it is still in the round.
    """
    victim = rows.tanks[seat]
    shooter = rows.tanks[bullet.owner]
    damage = bullet_damage(bullet.power)
    before = victim.energy
    lost = damage
    if before < damage:
        lost = before if before > 0.0 else 0.0
    change_energy(victim, -damage)
    bullet.removed = 1
    score_bullet_hit(rows, shooter, victim, lost, before >= 0.0 and victim.energy < 0.0)
    event = add_event(rows, BULLET_TANK, bullet.id, seat)
    event.value = damage
    event.energy = victim.energy
    if shooter.alive != 0:
        change_energy(shooter, BULLET_HIT_GAIN * bullet.power)
