"""Event rows: their kinds, and the function that writes them.

    kind             first          second      flag     energy, x, y     direction  value
    FIRED            bullet id      owner                x, y: muzzle
    HIT_WALL         seat
    HIT_TANK         seat           other seat  rammed   of the other
    SCANNED          scanner        scanned              of the scanned   its own    its speed
    BULLET_WALL      bullet id      owner
    BULLET_BULLET    bullet id      bullet id
    BULLET_TANK      bullet id      victim               energy only                 damage
    DEATH            seat

Fields that are blank for a kind have values of earlier events and must not be read.
"""

from __future__ import annotations

from turnwright_tank.rules.rows import EventRow, Rows

FIRED = 1
HIT_WALL = 2
HIT_TANK = 3
SCANNED = 4
BULLET_WALL = 5
BULLET_BULLET = 6
BULLET_TANK = 7
DEATH = 8

# Results of a stage. 0 means done. The others mean that a table was too short, and that nothing was changed.
ROOM_BULLETS = 1
ROOM_EVENTS = 2
ROOM_CONTACTS = 3
ROOM_DUELS = 4


def add_event(rows: Rows, kind: int, first: int, second: int) -> EventRow:
    """Add an event and return its row, so that the caller can set the fields of its kind.

    The table must have room.
    """
    arena = rows.arena
    event = rows.events[arena.events]
    arena.events += 1
    event.kind = kind
    event.first = first
    event.second = second
    return event
