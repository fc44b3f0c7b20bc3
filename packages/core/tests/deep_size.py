"""Measures the memory of an object and all that it refers to."""

from __future__ import annotations

import gc
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType)
"""Types of objects that belong to the program, not to the measured object."""


def deep_size(one: Any) -> int:
    """Return the bytes of an object and of all that it refers to, each counted once."""
    seen = {id(one): one}
    waiting, total = [one], 0
    while waiting:
        current = waiting.pop()
        total += sys.getsizeof(current)
        for other in gc.get_referents(current):
            if id(other) not in seen and not isinstance(other, _SHARED):
                seen[id(other)] = other
                waiting.append(other)
    return total
