from __future__ import annotations

import pytest

from packages.tank.tests.small_battles import bullet, rows_of, run, tank
from turnwright_tank.rules import events
from turnwright_tank.rules.bullet_hits import (
    apply_bullet_contacts,
    apply_bullet_hits,
    find_bullet_contacts,
    find_bullet_hits,
)
from turnwright_tank.rules.rows import Rows

STAGES = (find_bullet_contacts, find_bullet_hits, apply_bullet_contacts, apply_bullet_hits)
grids = pytest.mark.parametrize("grid_from", [0, 10**9])


def happened(rows: Rows) -> list[tuple[int, int, int]]:
    return [(row.kind, row.first, row.second) for row in run(rows, *STAGES)]


@grids
def test_a_bullet_hits_one_step_before_it_arrives(grid_from: int) -> None:
    rows = rows_of(tank(100, 300), tank(300, 300), grid_from=grid_from)
    bullet(rows, 276.0, 300.0, 287.0, 300.0, power=3.0)
    assert happened(rows) == [(events.BULLET_TANK, 1, 1)]
    assert [row.energy for row in rows.tanks] == [109.0, 84.0]
    assert (rows.arena.bullets, rows.arena.gone) == (0, 1)
    assert (rows.duels[0].bullet_damage, rows.duels[0].bullet_kill) == (16.0, 0)


@grids
def test_the_owner_is_never_hit_and_one_bullet_can_hit_two(grid_from: int) -> None:
    rows = rows_of(tank(300, 300), tank(300, 310), tank(300, 290), grid_from=grid_from)
    bullet(rows, 300.0, 300.0, 311.0, 300.0)
    assert happened(rows) == [(events.BULLET_TANK, 1, 1), (events.BULLET_TANK, 1, 2)]
    assert [row.energy for row in rows.tanks] == [106.0, 96.0, 96.0]


@grids
def test_bullets_that_meet_are_gone_but_can_still_hit_a_tank(grid_from: int) -> None:
    rows = rows_of(tank(100, 300), tank(300, 300), grid_from=grid_from)
    bullet(rows, 276.0, 290.0, 293.0, 310.0)
    bullet(rows, 293.0, 290.0, 276.0, 310.0, owner=1)
    kinds = happened(rows)
    assert kinds == [(events.BULLET_BULLET, 1, 2), (events.BULLET_TANK, 1, 1)]
    assert rows.arena.bullets == 0


@grids
def test_meetings_come_in_order_of_firing(grid_from: int) -> None:
    rows = rows_of(tank(700, 500), grid_from=grid_from)
    for k in range(6):
        bullet(rows, 300.0 + k, 300.0, 310.0 - k, 312.0)
    found = [event[1:] for event in happened(rows)]
    assert found == [(i, j) for i in range(1, 7) for j in range(i + 1, 7)]


def test_a_kill_is_credited_and_counts_only_the_energy_of_the_victim() -> None:
    rows = rows_of(tank(100, 300), tank(300, 300, energy=3.0))
    bullet(rows, 276.0, 300.0, 287.0, 300.0, power=3.0)
    (event,) = run(rows, *STAGES)
    assert (event.value, event.energy) == (16.0, -13.0)
    assert (rows.duels[0].bullet_damage, rows.duels[0].bullet_kill) == (3.0, 1)


def test_a_dead_owner_scores_but_gains_nothing() -> None:
    rows = rows_of(tank(100, 300, alive=0, energy=-5.0), tank(300, 300))
    bullet(rows, 276.0, 300.0, 287.0, 300.0, power=1.0)
    happened(rows)
    assert (rows.tanks[0].energy, rows.tanks[1].energy, rows.duels[0].bullet_damage) == (-5.0, 96.0, 4.0)


def test_exactly_zero_energy_is_not_a_kill() -> None:
    rows = rows_of(tank(100, 300), tank(300, 300, energy=4.0))
    bullet(rows, 276.0, 300.0, 287.0, 300.0, power=1.0)
    happened(rows)
    assert (rows.tanks[1].energy, rows.duels[0].bullet_kill) == (0.0, 0)
