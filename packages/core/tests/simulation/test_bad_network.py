"""A bad network from a seed: in order, repeatable, with the delays that were asked for."""

from __future__ import annotations

import statistics

import pytest

from packages.core.tests.simulation.bad_network import RETRANSMIT_US_MIN, BadLine, Conditions, DriftingClock

CLEAN = Conditions(100_000, 15_000, loss=0, spike=0)


def delays(conditions: Conditions, seed: int = 1, apart_us: int = 2_000_000) -> list[float]:
    line = BadLine(conditions, seed)
    return [line.up(k * apart_us) - k * apart_us for k in range(2_000)]


def test_one_seed_gives_the_same_delays_and_another_gives_others() -> None:
    assert delays(CLEAN) == delays(CLEAN)
    assert delays(CLEAN) != delays(CLEAN, seed=2)


def test_other_messages_change_no_delay() -> None:
    line, other = BadLine(CLEAN, 1), BadLine(CLEAN, 1)
    line.up(0)
    assert line.up(5_000_000) == other.up(5_000_000)


def test_a_way_takes_half_the_round_trip_and_the_jitter_has_the_deviation_that_was_asked_for() -> None:
    line = BadLine(CLEAN, 3)
    up = [line.up(k * 1e6) - k * 1e6 for k in range(4_000)]
    down = [line.down(k * 1e6) - k * 1e6 for k in range(4_000)]
    assert 50_000 <= min(up) < 51_000
    assert statistics.pstdev(u + d for u, d in zip(up, down, strict=True)) == pytest.approx(15_000, rel=0.1)


def test_asymmetry_makes_one_way_longer_by_its_part_of_the_round_trip() -> None:
    line = BadLine(Conditions(100_000, 0, 0.2, loss=0, spike=0), 1)
    assert (line.up(0), line.down(0)) == (60_000, 40_000)


def test_messages_arrive_in_order() -> None:
    line = BadLine(Conditions(50_000, 30_000, loss=0.2), 1)
    arrived = [line.up(k * 1_000) for k in range(3_000)]
    assert arrived == sorted(arrived)
    assert len(set(arrived)) < len(arrived)  # some waited for one that was lost


def test_lost_packets_arrive_after_a_timeout() -> None:
    takes = delays(Conditions(50_000, 0, loss=0.1, spike=0))
    assert {round(t) for t in takes} == {25_000, 25_000 + RETRANSMIT_US_MIN}
    assert sum(t > 100_000 for t in takes) == pytest.approx(200, abs=60)


def test_a_spike_holds_up_by_its_greatest_length_at_most() -> None:
    takes = delays(Conditions(50_000, 0, loss=0, spike=0.1, spike_us_max=80_000))
    assert 100_000 < max(takes) <= 105_000
    assert sum(t > 25_000 for t in takes) == pytest.approx(200, abs=60)


def test_a_clock_gains_its_drift() -> None:
    clock = DriftingClock(7, -50)
    assert [clock.at(0), clock.at(1e9)] == [7, 7 + 10**9 - 50_000]
