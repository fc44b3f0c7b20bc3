"""Short checksums of a state, with two digits for each seat and each part. They show which seats and parts of
two states differ.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

from turnwright.kernel.game import Game, Seat, StateTable

CHECKS_EVERY = 64
"""The number of turns from one full check to the next."""
_DIGITS = 2
_CELL = 8


class Differing(NamedTuple):
    """The seats and parts in which two states differ, in order.

    Both lists are empty if the difference is not known.
    """

    seats: tuple[Seat, ...] = ()
    parts: tuple[str, ...] = ()


def is_full_check(turn: int) -> bool:
    """Return whether this turn (1, 2, 3 …) has a full check.

    Turns that are powers of two have one, and every 64th turn.
    """
    return turn % CHECKS_EVERY == 0 or turn & (turn - 1) == 0


def full_check(game: Game, state: Any) -> str:
    """Return two hex digits for each seat, then two for each of `part_names`.

    The digits are the last two of a CRC-32. For a seat, the CRC-32 covers the seat's rows. For a part, it
    covers the values of a column. If the columns of a table have no separate checks, it covers the whole
    table.
    """
    seats: list[int] = []
    parts: list[int] = []
    for table in game.tables(state):
        if table.by_seat:
            width = _CELL * len(table.columns)
            rows = [table.data[at : at + width] for at in range(0, len(table.data), width)]
            seats = list(map(zlib.crc32, rows, seats or [0] * len(rows)))
        parts += _parts(table)
    return bytes([value & 255 for value in (*seats, *parts)]).hex()


def _parts(table: StateTable) -> list[int]:
    if not table.every_column:
        return [zlib.crc32(table.data)]
    cells, count = array("Q", table.data), len(table.columns)
    return [zlib.crc32(cells[column::count]) for column in range(count)]


def differing(game: Game, state: Any, recorded: str) -> Differing:
    """Return the seats and parts in which a state differs from the full check `recorded`."""
    found = full_check(game, state)
    if len(recorded) != len(found):
        return Differing()
    names = part_names(game, state)
    seats = len(found) // _DIGITS - len(names)
    pairs = [(recorded[at : at + _DIGITS], found[at : at + _DIGITS]) for at in range(0, len(found), _DIGITS)]
    odd = [number for number, (one, two) in enumerate(pairs) if one != two]
    return Differing(
        tuple(number for number in odd if number < seats),
        tuple(names[number - seats] for number in odd if number >= seats),
    )


def part_names(game: Game, state: Any) -> list[str]:
    """Return the name of each part that has its own digits in a full check, for example "energy", "bullets.x"
    or "walls".
    """
    names = []
    for table in game.tables(state):
        if table.every_column:
            names += [column if table.by_seat else f"{table.name}.{column}" for column in table.columns]
        else:
            names.append(table.name)
    return names


def fields(game: Game, state: Any) -> Iterator[tuple[str, bytes]]:
    """Yield the canonical state field by field, e.g. ("tanks[1].energy", 8 bytes)."""
    for table in game.tables(state):
        count = len(table.columns)
        for at in range(0, len(table.data), _CELL):
            row, column = divmod(at // _CELL, count)
            yield f"{table.name}[{row}].{table.columns[column]}", table.data[at : at + _CELL]
