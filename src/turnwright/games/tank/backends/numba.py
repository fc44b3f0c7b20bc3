"""The arena's tables as NumPy arrays, and the compiled turn.

The counterpart of `backends.python`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from struct import Struct
from struct import error as StructError
from typing import Any

from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.intent import IntentNumbers
from turnwright.games.tank.intent_rows import as_floats
from turnwright.games.tank.rules.events import ROOM_BULLETS, ROOM_CONTACTS, ROOM_DUELS, ROOM_EVENTS
from turnwright.games.tank.rules.grid import lay_out
from turnwright.games.tank.rules.rows import (
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

__all__ = ["CompiledRows"]

_GROWS = {ROOM_BULLETS: 2, ROOM_EVENTS: 3, ROOM_CONTACTS: 4, ROOM_DUELS: 5}
"""The argument of the compiled turn that is the table that a stage found too short."""
_TANK_BYTES = 8 * len(TANK.names)
_BULLET_BYTES = 8 * len(BULLET.names)
_EVENT_BYTES = 8 * len(EVENT.names)
_TANK_ROWS = Struct(f"<{TANK.codes[:TANK_SHOWN]}{_TANK_BYTES - 8 * TANK_SHOWN}x")
_BULLET_ROWS = Struct(f"<{BULLET.codes[:BULLET_SHOWN]}{_BULLET_BYTES - 8 * BULLET_SHOWN}x")
_COUNTS = Struct("<4q")
_COUNTS_AT = 8 * ARENA.names.index("bullets")
_INTENT = Struct("<q5d5q")
_INTENT_AT = 8 * TANK.names.index("has_intent")
_COLORS = Struct("<8q")
_COLORS_AT = 8 * TANK.names.index("repaint")


class CompiledRows:
    """The tables of one battle. Rows are read at most once a turn, on first use."""

    def __init__(self, arena: Arena, step: compiled.Step) -> None:
        import numpy

        self._numpy = numpy
        self._step = step
        self.faults: list[tuple[str, str]] = []
        room = arena.tanks + 1
        counts = (1, arena.tanks, 2 * room, 4 * room, room, room)
        kinds = (ARENA, TANK, BULLET, EVENT, CONTACT, DUEL)
        rows = [numpy.zeros(n, compiled.dtype_of(kind)) for n, kind in zip(counts, kinds, strict=True)]
        numbers = [
            numpy.zeros(n, numpy.int64) for n in (arena.tanks * arena.tanks, lay_out(arena), 4 * arena.tanks)
        ]
        self._tables: list[Any] = rows + numbers
        self._fill(0, ARENA, [arena])
        self._view()

    def _fill(self, table: int, kind: RowKind, rows: Sequence[Any]) -> None:
        data = b"".join([kind.pack(row) for row in rows])
        self._tables[table][: len(rows)] = self._numpy.frombuffer(data, self._tables[table].dtype)

    def _view(self) -> None:
        """Make the views through which rows are read and written; again whenever a table has grown."""
        arenas, tanks, bullets, events, _, duels, *_ = self._tables
        self._arena = arenas
        self._tanks = tanks
        self._arena_bytes, self._tank_bytes, self._bullet_bytes, self._event_bytes = (
            memoryview(rows.view(self._numpy.uint8)) for rows in (arenas, tanks, bullets, events)
        )
        self._executed = tanks["executed"]
        self._alive = tanks["alive"]
        self._state_views = [
            self._state_bytes(arenas, ARENA),
            self._state_bytes(tanks, TANK),
            self._state_bytes(bullets, BULLET),
            self._state_bytes(duels, DUEL),
        ]
        self._arguments = tuple(self._tables)
        self.words = tuple(rows.view(self._numpy.uint64) for rows in (arenas, tanks, bullets, events))
        """The arena, tanks, bullets and events as flat 64-bit words; other ones when a table has grown."""

    def _state_bytes(self, rows: Any, kind: RowKind) -> Any:
        square = rows.view(self._numpy.uint8).reshape(len(rows), 8 * len(kind.names))
        return square[:, : 8 * kind.state_count]

    def begin_round(self, round_number: int, tanks: Sequence[Tank]) -> None:
        """Take new tanks, and forget bullets, duels and all else of the round before."""
        self._fill(1, TANK, tanks)
        self._tables[6][:] = 0
        arena = self._arena
        arena["round"] = round_number
        for name in ("turn", "round_over", "inactive_turns", "bullets", "gone", "bullets_fired"):
            arena[name] = 0
        arena["duels"] = arena["last_survivor_known"] = 0
        arena["retired"] = sum(tank.retired for tank in tanks)

    def store(self, seat: int, numbers: IntentNumbers) -> None:
        """Store what a seat wants."""
        at = seat * _TANK_BYTES + _INTENT_AT
        try:
            _INTENT.pack_into(self._tank_bytes, at, 1, *numbers)
        except (OverflowError, StructError):
            _INTENT.pack_into(self._tank_bytes, at, 1, *as_floats(numbers))

    def stored_colors(self, seat: int) -> tuple[int, ...]:
        """Return the seven colours a seat wants."""
        return _COLORS.unpack_from(self._tank_bytes, seat * _TANK_BYTES + _COLORS_AT)[1:]

    def store_colors(self, seat: int, colors: Sequence[int]) -> None:
        """Store the seven colours a seat wants, to be shown when its intent is executed."""
        _COLORS.pack_into(self._tank_bytes, seat * _TANK_BYTES + _COLORS_AT, 1, *colors)

    def retire(self, seat: int) -> None:
        """Mark a seat as out of the battle."""
        if not self._tanks["retired"][seat]:
            self._tanks["retired"][seat] = 1
            self._arena["retired"] += 1

    def step(self) -> tuple[bool, bool]:
        """Run all stages once. Return whether the round is over, and whether a tank died."""
        code = self._step(*self._arguments, 0)
        while code < 0:
            stage, need = divmod(-code - 1, 16)
            self._grow(_GROWS[need])
            code = self._step(*self._arguments, stage)
        return code & 1 != 0, code & 2 != 0

    def _grow(self, table: int) -> None:
        old = self._tables[table]
        new = self._numpy.zeros(2 * len(old), old.dtype)
        new[: len(old)] = old
        self._tables[table] = new
        self._view()

    def _count(self) -> tuple[int, int, int, int]:
        """Return how many bullets, duels, bullets gone and events there are."""
        counts: tuple[int, int, int, int] = _COUNTS.unpack_from(self._arena_bytes, _COUNTS_AT)
        return counts

    def shown(self) -> list[tuple[Any, ...]]:
        """Return the first TANK_SHOWN fields of every tank."""
        return list(_TANK_ROWS.iter_unpack(self._tank_bytes))

    def executed(self, seat: int) -> bool:
        """Return whether a tank executed its intent in this turn."""
        return bool(self._executed[seat])

    def bullets(self) -> tuple[list[tuple[Any, ...]], int]:
        """Return the shown fields of the bullets, and the number in flight.

        BULLET_SHOWN fields each; bullets that are gone stand last.
        """
        flying, _, gone, _ = self._count()
        used = self._bullet_bytes[: (flying + gone) * _BULLET_BYTES]
        return list(_BULLET_ROWS.iter_unpack(used)), flying

    def events(self) -> list[tuple[Any, ...]]:
        """Return the events of this turn as tuples, in order."""
        count = self._count()[3]
        return list(EVENT.all_struct.iter_unpack(self._event_bytes[: count * _EVENT_BYTES]))

    def alive(self) -> tuple[int, ...]:
        """Return the seats of the living tanks."""
        return tuple(self._alive.nonzero()[0].tolist())

    def score_rows(self) -> tuple[Sequence[Tank], Sequence[Duel]]:
        """Return copies of all tanks and of the duels of this round."""
        duels = self._tables[5][: self._count()[1]].tolist()
        return [Tank(*row) for row in self._tanks.tolist()], [Duel(*row) for row in duels]

    def snapshot(self) -> bytes:
        """Return the canonical bytes of all that decides the future here."""
        flying, fights, _, _ = self._count()
        arena, tanks, bullets, duels = self._state_views
        return b"".join(
            (arena.tobytes(), tanks.tobytes(), bullets[:flying].tobytes(), duels[:fights].tobytes())
        )

    def packed(self) -> Iterator[tuple[str, RowKind, bytes]]:
        """Yield name, kind and rows, one behind the other, of each part of the snapshot."""
        flying, fights, _, _ = self._count()
        numbers = (1, len(self._tanks), flying, fights)
        names = (("arena", ARENA), ("tanks", TANK), ("bullets", BULLET), ("duels", DUEL))
        for (name, kind), view, n in zip(names, self._state_views, numbers, strict=True):
            yield name, kind, view[:n].tobytes()

    def put_back(
        self, arena: Arena, tanks: Sequence[Tank], bullets: Sequence[Bullet], duels: Sequence[Duel]
    ) -> None:
        """Take all rows of a battle that was saved. arena: only its state counts."""
        while len(self._tables[2]) <= len(bullets):
            self._grow(2)
        while len(self._tables[5]) < len(duels):
            self._grow(5)
        self._fill(1, TANK, tanks)
        self._fill(2, BULLET, bullets)
        self._fill(5, DUEL, duels)
        for place, duel in enumerate(duels, start=1):
            self._tables[6][duel.attacker * len(tanks) + duel.victim] = place
        for name, value in zip(ARENA.names, ARENA.state_values(arena), strict=False):
            self._arena[name] = value
        self._arena["retired"] = sum(tank.retired for tank in tanks)
