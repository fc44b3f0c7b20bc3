"""The columns that are shown are fields of what spectators see, and what they follow is there."""

from __future__ import annotations

from turnwright.games.tank.observation import TankFrame
from turnwright.games.tank.wire.stream.delta_tables import SEAT_COLUMNS, TANK_COLUMNS


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
