from __future__ import annotations

import pytest

from turnwright_tank.analysis.counts import (
    Tally,
    add_up,
    bullets_missed,
    energy_lost,
    mean_distance,
    mean_power,
)


def test_rounds_are_added_up_but_of_runs_the_longest_counts() -> None:
    total = add_up([Tally(shots=2, still_longest=7, damage=1.5), Tally(shots=3, still_longest=4, damage=2.0)])
    assert (total.shots, total.still_longest, total.damage) == (5, 7, 3.5)


def test_shares_and_means_of_nothing_are_not_known() -> None:
    nothing = Tally()
    assert (mean_power(nothing), mean_distance(nothing)) == (None, None)
    some = Tally(shots=4, hits=1, own_hits=1, shot_energy=6.0, distance_sum=30.0, distance_turns=3)
    assert (mean_power(some), mean_distance(some), bullets_missed(some)) == (1.5, 10.0, 2)


def test_lost_energy_is_the_sum_of_all_causes() -> None:
    names = [name for name in Tally.__struct_fields__ if name.endswith("_energy") and name != "missed_energy"]
    tally = Tally(**dict.fromkeys(names, 1.0), missed_energy=100.0, won_back=100.0)
    assert energy_lost(tally) == pytest.approx(len(names))
