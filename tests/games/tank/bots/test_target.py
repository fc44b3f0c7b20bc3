"""The choice of the enemy that a targeting bot fights."""

from __future__ import annotations

from tests.games.tank.bots.scenes import ENEMY, scan, tank
from turnwright.games.tank.bots.targeting import Target

NEAR = {"scanned_bot_id": 3, "x": 450.0}
A_LITTLE_NEARER = {"scanned_bot_id": 4, "x": 580.0}


def test_the_first_one_is_taken_and_followed() -> None:
    target = Target()
    assert target.at(1) is None
    target.see(scan(1), tank())
    target.see(scan(2, x=700.0), tank())
    found = target.at(2)
    assert found is not None
    assert found.x == 700.0


def test_only_one_that_is_much_nearer_takes_its_place() -> None:
    target = Target()
    target.see(scan(1), tank())
    target.see(scan(1, **A_LITTLE_NEARER), tank())
    assert target.at(1) == scan(1)
    target.see(scan(1, **NEAR), tank())
    assert target.at(1) == scan(1, **NEAR)


def test_it_is_lost_when_it_dies_or_is_not_seen_for_long() -> None:
    target = Target(sight_turns=4)
    target.see(scan(1), tank())
    target.forget(99)
    assert target.at(5) == scan(1)
    assert target.at(6) is None
    target.see(scan(7), tank())
    target.forget(ENEMY)
    assert target.at(7) is None
