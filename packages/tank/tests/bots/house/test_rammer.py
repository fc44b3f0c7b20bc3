"""Rammer finds a tank, drives into it and stays on it."""

from __future__ import annotations

from packages.tank.tests.bots.battles import fight, paths_of
from turnwright_tank.bots.house.duck import Duck
from turnwright_tank.bots.house.rammer import Rammer

FAR_AWAY = ((100, 100, 270), (700, 500, 0))


def test_a_rammer_reaches_a_duck_at_the_other_end_of_the_arena() -> None:
    rammer, _ = paths_of(Rammer, Duck, turns=140, places=FAR_AWAY)
    assert min(abs(x - 700) + abs(y - 500) for x, y in rammer) < 56.0


def test_a_rammer_scores_by_ramming_and_by_shots_at_close_range() -> None:
    row = fight(Rammer, Duck, places=FAR_AWAY).rows[0]
    assert row.ram_damage > 5.0
    assert row.bullet_damage > 30.0


def test_a_rammer_goes_for_the_next_one_when_its_target_is_dead() -> None:
    rows = fight(Rammer, Duck, Duck).rows
    assert rows[0].last_survivor_bonus == 20.0
