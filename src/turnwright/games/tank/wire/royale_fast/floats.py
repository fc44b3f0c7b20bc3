"""Writes floats as the shortest decimals that read back as the same float.

The bytes are those that msgspec writes.

Plain scalar code that runs interpreted and, the same lines, compiled by Numba (see `ticks`): `u64` and
`i64` are `int` here and NumPy's types there, and every product that may pass 64 bits is cut to 64. The
algorithm is Schubfach: Raffaello Giulietti, "The Schubfach way to render doubles" (2020). One product with a
128-bit power of ten for the float and for each end of its rounding interval, one comparison for each digit
more or less, no loop.

msgspec writes 1e-5 <= |x| < 1e16 with a point (`3.0`, `0.00001`), other numbers with an exponent without
sign or padding (`1e16`, `5e-324`), and numbers that are not finite as null.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Any

__all__ = ["FLOAT_BYTES_MAX", "POWERS", "shortest", "write_count", "write_float"]

FLOAT_BYTES_MAX = 25
"""No float is longer, e.g. -2.2250738585072014e-308 (24)."""

_M32 = 0xFFFF_FFFF
_M64 = 0xFFFF_FFFF_FFFF_FFFF
_FRACTION = (1 << 52) - 1
_HIDDEN = 1 << 52
_E4 = 10**4
_E8 = 10**8
_E15 = 10**15
_E16 = 10**16
_E17 = 10**17
_POWER_FROM = -292
_POWER_TO = 324

u64 = int
"""The unsigned type of 64 bits; compiled: numpy.uint64."""
i64 = int
"""The signed type of 64 bits; compiled: numpy.int64."""
Out = MutableSequence[int]
"""Bytes to write into; compiled: an array of uint8."""


def _log2_of_power(k: int) -> int:
    """Return floor(log2(10 ** k)) for |k| < 1200."""
    return (k * 1741647) >> 19


def _powers() -> tuple[int, ...]:
    """Return for k = -292 … 324 two words: 10 ** k scaled to 128 bits and rounded up, high word first."""
    words: list[int] = []
    for k in range(_POWER_FROM, _POWER_TO + 1):
        shift = 127 - _log2_of_power(k)
        above = 10 ** max(k, 0) << max(shift, 0)
        below = 10 ** max(-k, 0) << max(-shift, 0)
        power = -(-above // below)
        words += (power >> 64, power & _M64)
    return tuple(words)


POWERS = _powers()
DIGIT_PAIRS = "".join(f"{n:02d}" for n in range(100)).encode()


def _high(a: int, b: int) -> int:
    """Return the upper half of the product of two 64-bit numbers."""
    a_low, a_high = a & u64(_M32), a >> u64(32)
    b_low, b_high = b & u64(_M32), b >> u64(32)
    one = a_high * b_low + ((a_low * b_low) >> u64(32))
    other = a_low * b_high + (one & u64(_M32))
    return a_high * b_high + (one >> u64(32)) + (other >> u64(32))


def _odd(high: int, middle: int) -> int:
    """Return the highest of three words, its last bit set when the lower words are not 0."""
    return high | u64(1) if middle > u64(1) else high


def _scaled(index: int, c: int, shift: int, narrow: bool) -> tuple[int, int, int]:
    """Return a power of ten times 4 * c * 2 ** shift, and the same less and more half a step, / 2 ** 128.

    They are cut to integers; the last bit also says: not exact. Half a step is 2, below a narrow float 1.
    """
    power_high, power_low = u64(POWERS[u64(index)]), u64(POWERS[u64(index + 1)])
    c = c << (shift + u64(2))
    low, carried = (power_low * c) & u64(_M64), _high(power_low, c)
    middle, high = (power_high * c + carried) & u64(_M64), _high(power_high, c)
    high += u64(middle < carried)
    shift += u64(1)
    step_low, step_high = (power_low << shift) & u64(_M64), power_high >> (u64(64) - shift)
    step = ((power_high << shift) & u64(_M64)) | (power_low >> (u64(64) - shift))
    carry = u64((low + step_low) & u64(_M64) < low)
    more = (middle + step + carry) & u64(_M64)
    more_high = high + step_high + u64(more < middle or (carry != u64(0) and more == middle))
    if narrow:
        step_low, step = (step_low >> u64(1)) | ((step << u64(63)) & u64(_M64)), step >> u64(1)
        step |= (step_high << u64(63)) & u64(_M64)
        step_high >>= u64(1)
    borrow = u64(low < step_low)
    less = (middle - step - borrow) & u64(_M64)
    less_high = high - step_high - u64(middle < step or (borrow != u64(0) and middle == step))
    return _odd(less_high, less), _odd(high, middle), _odd(more_high, more)


def shortest(fraction: int, exponent: int) -> tuple[int, int]:
    """Return the shortest decimal nearest to a float, as (digits, e).

    Its value is digits * 10 ** e.

    fraction, exponent: the low 52 and the next 11 bits of a float that is finite and not 0. The digits may
    end in zeros.
    """
    c, q = fraction, -1074
    if exponent != 0:
        c, q = fraction | u64(_HIDDEN), exponent - 1075
    narrow = fraction == u64(0) and exponent > 1
    k = (q * 1262611 - (524031 if narrow else 0)) >> 22
    shift = u64(q + _log2_of_power(-k) + 1)
    below, value, above = _scaled(2 * (-k - _POWER_FROM), c, shift, narrow)
    if c & u64(1) != u64(0):
        below += u64(1)
        above -= u64(1)
    whole = value >> u64(2)
    if whole >= u64(10):
        tens = whole // u64(10)
        down = below <= u64(40) * tens
        up = u64(40) * tens + u64(40) <= above
        if down != up:
            return (tens + u64(1) if up else tens), k + 1
    down = below <= u64(4) * whole
    up = u64(4) * whole + u64(4) <= above
    if down == up:
        middle = u64(4) * whole + u64(2)
        up = value > middle or (value == middle and whole & u64(1) != u64(0))
    return (whole + u64(1) if up else whole), k


def _strip(digits: int, e: int) -> tuple[int, int]:
    """Return the same number without zeros at its end."""
    while True:
        less = digits // u64(_E8)
        if less * u64(_E8) != digits:
            break
        digits, e = less, e + 8
    less = digits // u64(_E4)
    if less * u64(_E4) == digits:
        digits, e = less, e + 4
    less = digits // u64(100)
    if less * u64(100) == digits:
        digits, e = less, e + 2
    less = digits // u64(10)
    if less * u64(10) == digits:
        digits, e = less, e + 1
    return digits, e


def _length(number: int) -> int:
    """Return how many decimal digits a number below 10 ** 18 has."""
    if number >= u64(_E15):
        return 16 + (number >= u64(_E16)) + (number >= u64(_E17))
    length = 1
    if number >= u64(_E8):
        number, length = number // u64(_E8), 9
    if number >= u64(_E4):
        number, length = number // u64(_E4), length + 4
    if number >= u64(100):
        number, length = number // u64(100), length + 2
    return length + 1 if number >= u64(10) else length


def _write_pair(out: Out, at: int, pair: int) -> None:
    out[u64(at)] = DIGIT_PAIRS[pair + pair]
    out[u64(at + 1)] = DIGIT_PAIRS[pair + pair + u64(1)]


def _write_four(out: Out, at: int, number: int) -> None:
    pair = number // u64(100)
    _write_pair(out, at, pair)
    _write_pair(out, at + 2, number - pair * u64(100))


def _write_digits(out: Out, at: int, number: int, length: int) -> None:
    """Write exactly `length` digits from `at` on."""
    while length >= 8:
        less = number // u64(_E8)
        eight = number - less * u64(_E8)
        four = eight // u64(_E4)
        length -= 8
        _write_four(out, at + length, four)
        _write_four(out, at + length + 4, eight - four * u64(_E4))
        number = less
    while length >= 2:
        less = number // u64(100)
        length -= 2
        _write_pair(out, at + length, number - less * u64(100))
        number = less
    if length == 1:
        out[u64(at)] = u64(48) + number


def write_count(out: Out, at: int, number: int) -> int:
    """Write a whole number, 0 … 10 ** 18 - 1, and return where it ends."""
    length = _length(number)
    _write_digits(out, at, number, length)
    return at + length


def _write_zeros(out: Out, at: int, count: int) -> int:
    for k in range(count):
        out[at + k] = 48
    return at + count


def _write_exponent(out: Out, at: int, e: int) -> int:
    out[at] = 101
    at += 1
    if e < 0:
        out[at] = 45
        at += 1
        e = -e
    return write_count(out, at, u64(e))


def _write_decimal(out: Out, at: int, digits: int, e: int) -> int:
    """Write digits * 10 ** e; the digits do not end in zeros."""
    length = _length(digits)
    point = length + e
    if point > 16 or point < -4:
        _write_digits(out, at + 1, digits, length)
        out[at] = out[at + 1]
        at += 1
        if length > 1:
            out[at] = 46
            at += length
        return _write_exponent(out, at, point - 1)
    if point <= 0:
        out[at] = 48
        out[at + 1] = 46
        at = _write_zeros(out, at + 2, -point)
        _write_digits(out, at, digits, length)
        return at + length
    if point < length:
        _write_digits(out, at + 1, digits, length)
        for k in range(at, at + point):
            out[k] = out[k + 1]
        out[at + point] = 46
        return at + length + 1
    _write_digits(out, at, digits, length)
    at = _write_zeros(out, at + length, point - length)
    out[at] = 46
    out[at + 1] = 48
    return at + 2


def write_float(out: Out, at: int, bits: Any) -> int:
    """Write a float and return where it ends.

    The float is given as the 64 bits of its IEEE 754 form.

    There must be room for FLOAT_BYTES_MAX.
    """
    fraction = bits & u64(_FRACTION)
    exponent = i64((bits >> u64(52)) & u64(0x7FF))
    if exponent == 0x7FF:
        out[at] = 110
        out[at + 1] = 117
        out[at + 2] = out[at + 3] = 108
        return at + 4
    if bits >> u64(63) != u64(0):
        out[at] = 45
        at += 1
    whole = u64(0)
    if 1023 <= exponent <= 1075:
        shift = u64(1075 - exponent)
        whole = (fraction | u64(_HIDDEN)) >> shift
        if whole << shift != fraction | u64(_HIDDEN):
            whole = u64(0)
    if whole != u64(0) or (fraction == u64(0) and exponent == 0):
        at = write_count(out, at, whole)
        out[at] = 46
        out[at + 1] = 48
        return at + 2
    digits, e = shortest(fraction, exponent)
    digits, e = _strip(digits, e)
    return _write_decimal(out, at, digits, e)
