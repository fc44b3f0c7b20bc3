"""Spinner: drives in circles and fires at tanks that its radar meets."""

from __future__ import annotations

from turnwright_tank.bots.bot import Bot
from turnwright_tank.observation import BotHitBotEvent, BotHitWallEvent, Observation, ScannedBotEvent


class Spinner(Bot):
    """Drives in circles. Gun and radar point forward, and it fires at tanks that the radar meets.

    Skill: 1 of 6.

    A gun that aims at Spinner's last place seldom hits. A gun that predicts the circle hits easily.
    """

    name = "Spinner"
    authors = ("turnwright",)
    _turn: float
    _way: float

    def on_round_started(self, round_number: int) -> None:
        """Choose clockwise or counter-clockwise at random."""
        self.set_colors(body="#3B6FB6", turret="#274A7A", radar="#9DC3F5")
        self._turn = self.random.choice((-1.0, 1.0))
        self._way = 1.0

    def on_hit_wall(self, event: BotHitWallEvent) -> None:
        """Change between forward and backward."""
        self._way = -self._way

    def on_hit_bot(self, event: BotHitBotEvent) -> None:
        """Change between forward and backward if Spinner drove into the tank."""
        if event.rammed:
            self._way = -self._way

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """Fire, with more power at a near tank."""
        self.fire(3.0 if self.distance_to(event.x, event.y) < 200.0 else 1.5)

    def on_tick(self, observation: Observation) -> None:
        """Continue the circle."""
        self.turn_rate = 6.0 * self._turn
        self.target_speed = 5.0 * self._way
