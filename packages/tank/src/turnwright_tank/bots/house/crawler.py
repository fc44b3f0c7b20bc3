"""Crawler: drives along the walls."""

from __future__ import annotations

from turnwright_tank.bots.geometry import normalize
from turnwright_tank.bots.targeting import TargetingBot, inside
from turnwright_tank.observation import BotHitBotEvent, Observation, ScannedBotEvent
from turnwright_tank.rules.constants import SPEED_MAX

_FEELER = 42.0
"""The distance to a wall at which Crawler begins to brake and turn."""
_AXES_X = (1.0, 0.0, -1.0, 0.0)
_AXES_Y = (0.0, 1.0, 0.0, -1.0)
"""The directions east, north, west, south."""


class Crawler(TargetingBot):
    """Drives along the walls and fires inwards at the last seen tank.

    Skill: 4 of 6.

    No tank can get behind Crawler, and it never stands still. But an enemy can learn its path, a rectangle.
    """

    name = "Crawler"
    authors = ("turnwright",)
    _side: int
    _heading: float | None
    _backwards: bool

    def on_round_started(self, round_number: int) -> None:
        """Forget the last round, and choose clockwise or counter-clockwise at random."""
        super().on_round_started(round_number)
        self.set_colors(body="#555555", turret="#2B2B2B", radar="#FFA500")
        self._side = self.random.choice((-1, 1))
        self._heading = None
        self._backwards = False

    def on_hit_bot(self, event: BotHitBotEvent) -> None:
        """Reverse if Crawler drove into a tank."""
        if event.rammed:
            self._side = -self._side
            self._backwards = not self._backwards

    def on_tick(self, observation: Observation) -> None:
        """Scan, shoot, and drive along the wall."""
        super().on_tick(observation)
        self._crawl()

    def attack(self, target: ScannedBotEvent, turn_number: int) -> None:
        """Turn the gun to the target and fire."""
        gun = self.gun_bearing_to(target.x, target.y)
        self.gun_turn_rate = gun
        if abs(gun) < 4.0 and self.me.energy > 3.0:
            self.fire(3.0 if self.distance_to(target.x, target.y) < 150.0 else 2.0)

    def _crawl(self) -> None:
        """Drive along an axis. If a wall is near ahead, change to the next axis."""
        me = self.me
        if self._heading is None:
            self._heading = round(me.direction / 90.0) % 4 * 90.0
        way = self._heading + (180.0 if self._backwards else 0.0)
        speed = SPEED_MAX
        if self._blocked(way):
            self._heading = (self._heading + self._side * 90.0) % 360.0
        turn = normalize(self._heading - me.direction)
        self.turn_rate = turn
        if abs(turn) > 5.0:
            speed = 0.0
        self.target_speed = -speed if self._backwards else speed

    def _blocked(self, way: float) -> bool:
        axis = round(way / 90.0) % 4
        x, y = self.me.x + _AXES_X[axis] * _FEELER, self.me.y + _AXES_Y[axis] * _FEELER
        return not inside(x, y, self.info.arena_width, self.info.arena_height)
