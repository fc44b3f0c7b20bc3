from __future__ import annotations

import pytest

from packages.tank.tests.small_battles import bullet, rows_of, run, tank
from turnwright_tank.rules import events
from turnwright_tank.rules.bullets import fly, remove_bullets
from turnwright_tank.rules.gun import fire_guns


def test_a_bullet_is_shown_one_step_from_the_muzzle_in_the_turn_it_is_fired() -> None:
    rows = rows_of(tank(100, 300, want_power=3.0))
    run(rows, fire_guns, fly)
    assert (rows.bullets[0].x, rows.bullets[0].next_x, rows.bullets[0].ticks) == (111.0, 122.0, 1)


def test_its_place_is_worked_out_from_the_start_each_time() -> None:
    rows = rows_of(tank(100, 300, want_power=0.1, direction=17.0))
    run(rows, fire_guns)
    row = rows.bullets[0]
    for step in range(1, 20):
        rows.arena.events = 0
        run(rows, fly)
        assert row.x == row.start_x + row.cos * (row.speed * step)
        assert row.y == row.start_y + row.sin * (row.speed * step)


@pytest.mark.parametrize("place", [(0.0, 300.0), (800.0, 300.0), (400.0, 0.0), (400.0, 600.0), (-3.0, 700.0)])
def test_a_bullet_on_or_beyond_the_edge_is_gone_and_its_place_is_not_clipped(
    place: tuple[float, float],
) -> None:
    rows = rows_of(tank(100, 100))
    row = bullet(rows, 1.0, 1.0, *place)
    (event,) = run(rows, fly)
    assert (event.kind, event.first, event.second) == (events.BULLET_WALL, row.id, 0)
    assert (rows.arena.bullets, rows.arena.gone, row.x, row.y) == (0, 1, *place)


def test_removing_bullets_preserves_the_order_of_the_others() -> None:
    rows = rows_of(tank(100, 100))
    for k in range(9):
        bullet(rows, 100.0, 100.0, 110.0, 100.0, removed=int(k in (0, 3, 4, 8)))
    remove_bullets(rows)
    assert [row.id for row in rows.bullets[: rows.arena.bullets]] == [2, 3, 6, 7, 8]
    gone = rows.bullets[rows.arena.bullets : rows.arena.bullets + rows.arena.gone]
    assert sorted(row.id for row in gone) == [1, 4, 5, 9]
