"""Log of an enemy's past turns, searched for situations like the present one."""

from __future__ import annotations

import math
from typing import Annotated

from turnwright_tank.bots.geometry import distance_between
from turnwright_tank.bots.house.parts.foe import Foe
from turnwright_tank.bots.house.parts.letters import Letters
from turnwright_tank.rules.constants import TANK_RADIUS

TURNS_MAX = 4000
_FORGET = 1500
_GAP_MAX = 8
_ROOM = TURNS_MAX + _GAP_MAX + 1
_FLIGHT_TURNS_MAX = 100
_BREAK = 0
"""The letter of a turn that is similar to no other turn."""


class Memory:
    """The turns of one enemy.

    The memory has the enemy's speed and turning as numbers, and as one letter for each turn for the search.
    """

    _paces: Annotated[list[float], _ROOM]
    _turnings: Annotated[list[float], _ROOM]
    _letters: Letters
    _turn: int

    def __init__(self) -> None:
        self._paces = []
        self._turnings = []
        self._letters = Letters()
        self._turn = 0

    def __len__(self) -> int:
        return len(self._paces)

    def note(self, foe: Foe) -> None:
        """Add the turns up to the newest scan.

        Turns that were not seen are assumed to be like the newest scan.
        """
        turns = foe.turn - self._turn
        self._turn = foe.turn
        if turns <= 0 or turns > _GAP_MAX:
            self._add(0.0, 0.0, _BREAK, 1)
            turns = 1
        self._add(foe.speed, foe.turning, _letter(foe), turns)
        if len(self._paces) > TURNS_MAX:
            del self._paces[:_FORGET]
            del self._turnings[:_FORGET]
            self._letters.forget(_FORGET)

    def _add(self, pace: float, turning: float, letter: int, times: int) -> None:
        self._letters.add(letter, times)
        for _ in range(times):
            self._paces.append(pace)
            self._turnings.append(turning)

    def find(self) -> int:
        """Return the turn after the newest moment that was similar to now, or -1."""
        return self._letters.find()

    def foresee(
        self, x: float, y: float, speed: float, foe: Foe, lag: int, arena: tuple[float, float]
    ) -> float | None:
        """Return the direction for a shot from (x, y).

        The function assumes that the enemy repeats its motion after a similar moment.

        speed: the bullet's speed. The bullet leaves one turn from now. lag: turns since the scan. The result
        is None if there is no similar moment.
        """
        turn = self.find()
        if turn < 0:
            return None
        fx, fy, heading = foe.x, foe.y, foe.heading
        right, top = arena[0] - TANK_RADIUS, arena[1] - TANK_RADIUS
        paces = self._paces
        turnings = self._turnings
        last = len(paces) - 1
        for turns in range(1 - lag, _FLIGHT_TURNS_MAX):
            at = turn if turn < last else last
            turn += 1
            fx = min(max(fx + math.cos(heading) * paces[at], TANK_RADIUS), right)
            fy = min(max(fy + math.sin(heading) * paces[at], TANK_RADIUS), top)
            heading += turnings[at]
            if turns > 1 and distance_between(x, y, fx, fy) <= turns * speed:
                break
        return math.atan2(fy - y, fx - x)


def _letter(foe: Foe) -> int:
    """Return the letter for a speed and a turning, rounded to units and degrees."""
    speed = max(-8, min(8, round(foe.speed))) + 8
    turning = max(-10, min(10, round(math.degrees(foe.turning)))) + 10
    return 33 + speed * 21 + turning
