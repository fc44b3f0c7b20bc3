"""Movement against one enemy, to the place where its bullets are least likely to be.

A drop of the enemy's energy means a bullet. The bullet is somewhere on a circle that grows around the enemy's
place at that time. This circle is a wave. The bot simulates three ways until the wave arrives: driving around
the enemy clockwise, counter-clockwise, and standing still. It takes the way with the least danger.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

from turnwright_tank.bots.geometry import distance_between
from turnwright_tank.bots.house.parts.foe import Foe, wrap
from turnwright_tank.rules.constants import SPEED_MAX, TANK_RADIUS, bullet_speed, new_speed

BINS = 61
_MIDDLE = BINS // 2
_HALF_PI = math.pi / 2.0
_RIDE_TURNS_MAX = 90
_FEELER = 130.0
_WANTED_DISTANCE = 400.0
_WAYS = (1, -1, 0)
_WAVES_MAX = 100


class Motion(NamedTuple):
    """A tank's own motion. heading: radians."""

    x: float
    y: float
    heading: float
    speed: float


class Incoming:
    """A bullet of the enemy that left (x, y) in turn `turn`.

    base: the direction from there to the bot at that time.

    side: 1 if the bot moved counter-clockwise around the enemy, otherwise -1. ahead: the factor (see
    `factor`) at which a gun that aims ahead would have fired.
    """

    __slots__ = ("ahead", "base", "power", "reach", "side", "speed", "turn", "x", "y")
    x: float
    y: float
    power: float
    speed: float
    base: float
    reach: float
    ahead: float
    turn: int
    side: int

    def __init__(self, place: tuple[float, float], turn: int, power: float, me: Motion, side: int) -> None:
        self.x, self.y = place
        self.turn = turn
        self.power = power
        self.speed = bullet_speed(power)
        self.base = math.atan2(me.y - self.y, me.x - self.x)
        self.reach = math.asin(SPEED_MAX / self.speed)
        across = me.speed * math.sin(me.heading - self.base)
        self.side = side if abs(across) < 0.1 else 1 if across > 0.0 else -1
        self.ahead = self.side * math.asin(max(-1.0, min(1.0, across / self.speed))) / self.reach

    def factor(self, x: float, y: float) -> float:
        """Return the place of a point within the bot's reach: 0 is the base, and ±1 are the ends."""
        return self.side * wrap(math.atan2(y - self.y, x - self.x) - self.base) / self.reach


class Surfer:
    """Movement against one enemy.

    Statistics of the enemy's aim are kept for the whole battle.
    """

    _right: float
    _top: float
    _hits: Annotated[list[float], BINS]
    _direct: float
    _leading: float
    way: int
    _chosen: int
    waves: Annotated[list[Incoming], _WAVES_MAX]

    def __init__(self, width: float, height: float) -> None:
        self._right, self._top = width - TANK_RADIUS, height - TANK_RADIUS
        self._hits = [0.0] * BINS
        self._direct, self._leading = 1.0, 0.5
        self.way = 1
        self._chosen = 1
        self.waves = []

    def new_round(self) -> None:
        """Forget the waves in the air."""
        self.waves.clear()

    def expect(self, wave: Incoming) -> None:
        """Store a bullet in the air. If there are too many, the new bullet is left out."""
        if len(self.waves) < _WAVES_MAX:
            self.waves.append(wave)

    def hit_at(self, x: float, y: float, power: float, turn: int) -> None:
        """Learn from a bullet that hit the bot or another bullet.

        The bullet was at (x, y) in `turn`.
        """
        for k in range(len(self.waves)):
            wave = self.waves[k]
            travelled = distance_between(wave.x, wave.y, x, y)
            if abs(wave.power - power) < 0.11 and abs((turn - wave.turn + 1) * wave.speed - travelled) < 45.0:
                self._note(wave.factor(x, y), wave.ahead)
                del self.waves[k]
                return

    def _note(self, factor: float, ahead: float) -> None:
        if abs(factor) < 0.15:
            self._direct += 1.0
        if abs(factor - ahead) < 0.15:
            self._leading += 1.0
        place = _MIDDLE + max(-1.0, min(1.0, factor)) * _MIDDLE
        hits = self._hits
        for i in range(BINS):
            hits[i] = 0.95 * hits[i] + _bell((i - place) / 3.0)

    def pass_waves(self, x: float, y: float, turn: int) -> None:
        """Drop the waves that have gone past (x, y)."""
        self.waves = [
            wave
            for wave in self.waves
            if (turn - wave.turn + 1) * wave.speed < distance_between(wave.x, wave.y, x, y) + TANK_RADIUS
        ]

    def drive(self, me: Motion, foe: Foe, turn: int, think: bool) -> tuple[float, float]:
        """Return (turn in radians, target speed) for the next turn.

        think: whether the bot chooses its way again.
        """
        if len(self.waves) == 0:
            self._chosen = self.way
        elif think:
            self._chosen = self._least_dangerous(me, foe, self._first(me, turn), turn)
            if self._chosen != 0:
                self.way = self._chosen
        go = self._heading(me.x, me.y, foe, self._chosen if self._chosen != 0 else self.way)
        return _steer(go, me.heading, SPEED_MAX if self._chosen != 0 else 0.0)

    def _first(self, me: Motion, turn: int) -> Incoming:
        """Return the bullet that arrives first."""
        first, least = self.waves[0], math.inf
        for wave in self.waves:
            left = distance_between(wave.x, wave.y, me.x, me.y) - (turn - wave.turn) * wave.speed
            if left < least:
                first, least = wave, left
        return first

    def _least_dangerous(self, me: Motion, foe: Foe, wave: Incoming, turn: int) -> int:
        best, least = self.way, math.inf
        for way in _WAYS:
            x, y = self._ride(me, foe, wave, turn, way)
            danger = self._danger(wave, x, y)
            danger *= 1.0 + max(0.0, 200.0 - distance_between(foe.x, foe.y, x, y)) / 200.0
            danger *= 1.0 if way == self._chosen else 1.05
            if danger < least:
                best, least = way, danger
        return best

    def _danger(self, wave: Incoming, x: float, y: float) -> float:
        factor = max(-1.0, min(1.0, wave.factor(x, y)))
        learned = self._hits[int(_MIDDLE + factor * _MIDDLE + 0.5)]
        direct = self._direct * _bell(factor / 0.12)
        leading = self._leading * _bell((factor - wave.ahead) / 0.12)
        return learned + direct + leading + 0.01

    def _ride(self, me: Motion, foe: Foe, wave: Incoming, turn: int, way: int) -> tuple[float, float]:
        """Return the place where the wave meets the bot if it goes this way (0: stop) from now on."""
        x, y, heading, speed = me
        front = (turn - wave.turn + 1.5) * wave.speed
        for _ in range(_RIDE_TURNS_MAX):
            front += wave.speed
            if way == 0:
                break
            angle, target = _steer(self._heading(x, y, foe, way), heading, SPEED_MAX)
            speed = new_speed(speed, target)
            x = min(max(x + math.cos(heading) * speed, TANK_RADIUS), self._right)
            y = min(max(y + math.sin(heading) * speed, TANK_RADIUS), self._top)
            limit = 0.17453292519943295 - 0.01308996938995747 * abs(speed)
            heading += max(-limit, min(limit, angle))
            if distance_between(wave.x, wave.y, x, y) <= front:
                break
        return x, y

    def _heading(self, x: float, y: float, foe: Foe, way: int) -> float:
        """Return the direction that leads around the enemy at the wanted distance, and along the walls."""
        away = math.atan2(y - foe.y, x - foe.x)
        lean = max(-0.5, min(0.9, (_WANTED_DISTANCE - distance_between(foe.x, foe.y, x, y)) / 350.0))
        go = away + way * (_HALF_PI - lean)
        for _ in range(24):
            ahead_x, ahead_y = x + math.cos(go) * _FEELER, y + math.sin(go) * _FEELER
            if TANK_RADIUS <= ahead_x <= self._right and TANK_RADIUS <= ahead_y <= self._top:
                break
            go += way * 0.12
        return go


def _bell(aside: float) -> float:
    """Return 1 in the middle, and less the farther `aside` is from it."""
    return 1.0 / (1.0 + aside * aside)


def _steer(go: float, heading: float, speed: float) -> tuple[float, float]:
    """Return the turn and the target speed for a direction, driving forwards or backwards."""
    turn = wrap(go - heading)
    if turn > _HALF_PI:
        return turn - math.pi, -speed
    if turn < -_HALF_PI:
        return turn + math.pi, -speed
    return turn, speed
