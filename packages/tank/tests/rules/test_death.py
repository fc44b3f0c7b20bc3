from __future__ import annotations

import pytest

from packages.tank.tests.small_battles import rows_of, run, tank
from turnwright_tank.rules import events
from turnwright_tank.rules.death import count_inactivity, die, disable


def test_inactivity_costs_all_tanks_once_the_counter_is_beyond_the_limit() -> None:
    rows = rows_of(tank(100, 100), tank(300, 100), max_inactivity_turns=3)
    costs = []
    for _ in range(6):
        run(rows, count_inactivity)
        costs.append(round(100.0 - rows.tanks[1].energy, 9))
    assert costs == [0.0, 0.0, 0.0, 0.0, 0.1, 0.2]
    rows.arena.hits = 1
    run(rows, count_inactivity)
    assert rows.arena.inactive_turns == 1


@pytest.mark.parametrize(("energy", "wants"), [(0.0, 0.0), (9e-7, 0.0), (1e-6, 8.0), (-1.0, 8.0)])
def test_a_disabled_tank_forgets_its_intent(energy: float, wants: float) -> None:
    rows = rows_of(tank(100, 100, energy=energy, want_speed=8.0, want_power=8.0, want_turn=8.0))
    run(rows, disable)
    row = rows.tanks[0]
    assert (row.want_speed, row.want_power, row.want_turn) == (wants, wants, wants)


def test_a_tank_dies_below_zero_and_the_others_have_survived_once_a_turn() -> None:
    rows = rows_of(tank(1, 1, energy=-0.1), tank(2, 2, energy=-5.0), tank(3, 3, energy=0.0), tank(4, 4))
    happened = run(rows, die)
    assert [(event.kind, event.first) for event in happened] == [(events.DEATH, 0), (events.DEATH, 1)]
    assert [row.alive for row in rows.tanks] == [0, 0, 1, 1]
    assert [row.deaths_survived for row in rows.tanks] == [0, 0, 1, 1]
    assert [row.deaths_before for row in rows.tanks] == [0, 0, 0, 0]


def test_the_last_survivor_saw_all_others_die() -> None:
    rows = rows_of(tank(1, 1, energy=-0.1), tank(2, 2), tank(3, 3, alive=0, energy=-1.0))
    run(rows, die)
    assert [row.deaths_before for row in rows.tanks] == [0, 2, 0]


def test_two_that_die_together_are_both_last() -> None:
    rows = rows_of(tank(1, 1, energy=-0.1), tank(2, 2, energy=-2.0))
    run(rows, die)
    assert [row.deaths_before for row in rows.tanks] == [2, 2]


def test_a_retired_seat_dies_whatever_its_energy() -> None:
    rows = rows_of(tank(1, 1, energy=50.0, retired=1), tank(2, 2))
    assert [row.first for row in run(rows, die)] == [0]
