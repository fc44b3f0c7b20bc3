"""Dodger: circles its target and turns when the target fires."""

from __future__ import annotations

from turnwright_tank.bots.geometry import normalize
from turnwright_tank.bots.targeting import TargetingBot, aim_ahead, drive_towards, smooth_along_walls
from turnwright_tank.observation import BotHitWallEvent, ScannedBotEvent
from turnwright_tank.rules.constants import FIREPOWER_MAX, FIREPOWER_MIN

DODGED = 0.25
"""The probability that Dodger reverses when the target fires."""

_DISTANCE = 380.0


class Dodger(TargetingBot):
    """Circles its target, dodges, and aims ahead.

    Dodger reverses at some of the target's shots. Skill: 5 of 6.

    If the target's energy drops by 0.1 to 3, the target has probably fired. Dodger aims as if the target
    drove straight ahead, so it seldom hits a target that turns often.
    """

    name = "Dodger"
    authors = ("turnwright",)
    _side: int
    _energies: dict[int, float]
    _aim: float | None

    def on_round_started(self, round_number: int) -> None:
        """Forget the last round, and choose clockwise or counter-clockwise at random."""
        super().on_round_started(round_number)
        self.set_colors(body="#5B3A8E", turret="#3C2660", radar="#D9C6F5")
        self._side = self.random.choice((-1, 1))
        self._energies = {}
        self._aim = None

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """Prefer the nearest enemy. Reverse at random when it fires."""
        super().on_scanned_bot(event)
        drop = self._energies.get(event.scanned_bot_id, event.energy) - event.energy
        self._energies[event.scanned_bot_id] = event.energy
        if FIREPOWER_MIN <= drop <= FIREPOWER_MAX and self.random.random() < DODGED:
            self._side = -self._side

    def on_hit_wall(self, event: BotHitWallEvent) -> None:
        """Reverse."""
        self._side = -self._side

    def attack(self, target: ScannedBotEvent, turn_number: int) -> None:
        """Circle the target and shoot at it."""
        self._circle(target)
        self._shoot(target)

    def _circle(self, target: ScannedBotEvent) -> None:
        me, info = self.me, self.info
        lean = max(-30.0, min(30.0, (self.distance_to(target.x, target.y) - _DISTANCE) / 6.0))
        across = self.direction_to(target.x, target.y) + self._side * (90.0 - lean)
        way = smooth_along_walls(me.x, me.y, across, -self._side, info.arena_width, info.arena_height)
        if abs(normalize(way - across)) > 80.0:
            self._side = -self._side
        self.turn_rate, self.target_speed = drive_towards(me, way)

    def _shoot(self, target: ScannedBotEvent) -> None:
        """Aim ahead of the target. Fire if the gun already points in the direction chosen in the last
        turn."""
        me, info = self.me, self.info
        power = self._power(target)
        if self._aim is not None and abs(normalize(self._aim - me.gun_direction)) < 2.0:
            self.fire(power)
        self._aim = aim_ahead(me.x, me.y, target, power, info.arena_width, info.arena_height)
        self.gun_turn_rate = normalize(self._aim - me.gun_direction)

    def _power(self, target: ScannedBotEvent) -> float:
        distance = self.distance_to(target.x, target.y)
        power = 3.0 if distance < 150.0 else 2.0 if distance < 450.0 else 1.4
        return max(FIREPOWER_MIN, min(power, self.me.energy / 6.0, target.energy / 4.0 + 0.1))
