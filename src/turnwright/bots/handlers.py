"""The handlers that a bot may override; each does nothing by itself."""

from __future__ import annotations

from typing import Any

from turnwright.bots.info import GameInfo
from turnwright.games.tank.view import (
    BotDeathEvent,
    BotHitBotEvent,
    BotHitWallEvent,
    BulletFiredEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    BulletHitWallEvent,
    Observation,
    ScannedBotEvent,
    TeamMessageEvent,
    WonRoundEvent,
)

__all__ = ["Handlers"]


class Handlers:
    """Everything that a bot can be told, in the order in which a game tells it."""

    def on_connected(self) -> None:
        """The server is there."""

    def on_game_started(self, info: GameInfo) -> None:
        """A game begins; the server waits until this returns (up to the ready timeout)."""

    def on_round_started(self, round_number: int) -> None:
        """A round begins. round_number: from 1."""

    def on_tick(self, observation: Observation) -> None:
        """A turn, after the handlers of all its events: decide here."""

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """My radar swept over a tank."""

    def on_hit_by_bullet(self, event: BulletHitBotEvent) -> None:
        """A bullet hit me."""

    def on_bullet_hit(self, event: BulletHitBotEvent) -> None:
        """My bullet hit a tank."""

    def on_bullet_fired(self, event: BulletFiredEvent) -> None:
        """My gun fired."""

    def on_bullet_hit_bullet(self, event: BulletHitBulletEvent) -> None:
        """My bullet met another one; both are gone."""

    def on_bullet_hit_wall(self, event: BulletHitWallEvent) -> None:
        """My bullet left the arena."""

    def on_hit_wall(self, event: BotHitWallEvent) -> None:
        """I drove into a wall."""

    def on_hit_bot(self, event: BotHitBotEvent) -> None:
        """I touched another tank; event.rammed: I drove into it."""

    def on_bot_death(self, event: BotDeathEvent) -> None:
        """Another tank died."""

    def on_death(self, event: BotDeathEvent) -> None:
        """I died."""

    def on_won_round(self, event: WonRoundEvent) -> None:
        """I won the round."""

    def on_team_message(self, event: TeamMessageEvent) -> None:
        """A teammate wrote; event.message is JSON text."""

    def on_skipped_turn(self, turn_number: int) -> None:
        """My answer to a turn came too late: it did not count."""

    def on_slow(self, notice: str) -> None:
        """I am late often (turnwright servers only). notice: one sentence with what the server counted."""

    def on_round_ended(self, results: Any) -> None:
        """A round is over. results: my scores so far by name (rank, total_score, …), or None."""

    def on_game_ended(self, results: Any) -> None:
        """The game is over. results: my final scores by name, or None."""

    def on_game_aborted(self) -> None:
        """The game was stopped; there are no results."""

    def on_disconnected(self, code: int, reason: str) -> None:
        """The connection is closed. code, reason: as the WebSocket says."""
