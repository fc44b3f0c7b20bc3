"""Which enemy a hunter goes for."""

from __future__ import annotations

from turnwright.bots.quarry import Quarry

from .scenes import ENEMY, scan, tank

NEAR = {"scanned_bot_id": 3, "x": 450.0}
A_LITTLE_NEARER = {"scanned_bot_id": 4, "x": 580.0}


def test_the_first_one_is_taken_and_followed() -> None:
    quarry = Quarry()
    assert quarry.at(1) is None
    quarry.see(scan(1), tank())
    quarry.see(scan(2, x=700.0), tank())
    found = quarry.at(2)
    assert found is not None
    assert found.x == 700.0


def test_only_one_that_is_much_nearer_takes_its_place() -> None:
    quarry = Quarry()
    quarry.see(scan(1), tank())
    quarry.see(scan(1, **A_LITTLE_NEARER), tank())
    assert quarry.at(1) == scan(1)
    quarry.see(scan(1, **NEAR), tank())
    assert quarry.at(1) == scan(1, **NEAR)


def test_it_is_lost_when_it_dies_or_is_not_seen_for_long() -> None:
    quarry = Quarry(sight_turns=4)
    quarry.see(scan(1), tank())
    quarry.forget(99)
    assert quarry.at(5) == scan(1)
    assert quarry.at(6) is None
    quarry.see(scan(7), tank())
    quarry.forget(ENEMY)
    assert quarry.at(7) is None
