"""Rammer: drives into its target."""

from __future__ import annotations

from turnwright_tank.bots.targeting import TargetingBot
from turnwright_tank.observation import ScannedBotEvent

_SPEED = 6.0
"""Below the top speed of 8, so that it can be outrun."""


class Rammer(TargetingBot):
    """Locks on a tank, drives into it and fires at close range, where it cannot miss.

    Skill: 2 of 6.

    It comes straight on: an enemy that keeps moving away and shoots well has an easy target.
    """

    name = "Rammer"
    authors = ("turnwright",)

    def on_round_started(self, round_number: int) -> None:
        """Begin anew."""
        super().on_round_started(round_number)
        self.set_colors(body="#A03020", turret="#601810", radar="#FFB0A0")

    def attack(self, target: ScannedBotEvent, turn_number: int) -> None:
        """Drive into it; fire where it cannot be missed."""
        bearing = self.bearing_to(target.x, target.y)
        self.turn_rate = bearing
        self.target_speed = _SPEED if abs(bearing) < 60.0 else 2.0
        gun = self.gun_bearing_to(target.x, target.y)
        self.gun_turn_rate = gun
        if self.distance_to(target.x, target.y) < 120.0 and abs(gun) < 10.0:
            self.fire(3.0 if self.me.energy > 20.0 else 1.0)
