"""Sine, cosine and arc tangent in degrees, with the same bits on every machine.

The C library's functions differ between systems in the last bit, so the rules use these functions. The
kernels are the polynomials of fdlibm (Sun Microsystems, 1993). The code uses only + - * / and comparisons in
scalar Python, so it can be translated. Errors are below 1 ulp of the true value in radians. One
multiplication converts between degrees and radians, as in the JVM.

This module does not depend on tanks.
"""

from __future__ import annotations

RADIANS_PER_DEGREE = 0.017453292519943295
DEGREES_PER_RADIAN = 57.29577951308232

QUARTER_PI = 0.7853981633974483
# π/2 in three parts of 33 bits, and the remainder after each part (fdlibm e_rem_pio2.c).
HALF_PI_1 = 1.57079632673412561417e00
HALF_PI_1_REST = 6.07710050650619224932e-11
HALF_PI_2 = 6.07710050630396597660e-11
HALF_PI_2_REST = 2.02226624879595063154e-21

S1 = -1.66666666666666324348e-01
S2 = 8.33333333332248946124e-03
S3 = -1.98412698298579493134e-04
S4 = 2.75573137070700676789e-06
S5 = -2.50507602534068634195e-08
S6 = 1.58969099521155010221e-10

C1 = 4.16666666666666019037e-02
C2 = -1.38888888888741095749e-03
C3 = 2.48015872894767294178e-05
C4 = -2.75573143513906633035e-07
C5 = 2.08757232129817482790e-09
C6 = -1.13596475577881948265e-11

T0 = 3.33333333333329318027e-01
T1 = -1.99999999998764832476e-01
T2 = 1.42857142725034663711e-01
T3 = -1.11111104054623557880e-01
T4 = 9.09088713343650656196e-02
T5 = -7.69187620504482999495e-02
T6 = 6.66107313738753120669e-02
T7 = -5.83357013379057348645e-02
T8 = 4.97687799461593236017e-02
T9 = -3.65315727442169155270e-02
T10 = 1.62858201153657823623e-02

# atan(0.5), atan(1), atan(1.5), atan(∞): the high part and the remainder.
ATAN_HALF = 4.63647609000806093515e-01
ATAN_HALF_REST = 2.26987774529616870924e-17
ATAN_ONE = 7.85398163397448278999e-01
ATAN_ONE_REST = 3.06161699786838301793e-17
ATAN_THREE_HALVES = 9.82793723247329054082e-01
ATAN_THREE_HALVES_REST = 1.39033110312309984516e-17
ATAN_INFINITY = 1.57079632679489655800e00
ATAN_INFINITY_REST = 6.12323399573676603587e-17
SPLIT = 134217729.0
"""2**27 + 1, which splits a double into two halves of its digits."""
PI = 3.14159265358979311600e00
PI_REST = 1.2246467991473531772e-16


def absolute_degrees(angle: float) -> float:
    """Return a finite angle in [0, 360), exactly.

    The result is that of the C function `fmod`, plus 360 if negative. Angles less than two turns away take
    one exact subtraction. Other angles take a long division by doubling. Source: tank-rules.md#angles.
    """
    if angle >= 0.0:
        if angle < 360.0:
            return angle
        if angle < 720.0:
            return angle - 360.0
        return remainder_degrees(angle)
    if angle > -360.0:
        return angle + 360.0
    rest = remainder_degrees(-angle)
    return 360.0 - rest if rest > 0.0 else -rest


def relative_degrees(angle: float) -> float:
    """Return a finite angle in [-180, 180). Source: tank-rules.md#angles."""
    rest = remainder_degrees(angle) if angle >= 0.0 else -remainder_degrees(-angle)
    if rest >= 180.0:
        return rest - 360.0
    if rest < -180.0:
        return rest + 360.0
    return rest


def remainder_degrees(angle: float) -> float:
    """Return the exact remainder of `angle` / 360.

    Args:
        angle: finite, 0 or more.
    """
    part = 360.0
    while part <= angle * 0.5:
        part = part * 2.0
    while part >= 360.0:
        if angle >= part:
            angle = angle - part
        part = part * 0.5
    return angle


def sincos(degrees: float) -> tuple[float, float]:
    """Return (sine, cosine) of a finite angle in degrees.

    An angle outside [0, 360] is reduced first.
    """
    if not 0.0 <= degrees <= 360.0:
        degrees = absolute_degrees(degrees)
    angle = degrees * RADIANS_PER_DEGREE
    if angle < QUARTER_PI:
        quarter = 0
        rest = angle
        tail = 0.0
    else:
        if angle < 3.0 * QUARTER_PI:
            quarter = 1
            turns = 1.0
        elif angle < 5.0 * QUARTER_PI:
            quarter = 2
            turns = 2.0
        elif angle < 7.0 * QUARTER_PI:
            quarter = 3
            turns = 3.0
        else:
            quarter = 0
            turns = 4.0
        near = angle - turns * HALF_PI_1
        low = turns * HALF_PI_1_REST
        rest = near - low
        if -1e-5 < rest < 1e-5:
            part = turns * HALF_PI_2
            rest = near - part
            low = turns * HALF_PI_2_REST - ((near - rest) - part)
            near = rest
            rest = near - low
        tail = (near - rest) - low
    z = rest * rest
    cube = z * rest
    r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)))
    sine = rest - ((z * (0.5 * tail - cube * r) - tail) - cube * S1)
    r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))))
    half = 0.5 * z
    one = 1.0 - half
    cosine = one + (((1.0 - one) - half) + (z * r - rest * tail))
    if quarter == 0:
        return sine, cosine
    if quarter == 1:
        return cosine, -sine
    if quarter == 2:
        return -sine, -cosine
    return -cosine, sine


def arc_tangent(x: float, tail: float) -> tuple[float, float]:
    """Return (high, rest). high - rest is the arc tangent of x + `tail`, in radians.

    The caller computes the difference, so that the result is rounded once. Source: fdlibm s_atan.c.

    Args:
        x: 0 or more.
    """
    tail = tail / (1.0 + x * x)
    if x < 0.4375:
        high = x
        low = 0.0
    elif x < 0.6875:
        high = ATAN_HALF
        low = ATAN_HALF_REST
        x = (2.0 * x - 1.0) / (2.0 + x)
    elif x < 1.1875:
        high = ATAN_ONE
        low = ATAN_ONE_REST
        x = (x - 1.0) / (x + 1.0)
    elif x < 2.4375:
        high = ATAN_THREE_HALVES
        low = ATAN_THREE_HALVES_REST
        x = (x - 1.5) / (1.0 + 1.5 * x)
    else:
        high = ATAN_INFINITY
        low = ATAN_INFINITY_REST
        x = -1.0 / x
    z = x * x
    w = z * z
    odd = z * (T0 + w * (T2 + w * (T4 + w * (T6 + w * (T8 + w * T10)))))
    even = w * (T1 + w * (T3 + w * (T5 + w * (T7 + w * T9))))
    rest = (x * (odd + even) - low) - tail
    return high, (rest if low == 0.0 else rest - x)


def quotient_rest(y: float, x: float, quotient: float) -> float:
    """Return the rounding error of the division y / x, by Dekker's exact product.

    Args:
        quotient: the rounded result.
    """
    part = SPLIT * quotient
    quotient_high = part - (part - quotient)
    quotient_low = quotient - quotient_high
    part = SPLIT * x
    x_high = part - (part - x)
    x_low = x - x_high
    product = quotient * x
    error = quotient_low * x_low - (
        ((product - quotient_high * x_high) - quotient_low * x_high) - quotient_high * x_low
    )
    return ((y - product) - error) / x


def atan2(y: float, x: float) -> float:
    """Return the direction of the vector (x, y) in radians, -π…π. (0, 0) gives 0.

    The arguments must be finite and below 1e150. The rounding error of the quotient is corrected. Source:
    fdlibm e_atan2.c.
    """
    if y == 0.0:
        return PI if x < 0.0 else 0.0
    if x == 0.0:
        return ATAN_INFINITY if y > 0.0 else -ATAN_INFINITY
    up = y if y > 0.0 else -y
    aside = x if x > 0.0 else -x
    if up < aside * 1e18:
        quotient = up / aside
        high, rest = arc_tangent(quotient, quotient_rest(up, aside, quotient))
    else:
        high = ATAN_INFINITY
        rest = -ATAN_INFINITY_REST
    if x < 0.0:
        other = PI - high
        angle = other + (rest + (((PI - other) - high) + PI_REST))
    else:
        angle = high - rest
    return angle if y > 0.0 else -angle


def atan2_degrees(y: float, x: float) -> float:
    """Return the direction of the vector (x, y) in degrees, -180…180."""
    return atan2(y, x) * DEGREES_PER_RADIAN
