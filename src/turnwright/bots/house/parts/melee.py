"""One against many: go where the others are far and look elsewhere."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

from turnwright.bots.house.parts.foe import Foe

__all__ = ["safest_spot"]

_MARGIN = 40.0
_SPOTS = 20


def safest_spot(
    x: float, y: float, energy: float, foes: Iterable[Foe], arena: tuple[float, float], lot: random.Random
) -> tuple[float, float]:
    """Return the least risky of some points around (x, y)."""
    others = [(foe.x, foe.y, min(2.0, foe.energy / max(energy, 1.0)) + 0.5) for foe in foes]
    best, least = (x, y), math.inf
    start = lot.random() * 2.0 * math.pi
    for i in range(_SPOTS):
        angle = start + i * 2.0 * math.pi / _SPOTS
        distance = 70.0 + 130.0 * lot.random()
        spot = (x + math.cos(angle) * distance, y + math.sin(angle) * distance)
        if _MARGIN <= spot[0] <= arena[0] - _MARGIN and _MARGIN <= spot[1] <= arena[1] - _MARGIN:
            risk = _risk(spot, (x, y), others, arena)
            if risk < least:
                best, least = spot, risk
    return best


def _risk(
    spot: tuple[float, float],
    here: tuple[float, float],
    others: list[tuple[float, float, float]],
    arena: tuple[float, float],
) -> float:
    """Return how risky a point is: enemies near it, enemies along our way there, the middle of the arena."""
    sx, sy = spot
    way = math.atan2(sy - here[1], sx - here[0])
    risk = 0.3 / ((sx - arena[0] / 2.0) ** 2 + (sy - arena[1] / 2.0) ** 2 + 1.0)
    for x, y, threat in others:
        dx, dy = x - sx, y - sy
        along = abs(math.cos(math.atan2(dy, dx) - way))
        risk += threat * (1.0 + along) / (dx * dx + dy * dy + 1.0)
    return risk
