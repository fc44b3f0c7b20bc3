"""Ace: surfs the waves of bullets and chooses its gun by what would have hit."""

from __future__ import annotations

import math

from turnwright_tank.bots.house.parts.duel import SIGHT_TURNS, Duellist
from turnwright_tank.bots.house.parts.foe import Foe
from turnwright_tank.bots.house.parts.melee import safest_spot
from turnwright_tank.bots.house.parts.rival import Rival
from turnwright_tank.bots.identity import GameInfo
from turnwright_tank.bots.targeting import drive_towards
from turnwright_tank.observation import BotDeathEvent, BotHitBotEvent, ScannedBotEvent
from turnwright_tank.rules.constants import RADAR_TURN_MAX

_EASY_RATING = 0.6
_ARRIVED = 40.0
_ROAMING_TURNS = 4
_USUAL_PACE = 14.0
_TRIED_MAX = 2


class Ace(Duellist):
    """The best of the house. Skill: 6 of 6.

    Against one enemy it circles at a distance, takes each drop of the enemy's energy for a bullet, and drives
    where the bullet is least likely to be, learned from earlier hits (`parts.surf`). It aims
    with five guns at once and fires with the one that would have hit most often (`parts.guns`). Among many it
    looks all round, stays away from the others (`parts.melee`) and shoots at the nearest.
    """

    name = "Ace"
    authors = ("turnwright",)

    def __init__(self) -> None:
        super().__init__()
        self._rivals: dict[int, Rival] = {}

    def on_game_started(self, info: GameInfo) -> None:
        """Forget the enemies of another game."""
        self._rivals.clear()

    def _forget_positions(self) -> None:
        self._foes: dict[int, Foe] = {}
        self._target: Foe | None = None
        self._spot: tuple[float, float] | None = None
        for rival in self._rivals.values():
            rival.new_round()

    def _rival_of(self, bot_id: int) -> Rival:
        if bot_id not in self._rivals:
            self._rivals[bot_id] = Rival(self.info.arena_width, self.info.arena_height)
        return self._rivals[bot_id]

    def _fights_one(self) -> bool:
        return self.me.enemy_count == 1

    # --- events ----------------------------------------------------------------------------------------

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """Take note of an enemy."""
        if event.scanned_bot_id in self.info.teammate_ids:
            return
        super().on_scanned_bot(event)
        foe = self._rivals[event.scanned_bot_id].foe
        assert foe is not None
        self._foes[event.scanned_bot_id] = foe

    def on_hit_bot(self, event: BotHitBotEvent) -> None:
        """Turn round, too."""
        super().on_hit_bot(event)
        if event.rammed:
            self._spot = None

    def on_bot_death(self, event: BotDeathEvent) -> None:
        """Forget it."""
        super().on_bot_death(event)
        self._foes.pop(event.victim_id, None)
        self._spot = None

    # --- the turn --------------------------------------------------------------------------------------

    def _settle(self) -> None:
        for rival in self._rivals.values():
            rival.settle()

    def _choose_target(self, now: int) -> Foe | None:
        seen = [foe for foe in self._foes.values() if now - foe.turn <= SIGHT_TURNS]
        self._target = min(seen, key=lambda foe: self._keenness(foe)) if seen else None
        return self._target

    def _keenness(self, foe: Foe) -> float:
        """Return how far away it is, shorter for the weak, the easy and the one that we already shoot at."""
        distance = self.distance_to(foe.x, foe.y) * (0.6 + min(foe.energy, 100.0) / 250.0)
        distance *= 2.0 - min(1.0, self._rivals[foe.id].guns.rating / _EASY_RATING)
        return distance * (0.8 if self._target is not None and foe.id == self._target.id else 1.0)

    def _search(self) -> None:
        """Look all round; when all are known, the oldest news first."""
        if len(self._foes) < self.me.enemy_count or not self._foes:
            self.radar_turn_rate = RADAR_TURN_MAX
        else:
            oldest = min(self._foes.values(), key=lambda foe: foe.turn)
            offset = self.radar_bearing_to(oldest.x, oldest.y)
            self.radar_turn_rate = math.copysign(RADAR_TURN_MAX, offset)

    def _fight(self, foe: Foe, now: int) -> None:
        if self.me.enemy_count > 1:
            self._search()
            self._roam(now)
            self._plan_shot(foe, self._rivals[foe.id].guns, now)
        else:
            super()._fight(foe, now)
        self._try_others(foe, now)

    def _roam(self, now: int) -> None:
        """Drive to the safest spot, and to the next one before we are there."""
        if self._spot is not None and self.distance_to(*self._spot) < _ARRIVED:
            self._spot = None
        if self._spot is None or now % _ROAMING_TURNS == 0:
            arena = (self.info.arena_width, self.info.arena_height)
            foes = tuple(self._foes.values())
            self._spot = safest_spot(self._motion(), self._spot, self.me.energy, foes, arena, self.random)
        self.turn_rate, self.target_speed = drive_towards(self.me, self.direction_to(*self._spot))

    def _try_others(self, target: Foe, now: int) -> None:
        """Aim in thought at some of the others that were just scanned, to learn how easy they are."""
        others = [foe for foe in self._foes.values() if foe is not target and foe.turn == now]
        for foe in others[:_TRIED_MAX]:
            self._rivals[foe.id].guns.plan(self.me.x, self.me.y, now + 1, _USUAL_PACE, foe, now)

    def _usual_power(self, distance: float) -> float:
        if self.me.enemy_count > 1:
            return 3.0 if distance < 400.0 else 2.0
        return super()._usual_power(distance)
