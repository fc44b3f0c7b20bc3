"""Movement against several enemies: towards places far from them.

A bot at full speed is hard to hit, so paths that need turning or braking count as riskier.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from turnwright_tank.bots.house.parts.foe import Foe, wrap
from turnwright_tank.bots.house.parts.surf import Motion
from turnwright_tank.rules.constants import SPEED_MAX

_MARGIN = 36.0
_SPOTS = 18
_NEAREST_FACTOR = 2.5
"""Weight of an enemy to which the bot is the nearest target."""
_TURNING_FACTOR = 0.5
_BRAKING_FACTOR = 1.0
_OLD_SPOT_FACTOR = 0.9

Point = tuple[float, float]


def safest_spot(
    me: Motion, old: Point | None, energy: float, foes: Sequence[Foe], arena: Point, lot: random.Random
) -> Point:
    """Return the least risky of some points around the bot.

    The point to which the bot is driving is one of them.
    """
    others = [
        (foe.x, foe.y, 0.4 + min(2.0, foe.energy / max(energy, 1.0)), _nearest_other(foe, foes))
        for foe in foes
    ]
    best, least = (me.x, me.y), math.inf
    for spot in _spots(me, old, arena, lot):
        risk = _risk(spot, me, others) * (_OLD_SPOT_FACTOR if spot == old else 1.0)
        if risk < least:
            best, least = spot, risk
    return best


def _spots(me: Motion, old: Point | None, arena: Point, lot: random.Random) -> list[Point]:
    start = lot.random() * 2.0 * math.pi
    spots = [] if old is None else [old]
    for i in range(_SPOTS):
        angle = start + i * 2.0 * math.pi / _SPOTS
        distance = 80.0 + 120.0 * lot.random()
        x, y = me.x + math.cos(angle) * distance, me.y + math.sin(angle) * distance
        if _MARGIN <= x <= arena[0] - _MARGIN and _MARGIN <= y <= arena[1] - _MARGIN:
            spots.append((x, y))
    return spots


def _nearest_other(foe: Foe, foes: Sequence[Foe]) -> float:
    """Return the square of the distance from an enemy to the nearest of the other enemies."""
    return min(
        ((other.x - foe.x) ** 2 + (other.y - foe.y) ** 2 for other in foes if other is not foe),
        default=math.inf,
    )


def _risk(spot: Point, me: Motion, others: list[tuple[float, float, float, float]]) -> float:
    """Return the risk of a point. It is higher if enemies are near, on the path, or have no nearer target."""
    sx, sy = spot
    way = math.atan2(sy - me.y, sx - me.x)
    risk = 0.0
    for x, y, threat, nearest_other in others:
        dx, dy = x - sx, y - sy
        square = dx * dx + dy * dy + 1.0
        along = abs(math.cos(math.atan2(dy, dx) - way))
        alone = _NEAREST_FACTOR if square < nearest_other else 1.0
        risk += threat * alone * (0.5 + along) / square
    return risk * _trouble(way, me)


def _trouble(way: float, me: Motion) -> float:
    """Return 1 for a path straight ahead, and more for a path that needs turning or braking."""
    turn = abs(wrap(way - me.heading))
    backwards = turn > math.pi / 2.0
    trouble = 1.0 + _TURNING_FACTOR * (math.pi - turn if backwards else turn)
    if me.speed != 0.0 and backwards != (me.speed < 0.0):
        trouble *= 1.0 + _BRAKING_FACTOR * abs(me.speed) / SPEED_MAX
    return trouble
