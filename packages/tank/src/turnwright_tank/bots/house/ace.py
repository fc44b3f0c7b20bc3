"""Ace: dodges the waves of bullets, and fires with the gun that would have hit most often."""

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

    Against one enemy Ace circles at a distance. A drop of the enemy's energy means that the enemy has fired.
    Ace then drives to where the bullet is least likely to be, as earlier hits show (`parts.surf`). It aims
    with five guns at once and fires with the gun that would have hit most often (`parts.guns`). Against
    several enemies it looks all round, stays away from them (`parts.melee`) and shoots at the nearest.
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
        """Store the scan of an enemy."""
        if event.scanned_bot_id in self.info.teammate_ids:
            return
        super().on_scanned_bot(event)
        foe = self._rivals[event.scanned_bot_id].foe
        assert foe is not None
        self._foes[event.scanned_bot_id] = foe

    def on_hit_bot(self, event: BotHitBotEvent) -> None:
        """Also choose another spot if Ace drove into the tank."""
        super().on_hit_bot(event)
        if event.rammed:
            self._spot = None

    def on_bot_death(self, event: BotDeathEvent) -> None:
        """Forget the dead enemy."""
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
        """Return the enemy's distance, reduced if it is weak, easy to hit, or already the target."""
        distance = self.distance_to(foe.x, foe.y) * (0.6 + min(foe.energy, 100.0) / 250.0)
        distance *= 2.0 - min(1.0, self._rivals[foe.id].guns.rating / _EASY_RATING)
        return distance * (0.8 if self._target is not None and foe.id == self._target.id else 1.0)

    def _search(self) -> None:
        """Turn the radar all round. If all enemies are known, turn it to the enemy with the oldest scan."""
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
        """Drive to the safest spot. Choose the next spot shortly before arrival."""
        if self._spot is not None and self.distance_to(*self._spot) < _ARRIVED:
            self._spot = None
        if self._spot is None or now % _ROAMING_TURNS == 0:
            arena = (self.info.arena_width, self.info.arena_height)
            foes = tuple(self._foes.values())
            self._spot = safest_spot(self._motion(), self._spot, self.me.energy, foes, arena, self.random)
        self.turn_rate, self.target_speed = drive_towards(self.me, self.direction_to(*self._spot))

    def _try_others(self, target: Foe, now: int) -> None:
        """Aim virtually at some of the other enemies scanned in this turn, to learn how easy they are to
        hit."""
        others = [foe for foe in self._foes.values() if foe is not target and foe.turn == now]
        for foe in others[:_TRIED_MAX]:
            self._rivals[foe.id].guns.plan(self.me.x, self.me.y, now + 1, _USUAL_PACE, foe, now)

    def _usual_power(self, distance: float) -> float:
        if self.me.enemy_count > 1:
            return 3.0 if distance < 400.0 else 2.0
        return super()._usual_power(distance)
