"""Writes all observations of a turn as JSON from the rows, without objects.

Tables are flat sequences of 64-bit words, row behind row. Runs interpreted and, the same lines, compiled by
Numba (see `ticks`).
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from turnwright.games.tank.rules.events import BULLET_BULLET, BULLET_TANK, BULLET_WALL, DEATH, FIRED
from turnwright.games.tank.rules.rows import ARENA, BULLET, BULLET_SHOWN, EVENT, TANK, TANK_SHOWN
from turnwright.games.tank.wire.royale_fast import templates
from turnwright.games.tank.wire.royale_fast.floats import i64, u64
from turnwright.games.tank.wire.royale_fast.templates import FORM_BYTES_MAX, place, write_form

__all__ = [
    "DROID",
    "END",
    "HEARS",
    "NOTES",
    "NO_BULLET",
    "NO_ROOM",
    "SEAT",
    "TickBuffers",
    "notes_length",
    "write_ticks",
]

NO_ROOM = -1
"""The output is too short."""
NO_BULLET = -2
"""An event names a bullet that is not in its table."""

DROID = 0
HEARS = 1
"""Whether a seat gets events of deaths."""
SEAT = 2
"""In row k: whose observation is the k-th."""
END = 3
"""In row k: where the k-th observation ends in the output, a number of bytes."""
_MATES = 4
"""In the row of a team's lowest seat: how many of the team live."""
_BULLETS = 5
"""A seat's first bullet, as its row; -1: none. So all chains."""
_EVENTS = 6
"""A seat's first event: twice its row, +1 for the second of its two receivers."""
NOTES = 7
"""Words a seat."""

_TANK = len(TANK.names)
_BULLET = len(BULLET.names)
_EVENT = len(EVENT.names)
_ROUND = ARENA.names.index("round")
_TURN = ARENA.names.index("turn")
_FLYING = ARENA.names.index("bullets")
_GONE = ARENA.names.index("gone")
_HAPPENED = ARENA.names.index("events")
_ALIVE = TANK.names.index("alive")
_DEATH_TURN = TANK.names.index("death_turn")
_TEAM = TANK.names.index("team")
_SHOWN_FROM = TANK.names.index("energy")
_SHOWN = TANK_SHOWN - _SHOWN_FROM
_ID = BULLET.names.index("id")
_OWNER = BULLET.names.index("owner")
_KIND = EVENT.names.index("kind")
_FIRST = EVENT.names.index("first")
_SECOND = EVENT.names.index("second")
_X = EVENT.names.index("x")
_SAID = _EVENT - _FIRST

_AT_ROUND = place("round_number")
_AT_TURN = place("turn_number")
_AT_DROID = place("is_droid")
_AT_ENEMIES = place("enemy_count")
_AT_SHOWN = place("energy")
_AT_EVENT = place("event.first")
_AT_BULLET = place("bullet.bullet_id")
_AT_MUZZLE = place("bullet.x")
_AT_OTHER = place("hit_bullet.bullet_id")
_OPEN, _BETWEEN, _CLOSE, _OWN, _TOLD = (
    templates.OPEN,
    templates.BETWEEN,
    templates.CLOSE,
    templates.BULLET,
    templates.EVENT,
)

Table = Sequence[int]


class TickBuffers(NamedTuple):
    """The tables that one turn reads and writes.

    notes: NOTES words for each seat; then for each bullet the next one of its owner; then for each event four
    words: the next event of its first and of its second receiver, and the rows of its bullets.
    line: the values of a form. out: the bytes.
    """

    arenas: Table
    tanks: Table
    bullets: Table
    events: Table
    notes: MutableSequence[int]
    line: MutableSequence[int]
    out: MutableSequence[int]


def notes_length(tanks: int, bullets: int, events: int) -> int:
    """Return how many words of notes tables of so many rows need."""
    return NOTES * tanks + bullets + 4 * events


def _next_bullet(buffers: TickBuffers, row: int) -> int:
    """Return where in the notes the bullet behind a bullet is."""
    return len(buffers.tanks) // _TANK * NOTES + row


def _event_notes(buffers: TickBuffers, event: int) -> int:
    """Return where in the notes the four words of an event begin."""
    return len(buffers.tanks) // _TANK * NOTES + len(buffers.bullets) // _BULLET + 4 * event


def _clear(buffers: TickBuffers) -> int:
    """Begin the chains, note how many tanks of each team live, and return how many of all."""
    tanks, notes = buffers.tanks, buffers.notes
    seats = len(tanks) // _TANK
    for seat in range(seats):
        notes[seat * NOTES + _MATES] = 0
        notes[seat * NOTES + _BULLETS] = -1
        notes[seat * NOTES + _EVENTS] = -1
    living = 0
    for seat in range(seats):
        if tanks[seat * _TANK + _ALIVE] != u64(0):
            notes[i64(tanks[seat * _TANK + _TEAM]) * NOTES + _MATES] += 1
            living += 1
    return living


def _owner(buffers: TickBuffers, row: int) -> int:
    return i64(buffers.bullets[row * _BULLET + _OWNER])


def _chain_bullets(buffers: TickBuffers) -> None:
    """Chain the bullets in the air, each seat's own."""
    notes = buffers.notes
    for row in range(i64(buffers.arenas[_FLYING]) - 1, -1, -1):
        head = _owner(buffers, row) * NOTES + _BULLETS
        notes[_next_bullet(buffers, row)] = notes[head]
        notes[head] = row


def _find(buffers: TickBuffers, number: int) -> int:
    """Return the row of a bullet, in the air or gone, or NO_BULLET."""
    for row in range(i64(buffers.arenas[_FLYING] + buffers.arenas[_GONE])):
        if buffers.bullets[row * _BULLET + _ID] == number:
            return row
    return NO_BULLET


def _of_bullets(kind: int) -> bool:
    """Return whether an event of this kind shows a bullet."""
    return kind == FIRED or BULLET_WALL <= kind <= BULLET_TANK


def _find_bullets(buffers: TickBuffers, event: int, kind: int) -> bool:
    """Note the rows of an event's bullets; return whether they are there."""
    row, at = event * _EVENT, _event_notes(buffers, event)
    one = other = _find(buffers, buffers.events[row + _FIRST])
    if kind == BULLET_BULLET:
        other = _find(buffers, buffers.events[row + _SECOND])
    buffers.notes[at + 2], buffers.notes[at + 3] = one, other
    return one >= 0 and other >= 0


def _tell(buffers: TickBuffers, seat: int, event: int, second: int) -> None:
    """Put an event before the others of a seat."""
    head = seat * NOTES + _EVENTS
    buffers.notes[_event_notes(buffers, event) + second] = buffers.notes[head]
    buffers.notes[head] = 2 * event + second


def _chain_events(buffers: TickBuffers) -> int:
    """Chain the events of each seat; return the first death, -1: none, or NO_BULLET."""
    deaths = -1
    for event in range(i64(buffers.arenas[_HAPPENED]) - 1, -1, -1):
        row, at = event * _EVENT, _event_notes(buffers, event)
        kind, first, second = (
            i64(buffers.events[row + _KIND]),
            buffers.events[row + _FIRST],
            buffers.events[row + _SECOND],
        )
        if kind == DEATH:
            buffers.notes[at] = deaths
            deaths = event
        elif not _of_bullets(kind):
            _tell(buffers, i64(first), event, 0)
        elif not _find_bullets(buffers, event, kind):
            return NO_BULLET
        else:
            if kind == BULLET_BULLET:
                _tell(buffers, _owner(buffers, buffers.notes[at + 3]), event, 1)
            elif kind == BULLET_TANK:
                _tell(buffers, i64(second), event, 1)
            _tell(buffers, _owner(buffers, buffers.notes[at + 2]), event, 0)
    return deaths


def _fill_bullet(buffers: TickBuffers, at: int, row: int) -> None:
    for k in range(BULLET_SHOWN):
        buffers.line[at + k] = buffers.bullets[row * _BULLET + k]
    buffers.line[at + _OWNER] += u64(1)


def _fill_event(buffers: TickBuffers, event: int, second: int) -> int:
    """Put an event into the line for its first or second receiver; return its form."""
    line, row, at = buffers.line, event * _EVENT, _event_notes(buffers, event)
    for k in range(_SAID):
        line[_AT_EVENT + k] = buffers.events[row + _FIRST + k]
    line[_AT_EVENT] += u64(1)
    line[_AT_EVENT + 1] += u64(1)
    kind = i64(buffers.events[row + _KIND])
    if kind == BULLET_BULLET:
        _fill_bullet(buffers, _AT_BULLET, buffers.notes[at + 2 + second])
        _fill_bullet(buffers, _AT_OTHER, buffers.notes[at + 3 - second])
    elif _of_bullets(kind):
        _fill_bullet(buffers, _AT_BULLET, buffers.notes[at + 2])
    if kind == FIRED:
        line[_AT_MUZZLE] = buffers.events[row + _X]
        line[_AT_MUZZLE + 1] = buffers.events[row + _X + 1]
    return _TOLD + kind


def _fill_tank(buffers: TickBuffers, seat: int, living: int) -> None:
    line, row, enemies = buffers.line, seat * _TANK, living
    if buffers.tanks[row + _ALIVE] != u64(0):
        enemies -= buffers.notes[i64(buffers.tanks[row + _TEAM]) * NOTES + _MATES]
    line[_AT_DROID] = u64(buffers.notes[seat * NOTES + DROID])
    line[_AT_ENEMIES] = u64(enemies)
    for k in range(_SHOWN):
        line[_AT_SHOWN + k] = buffers.tanks[row + _SHOWN_FROM + k]


def _write(buffers: TickBuffers, at: int, form: int) -> int:
    """Write a form; return where it ends, or NO_ROOM; NO_ROOM for NO_ROOM."""
    if at < 0 or at + FORM_BYTES_MAX > len(buffers.out):
        return NO_ROOM
    return write_form(buffers.out, at, form, buffers.line)


def _drop_comma(at: int, began: int) -> int:
    """Return the end of a list without the comma behind its last item."""
    return at - 1 if at > began else at


def _write_bullets(buffers: TickBuffers, at: int, seat: int) -> int:
    began, row = at, buffers.notes[seat * NOTES + _BULLETS]
    while row >= 0:
        _fill_bullet(buffers, _AT_BULLET, row)
        at = _write(buffers, at, _OWN)
        row = buffers.notes[_next_bullet(buffers, row)]
    return _drop_comma(at, began)


def _hears(buffers: TickBuffers, seat: int) -> bool:
    """Return whether a seat gets deaths: it was alive when the turn began, and asked for them."""
    row = seat * _TANK
    began = buffers.tanks[row + _ALIVE] != u64(0) or buffers.tanks[row + _DEATH_TURN] == buffers.arenas[_TURN]
    return began and buffers.notes[seat * NOTES + HEARS] != 0


def _write_events(buffers: TickBuffers, at: int, seat: int, deaths: int) -> int:
    began, entry = at, buffers.notes[seat * NOTES + _EVENTS]
    while entry >= 0:
        event, second = entry >> 1, entry & 1
        at = _write(buffers, at, _fill_event(buffers, event, second))
        entry = buffers.notes[_event_notes(buffers, event) + second]
    if _hears(buffers, seat):
        while deaths >= 0:
            at = _write(buffers, at, _fill_event(buffers, deaths, 0))
            deaths = buffers.notes[_event_notes(buffers, deaths)]
    return _drop_comma(at, began)


def write_ticks(
    arenas: Table,
    tanks: Table,
    bullets: Table,
    events: Table,
    notes: MutableSequence[int],
    line: MutableSequence[int],
    out: MutableSequence[int],
    wanted: int,
) -> int:
    """Write the first `wanted` observations that the notes name, and note their ends.

    Return how many bytes these are, or NO_ROOM or NO_BULLET.
    """
    buffers = TickBuffers(arenas, tanks, bullets, events, notes, line, out)
    living = _clear(buffers)
    _chain_bullets(buffers)
    deaths = _chain_events(buffers)
    if deaths == NO_BULLET:
        return NO_BULLET
    line[_AT_ROUND] = arenas[_ROUND]
    line[_AT_TURN] = arenas[_TURN]
    at = 0
    for k in range(wanted):
        seat = notes[k * NOTES + SEAT]
        _fill_tank(buffers, seat, living)
        at = _write_bullets(buffers, _write(buffers, at, _OPEN), seat)
        at = _write_events(buffers, _write(buffers, at, _BETWEEN), seat, deaths)
        at = _write(buffers, at, _CLOSE)
        notes[k * NOTES + END] = at
    return at
