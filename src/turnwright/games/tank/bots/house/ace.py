"""Ace: surfs the waves of bullets and chooses its gun by what would have hit."""

from __future__ import annotations

import math

from turnwright.games.tank.bots.bot import Bot
from turnwright.games.tank.bots.geometry import bullet_damage, bullet_speed, normalize, speed_after
from turnwright.games.tank.bots.house.parts.foe import Foe
from turnwright.games.tank.bots.house.parts.guns import Guns
from turnwright.games.tank.bots.house.parts.melee import safest_spot
from turnwright.games.tank.bots.house.parts.surf import Incoming, Motion, Surfer
from turnwright.games.tank.bots.identity import GameInfo
from turnwright.games.tank.bots.targeting import drive_towards, radar_lock
from turnwright.games.tank.observation import (
    BotDeathEvent,
    BotHitBotEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    Observation,
    ScannedBotEvent,
)
from turnwright.games.tank.rules.constants import BULLET_HIT_GAIN, RADAR_TURN_MAX, RAM_DAMAGE

_SIGHT_TURNS = 8
_EASY_RATING = 0.6
_ARRIVED = 40.0
_ROAMING_TURNS = 4
_USUAL_PACE = 14.0
_TRIED_MAX = 2


class Ace(Bot):
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
        self._guns: dict[int, Guns] = {}
        self._surfers: dict[int, Surfer] = {}

    def on_game_started(self, info: GameInfo) -> None:
        """Forget the enemies of another game."""
        self._guns.clear()
        self._surfers.clear()

    def on_round_started(self, round_number: int) -> None:
        """Let body, gun and radar turn on their own; keep statistics, forget positions."""
        self.set_colors(body="#111827", turret="#374151", radar="#F59E0B", bullet="#FDE68A")
        self.adjust_gun_for_body_turn = True
        self.adjust_radar_for_body_turn = True
        self.adjust_radar_for_gun_turn = True
        self.fire_assist = False
        self._foes: dict[int, Foe] = {}
        self._target: Foe | None = None
        self._spot: tuple[float, float] | None = None
        self._aim: float | None = None
        self._power = 0.0
        self._was = Motion(0.0, 0.0, 0.0, 0.0)
        self._corrections: list[tuple[int, float]] = []
        for guns in self._guns.values():
            guns.new_round()
        for surfer in self._surfers.values():
            surfer.new_round()

    # --- events ----------------------------------------------------------------------------------------

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """Take note of where it is, and of the shot that its energy betrays."""
        foe = self._foes.get(event.scanned_bot_id)
        if event.scanned_bot_id in self.info.teammate_ids:
            return
        if foe is None:
            self._foes[event.scanned_bot_id] = Foe(event)
            return
        drop = foe.see(event)
        self._guns_for(foe).learn(foe)
        if 0.099 <= drop <= 3.001 and self.me.enemy_count == 1:
            surfer = self._surfer_for(foe)
            surfer.expect(Incoming(foe.before, event.turn_number, drop, self._was, surfer.way))

    def on_bullet_hit(self, event: BulletHitBotEvent) -> None:
        """Expect the loss of energy of the tank that was hit.

        Bullets hit after the radar has swept, so the next scan shows it.
        """
        self._corrections.append((event.victim_id, -event.damage))

    def on_hit_by_bullet(self, event: BulletHitBotEvent) -> None:
        """Expect the shooter's gain, and learn how it aims."""
        bullet = event.bullet
        foe = self._foes.get(bullet.owner_id)
        if foe is not None:
            self._corrections.append((foe.id, BULLET_HIT_GAIN * bullet.power))
            self._surfer_for(foe).hit_at(bullet.x, bullet.y, bullet.power, event.turn_number)

    def on_bullet_hit_bullet(self, event: BulletHitBulletEvent) -> None:
        """Learn how its shooter aims."""
        bullet = event.hit_bullet
        foe = self._foes.get(bullet.owner_id)
        if foe is not None:
            self._surfer_for(foe).hit_at(bullet.x, bullet.y, bullet.power, event.turn_number)

    def on_hit_bot(self, event: BotHitBotEvent) -> None:
        """Expect its loss, and turn round."""
        if event.victim_id in self._foes:
            self._foes[event.victim_id].energy -= RAM_DAMAGE
        if event.rammed:
            self._spot = None

    def on_bot_death(self, event: BotDeathEvent) -> None:
        """Forget it."""
        self._foes.pop(event.victim_id, None)
        self._spot = None

    # --- the turn --------------------------------------------------------------------------------------

    def on_tick(self, observation: Observation) -> None:
        """Look, drive, aim, fire."""
        now = observation.turn_number
        for bot_id, energy in self._corrections:
            if bot_id in self._foes:
                self._foes[bot_id].energy += energy
        self._corrections.clear()
        self._fire_as_planned()
        self._target = self._choose_target(now)
        self._look(now)
        if self._target is None:
            self._aim = None
            self.turn_rate = self.target_speed = self.gun_turn_rate = 0.0
        else:
            self._drive(self._target, now)
            self._plan_shot(self._target, now)
            self._try_others(self._target, now)
        me = self.me
        self._was = Motion(me.x, me.y, math.radians(me.direction), me.speed)

    def _choose_target(self, now: int) -> Foe | None:
        seen = [foe for foe in self._foes.values() if now - foe.turn <= _SIGHT_TURNS]
        if not seen:
            return None
        return min(seen, key=lambda foe: self._keenness(foe))

    def _keenness(self, foe: Foe) -> float:
        """Return how far away it is, shorter for the weak, the easy and the one that we already shoot at."""
        distance = self.distance_to(foe.x, foe.y) * (0.6 + min(foe.energy, 100.0) / 250.0)
        distance *= 2.0 - min(1.0, self._guns_for(foe).rating / _EASY_RATING)
        return distance * (0.8 if self._target is not None and foe.id == self._target.id else 1.0)

    def _look(self, now: int) -> None:
        """One enemy: keep it in sight; more, or none seen: look all round, the oldest news first."""
        if self._target is not None and self.me.enemy_count == 1:
            self.radar_turn_rate = radar_lock(self.me, self._target.x, self._target.y)
        elif len(self._foes) < self.me.enemy_count or not self._foes:
            self.radar_turn_rate = RADAR_TURN_MAX
        else:
            oldest = min(self._foes.values(), key=lambda foe: foe.turn)
            offset = self.radar_bearing_to(oldest.x, oldest.y)
            self.radar_turn_rate = math.copysign(RADAR_TURN_MAX, offset)

    def _drive(self, foe: Foe, now: int) -> None:
        me = self.me
        body = Motion(me.x, me.y, math.radians(me.direction), me.speed)
        if me.enemy_count > 1:
            self._roam(body, now)
            return
        surfer = self._surfer_for(foe)
        surfer.pass_waves(me.x, me.y, now)
        turn, self.target_speed = surfer.drive(body, foe, now, think=now % 2 == 0)
        self.turn_rate = math.degrees(turn)

    def _roam(self, body: Motion, now: int) -> None:
        """Among many: drive to the safest spot, and to the next one before we are there."""
        if self._spot is not None and self.distance_to(*self._spot) < _ARRIVED:
            self._spot = None
        if self._spot is None or now % _ROAMING_TURNS == 0:
            arena = (self.info.arena_width, self.info.arena_height)
            foes = tuple(self._foes.values())
            self._spot = safest_spot(body, self._spot, self.me.energy, foes, arena, self.random)
        self.turn_rate, self.target_speed = drive_towards(self.me, self.direction_to(*self._spot))

    # --- the gun ---------------------------------------------------------------------------------------

    def _plan_shot(self, foe: Foe, now: int) -> None:
        """Turn the gun to where it must point in the next turn for a shot from where we shall be then."""
        me = self.me
        self._aim = None
        if me.gun_heat > 1.0 and now % 2:
            return
        self._power = self._choose_power(foe)
        speed = speed_after(me.speed, self.target_speed)
        heading = math.radians(me.direction)
        x, y = me.x + math.cos(heading) * speed, me.y + math.sin(heading) * speed
        bullet_pace = bullet_speed(self._power)
        self._aim = math.degrees(self._guns_for(foe).plan(x, y, now + 1, bullet_pace, foe, now))
        self.gun_turn_rate = normalize(self._aim - me.gun_direction)

    def _try_others(self, target: Foe, now: int) -> None:
        """Aim in thought at some of the others that were just scanned, to learn how easy they are."""
        others = [foe for foe in self._foes.values() if foe is not target and foe.turn == now]
        for foe in others[:_TRIED_MAX]:
            self._guns_for(foe).plan(self.me.x, self.me.y, now + 1, _USUAL_PACE, foe, now)

    def _fire_as_planned(self) -> None:
        """Fire if the gun points where the plan of the turn before wanted it."""
        if self._aim is None or self.me.gun_heat != 0.0 or self.me.energy <= self._power:
            return
        if abs(normalize(self._aim - self.me.gun_direction)) < 1.0:
            self.fire(self._power)

    def _choose_power(self, foe: Foe) -> float:
        """Return the firepower: more for a target that is near or easy to hit, no more than a kill needs."""
        distance = self.distance_to(foe.x, foe.y)
        power = 1.95 if distance < 500.0 else 1.5
        if self.me.enemy_count > 1:
            power = 3.0 if distance < 400.0 else 2.0
        if distance < 160.0 or self._guns_for(foe).rating > 0.36:
            power = 3.0
        if self.me.energy < 25.0:
            power = min(power, max(0.1, self.me.energy / 12.0))
        for less in (2.4, 1.8, 1.2, 0.6, 0.3):
            if power > less and bullet_damage(less) > foe.energy:
                power = less
        return power

    # --- statistics ------------------------------------------------------------------------------

    def _guns_for(self, foe: Foe) -> Guns:
        if foe.id not in self._guns:
            self._guns[foe.id] = Guns(self.info.arena_width, self.info.arena_height)
        return self._guns[foe.id]

    def _surfer_for(self, foe: Foe) -> Surfer:
        if foe.id not in self._surfers:
            self._surfers[foe.id] = Surfer(self.info.arena_width, self.info.arena_height)
        return self._surfers[foe.id]
