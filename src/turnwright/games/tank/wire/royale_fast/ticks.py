"""All observations of a turn as bytes, in one compiled call (the extra [fast]).

The bytes are those that `encode` makes of `observe`. Turns with rare content are encoded the ordinary way:
team messages, a round won, debug graphics switched on, start directions outside [0, 360).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from types import FunctionType
from typing import Any

from turnwright.games.tank import observation as view
from turnwright.games.tank import observe
from turnwright.games.tank.backends import compile as compiled
from turnwright.games.tank.backends.compile import CompiledProgram, available, load_program, twins_of
from turnwright.games.tank.backends.numba import CompiledRows
from turnwright.games.tank.rules import events
from turnwright.games.tank.rules import rows as row_kinds
from turnwright.games.tank.state import TankBattleState
from turnwright.games.tank.wire.royale.codec import encode
from turnwright.games.tank.wire.royale_fast import floats, rows_to_json, templates
from turnwright.games.tank.wire.royale_fast.rows_to_json import (
    DROID,
    END,
    HEARS,
    NO_ROOM,
    NOTES,
    SEAT,
    notes_length,
)
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Seat

__all__ = [
    "NO_EVENTS",
    "PROGRAM",
    "EncodeTicks",
    "TickWriter",
    "available",
    "can_write",
    "constant",
    "encode_ticks",
    "is_cached",
    "is_loaded",
    "load",
    "tick_encoder",
]
_CODE = (floats, templates, rows_to_json)
_BYTES_A_SEAT = 1024
"""Room to begin with; it doubles when it is too small."""


def load(progress: Callable[[str], None] | None = None) -> Callable[..., int]:
    """Return the compiled `write_ticks`, compiling it first where no cache holds it.

    progress: gets lines about what is compiled and how long it took; not called when all is cached.
    Raises: ImportError without Numba.
    """
    return load_program(PROGRAM, progress)


def is_loaded() -> bool:
    """Return whether `load` has been called, so that calling it again costs nothing."""
    return compiled.is_loaded(PROGRAM)


def is_cached() -> bool:
    """Return whether the cache holds what `load` loads."""
    return compiled.is_cached(PROGRAM)


def can_write(state: TankBattleState) -> bool:
    """Return whether the tables of a battle are compiled ones."""
    return isinstance(state.tables, CompiledRows)


def constant(name: str, value: Any) -> Any:
    """Return what a global is in compiled code, None for what has no place there."""
    numpy = import_module("numpy")
    if name in ("u64", "i64"):
        return numpy.uint64 if name == "u64" else numpy.int64
    if value is rows_to_json.TickBuffers or isinstance(value, int):
        return value
    if isinstance(value, bytes):
        return numpy.frombuffer(value, numpy.uint8)
    if name.isupper() and isinstance(value, tuple) and isinstance(value[0], int):
        return numpy.array(value, numpy.uint64 if max(value) >= 1 << 63 else numpy.int64)
    return None


def _entry() -> tuple[FunctionType, Any]:
    numba = import_module("numba")
    twins = twins_of(_CODE, constant, inline=True)
    words, notes, out = (numba.types.Array(kind, 1, "C") for kind in (numba.uint64, numba.int64, numba.uint8))
    signature = (words, words, words, words, notes, words, out, numba.int64)
    return twins[rows_to_json.write_ticks].py_func, signature


PROGRAM = CompiledProgram(
    "ticks", "the writer of observations", 10, (*_CODE, events, view, row_kinds), _entry
)


class TickWriter:
    """Writes the observations of one battle, whose tables are compiled ones.

    Keeps its room between turns.
    """

    def __init__(self, state: TankBattleState, room: int | None = None) -> None:
        """Load the compiled program, once.

        room: bytes for a turn at first; it grows.
        """
        assert isinstance(state.tables, CompiledRows)
        self._numpy = import_module("numpy")
        self._write = load()
        self._tables = state.tables
        self._told: list[Seat] = []
        self._words: tuple[Any, ...] = ()
        self._line = self._numpy.zeros(len(templates.LINE), self._numpy.uint64)
        self._grow(room or _BYTES_A_SEAT * len(state.seats) + 8 * templates.FORM_BYTES_MAX)

    def _grow(self, size: int) -> None:
        self._out = self._numpy.empty(size, self._numpy.uint8)
        self._bytes = memoryview(self._out)

    def write(self, state: TankBattleState, seats: Sequence[Seat]) -> list[bytes]:
        """Return the encoded observation of each of these seats."""
        rare = state.messages or state.winners or state.debugging or state.odd_directions
        if rare or not seats:
            return [encode(observe.observe(state, seat)) for seat in seats]
        if self._words is not self._tables.words:
            self._note(state)
        if seats != self._told:
            self._told = list(seats)
            self._notes[SEAT : SEAT + NOTES * len(seats) : NOTES] = self._told
        arguments = (*self._words, self._notes, self._line)
        size = self._write(*arguments, self._out, len(seats))
        while size == NO_ROOM:
            self._grow(2 * len(self._out))
            size = self._write(*arguments, self._out, len(seats))
        assert size > 0, "an event names a bullet that is not there"
        written = self._bytes[:size].tobytes()
        ends = self._notes[END : NOTES * len(seats) : NOTES].tolist()
        return [written[start:end] for start, end in zip([0, *ends], ends, strict=False)]

    def _note(self, state: TankBattleState) -> None:
        """Make the notes for tables of this size."""
        self._words = words = self._tables.words
        rows = len(words[1]) // len(row_kinds.TANK.names), len(words[2]) // len(row_kinds.BULLET.names)
        length = notes_length(*rows, len(words[3]) // len(row_kinds.EVENT.names))
        self._notes = self._numpy.zeros(length, self._numpy.int64)
        self._told = []
        for seat, info in enumerate(state.seats):
            self._notes[NOTES * seat + DROID] = state.droids[seat]
            self._notes[NOTES * seat + HEARS] = bool(info.options.get("hears_deaths", True))


# ---- encoding with or without [fast]: the same bytes ----------------------------------------------------


EncodeTicks = Callable[[Sequence[Seat]], list[bytes]]
"""Returns the encoded observation of each of these seats."""

NO_EVENTS = b'"events":[]}'
"""The end of an observation that tells of nothing."""


def encode_ticks(battle: Battle, seats: Sequence[Seat]) -> list[bytes]:
    """Return what each of these seats sees of the turn just resolved, encoded."""
    return [encode(battle.observe(seat)) for seat in seats]


def tick_encoder(battle: Battle) -> EncodeTicks:
    """Return what encodes the turns of a battle.

    Compiled, when the rules are and the writer is loaded.

    Nothing is compiled or loaded here: that takes seconds, and is done when the server starts.
    """
    state = battle.state
    return _TankTicks(battle, state) if isinstance(state, TankBattleState) else partial(encode_ticks, battle)


class _TankTicks:
    """Encodes the turns of a tank battle.

    The battle may go over to the compiled rules when a round begins.
    """

    def __init__(self, battle: Battle, state: TankBattleState) -> None:
        self._battle = battle
        self._state = state
        self._tables = state.tables
        self.encode = self._best()

    def __call__(self, seats: Sequence[Seat]) -> list[bytes]:
        if self._state.tables is not self._tables:
            self._tables = self._state.tables
            self.encode = self._best()
        return self.encode(seats)

    def _best(self) -> EncodeTicks:
        if compiled.is_loaded() and is_loaded() and can_write(self._state):
            return partial(TickWriter(self._state).write, self._state)
        return partial(encode_ticks, self._battle)
