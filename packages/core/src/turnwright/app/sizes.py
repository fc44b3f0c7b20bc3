"""Sizes as people write them: a number with a unit."""

from __future__ import annotations

import re
from fractions import Fraction

_UNITS = {"MiB": 1, "GiB": 1 << 10, "TiB": 1 << 20}
"""The number of MiB in each unit."""
_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?) ?([a-zA-Z]*)", re.ASCII)


def mebibytes(text: str) -> int:
    """Return a size in MiB. For example, "2GiB" gives 2048.

    Raises:
        ValueError: the text is not a size, or not a whole number of MiB.
    """
    found = _SIZE.fullmatch(text.strip())
    number, unit = (found[1], found[2]) if found else ("", "")
    if number and not unit:
        raise ValueError(f"{text[:40]!r} has no unit: {number}MiB or {number}GiB?")
    if unit not in _UNITS:
        raise ValueError(
            f"{text[:40]!r} is not a size: give a number with a unit (MiB, GiB or TiB), e.g. 100MiB"
        )
    size = Fraction(number) * _UNITS[unit]
    if size.denominator != 1:
        raise ValueError(f"{text[:40]!r} is not a whole number of MiB: give e.g. 100MiB")
    return int(size)


def size_text(mib: int) -> str:
    """Return a number of MiB as text. For example, 2048 gives "2GiB"."""
    unit = next(name for name in ("TiB", "GiB", "MiB") if mib % _UNITS[name] == 0)
    return f"{mib // _UNITS[unit]}{unit}" if mib else "0MiB"
