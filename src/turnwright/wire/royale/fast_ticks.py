"""The observations of a turn as bytes, all in one compiled call (the extra [fast]).

What is written is what `encode` writes of what `look` sees, byte for byte. A turn in which something rare has
happened is written the ordinary way: team messages, a round won, debug graphics switched on, start directions
outside [0, 360).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from types import FunctionType
from typing import Any

from turnwright.games.tank import compiled, events, look, view, world
from turnwright.games.tank.arrays import CompiledTables
from turnwright.games.tank.compiled import Program, available, load_program, twins_of
from turnwright.games.tank.state import TankState
from turnwright.kernel.game import Seat
from turnwright.wire.royale import fast_floats, fast_forms, fast_lines
from turnwright.wire.royale.codec import encode
from turnwright.wire.royale.fast_lines import DROID, END, HEARS, NO_ROOM, NOTES, SEAT, notes_length

__all__ = ["PROGRAM", "TickWriter", "available", "can_write", "constant", "is_cached", "is_loaded", "load"]

_CODE = (fast_floats, fast_forms, fast_lines)
_BYTES_A_SEAT = 1024
"""Room to begin with; it doubles when it is too small."""


def load(progress: Callable[[str], None] | None = None) -> Callable[..., int]:
    """Return the compiled `write_ticks`, compiling it first where no cache holds it.

    progress: is told what is compiled, and how long it took; not called when the cache holds everything.
    Raises: ImportError without Numba.
    """
    return load_program(PROGRAM, progress)


def is_loaded() -> bool:
    """Return whether `load` has been called, so that calling it again costs nothing."""
    return compiled.is_loaded(PROGRAM)


def is_cached() -> bool:
    """Return whether the cache holds what `load` loads."""
    return compiled.is_cached(PROGRAM)


def can_write(state: TankState) -> bool:
    """Return whether the tables of a battle are compiled ones."""
    return isinstance(state.tables, CompiledTables)


def constant(name: str, value: Any) -> Any:
    """Return what a global is in compiled code, None for what has no place there."""
    numpy = import_module("numpy")
    if name in ("u64", "i64"):
        return numpy.uint64 if name == "u64" else numpy.int64
    if value is fast_lines.Desk or isinstance(value, int):
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
    return twins[fast_lines.write_ticks].py_func, signature


PROGRAM = Program("ticks", "the writer of observations", 10, (*_CODE, events, view, world), _entry)


class TickWriter:
    """Writes the observations of one battle, whose tables are compiled ones. Keeps its room between turns."""

    def __init__(self, state: TankState) -> None:
        """Load what is compiled, if that has not been done."""
        assert isinstance(state.tables, CompiledTables)
        self._numpy = import_module("numpy")
        self._write = load()
        self._tables = state.tables
        self._told: list[Seat] = []
        self._words: tuple[Any, ...] = ()
        self._line = self._numpy.zeros(len(fast_forms.LINE), self._numpy.uint64)
        self._grow(_BYTES_A_SEAT * len(state.seats) + 8 * fast_forms.FORM_BYTES_MAX)

    def _grow(self, size: int) -> None:
        self._out = self._numpy.empty(size, self._numpy.uint8)
        self._bytes = memoryview(self._out)

    def write(self, state: TankState, seats: Sequence[Seat]) -> list[bytes]:
        """Return the encoded observation of each of these seats."""
        rare = state.messages or state.winners or state.debugging or state.odd_directions
        if rare or not seats:
            return [encode(look.observe(state, seat)) for seat in seats]
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

    def _note(self, state: TankState) -> None:
        """Make the notes for tables of this size."""
        self._words = words = self._tables.words
        rows = len(words[1]) // len(world.TANK.names), len(words[2]) // len(world.BULLET.names)
        length = notes_length(*rows, len(words[3]) // len(world.EVENT.names))
        self._notes = self._numpy.zeros(length, self._numpy.int64)
        self._told = []
        for seat, info in enumerate(state.seats):
            self._notes[NOTES * seat + DROID] = state.droids[seat]
            self._notes[NOTES * seat + HEARS] = bool(info.options.get("hears_deaths", True))
