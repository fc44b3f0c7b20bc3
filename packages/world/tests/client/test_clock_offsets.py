"""The offset of clocks is found from least delays, with drift, through jumps."""

from __future__ import annotations

import math

import pytest

from turnwright_world.client.clock import DRIFT_MAX, SAMPLES_MAX, SPANS_MAX, Offsets

AHEAD_US = 1_000_000_000


def fed(ppm: float, up_us: int = 20_000, down_us: int = 20_000, seconds: int = 600) -> Offsets:
    """A message every five seconds over an even line; our clock gains `ppm`."""
    offsets = Offsets()
    for k in range(seconds // 5):
        now = k * 5_000_000
        there = now + up_us + AHEAD_US
        offsets.add(ours(now, ppm), there, there, ours(now + up_us + down_us, ppm))
    return offsets


def ours(now_us: float, ppm: float) -> int:
    return math.floor(now_us * (1 + ppm / 1e6))


def wrong_us(offsets: Offsets, now_us: float, ppm: float) -> float:
    local = now_us * (1 + ppm / 1e6)
    return local + offsets.offset_us(local) - (now_us + AHEAD_US)


def test_the_estimate_is_the_middle_of_its_bounds_and_half_of_them_is_the_error() -> None:
    offsets = Offsets()
    assert offsets.error_us == math.inf
    offsets.add(1_000, 51_000, 51_000, 41_000)
    assert (offsets.offset_us(1_000), offsets.error_us, offsets.trips_us()) == (30_000, 20_000, [20_000])


def test_the_best_of_each_way_counts_even_of_different_messages() -> None:
    offsets = Offsets()
    offsets.add(0, 50_000 + 10_000, 60_000, 60_000 - 50_000 + 90_000)  # quick up, slow down
    offsets.add(200_000, 250_000 + 90_000, 340_000, 340_000 - 50_000 + 10_000)  # slow up, quick down
    assert offsets.offset_us(300_000) == pytest.approx(50_000, abs=10)
    assert offsets.error_us == pytest.approx(10_000, abs=20)


@pytest.mark.parametrize("ppm", [-80, -10, 10, 80])
def test_drift_is_found_and_followed(ppm: float) -> None:
    offsets = fed(ppm)
    assert offsets.rate == pytest.approx(-ppm * 1e-6, abs=2e-6)
    assert abs(wrong_us(offsets, 600e6, ppm)) < 100
    assert abs(wrong_us(offsets, 660e6, ppm)) < 300  # a minute without any message


@pytest.mark.parametrize("asymmetry_us", [0, 10_000, 30_000])
def test_asymmetric_delay_causes_half_its_size_within_the_reported_error(asymmetry_us: int) -> None:
    offsets = fed(0, 50_000 + asymmetry_us // 2, 50_000 - asymmetry_us // 2)
    assert wrong_us(offsets, 600e6, 0) == pytest.approx(asymmetry_us / 2, abs=50)
    assert abs(wrong_us(offsets, 600e6, 0)) <= offsets.error_us


@pytest.mark.parametrize("jump_us", [-30_000_000, -60_000, 60_000, 30_000_000])
def test_a_clock_that_was_set_or_slept_makes_it_begin_again(jump_us: int) -> None:
    offsets = fed(0, seconds=100)
    there = 100_000_000 + 20_000 + AHEAD_US
    offsets.add(100_000_000 + jump_us, there, there, 100_040_000 + jump_us)
    assert len(offsets.samples) == 1
    assert offsets.offset_us(100_000_000 + jump_us) == pytest.approx(AHEAD_US - jump_us, abs=1)


def test_delays_alone_never_make_it_begin_again() -> None:
    offsets = fed(0, seconds=100)
    offsets.add(100_000_000, 103_000_000 + AHEAD_US, 103_000_000 + AHEAD_US, 109_000_000)
    assert len(offsets.samples) > 10
    assert abs(wrong_us(offsets, 110e6, 0)) < 100


def test_no_line_makes_it_believe_in_a_drift_that_no_clock_has() -> None:
    offsets = Offsets()
    for k in range(200):
        now = k * 5_000_000
        offsets.add(now, now + 100 + k * 100_000, now + 100 + k * 100_000, now + 10_000_000)
        assert abs(offsets.rate) <= DRIFT_MAX


def test_the_number_of_samples_is_bounded() -> None:
    offsets = Offsets()
    for k in range(3_000):
        offsets.add(k * 1_000_000, k * 1_000_000 + 50, k * 1_000_000 + 60, k * 1_000_000 + 100)
        assert len(offsets.samples) <= SAMPLES_MAX
        assert len(offsets.spans) <= SPANS_MAX
    assert len(offsets.spans) == SPANS_MAX
