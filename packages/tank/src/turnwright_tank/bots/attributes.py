"""Checks the values that a bot assigns to its attributes, and finds misspelt names.

self.turn_rate = "fast"   TypeError: turn_rate is 'fast': it takes a number, in degrees per turn, e.g. 5
self.turnrate = 5         AttributeError: … has no attribute 'turnrate': did you mean turn_rate?
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

_SHOWN = 60
"""The largest number of characters of a value in a message."""


def checked_number(name: str, value: Any, takes: str) -> float:
    """Return a value as a finite number.

    Args:
        name, takes: the attribute and its allowed values, for messages.

    Raises:
        TypeError: the value is not a number.
        ValueError: the number is not finite.
    """
    try:
        if isinstance(value, str | bytes):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"{name} is {_shown(value)}: it takes a number, {takes}") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} is {number}: it takes a finite number, {takes}")
    return number


def checked_flag(name: str, value: Any) -> bool:
    """Return a value as True or False.

    Raises:
        TypeError: the value is not True, False, 0 or 1.
    """
    if type(value) is not bool and value not in (0, 1):
        raise TypeError(f"{name} is {_shown(value)}: it takes True or False")
    return bool(value)


def _shown(value: Any) -> str:
    text = f"{value!r}"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def plain_name(name: str) -> str:
    """Return a name without underscores and in lower case, so that turnRate and turn_rate are equal."""
    return name.replace("_", "").lower()


def almost(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that was most likely meant, or None.

    The two names may differ in underscores and capitals. They may also differ by one letter that is missing,
    added, wrong, or swapped with its neighbour.
    """
    plain = plain_name(name)
    return next((one for one in known if _is_near(plain, plain_name(one))), None)


def _is_near(one: str, two: str) -> bool:
    """Return whether at most one letter differs, is missing, or has changed places with its neighbour."""
    if one == two:
        return True
    if abs(len(one) - len(two)) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    rest_one, rest_two = one[at:], two[at:]
    return (
        rest_one[1:] == rest_two[1:]
        or rest_one[1:] == rest_two
        or rest_one == rest_two[1:]
        or (rest_one[2:] == rest_two[2:] and rest_one[:2] == rest_two[1::-1])
    )
