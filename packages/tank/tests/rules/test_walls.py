from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.tank.tests.small_battles import rows_of, run, tank
from turnwright_tank.rules import events
from turnwright_tank.rules.walls import hit_walls, keep_inside


def moved(x: float, y: float, to_x: float, to_y: float, **fields: Any) -> Any:
    row = tank(x, y, **fields)
    row.x, row.y = to_x, to_y
    return row


def test_a_tank_is_pulled_back_along_its_path_and_stopped_with_an_event() -> None:
    rows = rows_of(moved(778.6602540378443, 305.0, 782.99038105676657, 307.5, speed=5.0))
    (event,) = run(rows, hit_walls)
    row = rows.tanks[0]
    assert (event.kind, event.first) == (events.HIT_WALL, 0)
    assert (row.x, row.y) == (782.0, pytest.approx(306.9282032302755, abs=1e-9))
    assert (row.speed, row.energy, row.hit_wall) == (0.0, 98.5, 1)


def test_a_tank_at_the_wall_since_the_turn_before_is_stopped_without_an_event() -> None:
    rows = rows_of(moved(782, 300, 783, 300, speed=1.0, hit_wall=1))
    assert run(rows, hit_walls) == []
    assert (rows.tanks[0].speed, rows.tanks[0].energy, rows.tanks[0].hit_wall) == (0.0, 100.0, 0)


def test_no_tank_hits_a_wall_in_the_first_turn() -> None:
    rows = rows_of(moved(100, 100, 10, 100, speed=8.0), turn=1)
    assert run(rows, hit_walls) == []
    assert rows.tanks[0].x == 10.0
    run(rows, keep_inside)
    assert rows.tanks[0].x == 18.0


@given(st.floats(18, 782), st.floats(18, 582), st.floats(-8, 8), st.floats(-8, 8))
def test_after_both_stages_every_tank_is_inside(x: float, y: float, dx: float, dy: float) -> None:
    rows = rows_of(moved(x, y, x + dx, y + dy, speed=8.0))
    run(rows, hit_walls, keep_inside)
    row = rows.tanks[0]
    assert 18.0 <= row.x <= 782.0
    assert 18.0 <= row.y <= 582.0
    assert 97.0 <= row.energy <= 100.0
