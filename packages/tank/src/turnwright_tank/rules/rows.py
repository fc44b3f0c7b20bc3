"""The state of a battle as rows of numbers, declared once for interpreted and compiled rules.

In interpreted rules a table is a list of these slotted objects. In compiled rules it is an array of C
structures with the same fields in the same order, 8 bytes each (double and int64_t). So the bytes of a row
packed with `struct` equal the bytes of the row in the array. The fields before `SCRATCH` decide the future
and are in the snapshot. The fields after it are constant, or computed again each turn.

Rules are in the other modules.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, MutableSequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple


@dataclass(slots=True, eq=False)
class Arena:
    """One row with all values that do not belong to a tank or bullet. Lengths are in arena units."""

    SCRATCH: ClassVar[str] = "gone"

    round: int = 0
    turn: int = 0
    round_over: int = 0
    inactive_turns: int = 0
    """The counter of tank-rules.md#inactivity for the whole arena."""
    bullets_fired: int = 0
    """The number of bullets fired in this round, which is the id of the last bullet."""
    last_survivor_known: int = 0
    """Whether the last survivor bonus of the round has been given."""
    bullets: int = 0
    """Rows of `bullets` in the air, oldest first."""
    duels: int = 0
    gone: int = 0
    """Rows of `bullets` with the bullets removed in this turn, behind the bullets in the air."""
    events: int = 0
    width: float = 0.0
    height: float = 0.0
    cooling_rate: float = 0.0
    """Gun heat that a gun loses in a turn."""
    max_inactivity_turns: int = 0
    tanks: int = 0
    retired: int = 0
    """Number of retired seats."""
    contacts: int = 0
    bullet_contacts: int = 0
    """Pairs of bullets that met in this turn."""
    hits: int = 0
    """Bullets that hit a tank in this turn."""
    moved: int = 0
    """Whether a wall or another tank has moved a tank in this turn."""
    disabled: int = 0
    deaths: int = 0
    """Tanks that died in this turn."""
    grid_from: int = 0
    """The smallest number of tanks or bullets for which the grid is used."""
    stamp: int = 0
    """Entries of `cells` below this number, or below the base of a grid, belong to an earlier filling."""
    tanks_filled: int = 0
    """Whether the grid of tanks has their current places."""
    tanks_base: int = 0
    sights_base: int = 0
    fine: float = 0.0
    """Fine cells in one unit of length. The layout of the grid follows (see `grid`)."""
    coarse: float = 0.0
    fine_across: int = 0
    coarse_across: int = 0
    bullets_from: int = 0
    sights_from: int = 0


@dataclass(slots=True, eq=False)
class Tank:
    """A tank and its stored intent. Angles are in degrees [0, 360), speeds in units per turn."""

    SCRATCH: ClassVar[str] = "executed"

    alive: int = 0
    death_turn: int = 0
    """The turn of the tank's death, 0 while it lives."""
    energy: float = 0.0
    x: float = 0.0
    y: float = 0.0
    direction: float = 0.0
    gun_direction: float = 0.0
    radar_direction: float = 0.0
    radar_sweep: float = 0.0
    speed: float = 0.0
    turn_rate: float = 0.0
    gun_turn_rate: float = 0.0
    radar_turn_rate: float = 0.0
    gun_heat: float = 0.0
    body_color: int = -1
    """0xRRGGBB, or -1 if never set. The same holds for all seven colours."""
    turret_color: int = -1
    radar_color: int = -1
    bullet_color: int = -1
    scan_color: int = -1
    tracks_color: int = -1
    gun_color: int = -1
    hit_wall: int = 0
    """Whether the tank got a wall event in the last turn."""
    scanned: int = 0
    """Whether the tank scanned another tank in the last turn. The next two fields are the place of the first
    one by seat.
    """
    scanned_x: float = 0.0
    scanned_y: float = 0.0
    has_intent: int = 0
    """Whether the tank has a stored intent, which is executed. The fields of the stored intent follow."""
    want_speed: float = 0.0
    want_turn: float = 0.0
    want_gun_turn: float = 0.0
    want_radar_turn: float = 0.0
    want_power: float = 0.0
    adjust_gun_for_body: int = 0
    adjust_radar_for_body: int = 0
    adjust_radar_for_gun: int = 0
    rescan: int = 0
    fire_assist: int = 1
    repaint: int = 0
    """Whether a stored colour below differs from the shown colour above."""
    want_body_color: int = -1
    want_turret_color: int = -1
    want_radar_color: int = -1
    want_bullet_color: int = -1
    want_scan_color: int = -1
    want_tracks_color: int = -1
    want_gun_color: int = -1
    retired: int = 0
    """Whether the tank's seat is out of the battle. The tank then dies in the next turn, and in turn 1 of
    later rounds.
    """
    deaths_survived: int = 0
    """Turns of this round with a death that the tank survived."""
    deaths_before: int = 0
    """The number of dead tanks when this tank became the last survivor, 0 if it did not."""
    bullet_kills: int = 0
    ram_kills: int = 0
    executed: int = 0
    """Whether the tank's intent was executed in this turn."""
    seat: int = 0
    team: int = 0
    """The lowest seat of its team."""
    droid: int = 0
    mark: int = 0
    link: int = 0
    """The next tank in the same cell of the grid."""
    before_x: float = 0.0
    """The tank's place and directions when the turn began."""
    before_y: float = 0.0
    before_direction: float = 0.0
    before_gun_direction: float = 0.0
    before_radar_direction: float = 0.0
    spare_x: float = 0.0
    """The tank's place if another tank is on its start position."""
    spare_y: float = 0.0
    head_angle: float = 0.0
    """An angle whose sine and cosine are stored in the next two fields."""
    head_sin: float = 0.0
    head_cos: float = 1.0
    sight_angle: float = 0.0
    """Another angle whose sine and cosine are stored."""
    sight_sin: float = 0.0
    sight_cos: float = 1.0


@dataclass(slots=True, eq=False)
class Bullet:
    """A bullet in the air. Its place is start + ticks * speed * (cos, sin)."""

    SCRATCH: ClassVar[str] = "speed"

    id: int = 0
    owner: int = 0
    """The seat that fired it."""
    power: float = 0.0
    x: float = 0.0
    y: float = 0.0
    direction: float = 0.0
    color: int = -1
    ticks: int = 0
    start_x: float = 0.0
    start_y: float = 0.0
    speed: float = 0.0
    sin: float = 0.0
    cos: float = 0.0
    next_x: float = 0.0
    """The place one step ahead. Hits are tested between (x, y) and this place."""
    next_y: float = 0.0
    removed: int = 0
    link: int = 0
    """The next bullet in the same cell of the grid."""


@dataclass(slots=True, eq=False)
class EventRow:
    """An event of this turn. `events` explains `kind` and the other fields."""

    SCRATCH: ClassVar[str] = ""

    kind: int = 0
    first: int = 0
    second: int = 0
    flag: int = 0
    energy: float = 0.0
    x: float = 0.0
    y: float = 0.0
    direction: float = 0.0
    value: float = 0.0


@dataclass(slots=True, eq=False)
class Contact:
    """A contact of two objects: their indices in their tables, and which of two tanks rammed."""

    SCRATCH: ClassVar[str] = ""

    first: int = 0
    second: int = 0
    first_rammed: int = 0
    second_rammed: int = 0


@dataclass(slots=True, eq=False)
class Duel:
    """Damage and kills of one tank against another in this round. Rows have the order of the first hit."""

    SCRATCH: ClassVar[str] = ""

    attacker: int = 0
    victim: int = 0
    bullet_damage: float = 0.0
    """Damage by bullets, never more than the energy that the victim had."""
    ram_hits: int = 0
    bullet_kill: int = 0
    """k if this victim was the attacker's k-th kill by bullet, 0 if the attacker's bullets did not kill it.
    """
    ram_kill: int = 0


class Rows(NamedTuple):
    """All tables of a battle: lists if interpreted, arrays with the same rows if compiled."""

    arena: Arena
    tanks: MutableSequence[Tank]
    bullets: MutableSequence[Bullet]
    """Bullets. The last row is spare, because swapping two rows needs a third."""
    events: MutableSequence[EventRow]
    contacts: MutableSequence[Contact]
    duels: MutableSequence[Duel]
    duel_of: MutableSequence[int]
    """At attacker * tanks + victim: 1 + the row of their duel, or 0 if they have none."""
    cells: MutableSequence[int]
    """The grids: the first object in each cell."""
    chain: MutableSequence[int]
    """For each tank, the next tank in each of up to four cells."""


@dataclass(frozen=True, slots=True)
class RowKind:
    """The layout of one kind of row. `codes` has a letter for `struct` (d or q) for each field."""

    names: tuple[str, ...]
    codes: str
    state_count: int
    """Number of fields, from the first, in the snapshot."""
    state_values: Callable[[Any], tuple[Any, ...]]
    state_struct: struct.Struct
    all_values: Callable[[Any], tuple[Any, ...]]
    all_struct: struct.Struct

    def pack_state(self, row: Any) -> bytes:
        """Return the state of a row as canonical little-endian bytes."""
        return self.state_struct.pack(*self.state_values(row))

    def pack(self, row: Any) -> bytes:
        """Return a whole row as little-endian bytes."""
        return self.all_struct.pack(*self.all_values(row))


def row_kind(row: type) -> RowKind:
    """Return the layout of a class of rows from its fields."""
    names = tuple(f.name for f in fields(row))
    codes = "".join("d" if f.type == "float" else "q" for f in fields(row))
    scratch = row.SCRATCH  # type: ignore[attr-defined]  # every class of rows has it
    count = names.index(scratch) if scratch else len(names)
    return RowKind(
        names,
        codes,
        count,
        attrgetter(*names[:count]),
        struct.Struct("<" + codes[:count]),
        attrgetter(*names),
        struct.Struct("<" + codes),
    )


ARENA = row_kind(Arena)
TANK = row_kind(Tank)
BULLET = row_kind(Bullet)
EVENT = row_kind(EventRow)
CONTACT = row_kind(Contact)
DUEL = row_kind(Duel)
TANK_SHOWN = TANK.names.index("gun_color") + 1
"""Number of fields of a tank, from the first, that observations show."""
BULLET_SHOWN = BULLET.names.index("color") + 1
"""Number of fields of a bullet, from the first, that observations show."""
