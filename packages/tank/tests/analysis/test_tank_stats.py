from __future__ import annotations

import pytest

from packages.tank.tests.analysis.scenes import tank
from turnwright_tank.analysis.facts import EnergyLoss
from turnwright_tank.analysis.tank_stats import TankStats

BLOW = EnergyLoss(9, "bullet", 1, 1.0, 100.0, 4.0, 50.0)


def test_a_tank_at_rest_counts_as_still_and_the_longest_run_is_recorded() -> None:
    stat = TankStats(1, 100.0)
    for turn, (x, speed) in enumerate([(0, 0.0), (0, 0.0), (8, 8.0), (8, 0.0)], 1):
        stat.moved(tank(1, float(x), speed=speed), turn)
    assert (stat.tally.turns, stat.tally.still_turns, stat.tally.still_longest) == (4, 3, 2)
    assert (stat.moved_turn, stat.changed_turn) == (3, 4)


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ({"direction": 359.95, "speed": 8.0}, {"direction": 0.04, "speed": 8.0}, False),
        ({"direction": 10.0, "speed": 8.0}, {"direction": 10.2, "speed": 8.0}, True),
        ({"direction": 10.0, "speed": 8.0}, {"direction": 10.0, "speed": 7.8}, True),
        ({"direction": 10.0, "speed": 8.0}, {"direction": 10.0, "speed": 8.0}, False),
    ],
)
def test_a_course_is_even_while_heading_and_speed_do_not_change(
    before: dict[str, float], after: dict[str, float], changed: bool
) -> None:
    stat = TankStats(1, 100.0)
    stat.moved(tank(1, 0.0, **before), 1)
    stat.moved(tank(1, 8.0, **after), 2)
    assert stat.changed_turn == (2 if changed else 1)


def test_a_gun_is_idle_when_it_could_fire_and_did_not() -> None:
    stat = TankStats(1, 100.0)
    for heat, sees, fired in [(0.1, True, False), (0.0, True, False), (0.0, True, False), (1.6, True, True)]:
        stat.moved(tank(1, gun_heat=heat), 1)
        stat.aimed(fired=fired, sees=sees)
    assert stat.tally.idle_gun_turns == 1


def test_turns_without_an_enemy_in_the_radar_are_counted_in_a_row() -> None:
    stat = TankStats(1, 100.0)
    for sees in (True, False, False, True, False):
        stat.looked(sees)
    assert (stat.tally.seeing_turns, stat.tally.blind_longest) == (2, 2)


def test_a_streak_of_bullets_ends_with_a_hit_by_the_tank() -> None:
    stat = TankStats(1, 100.0)
    for _ in range(3):
        stat.took_bullet(BLOW, steady=True, still=False)
    stat.landed_bullet()
    stat.took_bullet(BLOW, steady=False, still=False)
    assert (stat.tally.bullets_taken, stat.tally.streak_taken, stat.tally.steady_taken) == (4, 3, 3)
    assert stat.tally.bullet_energy == 16.0


def test_near_a_wall_is_measured_from_the_centre() -> None:
    stat = TankStats(1, 100.0)
    for x in (59.0, 61.0, 745.0):
        stat.moved(tank(1, x, 300.0), 1)
        stat.near_wall(800.0, 600.0)
    assert stat.tally.near_wall_turns == 2


def test_becoming_disabled_is_reported_once() -> None:
    stat = TankStats(1, 100.0)
    told = []
    for energy in (1.0, 0.0, 0.0, -0.1):
        stat.moved(tank(1, energy=energy), 1)
        told.append(stat.became_disabled())
    assert told == [False, True, False, False]
    assert stat.tally.disabled_turns == 2
