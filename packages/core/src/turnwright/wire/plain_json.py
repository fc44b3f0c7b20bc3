"""JSON with the standard library only. The bot libraries use it, because they have no dependencies."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any


def read_json(data: bytes | str) -> Any:
    """Return the values of JSON.

    Raises:
        ValueError: the text is not JSON, or it is nested too deeply.
    """
    try:
        return _decoder.decode(data if isinstance(data, str) else data.decode())
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def json_bytes(value: Any) -> bytes:
    """Return a value as compact JSON in UTF-8.

    Sets become lists, an enum becomes its value, and a dataclass becomes an object. A number that is not
    finite becomes null. A lone surrogate becomes "?".

    Raises:
        TypeError: the value cannot be written as JSON.
    """
    try:
        text = _encoder.encode(value)
    except ValueError:
        text = _encoder.encode(_finite(value))
    return text.encode("utf-8", "replace")


def camel(name: str) -> str:
    """Return a snake_case name as it is written in JSON, in camelCase."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _plain(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return list(value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _finite(value: Any) -> Any:
    if isinstance(value, set | frozenset | Enum) or is_dataclass(value):
        value = _plain(value)
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value


_decoder = json.JSONDecoder(parse_constant=_refuse_constant)
_encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
