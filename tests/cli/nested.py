"""JSON that is nested to a depth."""

from __future__ import annotations

from turnwright.wire.nesting import LEVELS_MAX

__all__ = ["DEPTHS", "nested"]

DEPTHS = [LEVELS_MAX + 1, 500, 985, 990, 1_000, 100_000]
"""Near 1,000 the readers' own limit lies; which of them takes a file depends on how deep its stack is."""


def nested(depth: int) -> bytes:
    return b'{"a":[' * (depth // 2) + b"[" * (depth % 2) + b"]" * (depth % 2) + b"]}" * (depth // 2)
