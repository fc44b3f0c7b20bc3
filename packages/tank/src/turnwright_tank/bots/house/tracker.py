"""Tracker: keeps one tank in its sights."""

from __future__ import annotations

from turnwright_tank.bots.targeting import TargetingBot, drive_towards
from turnwright_tank.observation import BotHitWallEvent, ScannedBotEvent
from turnwright_tank.rules.constants import SPEED_MAX

_DISTANCE = 220.0
_TOO_NEAR = 160.0
_FIT_TURNS = 26


class Tracker(TargetingBot):
    """Keeps radar and gun on one tank, swings to and fro in front of it, and fires straight at it.

    Skill: 3 of 6.

    Its gun aims at the target's present place, so it seldom hits a target that drives across.
    """

    name = "Tracker"
    authors = ("turnwright",)
    _side: int

    def on_round_started(self, round_number: int) -> None:
        """Forget the last round."""
        super().on_round_started(round_number)
        self.set_colors(body="#4E7A3A", turret="#35552A", radar="#C9E7B0")
        self._side = 1

    def on_hit_wall(self, event: BotHitWallEvent) -> None:
        """Swing in the other direction."""
        self._side = -self._side

    def attack(self, target: ScannedBotEvent, turn_number: int) -> None:
        """Swing in front of the target and shoot at it."""
        self._swing(target, turn_number)
        self._shoot(target)

    def _swing(self, target: ScannedBotEvent, turn_number: int) -> None:
        if turn_number % _FIT_TURNS == 0:
            self._side = -self._side
        distance = self.distance_to(target.x, target.y)
        lean = max(-70.0, min(50.0, (distance - _DISTANCE) / 3.0))
        across = self.direction_to(target.x, target.y) + self._side * (90.0 - lean)
        self.turn_rate, self.target_speed = drive_towards(
            self.me, across, 6.0 if distance > _TOO_NEAR else SPEED_MAX
        )

    def _shoot(self, target: ScannedBotEvent) -> None:
        gun = self.gun_bearing_to(target.x, target.y)
        self.gun_turn_rate = gun
        distance = self.distance_to(target.x, target.y)
        if abs(gun) < 4.0 and self.me.energy > 2.0:
            self.fire(max(1.0, min(3.0, 500.0 / distance)))
