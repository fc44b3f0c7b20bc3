from __future__ import annotations

import pytest

from turnwright_tank.analysis.counts import Tally
from turnwright_tank.analysis.energy_ledger import Inactivity, TurnEnergy, book_rest, is_put_out


def _booked(turned: TurnEnergy, *, inactive: bool = False) -> Tally:
    tally = Tally()
    book_rest(tally, turned, inactive)
    return tally


def test_energy_explained_by_events_is_not_booked_again() -> None:
    assert _booked(TurnEnergy(100.0, 90.0, known=-10.0)) == Tally()


def test_unexplained_energy_in_a_turn_with_a_wall_is_booked_to_the_wall() -> None:
    assert _booked(TurnEnergy(100.0, 87.0, known=-10.0, hit_wall=True)).wall_energy == pytest.approx(3.0)


def test_inactivity_is_taken_off_before_the_wall() -> None:
    tally = _booked(TurnEnergy(100.0, 98.9, hit_wall=True), inactive=True)
    assert (tally.inactivity_energy, tally.wall_energy) == (pytest.approx(0.1), pytest.approx(1.0))


def test_a_shot_that_cost_more_than_its_bullet_was_paid_for() -> None:
    assert _booked(TurnEnergy(100.0, 95.0, known=-3.0, fired=True)).shot_energy == pytest.approx(2.0)


def test_unexplained_energy_is_booked_as_other() -> None:
    assert _booked(TurnEnergy(100.0, 95.0)).other_energy == pytest.approx(5.0)


def test_a_tank_at_minus_one_was_put_out_unless_something_explains_it() -> None:
    at_minus_one = TurnEnergy(50.0, -1.0)
    assert is_put_out(at_minus_one, known=False, inactive=False)
    assert is_put_out(TurnEnergy(1.0, -1.0, hit_wall=True), known=True, inactive=False)
    assert not is_put_out(TurnEnergy(1.0, -1.0, hit_wall=True), known=False, inactive=False)
    assert not is_put_out(TurnEnergy(15.0, -1.0, known=-16.0), known=True, inactive=False)
    assert not is_put_out(TurnEnergy(50.0, -2.0), known=True, inactive=False)


def test_inactivity_counts_as_the_rules_do() -> None:
    counter = Inactivity(2)
    assert [counter.costs(False) for _ in range(5)] == [False, False, False, True, True]
    assert [counter.costs(True), counter.costs(False), counter.costs(False)] == [False, False, False]
    assert counter.costs(False)
