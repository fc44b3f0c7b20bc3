"""When a record gets a keyframe: often enough that any turn is reached within 50 ms, and no oftener."""

from __future__ import annotations

__all__ = ["KeyframePace", "keyframe_interval"]

_SEEK_US = 20_000
"""What playing from a keyframe to the next may take where rules are interpreted."""
_INTERVAL_MAX = 1_000
_WAY = 1 << 20


def keyframe_interval(seats: int) -> int:
    """Return how many turns there are from one keyframe of a record to the next while so many seats act.

    A turn of the tank takes about 5.6 µs a seat and 0.1 µs a pair, interpreted (bench/physics.py).
    """
    return max(1, min(_INTERVAL_MAX, 100 * _SEEK_US // max(1, seats * (560 + 10 * seats))))


class KeyframePace:
    """The way to the next keyframe. every: turns from one to the next, 0: none; None: as the seats act."""

    __slots__ = ("_every", "_left")

    def __init__(self, every: int | None = None) -> None:
        self._every = every
        self._left = _WAY

    def is_due(self, turn: int, acting: int) -> bool:
        """Count turn number `turn`, after which `acting` seats act, and return whether it gets a keyframe."""
        if self._every is not None:
            return self._every > 0 and turn % self._every == 0
        self._left -= _WAY // keyframe_interval(acting)
        if self._left > 0:
            return False
        self._left = _WAY
        return True
