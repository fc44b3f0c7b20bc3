"""Times as people write them: a number with a unit, or a bare number."""

from __future__ import annotations

import re
from fractions import Fraction

from turnwright.errors import SetupError

__all__ = ["SECONDS_MAX", "microseconds", "microseconds_of", "milliseconds", "seconds"]

SECONDS_MAX = 1_000_000.0
"""The longest time that an option takes: eleven days."""

_US = {"us": 1, "µs": 1, "μs": 1, "ms": 1_000, "s": 1_000_000}
"""Microseconds in each unit; the two signs for micro look alike."""
_TIME = re.compile(r"([+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?) ?([a-zA-Zµμ]*)", re.ASCII)


def microseconds(text: str) -> int:
    """Return the whole µs in `text`: "30ms", "500us", "1s"; a bare number is in µs.

    Raises: ValueError.
    """
    return _whole(text, "us")


def milliseconds(text: str) -> int:
    """Return the whole ms in `text`; a bare number is in ms. Raises: ValueError."""
    return _whole(text, "ms")


def seconds(text: str) -> float:
    """Return the seconds in `text`, 0 to SECONDS_MAX; a bare number is in s.

    Raises: ValueError.
    """
    found = float(_in_us(text, "s") / _US["s"])
    if not 0.0 <= found <= SECONDS_MAX:
        raise ValueError(f"{text[:40]!r} is not a time: give 0 to {SECONDS_MAX:.0f} seconds")
    return found


def microseconds_of(value: object) -> int:
    """Return the whole µs of a setting.

    A number of µs, or a text with a unit: "30ms", "500us", "1s".

    Raises: SetupError for anything else.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    try:
        return microseconds(value if isinstance(value, str) else "")
    except ValueError:
        raise SetupError(
            f"{value!r:.40} is not a time: give a number of µs, or a text such as '30ms', '500us' or '1s'"
        ) from None


def _whole(text: str, unit: str) -> int:
    found = _in_us(text, unit) / _US[unit]
    if found.denominator != 1:
        raise ValueError(f"{text[:40]!r} is not a whole number of {unit}: give e.g. 30{unit}")
    return int(found)


def _in_us(text: str, bare: str) -> Fraction:
    """Return the µs in `text`; bare: the unit of a number that names none."""
    found = _TIME.fullmatch(text.strip())
    unit = found and (found[2] or bare)
    if found is None or unit not in _US:
        expected = "a number with a unit (us, ms or s), or a bare number"
        raise ValueError(f"{text[:40]!r} is not a time: give {expected} of {bare}, e.g. 30ms")
    return Fraction(found[1]) * _US[unit]
