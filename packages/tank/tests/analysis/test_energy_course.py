from __future__ import annotations

from turnwright_tank.analysis.energy_course import SAMPLES, EnergyCourse


def test_the_lead_needs_five_energy_and_stays_until_another_has_it() -> None:
    course = EnergyCourse([1, 2])
    energies = [(100, 100), (100, 96), (100, 95), (90, 92), (90, 96), (0, 20)]
    changed = [course.take(turn, {1: a, 2: b}) for turn, (a, b) in enumerate(energies, 1)]
    assert changed == [False, False, True, False, True, False]
    assert course.leads == [(3, 1), (5, 2)]


def test_an_absent_tank_counts_as_zero() -> None:
    course = EnergyCourse([1, 2])
    course.take(1, {1: 10.0, 2: 100.0})
    course.take(2, {1: 10.0})
    assert course.leads == [(1, 2), (2, 1)]
    assert course.samples() == ((1, 2), {1: (10.0, 10.0), 2: (100.0, 0.0)})


def test_samples_are_few_and_have_the_first_and_the_last_turn() -> None:
    course = EnergyCourse([1])
    for turn in range(1, 101):
        course.take(turn, {1: float(turn)})
    turns, energies = course.samples()
    assert (len(turns), turns[0], turns[-1]) == (SAMPLES, 1, 100)
    assert energies[1] == tuple(map(float, turns))


def test_a_round_without_a_turn_has_no_samples() -> None:
    assert EnergyCourse([1]).samples() == ((), {1: ()})
