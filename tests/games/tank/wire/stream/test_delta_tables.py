"""Tables of whole numbers: what is written comes back, whatever the numbers do."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.games.tank.observation import TankFrame
from turnwright.games.tank.wire.stream.delta_tables import (
    SEAT_COLUMNS,
    TANK_COLUMNS,
    Column,
    TableDelta,
    TableKey,
    TableReader,
    TableWriter,
    relative,
)

COLUMNS = (
    Column("held"),
    Column("linear", 10, "linear"),
    Column("angle", 10, "linear", modulus=3600),
    Column("rate", 10, "follows", follows=2),
    Column("loose", 10, "follows", follows=2, less=1, slack=2),
)
EXACT = range(4)
encode = msgspec.json.Encoder().encode


def carried(message: object, kind: Any) -> Any:
    return msgspec.json.decode(encode(message), type=kind)


@st.composite
def turns(draw: st.DrawFn) -> list[tuple[list[int], list[list[int]]]]:
    """Some turns of a table: ids, columns."""
    found = []
    for _ in range(draw(st.integers(1, 6))):
        ids = sorted(draw(st.sets(st.integers(1, 9))))
        kinds = [st.integers(0, 3599) if column.modulus else st.integers(-50, 50) for column in COLUMNS]
        rows = [draw(st.lists(kind, min_size=len(ids), max_size=len(ids))) for kind in kinds]
        found.append((ids, rows))
    return found


@given(turns())
def test_what_is_written_is_what_is_read(told: list[tuple[list[int], list[list[int]]]]) -> None:
    writer, reader, late = TableWriter(COLUMNS), TableReader(COLUMNS), TableReader(COLUMNS)
    writer.begin(*told[0])
    reader.begin(carried(writer.key(), TableKey))
    for ids, values in told[1:]:
        reader.read(carried(writer.write(ids, [rows[:] for rows in values]), TableDelta | None))
        assert reader.ids == ids
        for k in EXACT:
            assert reader.values[k] == values[k]
        for shown, meant in zip(reader.values[4], values[4], strict=True):
            assert abs(shown - meant) <= 2
        late.begin(carried(writer.key(), TableKey))
        assert (late.ids, late.values, late.carry) == (reader.ids, reader.values, reader.carry)


def test_a_steady_motion_costs_nothing() -> None:
    writer = TableWriter(COLUMNS)
    for turn in range(50):
        angle = (50 * turn) % 3600
        values = [[7], [8 * turn], [angle], [50], [42]]
        if turn < 2:
            writer.begin([1], values) if not turn else writer.write([1], values)
        elif turn > 2:
            assert writer.write([1], values) is None
        else:
            writer.write([1], values)


def test_a_turn_through_zero_is_small() -> None:
    writer = TableWriter(COLUMNS)
    writer.begin([1], [[0], [0], [3590], [0], [0]])
    told = writer.write([1], [[0], [0], [10], [20], [20]])
    assert told is not None
    assert told.columns[2] == [20]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (0, []),
        (1, [[[0], [5]]]),
        (2, [[[0, 1], [5, 5]]]),
        (5, [[5, 5, 5, 5, 5, 0, 0, 0, 0, 0]]),
    ],
)
def test_the_shorter_of_two_ways_is_taken(wrong: int, told: list[object]) -> None:
    writer = TableWriter(COLUMNS[:1])
    ids = list(range(10))
    writer.begin(ids, [[0] * 10])
    written = writer.write(ids, [[5] * wrong + [0] * (10 - wrong)])
    assert (written.columns if written else []) == told


def test_rows_that_come_begin_at_zero_and_rows_that_left_are_forgotten() -> None:
    writer = TableWriter(COLUMNS[:2])
    writer.begin([1, 3], [[10, 30], [10, 30]])
    told = writer.write([2, 3], [[20, 30], [20, 30]])
    assert told == TableDelta([1], [2], [[20, 0], [20, 0]])


@pytest.mark.parametrize(
    "delta",
    [
        TableDelta(columns=[[1, 2, 3]]),
        TableDelta(columns=[[[5], [1]]]),
        TableDelta(columns=[[[-1], [1]]]),
        TableDelta(columns=[[[0, 1], [1]]]),
        TableDelta(columns=[[[0], [1], [1]]]),
        TableDelta(columns=[[1, [1]]]),
    ],
)
def test_what_does_not_fit_the_table_is_refused(delta: TableDelta) -> None:
    reader = TableReader(COLUMNS[:1])
    reader.begin(TableKey([1, 2], [[0, 0]], [0]))
    with pytest.raises(ValueError, match=r"row|column|argument"):
        reader.read(delta)


@pytest.mark.parametrize(
    "key",
    [TableKey([1], [], []), TableKey([1], [[1, 2]], [0]), TableKey([1], [[1]], [[1, 2]])],
    ids=["columns", "values", "carry"],
)
def test_a_table_that_is_not_whole_is_refused(key: TableKey) -> None:
    with pytest.raises(ValueError, match="table"):
        TableReader(COLUMNS[:1]).begin(key)


def test_a_relative_number_is_the_short_way_round() -> None:
    assert [relative(n, 3600) for n in (0, 1799, 1800, 3599, -1, -1801)] == [0, 1799, -1800, -1, -1, 1799]
    assert relative(99_999, 0) == 99_999


def test_every_column_of_a_tank_is_a_field_of_its_state() -> None:
    assert {column.name for column in TANK_COLUMNS} <= set(TankFrame.__struct_encode_fields__)


def test_a_column_follows_earlier_ones_that_turn_the_same_circle() -> None:
    for number, column in enumerate((*TANK_COLUMNS, *SEAT_COLUMNS)):
        if column.predicted == "follows":
            assert 0 <= column.follows < number
            assert column.less < number
            assert column.modulus == 0
        else:
            assert (column.follows, column.less, column.slack) == (0, -1, 0)
