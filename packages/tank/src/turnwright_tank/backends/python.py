"""The arena's tables as Python objects, and the interpreted turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

from turnwright_tank.intent import IntentNumbers
from turnwright_tank.intent_rows import as_floats
from turnwright_tank.rules.events import ROOM_BULLETS, ROOM_CONTACTS, ROOM_DUELS, ROOM_EVENTS
from turnwright_tank.rules.grid import lay_out
from turnwright_tank.rules.rows import (
    ARENA,
    BULLET,
    BULLET_SHOWN,
    DUEL,
    EVENT,
    TANK,
    TANK_SHOWN,
    Arena,
    Bullet,
    Contact,
    Duel,
    EventRow,
    RowKind,
    Rows,
    Tank,
)
from turnwright_tank.rules.score import clear_duels
from turnwright_tank.rules.stages import STAGES, Stages
from turnwright_tank.structs import TankIntent

_tank_shown = attrgetter(*TANK.names[:TANK_SHOWN])
_bullet_shown = attrgetter(*BULLET.names[:BULLET_SHOWN])
_stored_colors = attrgetter(*(name for name in TANK.names if name.startswith("want_") and "color" in name))


class InterpretedRows:
    """The tables of one battle, as Python objects.

    Args:
        tolerant: whether a stage that raises an exception is skipped for that turn.

    Attributes:
        faults: the name and the error of each stage that was skipped in the last turn.
    """

    def __init__(self, arena: Arena, stages: Stages = STAGES, *, tolerant: bool = False) -> None:
        self.stages = stages
        self.tolerant = tolerant
        self.faults: list[tuple[str, str]] = []
        room = arena.tanks + 1
        self.rows = Rows(
            arena,
            [Tank() for _ in range(arena.tanks)],
            [Bullet() for _ in range(2 * room)],
            [EventRow() for _ in range(4 * room)],
            [Contact() for _ in range(room)],
            [Duel() for _ in range(room)],
            [0] * (arena.tanks * arena.tanks),
            [0] * lay_out(arena),
            [0] * (4 * arena.tanks),
        )

    def begin_round(self, round_number: int, tanks: Sequence[Tank]) -> None:
        """Take new tanks, and clear bullets, duels and all other state of the last round."""
        arena = self.rows.arena
        self.rows.tanks[:] = tanks
        clear_duels(self.rows)
        arena.round = round_number
        arena.turn = arena.round_over = arena.inactive_turns = 0
        arena.bullets = arena.gone = arena.bullets_fired = arena.last_survivor_known = 0
        arena.retired = sum(tank.retired for tank in tanks)

    def store(self, seat: int, numbers: IntentNumbers) -> None:
        """Store the numbers of a seat's intent."""
        tank = self.rows.tanks[seat]
        tank.has_intent = 1
        (
            tank.want_speed,
            tank.want_turn,
            tank.want_gun_turn,
            tank.want_radar_turn,
            tank.want_power,
            tank.adjust_gun_for_body,
            tank.adjust_radar_for_body,
            tank.adjust_radar_for_gun,
            tank.rescan,
            tank.fire_assist,
        ) = as_floats(numbers)

    def store_read(self, intents: Mapping[int, TankIntent]) -> Collection[int]:
        """Store no intents, and return all seats."""
        return intents

    def stored_colors(self, seat: int) -> tuple[int, ...]:
        """Return the seven stored colours of a seat."""
        colors: tuple[int, ...] = _stored_colors(self.rows.tanks[seat])
        return colors

    def store_colors(self, seat: int, colors: Sequence[int]) -> None:
        """Store the seven colours of a seat. They are shown when its intent is executed."""
        tank = self.rows.tanks[seat]
        tank.repaint = 1
        (
            tank.want_body_color,
            tank.want_turret_color,
            tank.want_radar_color,
            tank.want_bullet_color,
            tank.want_scan_color,
            tank.want_tracks_color,
            tank.want_gun_color,
        ) = colors

    def retire(self, seat: int) -> None:
        """Mark a seat as out of the battle."""
        tank = self.rows.tanks[seat]
        if not tank.retired:
            tank.retired = 1
            self.rows.arena.retired += 1

    def step(self) -> tuple[bool, bool]:
        """Run all stages once. Return whether the round is over, and whether a tank died."""
        if self.tolerant:
            self._step_tolerantly()
        else:
            for _, stage in self.stages:
                while need := stage(self.rows):
                    grow(self.rows, need)
        arena = self.rows.arena
        return arena.round_over != 0, arena.deaths > 0

    def _step_tolerantly(self) -> None:
        """Run the turn. If a stage raises an exception, undo the turn and repeat it without that stage."""
        self.faults = []
        before = _copy(self.rows)
        skipped: set[str] = set()
        while (fault := self._try_step(skipped)) is not None:
            name, error = fault
            skipped.add(name)
            self.faults.append((name, repr(error)))
            _restore(self.rows, before)

    def _try_step(self, skipped: set[str]) -> tuple[str, Exception] | None:
        arena = self.rows.arena  # later stages must not read values of the last turn
        arena.events = arena.moved = arena.tanks_filled = 0
        arena.contacts = arena.bullet_contacts = arena.hits = arena.deaths = 0
        for name, stage in self.stages:
            if name in skipped:
                continue
            try:
                while need := stage(self.rows):
                    grow(self.rows, need)
            except Exception as error:
                return name, error
        return None

    def shown(self) -> list[tuple[Any, ...]]:
        """Return the first TANK_SHOWN fields of every tank."""
        return [_tank_shown(tank) for tank in self.rows.tanks]

    def executed(self, seat: int) -> bool:
        """Return whether a tank executed its intent in this turn."""
        return self.rows.tanks[seat].executed != 0

    def bullets(self) -> tuple[list[tuple[Any, ...]], int]:
        """Return the first BULLET_SHOWN fields of every bullet, and the number in flight.

        Removed bullets come last.
        """
        arena = self.rows.arena
        rows = self.rows.bullets[: arena.bullets + arena.gone]
        return [_bullet_shown(row) for row in rows], arena.bullets

    def events(self) -> list[tuple[Any, ...]]:
        """Return the events of this turn as tuples, in order."""
        values = EVENT.all_values
        return [values(row) for row in self.rows.events[: self.rows.arena.events]]

    def alive(self) -> tuple[int, ...]:
        """Return the seats of the living tanks."""
        return tuple(tank.seat for tank in self.rows.tanks if tank.alive)

    def score_rows(self) -> tuple[Sequence[Tank], Sequence[Duel]]:
        """Return all tanks and the duels of this round."""
        return self.rows.tanks, self.rows.duels[: self.rows.arena.duels]

    def _parts(self) -> Iterator[tuple[str, RowKind, Sequence[Any]]]:
        rows, arena = self.rows, self.rows.arena
        yield "arena", ARENA, (arena,)
        yield "tanks", TANK, rows.tanks
        yield "bullets", BULLET, rows.bullets[: arena.bullets]
        yield "duels", DUEL, rows.duels[: arena.duels]

    def snapshot(self) -> bytes:
        """Return the canonical bytes of all fields that decide the future."""
        parts = []
        for _, kind, rows in self._parts():
            pack, values = kind.state_struct.pack, kind.state_values
            parts += [pack(*values(row)) for row in rows]
        return b"".join(parts)

    def packed(self) -> Iterator[tuple[str, RowKind, bytes]]:
        """Yield the name, the kind and the packed rows of each part of the snapshot."""
        for name, kind, rows in self._parts():
            yield name, kind, b"".join([kind.pack_state(row) for row in rows])

    def put_back(
        self, arena: Arena, tanks: Sequence[Tank], bullets: Sequence[Bullet], duels: Sequence[Duel]
    ) -> None:
        """Restore all rows of a saved battle.

        Args:
            arena: the arena's row, of which only the fields of the state are used.
        """
        rows = self.rows
        while len(rows.bullets) <= len(bullets):
            grow(rows, ROOM_BULLETS)
        while len(rows.duels) < len(duels):
            grow(rows, ROOM_DUELS)
        for name, value in zip(ARENA.names, ARENA.state_values(arena), strict=False):
            setattr(rows.arena, name, value)
        rows.arena.retired = sum(tank.retired for tank in tanks)
        rows.tanks[:] = tanks
        rows.bullets[: len(bullets)] = bullets
        rows.duels[: len(duels)] = duels
        for place, duel in enumerate(duels, start=1):
            rows.duel_of[duel.attacker * len(tanks) + duel.victim] = place


def grow(rows: Rows, need: int) -> None:
    """Double the table that was too short for a stage."""
    if need == ROOM_BULLETS:
        rows.bullets[-1] = (
            Bullet()
        )  # the spare row may be the same object as another row: see `remove_bullets`
        rows.bullets.extend(Bullet() for _ in range(len(rows.bullets)))
    elif need == ROOM_EVENTS:
        rows.events.extend(EventRow() for _ in range(len(rows.events)))
    elif need == ROOM_CONTACTS:
        rows.contacts.extend(Contact() for _ in range(len(rows.contacts)))
    else:
        assert need == ROOM_DUELS, f"a stage asked for more rows in the unknown table {need}"
        rows.duels.extend(Duel() for _ in range(len(rows.duels)))


_Saved = tuple[list[tuple[RowKind, list[tuple[Any, ...]]]], list[int]]


def _tables(rows: Rows) -> tuple[tuple[RowKind, Sequence[Any]], ...]:
    arena = rows.arena
    bullets = rows.bullets[: arena.bullets]
    return (ARENA, (arena,)), (TANK, rows.tanks), (BULLET, bullets), (DUEL, rows.duels[: arena.duels])


def _copy(rows: Rows) -> _Saved:
    tables = [(kind, [kind.all_values(row) for row in table]) for kind, table in _tables(rows)]
    return tables, list(rows.duel_of)


def _restore(rows: Rows, saved: _Saved) -> None:
    """Restore the copy of `_copy` into new rows, because a failed stage may have reordered the old rows."""
    (_, (arena,)), (_, tanks), (_, bullets), (_, duels) = saved[0]
    stamp = rows.arena.stamp
    for name, value in zip(ARENA.names, arena, strict=True):
        setattr(rows.arena, name, value)
    rows.arena.stamp = stamp
    rows.tanks[:] = [Tank(*values) for values in tanks]
    rows.bullets[: len(bullets)] = [Bullet(*values) for values in bullets]
    rows.duels[: len(duels)] = [Duel(*values) for values in duels]
    rows.duel_of[:] = saved[1]
