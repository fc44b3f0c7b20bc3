"""Facts as JSON lines."""

from __future__ import annotations

from typing import Any

import msgspec

from turnwright.wire.escape import escaped_json
from turnwright_tank.analysis.facts import Fact

DIGITS = 3
"""The number of decimal places. More places would only show rounding errors."""


def json_line(fact: Fact) -> str:
    """Return a fact as one line of JSON, without a newline."""
    return escaped_json(msgspec.json.encode(_short(msgspec.to_builtins(fact, str_keys=True))).decode())


def _short(value: Any) -> Any:
    """Return JSON values with floats rounded to `DIGITS` places."""
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0
    if isinstance(value, dict):
        return {name: _short(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_short(one) for one in value]
    return value
