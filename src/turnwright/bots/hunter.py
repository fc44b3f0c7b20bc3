"""A bot that goes for one enemy at a time: what those have in common that do."""

from __future__ import annotations

from turnwright.bots.client import Bot
from turnwright.bots.quarry import Quarry
from turnwright.bots.tactics import radar_lock
from turnwright.games.tank.view import BotDeathEvent, Observation, ScannedBotEvent

__all__ = ["Hunter"]


class Hunter(Bot):
    """Its radar looks for an enemy and stays on it, the nearest as a rule; `hunt` says what it does then."""

    def on_round_started(self, round_number: int) -> None:
        """Let body, gun and radar turn on their own, and forget the target."""
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
        """Stand and search, or stay on it."""
        target = self._quarry.at(observation.turn_number)
        if target is None:
            self.radar_turn_rate = 45.0
            self.target_speed = self.turn_rate = self.gun_turn_rate = 0.0
            return
        self.radar_turn_rate = radar_lock(self.me, target.x, target.y)
        self.hunt(target, observation.turn_number)

    def hunt(self, target: ScannedBotEvent, turn_number: int) -> None:
        """Drive and shoot. target: the newest scan of the enemy, at most a few turns old."""
        raise NotImplementedError
