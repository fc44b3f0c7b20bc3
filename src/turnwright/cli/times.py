"""Times on the command line: a number with a unit, or a bare number in the unit of its option."""

from __future__ import annotations

import argparse
import re
from fractions import Fraction

__all__ = ["SECONDS_MAX", "microseconds", "milliseconds", "seconds"]

SECONDS_MAX = 1_000_000.0
"""The longest time that an option takes: eleven days."""

_US = {"us": 1, "µs": 1, "μs": 1, "ms": 1_000, "s": 1_000_000}
"""Microseconds in each unit; the two signs for micro look alike."""
_TIME = re.compile(r"([+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?) ?([a-zA-Zµμ]*)", re.ASCII)


def microseconds(text: str) -> int:
    """Return the whole µs in `text`, for argparse: "30ms", "500us", "1s"; a bare number is in µs."""
    return _whole(text, "us")


def milliseconds(text: str) -> int:
    """Return the whole ms in `text`, for argparse; a bare number is in ms."""
    return _whole(text, "ms")


def seconds(text: str) -> float:
    """Return the seconds in `text`, for argparse: 0 to SECONDS_MAX; a bare number is in s."""
    found = float(_in_us(text, "s") / _US["s"])
    if not 0.0 <= found <= SECONDS_MAX:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no time: give 0 to {SECONDS_MAX:.0f} seconds")
    return found


def _whole(text: str, unit: str) -> int:
    found = _in_us(text, unit) / _US[unit]
    if found.denominator != 1:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number of {unit}: give such as 30{unit}")
    return int(found)


def _in_us(text: str, bare: str) -> Fraction:
    """Return the µs in `text`; bare: the unit of a number that names none."""
    found = _TIME.fullmatch(text.strip())
    unit = found and (found[2] or bare)
    if found is None or unit not in _US:
        said = "a number with a unit (us, ms or s), or a bare number"
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no time: give {said} of {bare}, such as 30ms")
    return Fraction(found[1]) * _US[unit]
