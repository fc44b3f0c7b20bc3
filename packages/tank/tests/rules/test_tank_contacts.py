from __future__ import annotations

import pytest

from packages.tank.tests.small_battles import rows_of, run, tank
from turnwright_tank.rules import events
from turnwright_tank.rules.rows import Rows
from turnwright_tank.rules.tank_contacts import apply_tank_contacts, find_tank_contacts, is_ramming


def collide(rows: Rows) -> list[tuple[int, int, int, float, float]]:
    told = run(rows, find_tank_contacts, apply_tank_contacts)
    assert all(event.kind == events.HIT_TANK for event in told)
    return [(event.first, event.second, event.flag, event.energy, event.x) for event in told]


def test_the_rammer_goes_back_stops_and_scores_and_both_lose_energy() -> None:
    rammer, other = tank(403, 300, speed=3.0), tank(440, 300, speed=1.0)
    rammer.x = 406.0
    rows = rows_of(rammer, other)
    assert collide(rows) == [(0, 1, 1, 99.4, 440.0), (1, 0, 0, 99.4, 403.0)]
    assert (rammer.x, rammer.speed, other.speed) == (403.0, 0.0, 1.0)
    duel = rows.duels[0]
    assert (duel.attacker, duel.victim, duel.ram_hits, duel.ram_kill) == (0, 1, 1, 0)


@pytest.mark.parametrize(("distance", "contacts"), [(36.0, 1), (36.001, 0), (0.0, 1)])
@pytest.mark.parametrize("grid_from", [0, 10**9])
def test_tanks_touch_at_a_distance_of_36(distance: float, contacts: int, grid_from: int) -> None:
    rows = rows_of(tank(300, 300), tank(300, 300 + distance), grid_from=grid_from)
    run(rows, find_tank_contacts)
    assert rows.arena.contacts == contacts


@pytest.mark.parametrize(
    ("direction", "speed", "rams"),
    [
        (0, 8, True),
        (89, 1, True),
        (91, 1, False),
        (180, -1, True),
        (180, 1, False),
        (0, 0, False),
        (90, 1, False),
    ],
)
def test_ramming_is_driving_towards_the_other(direction: float, speed: float, rams: bool) -> None:
    assert is_ramming(tank(0, 0, direction=float(direction), speed=float(speed)), tank(30, 0)) is rams


def test_a_tank_between_two_loses_energy_for_each() -> None:
    rows = rows_of(tank(300, 300), tank(330, 300), tank(360, 300))
    assert len(collide(rows)) == 4
    assert [row.energy for row in rows.tanks] == [99.4, pytest.approx(98.8), 99.4]


def test_a_ram_kill_is_counted_once_the_victim_falls_below_zero() -> None:
    rows = rows_of(tank(300, 300, speed=1.0), tank(330, 300, energy=0.5))
    collide(rows)
    assert rows.duels[0].ram_kill == 1
    assert rows.tanks[0].ram_kills == 1


def test_in_the_first_turn_the_second_tank_goes_to_its_spare_place() -> None:
    rows = rows_of(tank(300, 300), tank(310, 300, spare_x=77.0, spare_y=88.0), turn=1)
    collide(rows)
    assert (rows.tanks[0].x, rows.tanks[1].x, rows.tanks[1].y) == (300.0, 77.0, 88.0)


def test_the_table_of_contacts_grows_when_all_tanks_touch() -> None:
    rows = rows_of(*[tank(300, 300) for _ in range(30)])
    assert len(collide(rows)) == 30 * 29
