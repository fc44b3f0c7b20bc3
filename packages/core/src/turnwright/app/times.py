"""Times as people write them: a number with a unit. All options use the same units."""

from __future__ import annotations

import re
from fractions import Fraction

from turnwright.errors import SetupError

SECONDS_MAX = 1_000_000.0
"""The longest time that an option accepts, in seconds (eleven days)."""

_UNITS = {
    "us": 1,
    "µs": 1,
    "μs": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "m": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
}
"""The number of microseconds in each unit. There are two Unicode characters for micro, which look alike."""
_TIME = re.compile(r"([+-]?[0-9]{1,15}(?:\.[0-9]{1,15})?) ?([a-zA-Zµμ]*)", re.ASCII)


def microseconds(text: str) -> int:
    """Return a time in whole µs. For example, "30ms" gives 30,000. The time may be negative.

    Raises:
        ValueError: the text is not a number with a unit, or the time is not a whole number of µs.
    """
    return _whole(text, "us", ("ms", "us"))


def milliseconds(text: str) -> int:
    """Return a time in whole ms. For example, "0.5s" gives 500. The time may be negative.

    Raises:
        ValueError: the text is not a number with a unit, or the time is not a whole number of ms.
    """
    return _whole(text, "ms", ("ms", "s"))


def seconds(text: str) -> float:
    """Return a time in seconds, 0 to SECONDS_MAX. For example, "30m" gives 1,800.

    Raises:
        ValueError: the text is not a number with a unit, or the time is out of range.
    """
    found = float(_in_us(text, ("s", "m")) / _UNITS["s"])
    if not 0.0 <= found <= SECONDS_MAX:
        raise ValueError(f"{text[:40]!r} is not a time: give 0s to {SECONDS_MAX:.0f}s")
    return found


def microseconds_of(value: object) -> int:
    """Return the time that a setting gives as text with a unit, e.g. "30ms", in whole µs.

    Raises:
        SetupError: the value is not a text, or `microseconds` cannot read it.
    """
    try:
        return microseconds(value if isinstance(value, str) else "")
    except ValueError:
        raise SetupError(
            f"{value!r:.40} is not a time: give a text with a unit, such as '30ms', '500us' or '1s'"
        ) from None


def time_text(us: int) -> str:
    """Return a number of µs as text with a unit. For example, 30,000 gives "30ms"."""
    unit = next(name for name in ("d", "h", "m", "s", "ms", "us") if us % _UNITS[name] == 0 or name == "us")
    return f"{us // _UNITS[unit]}{unit}" if us else "0s"


def _whole(text: str, unit: str, likely: tuple[str, str]) -> int:
    found = _in_us(text, likely) / _UNITS[unit]
    if found.denominator != 1:
        raise ValueError(f"{text[:40]!r} is not a whole number of {unit}: give e.g. 30{unit}")
    return int(found)


def _in_us(text: str, likely: tuple[str, str]) -> Fraction:
    """Return the µs in `text`.

    Args:
        likely: two units that the error message suggests for a number without a unit.
    """
    found = _TIME.fullmatch(text.strip())
    number, unit = (found[1], found[2]) if found else ("", "")
    if number and not unit:
        one, other = (f"{number}{unit}" for unit in likely)
        raise ValueError(f"{text[:40]!r} has no unit: {one} or {other}?")
    if unit not in _UNITS:
        names = [name for name in _UNITS if name.isascii()]
        expected = f"a number with a unit ({', '.join(names[:-1])} or {names[-1]})"
        raise ValueError(f"{text[:40]!r} is not a time: give {expected}, e.g. 30{likely[0]}")
    return Fraction(number) * _UNITS[unit]
