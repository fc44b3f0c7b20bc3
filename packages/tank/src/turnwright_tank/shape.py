"""The metaclass of dataclasses that the server also has in a compiled form."""

from __future__ import annotations

from typing import Any


class Shape(type):
    """Makes the compiled form of a dataclass an instance of it: see `structs`."""

    compiled: type | None = None

    def __instancecheck__(cls, instance: Any) -> bool:
        return type(instance) is cls.compiled or super().__instancecheck__(instance)
