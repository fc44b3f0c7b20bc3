from __future__ import annotations

import pytest

from packages.tank.tests.small_battles import rows_of, run, tank
from turnwright_tank.rules import events
from turnwright_tank.rules.gun import fire_direction, fire_guns


def test_a_cool_gun_fires_and_the_tank_pays() -> None:
    rows = rows_of(tank(100, 300, want_power=2.0, bullet_color=0xFF0000, direction=90.0))
    (event,) = run(rows, fire_guns)
    row = rows.bullets[0]
    assert (event.kind, event.first, event.second, event.x, event.y) == (events.FIRED, 1, 0, 100, 300)
    assert (row.power, row.owner, row.direction, row.color, row.ticks) == (2.0, 0, 90.0, 0xFF0000, 0)
    assert rows.tanks[0].energy == 98.0
    assert rows.tanks[0].gun_heat == 1.4


@pytest.mark.parametrize(
    ("asked", "energy", "power", "cost"),
    [(5.0, 100.0, 3.0, 5.0), (3.0, 3.0, None, 0.0), (0.09, 100.0, None, 0.0), (-1.0, 100.0, None, 0.0)],
)
def test_the_cost_is_the_requested_power_and_must_be_below_the_energy(
    asked: float, energy: float, power: float | None, cost: float
) -> None:
    rows = rows_of(tank(100, 300, want_power=asked, energy=energy))
    run(rows, fire_guns)
    assert rows.arena.bullets == (power is not None)
    assert rows.tanks[0].energy == energy - cost
    if power is not None:
        assert rows.bullets[0].power == power


def test_a_hot_gun_cools_to_zero_and_no_further_even_when_disabled() -> None:
    rows = rows_of(tank(100, 300, gun_heat=0.15, want_power=1.0, energy=0.0))
    run(rows, fire_guns)
    assert rows.tanks[0].gun_heat == pytest.approx(0.05)
    run(rows, fire_guns, fire_guns)
    assert rows.tanks[0].gun_heat == 0.0
    assert rows.arena.bullets == 0


@pytest.mark.parametrize(
    ("fields", "direction"),
    [
        ({"scanned": 1, "fire_assist": 1}, 45.0),
        ({"scanned": 1, "fire_assist": 0}, 40.0),
        ({"scanned": 0, "fire_assist": 1}, 40.0),
        ({"scanned": 1, "fire_assist": 1, "radar_direction": 41.0}, 40.0),
    ],
)
def test_fire_assist_aims_at_a_scanned_tank_when_gun_and_radar_are_aligned(
    fields: dict[str, float], direction: float
) -> None:
    shooter = tank(100, 100, direction=40.0, scanned_x=200.0, scanned_y=200.0, **fields)
    assert fire_direction(shooter) == direction


def test_the_first_shot_of_a_round_comes_when_the_residue_of_cooling_is_gone() -> None:
    for rate, turn in ((0.1, 31), (0.2, 16), (0.5, 7), (1.0, 4)):
        rows = rows_of(tank(100, 300, gun_heat=3.0, want_power=1.0), cooling_rate=rate)
        turns = 0
        while rows.arena.bullets == 0:
            turns += 1
            run(rows, fire_guns)
        assert turns == turn
