"""Spinner: circles and fires at what it meets."""

from __future__ import annotations

from turnwright_tank.bots.bot import Bot
from turnwright_tank.observation import BotHitBotEvent, BotHitWallEvent, Observation, ScannedBotEvent


class Spinner(Bot):
    """Drives in circles, gun and radar fixed to the body, and fires along its nose.

    Skill: 1 of 6.

    A moving target is hard to hit for a gun that aims at where it was, but a circle is easy to foresee.
    """

    name = "Spinner"
    authors = ("turnwright",)
    _turn: float
    _way: float

    def on_round_started(self, round_number: int) -> None:
        """Choose the sense of rotation by lot."""
        self.set_colors(body="#3B6FB6", turret="#274A7A", radar="#9DC3F5")
        self._turn = self.random.choice((-1.0, 1.0))
        self._way = 1.0

    def on_hit_wall(self, event: BotHitWallEvent) -> None:
        """Drive the other way."""
        self._way = -self._way

    def on_hit_bot(self, event: BotHitBotEvent) -> None:
        """Drive the other way if it is in the way."""
        if event.rammed:
            self._way = -self._way

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """Fire, the harder the nearer."""
        self.fire(3.0 if self.distance_to(event.x, event.y) < 200.0 else 1.5)

    def on_tick(self, observation: Observation) -> None:
        """Go on spinning."""
        self.turn_rate = 6.0 * self._turn
        self.target_speed = 5.0 * self._way
