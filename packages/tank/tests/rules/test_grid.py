from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.tank.tests.battles import digests
from packages.tank.tests.small_battles import rows_of, run, tank
from tests.parts import few
from turnwright_tank.game import TankGame
from turnwright_tank.rules.bullet_hits import find_bullet_contacts
from turnwright_tank.rules.grid import TANK_REACH, fill_tanks, tank_cell

ON, OFF = 0, 10**9


@pytest.mark.parametrize("number", few(range(25), 8))
def test_battles_come_out_the_same_to_the_bit_with_and_without_the_grid(number: int) -> None:
    with_grid = digests(TankGame("interpreted", grid_from=ON), number)
    assert with_grid == digests(TankGame("interpreted", grid_from=OFF), number)
    assert len(set(with_grid)) == len(with_grid)


def test_a_crowd_in_a_large_arena_comes_out_the_same() -> None:
    one = digests(TankGame("interpreted", grid_from=ON), 3, tanks=60, turns=25)
    assert one == digests(TankGame("interpreted", grid_from=OFF), 3, tanks=60, turns=25)


place = st.floats(18, 982)
offset = st.floats(-TANK_REACH, TANK_REACH)


@given(place, place, offset, offset)
def test_a_cell_holds_every_tank_within_reach(x: float, y: float, dx: float, dy: float) -> None:
    rows = rows_of(tank(x, y), tank(500, 500, alive=0), width=1000.0, height=1000.0)
    fill_tanks(rows)
    entry = rows.cells[tank_cell(rows.arena, x + dx * 0.999, y + dy * 0.999)]
    seats = []
    while entry >= rows.arena.tanks_base:
        seats.append((entry - rows.arena.tanks_base) // 4)
        entry = rows.chain[entry - rows.arena.tanks_base]
    assert seats == [0]


def test_a_new_filling_forgets_the_old_one() -> None:
    rows = rows_of(tank(100, 100), width=1000.0, height=1000.0)
    fill_tanks(rows)
    rows.tanks[0].x = 700.0
    fill_tanks(rows)
    assert rows.cells[tank_cell(rows.arena, 100.0, 100.0)] < rows.arena.tanks_base


@given(
    st.lists(
        st.tuples(st.floats(5, 795), st.floats(5, 595), st.floats(-19, 19), st.floats(-19, 19)), max_size=40
    )
)
def test_the_same_meetings_are_found_in_the_same_order(
    steps: list[tuple[float, float, float, float]],
) -> None:
    from packages.tank.tests.small_battles import bullet

    found = []
    for grid_from in (ON, OFF):
        rows = rows_of(tank(700, 500), grid_from=grid_from)
        for x, y, dx, dy in steps:
            bullet(rows, x, y, x + dx, y + dy)
        run(rows, find_bullet_contacts)
        found.append([(c.first, c.second) for c in rows.contacts[: rows.arena.contacts]])
    assert found[0] == found[1]
