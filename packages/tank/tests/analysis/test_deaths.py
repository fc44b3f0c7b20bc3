from __future__ import annotations

from collections import deque

import pytest

from packages.tank.tests.analysis.scenes import bullet, hit
from turnwright_tank.analysis.deaths import bullet_blow, last_blow, note_blow, ram_blow, rest_blow
from turnwright_tank.analysis.facts import EnergyLoss
from turnwright_tank.analysis.shots import Shot
from turnwright_tank.structs import BotHitBotEvent


def _blow(
    before: float, damage: float, cause: str = "bullet", turn: int = 9, by: int | None = 1
) -> EnergyLoss:
    return EnergyLoss(turn, cause, by, None, None, damage, before)  # type: ignore[arg-type]


def test_a_bullets_blow_has_its_power_its_way_and_the_energy_before() -> None:
    shot = Shot(1, 2.0, 3, 100.0, 100.0, 2.0)
    blow = bullet_blow(hit(9, 2, bullet(1, 130.0, 140.0, power=2.0), 10.0, -4.0), shot)
    assert (blow.turn, blow.cause, blow.by, blow.power) == (9, "bullet", 1, 2.0)
    assert (blow.distance, blow.damage, blow.energy_before) == (50.0, 10.0, 6.0)


def test_touching_takes_a_little_from_the_other() -> None:
    blow = ram_blow(BotHitBotEvent(9, 1, 2, -0.5, 0.0, 0.0, True))
    assert (blow.cause, blow.by, blow.energy_before) == ("ram", 1, pytest.approx(0.1))


def test_the_last_blow_below_zero_counts() -> None:
    assert last_blow([_blow(0.5, 0.6), _blow(5.0, 10.0), _blow(-5.0, 16.0)]) == 1
    assert last_blow([_blow(50.0, 16.0)]) is None
    assert last_blow([_blow(0.6, 0.6)]) is None, "0 is disabled, not dead"


def test_without_events_the_wall_and_inactivity_are_distinguished() -> None:
    assert rest_blow(9, 1.0, -2.0, hit_wall=True, inactive=False).cause == "wall"
    assert rest_blow(9, 1.0, -2.0, hit_wall=True, inactive=True).cause == "wall"
    assert rest_blow(9, 1.0, -0.05, hit_wall=True, inactive=True).cause == "inactivity"
    assert rest_blow(9, 0.05, -0.05, hit_wall=False, inactive=True).cause == "inactivity"
    assert rest_blow(9, 1.0, -2.0, hit_wall=False, inactive=False).cause == "unknown"


def test_repeated_ramming_is_one_blow_and_bullets_never_are() -> None:
    blows: deque[EnergyLoss] = deque()
    for blow in (_blow(9.0, 0.6, "ram", 1), _blow(8.4, 0.6, "ram", 2), _blow(7.8, 0.6, "ram", 20)):
        note_blow(blows, blow)
    assert [(blow.turn, blow.damage) for blow in blows] == [(2, pytest.approx(1.2)), (20, 0.6)]
    note_blow(blows, _blow(7.2, 4.0, "bullet", 21))
    note_blow(blows, _blow(3.2, 4.0, "bullet", 21))
    assert len(blows) == 4
