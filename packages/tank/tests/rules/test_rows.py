from __future__ import annotations

import struct

import pytest

from turnwright_tank.rules.rows import ARENA, BULLET, DUEL, EVENT, TANK, Bullet, Tank


@pytest.mark.parametrize("kind", [ARENA, TANK, BULLET, EVENT, DUEL])
def test_every_field_is_eight_bytes_and_the_state_comes_first(kind: object) -> None:
    assert kind.all_struct.size == 8 * len(kind.names) == 8 * len(kind.codes)  # type: ignore[attr-defined]
    assert kind.state_struct.size == 8 * kind.state_count <= kind.all_struct.size  # type: ignore[attr-defined]


def test_the_state_of_a_row_is_the_front_of_its_bytes() -> None:
    row = Tank(alive=1, energy=12.5, seat=3)
    assert TANK.pack(row).startswith(TANK.pack_state(row))
    assert struct.unpack_from("<d", TANK.pack(row), 8 * TANK.names.index("energy")) == (12.5,)


def test_rows_have_no_room_for_a_misspelt_field() -> None:
    with pytest.raises(AttributeError):
        Bullet().colour = 7  # type: ignore[attr-defined]
