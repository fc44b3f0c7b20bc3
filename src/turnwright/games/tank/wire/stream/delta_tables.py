"""Tables of whole numbers, sent as differences from a prediction.

A writer and a reader hold the same predictor, in integers, so they never drift apart. A column is predicted
from its own past (`hold`: as it was; `linear`: it changes as it did last) or from another column's change
(`follows`: it is that change, plus a difference that is held). A steady motion costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Literal

import msgspec

from turnwright.games.tank.wire.royale.message_parts import says

ColumnDelta = int | list[int | list[int]]
"""0: all as predicted; a list: a residual for each row; two lists: of the rows that are not as predicted, how
many rows after the one before (the first: after the start), and their residuals."""
Rows = list[int]


@dataclass(frozen=True, slots=True)
class Column:
    """The coding of one column.

    A number on the wire is the value times `per_unit`, rounded.

    modulus: numbers wrap around at it, 0: they do not. follows, less: the indices of two earlier columns;
    their changes, the first less the second (-1: none), are followed. slack: a deviation from the prediction,
    in steps, that is not worth writing; what is shown is then off by it. These three only with "follows".
    """

    name: str
    per_unit: int = 1
    predicted: Literal["hold", "linear", "follows"] = "hold"
    modulus: int = 0
    follows: int = 0
    less: int = -1
    slack: int = 0


class TableKey(msgspec.Struct, omit_defaults=True, gc=False):
    """A whole table, with the carries of its predictor."""

    ids: Annotated[list[int], says("of the rows, ascending")]
    values: Annotated[list[list[int]], says("for each column, the number of each row")]
    carry: Annotated[
        list[int | list[int]],
        says("for each column what its predictor carries, a number a row; 0: zero in every row"),
    ]


class TableDelta(msgspec.Struct, omit_defaults=True, gc=False):
    """Changes of a table since the turn before.

    Rows are removed, then new rows of zeros are added.
    """

    out: Annotated[list[int], says("ids of rows that have left")] = []
    come: Annotated[list[int], says("ids of rows that are new")] = []
    columns: Annotated[
        list[ColumnDelta],
        says("for each column 0, a residual a row, or the rows and residuals that are not 0; absent: all 0"),
    ] = []


def relative(number: int, modulus: int) -> int:
    """Return `number` brought into [-modulus / 2, modulus / 2); modulus 0: as it is."""
    half = modulus >> 1
    return (number + half) % modulus - half if modulus else number


class _DeltaTable:
    """The state of a table at either end of the stream.

    Rows, their numbers and the memory of predictors, for each column a list.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self.ids: list[int] = []
        self.values: list[Rows] = [[] for _ in columns]
        self.carry: list[Rows] = [[] for _ in columns]

    def _reshape(self, ids: list[int]) -> None:
        """Keep the rows that stay, begin new ones at zero."""
        row_of = {number: row for row, number in enumerate(self.ids)}
        kept = [row_of.get(number, -1) for number in ids]
        for lists in (self.values, self.carry):
            for k, old in enumerate(lists):
                lists[k] = [old[row] if row >= 0 else 0 for row in kept]
        self.ids = ids

    def _followed(self, column: Column, before: Sequence[Rows]) -> Rows:
        """Return by how much the columns that this one follows have changed."""
        changes = self._changed(column.follows, before)
        if column.less < 0:
            return changes
        return [a - b for a, b in zip(changes, self._changed(column.less, before), strict=True)]

    def _changed(self, k: int, before: Sequence[Rows]) -> Rows:
        modulus, pairs = self.columns[k].modulus, zip(self.values[k], before[k], strict=True)
        if not modulus:
            return [n - o for n, o in pairs]
        half = modulus >> 1
        return [(n - o + half) % modulus - half for n, o in pairs]


class TableWriter(_DeltaTable):
    """The writing end."""

    def begin(self, ids: list[int], values: list[Rows]) -> None:
        """Begin anew with these rows (ids ascending); the predictors know nothing."""
        self.ids = ids
        self.values = values
        self.carry = [[0] * len(ids) for _ in self.columns]

    def key(self) -> TableKey:
        """Return the whole table."""
        return TableKey(self.ids, self.values, [rows if any(rows) else 0 for rows in self.carry])

    def write(self, ids: list[int], values: list[Rows]) -> TableDelta | None:
        """Take the next turn's rows (ids ascending) and return the message about them.

        None: no change.
        """
        out: list[int] = []
        come: list[int] = []
        if ids != self.ids:
            stay, new = set(ids), set(self.ids)
            out = [number for number in self.ids if number not in stay]
            come = [number for number in ids if number not in new]
            self._reshape(ids)
        before = self.values
        self.values = values[:]
        deltas = [self._column(k, before) for k in range(len(values))]
        while deltas and deltas[-1] == 0:
            deltas.pop()
        if deltas:
            return TableDelta(out, come, deltas)
        return TableDelta(out, come) if out or come else None

    def _column(self, k: int, before: Sequence[Rows]) -> ColumnDelta:
        column = self.columns[k]
        new, old = self.values[k], before[k]
        if column.predicted == "hold":
            if new == old:
                return 0
            return _packed([n - o for n, o in zip(new, old, strict=True)])
        if column.predicted == "linear":
            return self._linear(k, column.modulus, new, old)
        residuals, slack = [], column.slack
        carry = self.carry[k]
        changes = self._followed(column, before)
        for row, change in enumerate(changes):
            residual = new[row] - change - carry[row]
            residuals.append(0 if -slack <= residual <= slack else residual)
        if any(residuals):
            self.carry[k] = carry = [c + r for c, r in zip(carry, residuals, strict=True)]
        self.values[k] = [a + c for a, c in zip(changes, carry, strict=True)]
        return _packed(residuals)

    def _linear(self, k: int, modulus: int, new: Rows, old: Rows) -> ColumnDelta:
        carry = self.carry[k]
        if modulus:
            half = modulus >> 1
            moved = [(n - o + half) % modulus - half for n, o in zip(new, old, strict=True)]
        else:
            moved = [n - o for n, o in zip(new, old, strict=True)]
        if moved == carry:
            return 0
        self.carry[k] = moved
        residuals = [m - c for m, c in zip(moved, carry, strict=True)]
        if modulus:
            residuals = [(r + half) % modulus - half for r in residuals]
        return _packed(residuals)


def _packed(residuals: Rows) -> ColumnDelta:
    """Return the shorter of the two ways to write residuals."""
    count = len(residuals)
    wrong = count - residuals.count(0)
    if not wrong:
        return 0
    if 2 * wrong >= count:
        return [*residuals]
    rows = [row for row, residual in enumerate(residuals) if residual]
    gaps = [row - before for row, before in zip(rows, [0, *rows], strict=False)]
    return [gaps, [residuals[row] for row in rows]]


class TableReader(_DeltaTable):
    """The reading end. Raises ValueError for what does not fit the table."""

    def begin(self, key: TableKey) -> None:
        """Take a whole table."""
        width = len(key.ids)
        if len(key.values) != len(self.columns) or len(key.carry) != len(self.columns):
            raise ValueError(f"a table of {len(key.values)} columns; {len(self.columns)} expected")
        carry = [rows if isinstance(rows, list) else [0] * width for rows in key.carry]
        if any(len(rows) != width for rows in (*key.values, *carry)):
            raise ValueError("a column is not as long as its table")
        self.ids, self.values, self.carry = key.ids[:], [rows[:] for rows in key.values], carry

    def read(self, delta: TableDelta | None) -> None:
        """Take what became of it."""
        delta = delta or TableDelta()
        if delta.out or delta.come:
            self._reshape(sorted((set(self.ids) - set(delta.out)) | set(delta.come)))
        before = self.values
        self.values = list(before)
        for k, column in enumerate(self.columns):
            told = delta.columns[k] if k < len(delta.columns) else 0
            self._take(k, column, _unpacked(told, len(self.ids)), before)

    def _take(self, k: int, column: Column, residuals: Rows, before: Sequence[Rows]) -> None:
        old, carry, modulus = before[k], self.carry[k], column.modulus
        if column.predicted == "hold":
            self.values[k] = [o + r for o, r in zip(old, residuals, strict=True)]
            return
        carry = [relative(c + r, modulus) for c, r in zip(carry, residuals, strict=True)]
        self.carry[k] = carry
        base = old if column.predicted == "linear" else self._followed(column, before)
        moved = [b + c for b, c in zip(base, carry, strict=True)]
        self.values[k] = [number % modulus for number in moved] if modulus else moved


def _unpacked(told: ColumnDelta, rows: int) -> Rows:
    """Return a residual for each row."""
    if not isinstance(told, list):
        return [0] * rows
    dense = [number for number in told if isinstance(number, int)]
    if len(dense) == len(told) == rows:
        return dense
    residuals = [0] * rows
    row = 0
    for gap, residual in _pairs(told):
        row += gap
        if not 0 <= row < rows:
            raise ValueError(f"row {row} of {rows}")
        residuals[row] = residual
    return residuals


def _pairs(told: Sequence[int | list[int]]) -> Iterator[tuple[int, int]]:
    """Yield what two lists say: how far it is to a row, and its residual."""
    if len(told) != 2 or not isinstance(told[0], list) or not isinstance(told[1], list):
        raise ValueError("a column is neither a residual for each row nor two lists")
    yield from zip(told[0], told[1], strict=True)


# ---- the tables of the tank game in the stream, and their precision -------------------------------------


PLACE_PER_UNIT = 10
ANGLE_PER_DEGREE = 10
FULL_CIRCLE = 360 * ANGLE_PER_DEGREE
SPEED_PER_UNIT = 10
ENERGY_PER_UNIT = 100
"""Energy and gun heat; a value that is not zero is never shown as zero."""

TANK_COLUMNS = (
    Column("x", PLACE_PER_UNIT, "linear"),
    Column("y", PLACE_PER_UNIT, "linear"),
    Column("direction", ANGLE_PER_DEGREE, "linear", FULL_CIRCLE),
    Column("gunDirection", ANGLE_PER_DEGREE, "linear", FULL_CIRCLE),
    Column("radarDirection", ANGLE_PER_DEGREE, "linear", FULL_CIRCLE),
    Column("radarSweep", ANGLE_PER_DEGREE, "follows", follows=4, slack=1),
    Column("turnRate", ANGLE_PER_DEGREE, "follows", follows=2, slack=1),
    Column("gunTurnRate", ANGLE_PER_DEGREE, "follows", follows=3, less=2, slack=2),
    Column("radarTurnRate", ANGLE_PER_DEGREE, "follows", follows=4, less=3, slack=2),
    Column("speed", SPEED_PER_UNIT),
    Column("energy", ENERGY_PER_UNIT),
    Column("gunHeat", ENERGY_PER_UNIT, "linear"),
    Column("enemyCount"),
)
"""Fields of a BotState, by their names. A row for each tank that began the turn; its id is the bot's."""

TIME_STEP_US = 50
UNKNOWN = -1
"""An unknown time."""
SEAT_COLUMNS = (
    Column("answer"),
    Column("rtt"),
    Column("status"),
    Column("missed"),
    Column("points"),
    Column("teamPoints"),
    Column("place"),
)
"""Times in steps of TIME_STEP_US, or UNKNOWN: how long the bot took to answer, and a message there and back.

One row for each bot of the game. A time is told when it has changed by an eighth, or by a step below eight.
The third column is a SeatStatus, the others are a `write.BotStanding`.
"""


class SeatStatus(IntEnum):
    """The state of a bot at the end of a turn.

    Where several hold, the highest is told.
    """

    RUNNING = 0
    """its tank can act"""
    DISABLED = 1
    """its tank lives, but has no energy"""
    DEAD = 2
    """its tank died in this turn of the round, or before"""
    DISCONNECTED = 3
    """its connection is gone"""
    DISQUALIFIED = 4
    """it has missed too many turns in a row, and is out of the battle"""


BULLET_POWER_PER_UNIT = 100_000
BULLET_DIRECTION_PER_DEGREE = 10_000
BULLET_PLACE_PER_UNIT = 100
"""So fine that a bullet is shown right to 0.05 units after a flight of 5000."""
