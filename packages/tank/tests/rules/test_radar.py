from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.tank.tests.small_battles import rows_of, run, tank
from turnwright_tank.rules.radar import sector_box, sees, turn_radars
from turnwright_tank.rules.trig import sincos


def seen(radar: Any, *targets: Any, grid_from: int = 10**9, side: float = 3000.0) -> list[int]:
    rows = rows_of(radar, *targets, grid_from=grid_from, width=side, height=side)
    return [row.second for row in run(rows, turn_radars) if row.first == 0]


def sweeping(x: float, y: float, to: float, sweep: float, **fields: Any) -> Any:
    row = tank(x, y, radar_sweep=sweep, **fields)
    row.radar_direction = to
    row.before_radar_direction = to - sweep
    return row


@pytest.mark.parametrize("grid_from", [0, 10**9])
@pytest.mark.parametrize(
    ("to", "sweep", "found"),
    [
        (45.0, 45.0, [1, 2]),
        (0.0, -45.0, [1, 2]),
        (90.0, 45.0, [2]),
        (300.0, 45.0, []),
        (10.0, 20.0, [1]),
        (350.0, -20.0, [1]),
    ],
)
def test_a_radar_sees_the_tanks_in_the_arc_it_has_swept(
    to: float, sweep: float, found: list[int], grid_from: int
) -> None:
    radar = sweeping(1000, 1000, to, sweep)
    assert seen(radar, tank(1200, 1001), tank(1150, 1150), tank(800, 1000), grid_from=grid_from) == found


def test_a_tank_that_neither_moved_nor_turned_sees_nothing_unless_it_rescans() -> None:
    assert seen(tank(100, 100), tank(300, 100)) == []
    assert seen(tank(100, 100, rescan=1), tank(300, 100), tank(300, 200)) == [1]


def test_a_moving_tank_with_a_fixed_radar_sees_along_a_line() -> None:
    radar = tank(100, 100)
    radar.before_x = 92.0
    assert seen(radar, tank(300, 117.9), tank(300, 118.1), tank(60, 100)) == [1]


@pytest.mark.parametrize(("distance", "found"), [(1199.0, [1]), (1217.9, [1]), (1218.1, [])])
@pytest.mark.parametrize("grid_from", [0, 10**9])
def test_the_range_is_1200_to_the_nearest_edge(distance: float, found: list[int], grid_from: int) -> None:
    assert seen(sweeping(100, 1500, 20.0, 40.0), tank(100 + distance, 1500), grid_from=grid_from) == found


def test_droids_see_nothing() -> None:
    assert seen(sweeping(100, 100, 20.0, 40.0, droid=1), tank(300, 100)) == []


def test_fire_assist_uses_the_first_scanned_tank_by_seat() -> None:
    radar = sweeping(1000, 1000, 40.0, 80.0)
    assert seen(radar, tank(1500, 1000), tank(1100, 1010)) == [1, 2]
    assert (radar.scanned, radar.scanned_x, radar.scanned_y) == (1, 1500.0, 1000.0)


def test_events_grow_when_a_crowd_sees_a_crowd() -> None:
    tanks = [sweeping(400 + k, 400.0, 20.0, 40.0) for k in range(30)]
    rows = rows_of(*tanks)
    assert len(run(rows, turn_radars)) == rows.arena.events > 5 * 30


@given(st.floats(0, 359.9), st.floats(0, 75), st.floats(-1230, 1230), st.floats(-1230, 1230))
def test_all_that_is_seen_is_inside_the_box_that_the_grid_looks_into(
    start: float, sweep: float, x: float, y: float
) -> None:
    (sin, cos), (sin2, cos2) = sincos(start), sincos(start + sweep)
    edges = cos * 1200.0, sin * 1200.0, cos2 * 1200.0, sin2 * 1200.0
    if sees(0.0, 0.0, *edges, sweep == 0.0, x, y):
        left, right, bottom, top = sector_box(*edges)
        assert left < x < right
        assert bottom < y < top
