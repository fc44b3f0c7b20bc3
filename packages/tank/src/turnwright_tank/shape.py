"""The metaclass of dataclasses for which the server has compiled structs."""

from __future__ import annotations

from typing import Any


class Shape(type):
    """Makes compiled structs count as instances of their dataclass (see `structs`)."""

    compiled: type | None = None

    def __instancecheck__(cls, instance: Any) -> bool:
        return type(instance) is cls.compiled or super().__instancecheck__(instance)
