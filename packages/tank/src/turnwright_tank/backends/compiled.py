"""The arena's tables as bytes, and the compiled turn.

This is the counterpart of `backends.python`. A table is a bytearray with one row after the other and 8 bytes
for each field.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from struct import Struct
from struct import error as StructError
from typing import Any, cast

from msgspec.structs import fields

from turnwright_tank.backends import extension
from turnwright_tank.intent import IntentNumbers
from turnwright_tank.intent_rows import DECIDING, NUMBERS, as_floats, numbers_of
from turnwright_tank.rules.events import ROOM_BULLETS, ROOM_CONTACTS, ROOM_DUELS, ROOM_EVENTS
from turnwright_tank.rules.grid import lay_out
from turnwright_tank.rules.rows import (
    ARENA,
    BULLET,
    BULLET_SHOWN,
    CONTACT,
    DUEL,
    EVENT,
    TANK,
    TANK_SHOWN,
    Arena,
    Bullet,
    Duel,
    RowKind,
    Tank,
)
from turnwright_tank.structs import TankIntent

_ARENA, _TANKS, _BULLETS, _EVENTS, _CONTACTS, _DUELS, _DUEL_OF = range(7)
"""The tables in the order in which a Turn of the extension takes them. The tables of the grid follow."""
_GROWS = {ROOM_BULLETS: _BULLETS, ROOM_EVENTS: _EVENTS, ROOM_CONTACTS: _CONTACTS, ROOM_DUELS: _DUELS}
"""The table that was too short, by result of a stage."""
_WORD = 8
_TANK_BYTES = TANK.all_struct.size
_BULLET_BYTES = BULLET.all_struct.size
_TANK_ROWS = Struct(f"<{TANK.codes[:TANK_SHOWN]}{_TANK_BYTES - _WORD * TANK_SHOWN}x")
_BULLET_ROWS = Struct(f"<{BULLET.codes[:BULLET_SHOWN]}{_BULLET_BYTES - _WORD * BULLET_SHOWN}x")
_EVENT_BYTES = EVENT.all_struct.size
_EVENT_ROWS = EVENT.all_struct
_COUNTS = Struct("<4q")
_COUNTS_AT = _WORD * ARENA.names.index("bullets")
_INTENT = Struct("<q5d5q")
_INTENT_AT = _WORD * TANK.names.index("has_intent")
_READ = fields(cast(Any, TankIntent))[: len(DECIDING)]
"""The fields of an intent that the extension reads, first the numbers, then the switches."""
_READ_PLACES = tuple(DECIDING.index(field.name) for field in _READ[:NUMBERS])
_COLORS = Struct("<8q")
_COLORS_AT = _WORD * TANK.names.index("repaint")
_NUMBER = Struct("<q")
_EXECUTED_AT = _WORD * TANK.names.index("executed")
_RETIRED_AT = _WORD * TANK.names.index("retired")
_ALIVE = TANK.names.index("alive")
_BEGINS_AT_0 = (
    "turn",
    "round_over",
    "inactive_turns",
    "bullets",
    "duels",
    "gone",
    "bullets_fired",
    "last_survivor_known",
)


class CompiledRows:
    """The tables of one battle, as bytes. Methods that return rows make new tuples in each call.

    Raises:
        SetupError: the rules are not compiled.
    """

    def __init__(self, arena: Arena) -> None:
        self._extension = extension.load()
        self.faults: list[tuple[str, str]] = []
        room, cells = arena.tanks + 1, lay_out(arena)
        self._tanks = arena.tanks
        self._tables = [
            bytearray(ARENA.pack(arena)),
            *(
                bytearray(rows * kind.all_struct.size)
                for rows, kind in (
                    (arena.tanks, TANK),
                    (2 * room, BULLET),
                    (4 * room, EVENT),
                    (room, CONTACT),
                    (room, DUEL),
                )
            ),
            *(bytearray(_WORD * n) for n in (arena.tanks * arena.tanks, cells, 4 * arena.tanks)),
        ]
        names = tuple(field.encode_name for field in _READ)
        defaults = numbers_of(TankIntent())
        self._reader = self._extension.IntentReader(TankIntent, names, _READ_PLACES, defaults, arena.tanks)
        self.read_intent = self._reader.read
        """Returns the intent in a message of a seat, or None if another decoder must read it."""
        self._view()

    def _fill(self, table: int, kind: RowKind, rows: Sequence[Any]) -> None:
        data = b"".join([kind.pack(row) for row in rows])
        memoryview(self._tables[table])[: len(data)] = data

    def _view(self) -> None:
        """Make the objects that read and write the tables. Call it again when a table has grown."""
        self.turn = self._extension.Turn(*self._tables)
        """The compiled turn of these tables. It is replaced when a table has grown."""
        self._step = self.turn.step
        self._arena_bytes, self._tank_bytes, self._bullet_bytes, self._event_bytes = (
            memoryview(table) for table in self._tables[: _EVENTS + 1]
        )
        self._alive = self._tank_bytes.cast("q")[_ALIVE :: len(TANK.names)]

    def _set(self, name: str, value: int) -> None:
        """Write an integer field of the arena."""
        _NUMBER.pack_into(self._arena_bytes, _WORD * ARENA.names.index(name), value)

    def begin_round(self, round_number: int, tanks: Sequence[Tank]) -> None:
        """Take new tanks, and clear bullets, duels and all other state of the last round."""
        self._fill(_TANKS, TANK, tanks)
        duel_of = self._tables[_DUEL_OF]
        duel_of[:] = bytes(len(duel_of))
        for name in _BEGINS_AT_0:
            self._set(name, 0)
        self._set("round", round_number)
        self._set("retired", sum(tank.retired for tank in tanks))

    def store(self, seat: int, numbers: IntentNumbers) -> None:
        """Store the numbers of a seat's intent."""
        at = seat * _TANK_BYTES + _INTENT_AT
        try:
            _INTENT.pack_into(self._tank_bytes, at, 1, *numbers)
        except (OverflowError, StructError):
            _INTENT.pack_into(self._tank_bytes, at, 1, *as_floats(numbers))

    def store_read(self, intents: Mapping[int, TankIntent]) -> Collection[int]:
        """Store the intents that `read_intent` has returned, and return the seats of all other intents."""
        others: list[int] = self._reader.store(self.turn, intents)
        return others

    def stored_colors(self, seat: int) -> tuple[int, ...]:
        """Return the seven stored colours of a seat."""
        return _COLORS.unpack_from(self._tank_bytes, seat * _TANK_BYTES + _COLORS_AT)[1:]

    def store_colors(self, seat: int, colors: Sequence[int]) -> None:
        """Store the seven colours of a seat. They are shown when its intent is executed."""
        _COLORS.pack_into(self._tank_bytes, seat * _TANK_BYTES + _COLORS_AT, 1, *colors)

    def retire(self, seat: int) -> None:
        """Mark a seat as out of the battle."""
        at = seat * _TANK_BYTES + _RETIRED_AT
        if not _NUMBER.unpack_from(self._tank_bytes, at)[0]:
            _NUMBER.pack_into(self._tank_bytes, at, 1)
            place = _WORD * ARENA.names.index("retired")
            (retired,) = _NUMBER.unpack_from(self._arena_bytes, place)
            _NUMBER.pack_into(self._arena_bytes, place, retired + 1)

    def step(self) -> tuple[bool, bool]:
        """Run all stages once. Return whether the round is over, and whether a tank died."""
        code = self._step(0)
        while code < 0:
            stage, need = divmod(-code - 1, 16)
            self._grow(_GROWS[need])
            code = self._step(stage)
        return code & 1 != 0, code & 2 != 0

    def _grow(self, table: int) -> None:
        old = self._tables[table]
        self._tables[table] = old + bytearray(len(old))
        self._view()

    def _count(self) -> tuple[int, int, int, int]:
        """Return the numbers of bullets, duels, removed bullets and events."""
        counts: tuple[int, int, int, int] = _COUNTS.unpack_from(self._arena_bytes, _COUNTS_AT)
        return counts

    def shown(self) -> list[tuple[Any, ...]]:
        """Return the first TANK_SHOWN fields of every tank."""
        return list(_TANK_ROWS.iter_unpack(self._tank_bytes))

    def executed(self, seat: int) -> bool:
        """Return whether a tank executed its intent in this turn."""
        (executed,) = _NUMBER.unpack_from(self._tank_bytes, seat * _TANK_BYTES + _EXECUTED_AT)
        return bool(executed)

    def bullets(self) -> tuple[list[tuple[Any, ...]], int]:
        """Return the first BULLET_SHOWN fields of every bullet, and the number in flight.

        Removed bullets come last.
        """
        flying, _, gone, _ = self._count()
        if not flying + gone:
            return [], 0
        used = self._bullet_bytes[: (flying + gone) * _BULLET_BYTES]
        return list(_BULLET_ROWS.iter_unpack(used)), flying

    def events(self) -> list[tuple[Any, ...]]:
        """Return the events of this turn as tuples, in order."""
        count = self._count()[3]
        return list(_EVENT_ROWS.iter_unpack(self._event_bytes[: count * _EVENT_BYTES])) if count else []

    def alive(self) -> tuple[int, ...]:
        """Return the seats of the living tanks."""
        return tuple([seat for seat, alive in enumerate(self._alive.tolist()) if alive])

    def score_rows(self) -> tuple[Sequence[Tank], Sequence[Duel]]:
        """Return copies of all tanks and of the duels of this round."""
        duels = memoryview(self._tables[_DUELS])[: self._count()[1] * DUEL.all_struct.size]
        tanks = TANK.all_struct.iter_unpack(self._tank_bytes)
        return [Tank(*row) for row in tanks], [Duel(*row) for row in DUEL.all_struct.iter_unpack(duels)]

    def snapshot(self) -> bytes:
        """Return the canonical bytes of all fields that decide the future."""
        found: bytes = self.turn.snapshot()
        return found

    def packed(self) -> Iterator[tuple[str, RowKind, bytes]]:
        """Yield the name, the kind and the packed rows of each part of the snapshot."""
        state, at = self.turn.snapshot(), 0
        flying, fights, _, _ = self._count()
        parts = (
            ("arena", ARENA, 1),
            ("tanks", TANK, self._tanks),
            ("bullets", BULLET, flying),
            ("duels", DUEL, fights),
        )
        for name, kind, rows in parts:
            size = rows * kind.state_struct.size
            yield name, kind, state[at : at + size]
            at += size

    def put_back(
        self, arena: Arena, tanks: Sequence[Tank], bullets: Sequence[Bullet], duels: Sequence[Duel]
    ) -> None:
        """Restore all rows of a saved battle.

        Args:
            arena: the row of the arena. Only the fields of its state are used.
        """
        while len(self._tables[_BULLETS]) <= len(bullets) * _BULLET_BYTES:
            self._grow(_BULLETS)
        while len(self._tables[_DUELS]) < len(duels) * DUEL.all_struct.size:
            self._grow(_DUELS)
        self._fill(_TANKS, TANK, tanks)
        self._fill(_BULLETS, BULLET, bullets)
        self._fill(_DUELS, DUEL, duels)
        for place, duel in enumerate(duels, start=1):
            pair = duel.attacker * len(tanks) + duel.victim
            _NUMBER.pack_into(self._tables[_DUEL_OF], _WORD * pair, place)
        self._arena_bytes[: ARENA.state_struct.size] = ARENA.pack_state(arena)
        self._set("retired", sum(tank.retired for tank in tanks))
