"""Five guns that aim in different ways, and counts of their virtual hits.

A *wave* is a shot that was or might have been fired: it spreads from where the gun stood at the speed of its
bullet. When it passes the enemy we know which direction would have been right, and teach the guns with it.
Source: the ideas of wave, guess factor and virtual gun are common knowledge of the Robocode community.
"""

from __future__ import annotations

import math

from turnwright.games.tank.bots.geometry import distance_between
from turnwright.games.tank.bots.house.parts.foe import Foe, wrap
from turnwright.games.tank.bots.house.parts.memory import Memory
from turnwright.games.tank.rules.constants import SPEED_MAX, TANK_RADIUS

BINS = 31
_MIDDLE = BINS // 2
_FLIGHT_TURNS_MAX = 100
_WAVES_MAX = 160
_RATING_STEP = 0.02


class Wave:
    """A shot, real or not, that leaves (x, y) after the observation of `turn`.

    base: the direction to the enemy then; side: 1 if it moved counter-clockwise about us, else -1; reach: how
    far from the base it can be when the bullet arrives; cells: where the learned gun keeps what it learns;
    aims: the direction of each gun.
    """

    __slots__ = ("aims", "base", "cells", "reach", "side", "speed", "turn", "x", "y")

    def __init__(self, x: float, y: float, turn: int, speed: float) -> None:
        self.x, self.y, self.turn, self.speed = x, y, turn, speed
        self.base = 0.0
        self.side = 1
        self.reach = math.asin(SPEED_MAX / speed)
        self.cells: tuple[int, int, int] = (0, 0, 0)
        self.aims: tuple[float, ...] = ()


class Guns:
    """The guns against one enemy; what they have learned lasts for the whole battle."""

    def __init__(self, width: float, height: float) -> None:
        self._width, self._height = width, height
        self.ratings = [0.30, 0.31, 0.28, 0.25, 0.25]
        """Straight on, in a curve, where it is, where it often was, as once before."""
        self._memory = Memory()
        self._waves: list[Wave] = []
        self._learned: dict[int, list[float]] = {}
        self._side = 1

    @property
    def rating(self) -> float:
        """Return the share of its (virtual) shots that the best gun hits with, 0–1."""
        return max(self.ratings)

    def new_round(self) -> None:
        """Forget the waves in the air."""
        self._waves.clear()

    def plan(self, x: float, y: float, turn: int, speed: float, foe: Foe, now: int) -> float:
        """Return the direction for a shot from (x, y).

        The shot leaves after the observation of `turn`.

        turn: now + 1; speed: the bullet's; now: the turn of the newest observation.
        """
        wave = Wave(x, y, turn, speed)
        lag = now - foe.turn
        arena = (self._width, self._height)
        straight = curved = foresee(x, y, speed, foe, 0.0, lag, arena)
        if foe.turning != 0.0 and foe.speed != 0.0:
            curved = foresee(x, y, speed, foe, foe.turning, lag, arena)
        again = self._memory.foresee(x, y, speed, foe, lag, arena)
        wave.base = math.atan2(foe.y + math.sin(foe.heading) * foe.speed - y,
                               foe.x + math.cos(foe.heading) * foe.speed - x)  # fmt: skip
        self._classify(wave, foe)
        wave.aims = (straight, curved, wave.base, self._guess(wave), curved if again is None else again)
        if len(self._waves) < _WAVES_MAX:
            self._waves.append(wave)
        return wave.aims[self.ratings.index(max(self.ratings))]

    def learn(self, foe: Foe) -> None:
        """Remember its newest scan; let the waves that it has met teach the guns."""
        self._memory.note(foe)
        x, y, now = foe.x, foe.y, foe.turn
        still_going = []
        for wave in self._waves:
            gone = distance_between(wave.x, wave.y, x, y)
            if (now - wave.turn + 1) * wave.speed >= gone:
                self._teach(wave, math.atan2(y - wave.y, x - wave.x), gone)
            else:
                still_going.append(wave)
        self._waves = still_going

    def _teach(self, wave: Wave, right: float, gone: float) -> None:
        width = math.atan2(TANK_RADIUS, gone)
        ratings = self.ratings
        for gun, aim in enumerate(wave.aims):
            ratings[gun] += _RATING_STEP * ((abs(wrap(aim - right)) < width) - ratings[gun])
        factor = wave.side * wrap(right - wave.base) / wave.reach
        place = _MIDDLE + max(-1.0, min(1.0, factor)) * _MIDDLE
        spread = max(0.7, width / wave.reach * _MIDDLE)
        for cell, weight in zip(wave.cells, (0.3, 1.0, 3.0), strict=True):
            bins = self._learned.setdefault(cell, [0.0] * BINS)
            low, high = max(0, int(place - 3.0 * spread)), min(BINS, int(place + 3.0 * spread) + 2)
            for i in range(low, high):
                aside = (i - place) / spread
                bins[i] += weight / (1.0 + aside * aside)

    def _guess(self, wave: Wave) -> float:
        """Return the direction in which the enemy was most often, of those times that were alike."""
        found = [self._learned[cell] for cell in wave.cells if cell in self._learned]
        if not found:
            return wave.base
        sums = [0.0] * BINS
        for bins in found:  # in this order: `sum` adds in another way from Python 3.12 on
            sums = [one + more for one, more in zip(sums, bins, strict=True)]
        best = sums.index(max(sums))
        return wave.base + wave.side * wave.reach * (best - _MIDDLE) / _MIDDLE

    def _classify(self, wave: Wave, foe: Foe) -> None:
        """Fill in side and cells: all times, those at this speed and distance, those at this place too."""
        across = foe.speed * math.sin(foe.heading - wave.base)
        if abs(across) > 0.1:
            self._side = 1 if across > 0.0 else -1
        wave.side = self._side
        pace = min(4, int(abs(across) + 0.5) // 2)
        flight = min(3, int(distance_between(wave.x, wave.y, foe.x, foe.y) / wave.speed) // 12)
        gain = 0 if foe.gain < -0.1 else 2 if foe.gain > 0.1 else 1
        rough = 1 + pace * 4 + flight
        fine = 100 + ((pace * 4 + flight) * 3 + gain) * 4 + self._room(wave, foe)
        wave.cells = (0, rough, fine)

    def _room(self, wave: Wave, foe: Foe) -> int:
        """Return how much of the way ahead of the enemy lies inside the arena: 0–3."""
        away = distance_between(wave.x, wave.y, foe.x, foe.y)
        room = 3
        for part in (0.9, 0.6, 0.3):
            angle = wave.base + wave.side * wave.reach * part
            x, y = wave.x + math.cos(angle) * away, wave.y + math.sin(angle) * away
            if (
                TANK_RADIUS <= x <= self._width - TANK_RADIUS
                and TANK_RADIUS <= y <= self._height - TANK_RADIUS
            ):
                return room
            room -= 1
        return room


def foresee(
    x: float, y: float, speed: float, foe: Foe, turning: float, lag: int, arena: tuple[float, float]
) -> float:
    """Return the direction of a shot from (x, y) that meets the enemy.

    If the enemy goes on like this.

    turning: radians a turn; lag: turns since its scan; the bullet leaves one turn from now. An enemy that
    meets a wall is taken to stay there.
    """
    fx, fy, heading, pace = foe.x, foe.y, foe.heading, foe.speed
    right, top = arena[0] - TANK_RADIUS, arena[1] - TANK_RADIUS
    for turns in range(1 - lag, _FLIGHT_TURNS_MAX):
        fx += math.cos(heading) * pace
        fy += math.sin(heading) * pace
        heading += turning
        if not (TANK_RADIUS <= fx <= right and TANK_RADIUS <= fy <= top):
            fx, fy = min(max(fx, TANK_RADIUS), right), min(max(fy, TANK_RADIUS), top)
            if turning == 0.0 or lag > 8:
                pace = 0.0
        if turns > 1 and distance_between(x, y, fx, fy) <= turns * speed:
            break
    return math.atan2(fy - y, fx - x)
