"""A few digits about a state, from which a record tells later whose and which part of another one differs."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from turnwright.kernel.game import Game, Seat, Table

__all__ = [
    "CHECKS_EVERY",
    "SEAT_DIGITS",
    "checks",
    "checks_of",
    "column_name",
    "differing",
    "fields",
    "has_everything",
    "odd_columns",
    "odd_seat",
    "part_names",
    "turn_digits",
    "watched",
]

CHECKS_EVERY = 64
"""Turns from one record of checks of everything to the next."""
SEAT_DIGITS = 4
"""Of the checks of every turn, the first, which name a seat."""
_HEX = "0123456789abcdef"
_PRIME = 251
"""Sums of seats are modulo it: each has two hex digits."""
_STEPS = 52
"""A watched column has a number below it: seven of them make ten hex digits."""
_WORD = (1 << 64) - 1
_SPREAD = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: times it, a difference anywhere in a word reaches its first digits."""


def fields(game: Game, state: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the canonical state field by field, e.g. ("tanks[1].energy", 8 bytes)."""
    for table in game.tables(state):
        count = len(table.columns)
        for at in range(0, len(table.data), 8):
            row, column = divmod(at // 8, count)
            yield f"{table.name}[{row}].{table.columns[column]}", table.data[at : at + 8]


def has_everything(turn: int) -> bool:
    """Return whether a record has checks of everything in this turn (1, 2, 3 …): at the start more often."""
    return turn % CHECKS_EVERY == 0 or turn & (turn - 1) == 0


# ---- making ---------------------------------------------------------------------------------------------


def checks(game: Game, state: Any, *, everything: bool = True) -> str:
    """Return hex digits that tell where a state differs from another one.

    Four digits name the seat, if it is a single one: they are the sum over the seats of v, and of v times the
    seat's number from 1, modulo 251, where v is the CRC-32 of all rows of that seat. Then come those of the
    watched columns: one number to the base of 52, the first column its lowest place. everything: behind them
    one a seat, the last of v, and one for each of `part_names`.
    """
    return checks_of(game.tables(state), everything=everything)


def checks_of(tables: Iterable[Table], *, everything: bool = True) -> str:
    """Return the checks of a state that has these tables."""
    seats: list[int] = []
    places: list[int] = []
    parts: list[str] = []
    for table in tables:
        if table.by_seat:
            width = 8 * len(table.columns)
            rows = [table.data[at : at + width] for at in range(0, len(table.data), width)]
            seats = list(map(zlib.crc32, rows, seats or [0] * len(rows)))
        if table.watched:
            places += _column_steps(table, table.watched, _STEPS)
        if everything:
            parts += _column_digits(table) if table.apart else _table_digit(table)
    plain = weighted = 0
    for number, value in enumerate(seats, start=1):
        plain += value % _PRIME
        weighted += number * (value % _PRIME)
    sketch = f"{plain % _PRIME:02x}{weighted % _PRIME:02x}"
    own = [_HEX[value & 15] for value in seats] if everything else []
    return sketch + _as_digits(places) + "".join([*own, *parts])


def _column_steps(table: Table, columns: Sequence[int], steps: int) -> list[int]:
    """Return 0 to steps - 1 for each column: where the sum of its values, as bits, spread out, is in 2^64."""
    values, count = struct.unpack(f"<{len(table.data) // 8}Q", table.data), len(table.columns)
    return [(sum(values[column::count]) * _SPREAD & _WORD) * steps >> 64 for column in columns]


def _column_digits(table: Table) -> list[str]:
    return [_HEX[step] for step in _column_steps(table, range(len(table.columns)), 16)]


def _as_digits(places: Sequence[int]) -> str:
    number = 0
    for place in reversed(places):
        number = number * _STEPS + place
    return f"{number:0{_column_width(len(places))}x}" if places else ""


def _column_width(columns: int) -> int:
    """Return how many digits so many watched columns have together."""
    return len(f"{_STEPS**columns - 1:x}") if columns else 0


def _table_digit(table: Table) -> list[str]:
    return [_HEX[zlib.crc32(table.data) & 15]]


def turn_digits(game: Game, state: Any) -> int:
    """Return how many digits the checks have without everything."""
    return SEAT_DIGITS + _column_width(len(watched(game, state)))


def watched(game: Game, state: Any) -> list[str]:
    """Return what each watched column is called."""
    return [column_name(table, column) for table in game.tables(state) for column in table.watched]


def part_names(game: Game, state: Any) -> list[str]:
    """Return what each part is called that has a digit of its own in checks of everything."""
    names = []
    for table in game.tables(state):
        names += [column_name(table, k) for k in range(len(table.columns))] if table.apart else [table.name]
    return names


def column_name(table: Table, column: int) -> str:
    """Return what a column is called where parts of a state are named, e.g. "energy" or "bullets.x"."""
    return table.columns[column] if table.by_seat else f"{table.name}.{table.columns[column]}"


# ---- comparing ------------------------------------------------------------------------------------------


def odd_seat(recorded: str, found: str, seats: int) -> Seat | None:
    """Return the one seat whose state differs; None when none does, when several do, or without checks."""
    one, two = _sketch(recorded), _sketch(found)
    if one is None or two is None:
        return None
    plain, weighted = (two[0] - one[0]) % _PRIME, (two[1] - one[1]) % _PRIME
    if not plain:
        return None
    return next((seat for seat in range(seats) if (plain * (seat + 1) - weighted) % _PRIME == 0), None)


def _sketch(digits: str) -> tuple[int, int] | None:
    try:
        return int(digits[:2], 16), int(digits[2:SEAT_DIGITS], 16)
    except ValueError:
        return None


def odd_columns(recorded: str, found: str, count: int) -> list[int]:
    """Return which of so many watched columns differ, from 0; none where one of the two has no checks."""
    ends = SEAT_DIGITS + _column_width(count)
    if not count or min(len(recorded), len(found)) < ends:
        return []
    try:
        one, two = int(recorded[SEAT_DIGITS:ends], 16), int(found[SEAT_DIGITS:ends], 16)
    except ValueError:
        return []
    odd = []
    for column in range(count):
        (one, place), (two, place_found) = divmod(one, _STEPS), divmod(two, _STEPS)
        if place != place_found:
            odd.append(column)
    return odd


def differing(recorded: str, found: str) -> list[int]:
    """Return which digits differ, from 0; none where one of the two has not the digits of the other."""
    if len(recorded) != len(found):
        return []
    return [k for k, (one, two) in enumerate(zip(recorded, found, strict=True)) if one != two]
