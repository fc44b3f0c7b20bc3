"""Rammer: drives into its target."""

from __future__ import annotations

from turnwright.bots.client import Bot
from turnwright.bots.quarry import Quarry
from turnwright.bots.tactics import radar_lock
from turnwright.games.tank.view import BotDeathEvent, Observation, ScannedBotEvent

__all__ = ["Rammer"]

_SPEED = 6.0
"""Below the top speed of 8, so that it can be outrun."""


class Rammer(Bot):
    """Locks on a tank, drives into it and fires at close range, where it cannot miss. Skill: 2 of 6.

    It comes straight on: whoever keeps moving away and shoots well has a large target for a long time.
    """

    name = "Rammer"
    authors = ("turnwright",)

    def on_round_started(self, round_number: int) -> None:
        """Let body, gun and radar turn on their own, and forget the target."""
        self.set_colors(body="#A03020", turret="#601810", radar="#FFB0A0")
        self.adjust_gun_for_body_turn = True
        self.adjust_radar_for_body_turn = True
        self.adjust_radar_for_gun_turn = True
        self._quarry = Quarry()

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """Prefer the nearest."""
        self._quarry.see(event, self.me)

    def on_bot_death(self, event: BotDeathEvent) -> None:
        """Look for another one."""
        self._quarry.forget(event.victim_id)

    def on_tick(self, observation: Observation) -> None:
        """Search, or go for it."""
        target = self._quarry.at(observation.turn_number)
        if target is not None:
            self._attack(target)
            return
        self.radar_turn_rate = 45.0
        self.target_speed = self.turn_rate = self.gun_turn_rate = 0.0

    def _attack(self, target: ScannedBotEvent) -> None:
        bearing = self.bearing_to(target.x, target.y)
        self.turn_rate = bearing
        self.target_speed = _SPEED if abs(bearing) < 60.0 else 2.0
        self.radar_turn_rate = radar_lock(self.me, target.x, target.y)
        gun = self.gun_bearing_to(target.x, target.y)
        self.gun_turn_rate = gun
        if self.distance_to(target.x, target.y) < 120.0 and abs(gun) < 10.0:
            self.fire(3.0 if self.me.energy > 20.0 else 1.0)
