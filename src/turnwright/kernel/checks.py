"""A few digits about a state, from which a record tells later whose and which part of another one differs."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from turnwright.kernel.game import Game, Seat, Table

__all__ = ["check_names", "checks", "differing", "fields", "odd_seat"]

_HEX = "0123456789abcdef"
_PRIME = 251
"""Sums of seats are modulo it: each has two hex digits."""
_SKETCH_DIGITS = 4


def fields(game: Game, state: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the canonical state field by field, e.g. ("tanks[1].energy", 8 bytes)."""
    for table in game.tables(state):
        count = len(table.columns)
        for at in range(0, len(table.data), 8):
            row, column = divmod(at // 8, count)
            yield f"{table.name}[{row}].{table.columns[column]}", table.data[at : at + 8]


def checks(game: Game, state: Any, *, everything: bool = True) -> str:
    """Return hex digits that tell where a state differs from another one.

    Four digits name the seat, if it is a single one: they are the sum over the seats of v, and of v times the
    seat's number from 1, modulo 251, where v is the CRC-32 of all rows of that seat. everything: behind them
    one digit a seat and one for each group of columns, the last of the CRC-32 over their rows.
    """
    seats: list[int] = []
    groups: list[int] = []
    for table in game.tables(state):
        if table.by_seat:
            width = 8 * len(table.columns)
            rows = [table.data[at : at + width] for at in range(0, len(table.data), width)]
            seats = list(map(zlib.crc32, rows, seats or [0] * len(rows)))
        if everything:
            groups += _group_sums(table)
    plain = weighted = 0
    for number, value in enumerate(seats, start=1):
        plain += value % _PRIME
        weighted += number * (value % _PRIME)
    sketch = f"{plain % _PRIME:02x}{weighted % _PRIME:02x}"
    return sketch + "".join([_HEX[value & 15] for value in (*seats, *groups)]) if everything else sketch


def _group_sums(table: Table) -> Iterable[int]:
    if not table.cuts:
        return (zlib.crc32(table.data),)
    width, view, crc32 = 8 * len(table.columns), memoryview(table.data), zlib.crc32
    sums = []
    for low, high in _ranges(table):
        value = 0
        for at in range(0, len(view), width):
            value = crc32(view[at + 8 * low : at + 8 * high], value)
        sums.append(value)
    return sums


def _ranges(table: Table) -> list[tuple[int, int]]:
    edges = (0, *table.cuts, len(table.columns))
    return list(pairwise(edges))


def check_names(game: Game, state: Any) -> list[str]:
    """Return what each group of columns in `checks` is called: by its columns, or by its table."""
    names = []
    for table in game.tables(state):
        for low, high in _ranges(table):
            columns = table.columns[low:high]
            shown = " or ".join(columns) if len(columns) < 4 else f"{columns[0]} … {columns[-1]}"
            names.append(shown if table.cuts else table.name)
    return names


def odd_seat(recorded: str, found: str, seats: int) -> Seat | None:
    """Return the one seat whose state differs; None when none does, when several do, or without checks."""
    (plain, weighted), (plain_found, weighted_found) = _sketch(recorded), _sketch(found)
    plain, weighted = (plain_found - plain) % _PRIME, (weighted_found - weighted) % _PRIME
    if not plain:
        return None
    return next((seat for seat in range(seats) if (plain * (seat + 1) - weighted) % _PRIME == 0), None)


def _sketch(digits: str) -> tuple[int, int]:
    try:
        return int(digits[:2], 16), int(digits[2:_SKETCH_DIGITS], 16)
    except ValueError:
        return 0, 0


def differing(recorded: str, found: str, seats: int) -> tuple[Sequence[Seat], Sequence[int]] | None:
    """Return which seats and which groups of columns differ; None where the record has not everything."""
    if len(recorded) != len(found) or len(found) <= _SKETCH_DIGITS:
        return None
    pairs = zip(recorded[_SKETCH_DIGITS:], found[_SKETCH_DIGITS:], strict=True)
    places = [k for k, (one, two) in enumerate(pairs) if one != two]
    return [k for k in places if k < seats], [k - seats for k in places if k >= seats]
