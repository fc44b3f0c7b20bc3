"""JSON as bots really write it: a second, slower reading of what the typed decoder refused.

Python's and Java's bot APIs may write NaN, Infinity and lone surrogates, which are not JSON. They are read
here; numbers stay texts until somebody asks for a value, so no number can overflow or be too long to convert.
"""

from __future__ import annotations

import json
import math
import re
import sys
from typing import Any

__all__ = ["FLOAT_MAX", "NumberText", "parse", "plain", "to_float", "whole_text"]

FLOAT_MAX = sys.float_info.max
"""What an infinity becomes: the rules bring it to their own limit, as any number that is too large."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class NumberText(str):
    """A number as it was written, or NaN, Infinity, -Infinity."""

    __slots__ = ()


def parse(text: str) -> Any:
    """Return JSON values with NumberText for numbers; of equal keys the last counts.

    Raises: ValueError when it is not JSON, RecursionError when it is too deep.
    """
    return json.loads(text, parse_int=NumberText, parse_float=NumberText, parse_constant=NumberText)


def to_float(number: str) -> float | None:
    """Return the value; None for NaN, and plus or minus FLOAT_MAX for what is larger."""
    value = float(number)
    if math.isnan(value):
        return None
    return min(max(value, -FLOAT_MAX), FLOAT_MAX)


def whole_text(text: str) -> str:
    """Return `text` as a plain str, with each lone surrogate replaced, so that it can be encoded."""
    return str(text) if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def _plain_number(number: NumberText) -> int | float | None:
    value = float(number)
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 2.0**53 else value


def plain(value: Any) -> Any:
    """Return what `parse` gave as ordinary values: null and non-finite fields left out, 30.0 as 30.

    Raises: RecursionError when it is too deep.
    """
    if isinstance(value, NumberText):
        return _plain_number(value)
    if isinstance(value, str):
        return whole_text(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        pairs = ((whole_text(name), plain(item)) for name, item in value.items())
        return {name: item for name, item in pairs if item is not None}
    return value
