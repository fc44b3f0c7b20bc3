"""How much a peer may ask in a time: lines, commands and messages together."""

from __future__ import annotations

__all__ = ["BURST", "PER_S", "Budget"]

PER_S = 100
BURST = 500
"""A person types a few lines a second; a script pastes; a window that is being resized sends fifty sizes."""
_INTERVAL_NS = 1_000_000_000 // PER_S


class Budget:
    """Allows BURST at once and PER_S in the long run; time is an argument and may stand still."""

    __slots__ = ("_paid_until_ns",)

    def __init__(self) -> None:
        self._paid_until_ns = -BURST * _INTERVAL_NS

    def spend(self, now_ns: int) -> bool:
        """Count one; return whether it is within the budget."""
        self._paid_until_ns = max(self._paid_until_ns, now_ns - BURST * _INTERVAL_NS) + _INTERVAL_NS
        return self._paid_until_ns <= now_ns
