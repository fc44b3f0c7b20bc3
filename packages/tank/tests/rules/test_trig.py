from __future__ import annotations

import math
import random

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_tank.rules.trig import absolute_degrees, atan2, atan2_degrees, relative_degrees, sincos

mpmath.mp.prec = 160


def off_by_ulps(value: float, exact: mpmath.mpf) -> float:
    return float(abs(mpmath.mpf(value) - exact) / mpmath.mpf(math.ulp(float(exact))))


def arguments() -> list[float]:
    chance = random.Random(5)
    angles = [chance.uniform(0.0, 360.0) for _ in range(88_000)]
    angles += [k * 0.25 for k in range(1440)]
    angles += [10.0 ** chance.uniform(-300, 2) for _ in range(5_000)]
    angles += [math.nextafter(90.0 * k, to) for k in range(1, 4) for to in (0.0, 1e9)]
    return angles + [360.0 - 10.0 ** chance.uniform(-13, 2) for _ in range(5_000)]


def test_sine_and_cosine_are_within_one_ulp_on_a_hundred_thousand_angles() -> None:
    worst = 0.0
    for degrees in arguments():
        radians = mpmath.mpf(degrees * (math.pi / 180.0))
        sine, cosine = sincos(degrees)
        worst = max(worst, off_by_ulps(sine, mpmath.sin(radians)), off_by_ulps(cosine, mpmath.cos(radians)))
    assert worst <= 1.0


def test_arc_tangent_is_within_one_ulp_in_radians() -> None:
    chance = random.Random(6)
    worst = 0.0
    for _ in range(20_000):
        y, x = chance.uniform(-1500, 1500), chance.uniform(-1500, 1500) * 10.0 ** chance.uniform(-3, 3)
        worst = max(worst, off_by_ulps(atan2(y, x), mpmath.atan2(mpmath.mpf(y), mpmath.mpf(x))))
    assert worst <= 1.0


@pytest.mark.parametrize(
    ("y", "x", "degrees"),
    [(0, 1, 0.0), (1, 0, 90.0), (0, -1, 180.0), (-1, 0, -90.0), (0, 0, 0.0), (1, 1, 45.0), (-1, -1, -135.0)],
)
def test_arc_tangent_of_the_axes_and_diagonals_is_exact(y: float, x: float, degrees: float) -> None:
    assert atan2_degrees(float(y), float(x)) == degrees


def test_right_angles_have_the_residue_that_doubles_have() -> None:
    assert sincos(90.0) == (1.0, 6.123233995736766e-17)
    assert sincos(180.0) == (1.2246467991473532e-16, -1.0)


@given(st.floats(-1e300, 1e300))
def test_absolute_degrees_is_c_fmod_plus_a_turn_if_negative(angle: float) -> None:
    rest = math.fmod(angle, 360.0)
    assert absolute_degrees(angle) == (rest + 360.0 if rest < 0.0 else rest)


@given(st.floats(-1e300, 1e300))
def test_relative_degrees_is_c_fmod_brought_within_half_a_turn(angle: float) -> None:
    rest = math.fmod(angle, 360.0)
    if rest >= 180.0:
        rest -= 360.0
    elif rest < -180.0:
        rest += 360.0
    assert relative_degrees(angle) == rest


@given(st.floats(-1e6, 1e6))
def test_an_angle_outside_one_turn_is_reduced_first(angle: float) -> None:
    if angle != 360.0:
        assert sincos(angle) == sincos(absolute_degrees(angle))
