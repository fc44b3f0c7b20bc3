"""Intervals contain the true value as often as promised, and are missing without enough data."""

from __future__ import annotations

import math
import random
from statistics import NormalDist

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_league.tournament import intervals
from turnwright_league.tournament.intervals import (
    MeanVariance,
    are_only_wins,
    exceeds,
    interval_of,
    margin_bounds,
    margin_factor,
    mean_interval,
    t_quantile,
)

TABLE = {  # two-sided 95 % and 99 % of the usual tables
    1: (12.706, 63.657),
    2: (4.303, 9.925),
    3: (3.182, 5.841),
    4: (2.776, 4.604),
    5: (2.571, 4.032),
    8: (2.306, 3.355),
    10: (2.228, 3.169),
    20: (2.086, 2.845),
    30: (2.042, 2.750),
    60: (2.000, 2.660),
    120: (1.980, 2.617),
    1_000_000_000: (1.960, 2.576),
}


@pytest.mark.parametrize("freedom", TABLE)
def test_quantiles_of_t_equal_those_of_the_tables(freedom: int) -> None:
    found = tuple(round(t_quantile(p, freedom), 3) for p in (0.975, 0.995))
    assert found == TABLE[freedom]


@given(st.floats(min_value=0.5, max_value=2e7))
def test_the_bounds_of_a_half_width_are_close(freedom: float) -> None:
    exact = t_quantile(0.975, freedom)
    low, high = margin_bounds(freedom)
    assert margin_factor(freedom) == pytest.approx(exact, rel=2e-7)
    assert low < exact**2 < high < (1 + 0.1 / freedom + 1e-5) * low


@given(st.floats(min_value=0.5, max_value=1e6), st.floats(min_value=0.6, max_value=0.9999))
def test_a_quantile_has_the_probability_that_it_was_asked_for(freedom: float, probability: float) -> None:
    t = t_quantile(probability, freedom)
    x = mpmath.mpf(freedom) / (freedom + mpmath.mpf(t) ** 2)
    tail = mpmath.betainc(mpmath.mpf(freedom) / 2, 0.5, 0, x, regularized=True) / 2
    assert abs(float(1 - tail) - probability) < 1e-8


def test_a_quantile_takes_few_steps_whatever_the_freedom(monkeypatch: pytest.MonkeyPatch) -> None:
    step_of = "_incomplete_beta"
    before, steps = getattr(intervals, step_of), 0

    def counted(*given: float) -> float:
        nonlocal steps
        steps += 1
        return float(before(*given))

    monkeypatch.setattr(intervals, step_of, counted)
    for freedom in (0.51, 1.5, 2.9, 3.1, 30.5, 1e4):
        for probability in (0.61, 0.974, 0.9999):
            steps = 0
            t_quantile(probability, freedom)
            assert 1 <= steps <= 10, (probability, freedom)


def test_quantiles_are_symmetric_and_end_in_the_normal_distribution() -> None:
    assert t_quantile(0.025, 7) == -t_quantile(0.975, 7)
    assert math.isclose(t_quantile(0.975, 9e6), NormalDist().inv_cdf(0.975), abs_tol=1e-6)


@pytest.mark.parametrize(("probability", "freedom"), [(0, 3), (1, 3), (0.9, 0), (0.9, -1)])
def test_quantiles_of_nothing_are_refused(probability: float, freedom: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        t_quantile(probability, freedom)


def test_one_pairing_has_the_textbook_interval() -> None:
    found = mean_interval([[0.2, 0.4, 0.6, 0.8]])
    assert found is not None
    assert found.low is not None
    half = 3.182446 * math.sqrt(0.2 / 3 / 4)
    assert math.isclose(found.mean, 0.5)
    assert math.isclose(found.low, 0.5 - half, abs_tol=1e-6)
    assert math.isclose(found.half_width, half, abs_tol=1e-6)


@given(
    st.floats(min_value=-5, max_value=5),
    st.lists(
        st.tuples(st.floats(0.1, 1), st.floats(0, 4) | st.just(0.0), st.floats(0.5, 40), st.integers(1, 5)),
        min_size=1,
        max_size=4,
    ),
)
def test_the_quick_answer_is_that_of_the_interval(
    mean: float, rows: list[tuple[float, float, float, int]]
) -> None:
    parts = [(weight, MeanVariance(variance, freedom, count)) for weight, variance, freedom, count in rows]
    found = interval_of(mean, parts)
    told = found.low is not None and found.high is not None and not found.low <= 0 <= found.high
    terms = [(weight * weight * part.variance, part.freedom) for weight, part in parts]
    variance = math.fsum(term for term, _ in terms)
    quotient = math.fsum(term * term / freedom for term, freedom in terms)
    assert exceeds(abs(mean), variance, quotient, all(part.samples > 2 for _, part in parts)) == told


def test_a_single_battle_has_no_interval() -> None:
    found = mean_interval([[0.7]])
    assert found is not None
    assert (found.mean, found.low, found.high, found.half_width) == (0.7, None, None, math.inf)
    assert mean_interval([]) is None


def test_single_battles_of_several_pairings_have_a_wide_one() -> None:
    wide, narrow = mean_interval([[0.1], [0.5], [0.9]]), mean_interval([[0.1, 0.1], [0.5, 0.51], [0.9, 0.9]])
    assert wide is not None
    assert narrow is not None
    assert wide.half_width > 0.9
    assert narrow.half_width < 0.05


def test_two_equal_battles_give_no_certainty() -> None:
    twice, thrice = mean_interval([[0.6, 0.6]]), mean_interval([[0.6, 0.6, 0.6]])
    assert twice is not None
    assert thrice is not None
    assert twice.low is None
    assert (thrice.low, thrice.high) == (0.6, 0.6)
    assert interval_of(0.6, None).low is None


def test_two_wins_of_two_give_no_certainty() -> None:
    found = mean_interval([[1.0, 1.0]], only_wins=True)
    assert found is not None
    assert found.low is not None
    assert found.low < 0.6
    assert are_only_wins([0.0, 1.0, 0.5])
    assert not are_only_wins([0.0, 0.99])


def coverage(draw: list[tuple[float, float]], counts: list[int], wins: bool, runs: int) -> float:
    """Return how often the interval holds the mean of Beta-distributed shares."""
    rng = random.Random(5)
    truth = sum(a / (a + b) for a, b in draw) / len(draw)
    held = 0
    for _ in range(runs):
        samples = []
        for (a, b), count in zip(draw, counts, strict=True):
            values = [rng.betavariate(a, b) for _ in range(count)]
            samples.append([float(rng.random() < a / (a + b)) for _ in values] if wins else values)
        found = mean_interval(samples, wins)
        assert found is not None
        held += found.low is not None and found.high is not None and found.low <= truth <= found.high
    return held / runs


def test_battles_that_are_alike_in_twos_make_the_interval_wider() -> None:
    rng = random.Random(9)
    held = {0.0: 0, 1.0: 0}
    for _ in range(1000):
        values = [x for x in (rng.betavariate(3, 2) for _ in range(4)) for _ in range(2)]
        for alike in held:
            found = mean_interval([values], correlation=alike)
            assert found is not None
            held[alike] += found.low is not None and found.high is not None and found.low <= 0.6 <= found.high
    assert held[0.0] < 0.9 * 1000
    assert held[1.0] >= 0.92 * 1000


SKEWED = [(0.6, 4.0), (5.0, 5.0), (20.0, 3.0), (9.0, 30.0), (2.0, 2.0), (8.0, 1.0)]


@pytest.mark.parametrize(
    ("counts", "wins"),
    [([2] * 6, False), ([3] * 6, False), ([1] * 6, False), ([1, 2, 2, 4, 2, 2], False), ([2] * 6, True)],
)
def test_intervals_hold_the_truth_as_often_as_they_say(counts: list[int], wins: bool) -> None:
    assert coverage(SKEWED, counts, wins, 400) >= 0.93
