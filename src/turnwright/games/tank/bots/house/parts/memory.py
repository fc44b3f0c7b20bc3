"""Log of an enemy's past turns, searched for situations like the present one."""

from __future__ import annotations

import math

from turnwright.games.tank.bots.geometry import distance_between
from turnwright.games.tank.bots.house.parts.foe import Foe
from turnwright.games.tank.rules.constants import TANK_RADIUS

TURNS_MAX = 4000
_FORGET = 1500
_GAP_MAX = 8
_LIKENESS = (24, 10, 4)
"""So many turns must have been the same, the most first."""
_AFTERWARDS = 30
"""So many turns after a time that was like now must be known."""
_FLIGHT_TURNS_MAX = 100
_BREAK = "\x00"
_STANDING = (0.0, 0.0)


class Memory:
    """The turns of one enemy.

    Its speed and turning, as numbers and as one letter each for the search.
    """

    def __init__(self) -> None:
        self._moves: list[tuple[float, float]] = []
        self._letters = ""
        self._turn = 0

    def __len__(self) -> int:
        return len(self._moves)

    def note(self, foe: Foe) -> None:
        """Add the turns up to the newest scan.

        Those not seen are taken to have been like it.
        """
        turns = foe.turn - self._turn
        self._turn = foe.turn
        if not 0 < turns <= _GAP_MAX:
            self._moves.append(_STANDING)
            self._letters += _BREAK
            turns = 1
        self._moves.extend([(foe.speed, foe.turning)] * turns)
        self._letters += _letter(foe) * turns
        if len(self._moves) > TURNS_MAX:
            del self._moves[:_FORGET]
            self._letters = self._letters[_FORGET:]

    def find(self) -> int | None:
        """Return the turn after the newest time like now, or None."""
        letters = self._letters
        known = len(letters) - _AFTERWARDS
        for length in _LIKENESS:
            if known >= length:
                found = letters.rfind(letters[-length:], 0, known)
                if found >= 0:
                    return found + length
        return None

    def foresee(
        self, x: float, y: float, speed: float, foe: Foe, lag: int, arena: tuple[float, float]
    ) -> float | None:
        """Return the direction for a shot from (x, y).

        If the enemy repeats its moves from then.

        speed: the bullet's; it leaves one turn from now; lag: turns since the scan. None: no such time.
        """
        turn = self.find()
        if turn is None:
            return None
        fx, fy, heading = foe.x, foe.y, foe.heading
        right, top = arena[0] - TANK_RADIUS, arena[1] - TANK_RADIUS
        moves = self._moves
        for turns in range(1 - lag, _FLIGHT_TURNS_MAX):
            pace, turning = moves[turn] if turn < len(moves) else moves[-1]
            turn += 1
            fx = min(max(fx + math.cos(heading) * pace, TANK_RADIUS), right)
            fy = min(max(fy + math.sin(heading) * pace, TANK_RADIUS), top)
            heading += turning
            if turns > 1 and distance_between(x, y, fx, fy) <= turns * speed:
                break
        return math.atan2(fy - y, fx - x)


def _letter(foe: Foe) -> str:
    """Return one letter for a speed to the unit and a turning to the degree."""
    speed = max(-8, min(8, round(foe.speed))) + 8
    turning = max(-10, min(10, round(math.degrees(foe.turning)))) + 10
    return chr(33 + speed * 21 + turning)
