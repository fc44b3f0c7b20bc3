"""A few digits about a state, from which a record tells later whose and which part of another one differs."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from turnwright.kernel.game import Game, Seat, Table

__all__ = ["SEAT_DIGITS", "checks", "differing", "fields", "odd_seat", "part_names", "turn_digits", "watched"]

SEAT_DIGITS = 4
"""Of the checks of every turn, the first, which name a seat."""
_HEX = "0123456789abcdef"
_PRIME = 251
"""Sums of seats are modulo it: each has two hex digits."""
_WORD = (1 << 64) - 1
_SPREAD = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: times it, a difference anywhere in a word reaches its first digit."""


def fields(game: Game, state: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the canonical state field by field, e.g. ("tanks[1].energy", 8 bytes)."""
    for table in game.tables(state):
        count = len(table.columns)
        for at in range(0, len(table.data), 8):
            row, column = divmod(at // 8, count)
            yield f"{table.name}[{row}].{table.columns[column]}", table.data[at : at + 8]


# ---- making ---------------------------------------------------------------------------------------------


def checks(game: Game, state: Any, *, everything: bool = True) -> str:
    """Return hex digits that tell where a state differs from another one.

    Four digits name the seat, if it is a single one: they are the sum over the seats of v, and of v times the
    seat's number from 1, modulo 251, where v is the CRC-32 of all rows of that seat. Then comes one for each
    watched column. everything: behind them one a seat, the last of v, and one for each of `part_names`.
    """
    seats: list[int] = []
    turn: list[str] = []
    parts: list[str] = []
    for table in game.tables(state):
        if table.by_seat:
            width = 8 * len(table.columns)
            rows = [table.data[at : at + width] for at in range(0, len(table.data), width)]
            seats = list(map(zlib.crc32, rows, seats or [0] * len(rows)))
        if table.watched:
            turn += _column_digits(table, table.watched)
        if everything:
            parts += _column_digits(table, range(len(table.columns))) if table.apart else _table_digit(table)
    plain = weighted = 0
    for number, value in enumerate(seats, start=1):
        plain += value % _PRIME
        weighted += number * (value % _PRIME)
    sketch = f"{plain % _PRIME:02x}{weighted % _PRIME:02x}"
    own = [_HEX[value & 15] for value in seats] if everything else []
    return sketch + "".join([*turn, *own, *parts])


def _column_digits(table: Table, columns: Sequence[int]) -> list[str]:
    """Return a digit for each column: the first of 16 of the sum of its values, as bits, times a constant."""
    values, count = struct.unpack(f"<{len(table.data) // 8}Q", table.data), len(table.columns)
    return [_HEX[(sum(values[column::count]) * _SPREAD & _WORD) >> 60] for column in columns]


def _table_digit(table: Table) -> list[str]:
    return [_HEX[zlib.crc32(table.data) & 15]]


def turn_digits(game: Game, state: Any) -> int:
    """Return how many digits the checks have without everything."""
    return SEAT_DIGITS + len(watched(game, state))


def watched(game: Game, state: Any) -> list[str]:
    """Return what each watched column is called."""
    return [_name(table, column) for table in game.tables(state) for column in table.watched]


def part_names(game: Game, state: Any) -> list[str]:
    """Return what each part is called that has a digit of its own in checks of everything."""
    names = []
    for table in game.tables(state):
        names += [_name(table, k) for k in range(len(table.columns))] if table.apart else [table.name]
    return names


def _name(table: Table, column: int) -> str:
    return table.columns[column] if table.by_seat else f"{table.name}.{table.columns[column]}"


# ---- comparing ------------------------------------------------------------------------------------------


def odd_seat(recorded: str, found: str, seats: int) -> Seat | None:
    """Return the one seat whose state differs; None when none does, when several do, or without checks."""
    (plain, weighted), (plain_found, weighted_found) = _sketch(recorded), _sketch(found)
    plain, weighted = (plain_found - plain) % _PRIME, (weighted_found - weighted) % _PRIME
    if not plain:
        return None
    return next((seat for seat in range(seats) if (plain * (seat + 1) - weighted) % _PRIME == 0), None)


def _sketch(digits: str) -> tuple[int, int]:
    try:
        return int(digits[:2], 16), int(digits[2:SEAT_DIGITS], 16)
    except ValueError:
        return 0, 0


def differing(recorded: str, found: str) -> list[int]:
    """Return which digits differ, from 0; none where one of the two has not the digits of the other."""
    if len(recorded) != len(found):
        return []
    return [k for k, (one, two) in enumerate(zip(recorded, found, strict=True)) if one != two]
