"""Rammer: drives into its target."""

from __future__ import annotations

from turnwright_tank.bots.targeting import TargetingBot
from turnwright_tank.observation import ScannedBotEvent

_SPEED = 6.0
"""Units per turn. It is below the top speed of 8, so that a faster tank can escape."""


class Rammer(TargetingBot):
    """Follows a tank, drives into it and fires at close range.

    Skill: 2 of 6.

    Rammer drives straight at its target. So it is easy to hit for an enemy that keeps moving away.
    """

    name = "Rammer"
    authors = ("turnwright",)

    def on_round_started(self, round_number: int) -> None:
        """Forget the last round."""
        super().on_round_started(round_number)
        self.set_colors(body="#A03020", turret="#601810", radar="#FFB0A0")

    def attack(self, target: ScannedBotEvent, turn_number: int) -> None:
        """Drive into the target. Fire at close range."""
        bearing = self.bearing_to(target.x, target.y)
        self.turn_rate = bearing
        self.target_speed = _SPEED if abs(bearing) < 60.0 else 2.0
        gun = self.gun_bearing_to(target.x, target.y)
        self.gun_turn_rate = gun
        if self.distance_to(target.x, target.y) < 120.0 and abs(gun) < 10.0:
            self.fire(3.0 if self.me.energy > 20.0 else 1.0)
