"""Five guns that aim in different ways, and counts of their virtual hits.

A *wave* is a real or virtual shot. It spreads from the place of the gun at the speed of its bullet. When a
wave passes the enemy, the right direction of the shot is known, and the guns learn from it. Source: the ideas
of wave, guess factor and virtual gun are common knowledge of the Robocode community.
"""

from __future__ import annotations

import math
from typing import Annotated

from turnwright_tank.bots.geometry import distance_between
from turnwright_tank.bots.house.parts.foe import Foe, wrap
from turnwright_tank.bots.house.parts.memory import Memory
from turnwright_tank.rules.constants import SPEED_MAX, TANK_RADIUS

GUNS = 5
BINS = 31
_MIDDLE = BINS // 2
_CELLS_OF_WAVE = 3
_ROUGH_FROM = 1
_FINE_FROM = 21
_CELLS = 261
_WEIGHTS = (0.3, 1.0, 3.0)
"""Weights of what was learned: in all situations, at a similar speed and distance, and also at a similar
place."""
_ROOM_PARTS = (0.9, 0.6, 0.3)
_FLIGHT_TURNS_MAX = 100
_WAVES_MAX = 160
_RATING_STEP = 0.02


class Wave:
    """A shot, real or not, that leaves (x, y) after the observation of `turn`.

    base: the direction to the enemy at that time. side: 1 if the enemy moved counter-clockwise around the
    bot, otherwise -1. reach: the largest angle between the base and the enemy when the bullet arrives. cells:
    the cells in which the learning gun stores the result. aims: the direction of each gun.
    """

    __slots__ = ("aims", "base", "cells", "reach", "side", "speed", "turn", "x", "y")
    x: float
    y: float
    speed: float
    base: float
    reach: float
    turn: int
    side: int
    cells: Annotated[list[int], _CELLS_OF_WAVE]
    aims: Annotated[list[float], GUNS]

    def __init__(self, x: float, y: float, turn: int, speed: float) -> None:
        self.x, self.y, self.turn, self.speed = x, y, turn, speed
        self.base = 0.0
        self.side = 1
        self.reach = math.asin(SPEED_MAX / speed)
        self.cells = []
        self.aims = []


class Guns:
    """The guns against one enemy. They keep their knowledge for the whole battle."""

    _width: float
    _height: float
    ratings: Annotated[list[float], GUNS]
    """The hit rates of five guns. They aim at the enemy as if it drove straight on, drove in a curve, stood
    still, was where it most often was, or repeated an earlier motion."""
    _memory: Memory
    _waves: Annotated[list[Wave], _WAVES_MAX]
    _learned: Annotated[list[float], _CELLS * BINS]
    """For each cell, how often the enemy was in each part of its reach. At first the list is empty."""
    _side: int

    def __init__(self, width: float, height: float) -> None:
        self._width, self._height = width, height
        self.ratings = [0.30, 0.31, 0.28, 0.25, 0.25]
        self._memory = Memory()
        self._waves = []
        self._learned = []
        self._side = 1

    @property
    def rating(self) -> float:
        """Return the share of hits of the best gun, including virtual shots, 0–1."""
        return self.ratings[self._best()]

    def _best(self) -> int:
        best = 0
        for gun in range(1, GUNS):
            if self.ratings[gun] > self.ratings[best]:
                best = gun
        return best

    def new_round(self) -> None:
        """Forget the waves in the air."""
        self._waves.clear()

    def plan(self, x: float, y: float, turn: int, speed: float, foe: Foe, now: int) -> float:
        """Return the direction for a shot from (x, y).

        The shot leaves after the observation of `turn`.

        turn: now + 1. speed: the bullet's speed. now: the turn of the newest observation.
        """
        wave = Wave(x, y, turn, speed)
        lag = now - foe.turn
        arena = (self._width, self._height)
        straight = foresee(x, y, speed, foe, 0.0, lag, arena)
        curved = straight
        if foe.turning != 0.0 and foe.speed != 0.0:
            curved = foresee(x, y, speed, foe, foe.turning, lag, arena)
        again = self._memory.foresee(x, y, speed, foe, lag, arena)
        wave.base = math.atan2(foe.y + math.sin(foe.heading) * foe.speed - y,
                               foe.x + math.cos(foe.heading) * foe.speed - x)  # fmt: skip
        self._classify(wave, foe)
        wave.aims = [straight, curved, wave.base, self._guess(wave), curved if again is None else again]
        if len(self._waves) < _WAVES_MAX:
            self._waves.append(wave)
        return wave.aims[self._best()]

    def learn(self, foe: Foe) -> None:
        """Store the enemy's newest scan. The guns learn from the waves that have met the enemy."""
        self._memory.note(foe)
        self._waves = [wave for wave in self._waves if not self._learn_of(wave, foe)]

    def _learn_of(self, wave: Wave, foe: Foe) -> bool:
        """Return whether a wave has met the enemy. The guns learn from such a wave."""
        gone = distance_between(wave.x, wave.y, foe.x, foe.y)
        if (foe.turn - wave.turn + 1) * wave.speed < gone:
            return False
        self._teach(wave, math.atan2(foe.y - wave.y, foe.x - wave.x), gone)
        return True

    def _teach(self, wave: Wave, right: float, gone: float) -> None:
        width = math.atan2(TANK_RADIUS, gone)
        ratings = self.ratings
        for gun in range(GUNS):
            hit = 1.0 if abs(wrap(wave.aims[gun] - right)) < width else 0.0
            ratings[gun] += _RATING_STEP * (hit - ratings[gun])
        factor = wave.side * wrap(right - wave.base) / wave.reach
        place = _MIDDLE + max(-1.0, min(1.0, factor)) * _MIDDLE
        spread = max(0.7, width / wave.reach * _MIDDLE)
        low, high = max(0, int(place - 3.0 * spread)), min(BINS, int(place + 3.0 * spread) + 2)
        if len(self._learned) == 0:
            self._learned = [0.0] * (_CELLS * BINS)
        learned = self._learned
        for k in range(_CELLS_OF_WAVE):
            first, weight = wave.cells[k] * BINS, _WEIGHTS[k]
            for i in range(low, high):
                aside = (i - place) / spread
                learned[first + i] += weight / (1.0 + aside * aside)

    def _guess(self, wave: Wave) -> float:
        """Return the direction in which the enemy was most often in similar situations."""
        learned = self._learned
        if len(learned) == 0:
            return wave.base
        one, two, three = wave.cells[0] * BINS, wave.cells[1] * BINS, wave.cells[2] * BINS
        best, most = 0, -1.0
        for i in range(BINS):
            times = learned[one + i] + learned[two + i] + learned[three + i]
            if times > most:
                best, most = i, times
        return wave.base + wave.side * wave.reach * (best - _MIDDLE) / _MIDDLE

    def _classify(self, wave: Wave, foe: Foe) -> None:
        """Set the wave's side and its three cells. `_WEIGHTS` describes the cells."""
        across = foe.speed * math.sin(foe.heading - wave.base)
        if abs(across) > 0.1:
            self._side = 1 if across > 0.0 else -1
        wave.side = self._side
        pace = min(4, int(abs(across) + 0.5) // 2)
        flight = min(3, int(distance_between(wave.x, wave.y, foe.x, foe.y) / wave.speed) // 12)
        gain = 0 if foe.gain < -0.1 else 2 if foe.gain > 0.1 else 1
        rough = pace * 4 + flight
        fine = (rough * 3 + gain) * 4 + self._room(wave, foe)
        wave.cells = [0, _ROUGH_FROM + rough, _FINE_FROM + fine]

    def _room(self, wave: Wave, foe: Foe) -> int:
        """Return how much of the enemy's path ahead is inside the arena: 0–3."""
        away = distance_between(wave.x, wave.y, foe.x, foe.y)
        room = 3
        for part in _ROOM_PARTS:
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

    The function assumes that the enemy keeps its speed and turning.

    turning: radians a turn. lag: turns since the enemy's scan. The bullet leaves one turn from now. An enemy
    that meets a wall is assumed to stay there.
    """
    fx, fy, heading, pace = foe.x, foe.y, foe.heading, foe.speed
    right, top = arena[0] - TANK_RADIUS, arena[1] - TANK_RADIUS
    east, north = math.cos(heading), math.sin(heading)
    for turns in range(1 - lag, _FLIGHT_TURNS_MAX):
        fx += east * pace
        fy += north * pace
        if turning != 0.0:
            heading += turning
            east, north = math.cos(heading), math.sin(heading)
        if not (TANK_RADIUS <= fx <= right and TANK_RADIUS <= fy <= top):
            fx, fy = min(max(fx, TANK_RADIUS), right), min(max(fy, TANK_RADIUS), top)
            if turning == 0.0 or lag > 8:
                pace = 0.0
        if turns > 1 and distance_between(x, y, fx, fy) <= turns * speed:
            break
    return math.atan2(fy - y, fx - x)
