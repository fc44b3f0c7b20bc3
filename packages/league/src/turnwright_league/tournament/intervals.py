"""Confidence intervals of means over pairings, after Welch and Satterthwaite.

The unit is the battle. Rounds of one battle share their programs' state, so they are not independent samples.
An APS is a sum of means, one for each pairing, each with its own variance. Its interval is

    sum of w·m  ±  t(0.975, f) · sqrt(V),   V = sum of w²·s²/n,   f = V² / sum of (w²·s²/n)² / (n − 1)

with w the weight, m the mean, s² the sample variance and n the battles of a pairing. Pairings with too few
battles for that:

    several pairings of one battle     the variance between them. It includes the differences between
                                       opponents, so the interval is too wide, never too narrow
    one pairing of one battle          the largest variance of the other pairings, with one degree of freedom
    no other pairing                   no interval
    only wins, draws and losses        p (1 − p) / n with p = (points + 1) / (n + 2)

Two battles have the same seed, with exchanged seats. `correlation_of` measures how much they depend on each
other, once pairings have two seeds. Variances are enlarged accordingly. If the variance is 0 in all pairings,
there is an interval only if each pairing has three battles, which have two seeds.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist, fmean

CONFIDENCE = 0.95
"""The share of intervals that contain the true value."""
_NORMAL_FROM = 1e7
"""The degrees of freedom from which t is taken as normal. The two differ by less than 1e-6."""
_FREEDOM_MIN = 0.5
_EXPANDED_FROM = 3.0
"""The degrees of freedom from which the expansion of t is a good first guess."""
_CORRELATION_MAX = 0.95
"""The largest correlation that is used. Two battles of a seed are never exactly the same."""
_STEPS = 200
_HALLEY_BELOW = 0.1
_STEP_LAST = 3e-5
"""The size of the last step of Halley's method in log t. The remaining error is about its cube."""
_STEPS_A_DOUBLING = 64
"""The points for each doubling of the degrees of freedom. The logarithm of t is interpolated between them."""
_ROUNDING = 1e-6
"""An upper bound of the error of a computed quantile."""
_CACHED = 4096
"""The most cached quantiles. Most pairings have equally many battles, so a few are enough."""


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """An estimate with its 95 % interval.

    Attributes:
        low, high: the ends, or None if there is too little data.
    """

    mean: float
    low: float | None
    high: float | None

    @property
    def half_width(self) -> float:
        """Half the width of the interval, or infinity without an interval."""
        return math.inf if self.low is None or self.high is None else (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class MeanVariance:
    """The variance of the mean of one sample.

    Attributes:
        freedom: its degrees of freedom.
        samples: the number of values in it.
    """

    variance: float
    freedom: float
    samples: int


def mean_interval(
    samples: Sequence[Sequence[float]], only_wins: bool = False, correlation: float = 0.0
) -> MeanInterval | None:
    """Return the mean of the samples' means with its interval, or None without samples.

    Args:
        samples: the values of each pairing, one for each battle. None of them is empty.
        only_wins: whether values are only 0, ½ or 1, which is a property of the game (`are_only_wins`).
        correlation: the correlation between the two battles of a seed.
    """
    if not samples:
        return None
    weight = 1 / len(samples)
    found = mean_variances(samples, only_wins, correlation)
    return interval_of(fmean(map(fmean, samples)), [(weight, one) for one in found] if found else None)


def mean_variances(
    samples: Sequence[Sequence[float]], only_wins: bool = False, correlation: float = 0.0
) -> list[MeanVariance] | None:
    """Return the variance of each sample's mean.

    It is None if the only sample has one value, unless there are only wins.
    """
    if only_wins:
        return [_of_wins(values, correlation) for values in samples]
    singles = [values[0] for values in samples if len(values) == 1]
    spreads = [sample_variance(values) for values in samples if len(values) > 1]
    single = single_variance(singles, spreads)
    if single is None and singles:
        return None
    return [
        _of_sample(values, correlation) if len(values) > 1 else single or MeanVariance(0.0, 1, 1)
        for values in samples
    ]


def interval_of(mean: float, parts: Sequence[tuple[float, MeanVariance]] | None) -> MeanInterval:
    """Return the interval of a weighted sum of independent means.

    Args:
        parts: the weight and variance of each, or None if the variance is unknown.
    """
    if not parts:
        return MeanInterval(mean, None, None)
    terms = [(weight * weight * part.variance, part.freedom) for weight, part in parts]
    variance = math.fsum(term for term, _ in terms)
    quotient = math.fsum(term * term / freedom for term, freedom in terms)
    return interval_of_sums(mean, variance, quotient, all(part.samples > 2 for _, part in parts))


def interval_of_sums(mean: float, variance: float, quotient: float, is_sure: bool) -> MeanInterval:
    """Return the interval of a weighted sum of independent means.

    Args:
        variance: its variance, which is the sum of its parts' variances.
        quotient: the sum of each part's squared variance / freedom.
        is_sure: whether a variance of 0 means that the sum is certain.
    """
    if variance <= 0:
        return MeanInterval(mean, mean, mean) if is_sure else MeanInterval(mean, None, None)
    width = margin_factor(_freedom(variance, quotient)) * math.sqrt(variance)
    return MeanInterval(mean, mean - width, mean + width)


def exceeds(distance: float, variance: float, quotient: float, is_sure: bool) -> bool:
    """Return whether a sum at this distance from 0 has an interval that excludes 0.

    The result is the same as with `interval_of_sums`, but the quantile is not computed if an estimate is
    enough.
    """
    if variance <= 0 or distance <= 0:
        return is_sure and distance > 0
    squared = distance * distance
    low, high = margin_bounds(variance * variance / quotient if quotient > 0 else 0.0)
    if squared > high * variance:
        return True
    if squared <= low * variance:
        return False
    return distance / math.sqrt(variance) > margin_factor(_freedom(variance, quotient))


def margin_bounds(freedom: float) -> tuple[float, float]:
    """Return a lower and an upper bound of the square of `margin_factor`."""
    if not _FREEDOM_MIN < freedom < _NORMAL_FROM:
        freedom = _NORMAL_FROM if freedom > 1 else _FREEDOM_MIN
    return _margin_bounds(int(_STEPS_A_DOUBLING * math.log2(freedom / _FREEDOM_MIN)))


@lru_cache(maxsize=_CACHED)
def _margin_bounds(step: int) -> tuple[float, float]:
    """Return the bounds between two points of the interpolation.

    Args:
        step: the number of the first point from the lowest freedom.
    """
    step -= _STEPS_A_DOUBLING
    low, high = 2 * _log_margin_at(step + 1), 2 * _log_margin_at(step)
    return math.exp(low - _ROUNDING), math.exp(high + _ROUNDING)


@lru_cache(maxsize=_CACHED)
def _log_margin_at(step: int) -> float:
    return math.log(t_quantile((1 + CONFIDENCE) / 2, 2.0 ** (step / _STEPS_A_DOUBLING)))


def _freedom(variance: float, quotient: float) -> float:
    return max(_FREEDOM_MIN, variance * variance / quotient) if quotient > 0 else _FREEDOM_MIN


def margin_factor(freedom: float) -> float:
    """Return the half width of an interval in standard deviations, with a relative error below 2e-7.

    Its logarithm is interpolated by a polynomial of degree 3, which is ten times as fast as `t_quantile`.
    """
    if freedom >= _NORMAL_FROM:
        return t_quantile((1 + CONFIDENCE) / 2, freedom)
    place = _STEPS_A_DOUBLING * math.log2(freedom)
    step = math.floor(place)
    x = place - step
    a, b, c, d = [_log_margin_at(near) for near in (step - 1, step, step + 1, step + 2)]
    curve = c - 2 * b + a + (x + 1) / 3 * (d - 3 * (c - b) - a)
    return math.exp(b + x * (c - b + (x - 1) / 2 * curve))


def are_only_wins(values: Iterable[float]) -> bool:
    """Return whether shares are only wins, draws and losses, that is 0, ½ or 1."""
    return all(value in (0.0, 0.5, 1.0) for value in values)


def sample_variance(values: Sequence[float]) -> float:
    """Return the variance of two or more values, with n − 1 in the denominator."""
    mean = fmean(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def sample_factors(count: int, correlation: float) -> tuple[float, float]:
    """Return variance of the mean / sample variance, and degrees of freedom, for values in correlated pairs.

    The variance of their mean is larger by a factor of 1 + r, their sample variance is too small by r / (n −
    1), and they count like n / (1 + r) values.
    """
    alike = min(_CORRELATION_MAX, max(0.0, correlation))
    more = (1 + alike) / (1 - alike / (count - 1))
    return more / count, max(_FREEDOM_MIN, count / (1 + alike) - 1)


def win_factors(count: int, correlation: float) -> tuple[float, float]:
    """Return variance of the mean / `win_variance`, and degrees of freedom."""
    return (1 + max(0.0, correlation)) / count, count + 1


def win_variance(values: Sequence[float]) -> float:
    """Return the variance of one of these wins, draws and losses."""
    rate = (math.fsum(values) + 1) / (len(values) + 2)
    return rate * (1 - rate)


def _of_sample(values: Sequence[float], correlation: float) -> MeanVariance:
    factor, freedom = sample_factors(len(values), correlation)
    return MeanVariance(factor * sample_variance(values), freedom, len(values))


def _of_wins(values: Sequence[float], correlation: float) -> MeanVariance:
    factor, freedom = win_factors(len(values), correlation)
    return MeanVariance(factor * win_variance(values), freedom, len(values))


def single_variance(singles: Sequence[float], spreads: Sequence[float]) -> MeanVariance | None:
    """Return the variance that is assumed for a pairing of one battle, or None without a second pairing.

    Args:
        singles: the values of the pairings of one battle.
        spreads: the sample variances of the other pairings.
    """
    count = len(singles)
    if count > 1:
        return MeanVariance(sample_variance(singles), (count - 1) / count, 1)  # all together: count − 1
    return MeanVariance(max(spreads), 1, 1) if spreads else None


# ---- Student's t -------------------------------------------------------------------------------------------


@lru_cache(maxsize=_CACHED)
def t_quantile(probability: float, freedom: float) -> float:
    """Return the quantile of Student's t distribution.

    Args:
        freedom: the degrees of freedom, above 0, not necessarily whole.

    Raises:
        ValueError: the probability is not between 0 and 1, or the freedom is not above 0.
    """
    if not 0 < probability < 1 or freedom <= 0:
        raise ValueError(f"a probability between 0 and 1, freedom above 0, got {probability}, {freedom}")
    if freedom >= _NORMAL_FROM:
        return NormalDist().inv_cdf(probability)
    if probability < 0.5:
        return -t_quantile(1 - probability, freedom)
    tail = 2 * (1 - probability)
    if freedom == 1:
        return 1 / math.tan(math.pi * tail / 2)
    return _t_of_tail(
        tail,
        freedom,
        _expanded(NormalDist().inv_cdf(probability), freedom) if freedom >= _EXPANDED_FROM else 1.0,
    )


def _t_of_tail(tail: float, freedom: float, t: float) -> float:
    """Return the t beyond which both tails together have this probability.

    Newton's method in log t converges from anywhere. Near t, Halley's method needs fewer steps.

    Args:
        t: a guess.
    """
    for _ in range(_STEPS):
        whole = freedom + t * t
        found = _incomplete_beta(freedom / 2, 0.5, freedom / whole, t * t / whole)
        slope = 2 * t * _density(t, freedom) / found
        step = math.log(found / tail) / slope
        if abs(step) < _HALLEY_BELOW:
            step -= step * step / 2 * (1 + slope - (freedom + 1) * t * t / whole)
        t *= math.exp(step)
        if abs(step) <= _STEP_LAST:
            break
    return t


def _expanded(z: float, freedom: float) -> float:
    """Return an approximation of t from the normal quantile z (Cornish, Fisher)."""
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return z + first + second + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)


def _density(t: float, freedom: float) -> float:
    front = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    return math.exp(front - (freedom + 1) / 2 * math.log1p(t * t / freedom))


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularized incomplete beta function of x.

    Args:
        rest: 1 − x, which the caller may know more exactly.
    """
    if x <= 0 or rest <= 0:
        return float(x > 0)
    return _beta_series(a, b, x) if x <= rest else 1 - _beta_series(b, a, rest)


def _beta_series(a: float, b: float, x: float) -> float:
    """Return the regularized incomplete beta function of an x of at most ½, by its power series, whose terms
    are all positive.
    """
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    total = term = 1.0
    top, bottom = a + b, a + 1
    while term > 1e-17 * total:
        term *= x * top / bottom
        total += term
        top += 1
        bottom += 1
    return math.exp(front) * total / a
