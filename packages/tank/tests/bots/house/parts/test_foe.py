"""Knowledge of one enemy."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.tank.tests.bots.scenes import scan
from turnwright_tank.bots.house.parts.foe import Foe, wrap


@given(st.floats(-100, 100))
def test_wrapped_angles_are_in_the_half_open_turn_around_zero(angle: float) -> None:
    assert -math.pi <= wrap(angle) < math.pi
    assert math.cos(wrap(angle)) == pytest.approx(math.cos(angle), abs=1e-9)


def test_a_second_scan_reveals_movement_and_lost_energy() -> None:
    foe = Foe(scan(1, x=600.0, direction=80.0, speed=3.0))
    assert foe.see(scan(2, x=604.0, direction=86.0, speed=4.0, energy=98.5)) == 1.5
    assert (foe.x, foe.gain, foe.energy, foe.before) == (604.0, 1.0, 98.5, (600.0, 300.0))
    assert foe.turning == pytest.approx(math.radians(6.0))


def test_between_scans_it_is_taken_to_have_moved_evenly() -> None:
    foe = Foe(scan(1, x=600.0, direction=0.0))
    foe.see(scan(5, x=632.0, direction=20.0))
    assert foe.before == (624.0, 300.0)
    assert foe.turning == pytest.approx(math.radians(5.0))


def test_a_scan_of_the_same_turn_changes_nothing() -> None:
    foe = Foe(scan(3))
    assert foe.see(scan(3, energy=50.0)) == 0.0
    assert foe.energy == 100.0
