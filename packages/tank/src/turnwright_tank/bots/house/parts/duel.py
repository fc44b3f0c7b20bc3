"""Ace against a single enemy. Batches of environments have only this part of Ace, translated to C."""

from __future__ import annotations

import math

from turnwright_tank.bots.bot import Bot
from turnwright_tank.bots.geometry import bullet_damage, bullet_speed, normalize, speed_after
from turnwright_tank.bots.house.parts.foe import Foe
from turnwright_tank.bots.house.parts.guns import Guns
from turnwright_tank.bots.house.parts.rival import Rival
from turnwright_tank.bots.house.parts.surf import Incoming, Motion
from turnwright_tank.bots.identity import GameInfo
from turnwright_tank.bots.targeting import radar_lock
from turnwright_tank.observation import (
    BotDeathEvent,
    BotHitBotEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    Observation,
    ScannedBotEvent,
)
from turnwright_tank.rules.constants import BULLET_HIT_GAIN, RADAR_TURN_MAX, RAM_DAMAGE

SIGHT_TURNS = 8
"""The largest age, in turns, of a scan that the bot acts on."""
_LESSER_POWERS = (2.4, 1.8, 1.2, 0.6, 0.3)


class Duellist(Bot):
    """Circles one enemy, dodges its bullets, and fires with the gun that would have hit most often."""

    _rival: Rival
    _aim: float | None
    """The direction in which the gun must point in the next turn."""
    _power: float
    _was: Motion
    """The bot's own motion in the last turn."""

    def on_game_started(self, info: GameInfo) -> None:
        """Forget the enemy of the last game."""
        self._rival = Rival(info.arena_width, info.arena_height)

    def on_round_started(self, round_number: int) -> None:
        """Let body, gun and radar turn independently. Keep the statistics and forget the positions."""
        self.set_colors(body="#111827", turret="#374151", radar="#F59E0B", bullet="#FDE68A")
        self.adjust_gun_for_body_turn = True
        self.adjust_radar_for_body_turn = True
        self.adjust_radar_for_gun_turn = True
        self.fire_assist = False
        self._aim = None
        self._power = 0.0
        self._was = Motion(0.0, 0.0, 0.0, 0.0)
        self._forget_positions()

    def _forget_positions(self) -> None:
        self._rival.new_round()

    def _rival_of(self, bot_id: int) -> Rival:
        """Return the knowledge of a bot."""
        return self._rival

    # --- events ----------------------------------------------------------------------------------------

    def on_scanned_bot(self, event: ScannedBotEvent) -> None:
        """Store the enemy's place. If its energy has dropped, store the shot."""
        rival = self._rival_of(event.scanned_bot_id)
        drop = rival.see(event)
        foe = rival.foe
        if foe is not None and 0.099 <= drop <= 3.001 and self._fights_one():
            surfer = rival.surfer
            surfer.expect(Incoming(foe.before, event.turn_number, drop, self._was, surfer.way))

    def _fights_one(self) -> bool:
        """Return whether a single enemy is left."""
        return True

    def on_bullet_hit(self, event: BulletHitBotEvent) -> None:
        """Expect the loss of energy of the tank that was hit.

        Bullets hit after the radar has swept, so only the next scan shows the loss.
        """
        self._rival_of(event.victim_id).correct(-event.damage)

    def on_hit_by_bullet(self, event: BulletHitBotEvent) -> None:
        """Expect the shooter's gain of energy, and learn how the shooter aims."""
        bullet = event.bullet
        rival = self._rival_of(bullet.owner_id)
        if rival.foe is not None:
            rival.correct(BULLET_HIT_GAIN * bullet.power)
            rival.surfer.hit_at(bullet.x, bullet.y, bullet.power, event.turn_number)

    def on_bullet_hit_bullet(self, event: BulletHitBulletEvent) -> None:
        """Learn how the shooter of the other bullet aims."""
        bullet = event.hit_bullet
        rival = self._rival_of(bullet.owner_id)
        if rival.foe is not None:
            rival.surfer.hit_at(bullet.x, bullet.y, bullet.power, event.turn_number)

    def on_hit_bot(self, event: BotHitBotEvent) -> None:
        """Expect the loss of energy of the other tank."""
        foe = self._rival_of(event.victim_id).foe
        if foe is not None:
            foe.energy -= RAM_DAMAGE

    def on_bot_death(self, event: BotDeathEvent) -> None:
        """Forget the place of the dead tank."""
        self._rival_of(event.victim_id).foe = None

    # --- the turn --------------------------------------------------------------------------------------

    def on_tick(self, observation: Observation) -> None:
        """Look, drive, aim, fire."""
        now = observation.turn_number
        self._settle()
        self._fire_as_planned()
        foe = self._choose_target(now)
        if foe is None:
            self._search()
            self._aim = None
            self.turn_rate = self.target_speed = self.gun_turn_rate = 0.0
        else:
            self._fight(foe, now)
        self._was = self._motion()

    def _motion(self) -> Motion:
        me = self.me
        return Motion(me.x, me.y, math.radians(me.direction), me.speed)

    def _settle(self) -> None:
        self._rival.settle()

    def _choose_target(self, now: int) -> Foe | None:
        foe = self._rival.foe
        return foe if foe is not None and now - foe.turn <= SIGHT_TURNS else None

    def _search(self) -> None:
        """Turn the radar to the enemy's last place, or all round if there is none."""
        self.radar_turn_rate = RADAR_TURN_MAX
        foe = self._rival.foe
        if foe is not None:
            self.radar_turn_rate = math.copysign(RADAR_TURN_MAX, self.radar_bearing_to(foe.x, foe.y))

    def _fight(self, foe: Foe, now: int) -> None:
        rival = self._rival_of(foe.id)
        self.radar_turn_rate = radar_lock(self.me, foe.x, foe.y)
        rival.surfer.pass_waves(self.me.x, self.me.y, now)
        turn, self.target_speed = rival.surfer.drive(self._motion(), foe, now, think=now % 2 == 0)
        self.turn_rate = math.degrees(turn)
        self._plan_shot(foe, rival.guns, now)

    # --- the gun ---------------------------------------------------------------------------------------

    def _plan_shot(self, foe: Foe, guns: Guns, now: int) -> None:
        """Plan a shot from the tank's place in the next turn, and turn the gun in the direction of this
        shot."""
        me = self.me
        self._aim = None
        if me.gun_heat > 1.0 and now % 2 != 0:
            return
        self._power = self._choose_power(foe, guns)
        speed = speed_after(me.speed, self.target_speed)
        heading = math.radians(me.direction)
        x, y = me.x + math.cos(heading) * speed, me.y + math.sin(heading) * speed
        self._aim = math.degrees(guns.plan(x, y, now + 1, bullet_speed(self._power), foe, now))
        self.gun_turn_rate = normalize(self._aim - me.gun_direction)

    def _fire_as_planned(self) -> None:
        """Fire if the gun points in the direction that was planned in the last turn."""
        if self._aim is None or self.me.gun_heat != 0.0 or self.me.energy <= self._power:
            return
        if abs(normalize(self._aim - self.me.gun_direction)) < 1.0:
            self.fire(self._power)

    def _choose_power(self, foe: Foe, guns: Guns) -> float:
        """Return the firepower. It is higher for a near or easy target, and never higher than a kill
        needs."""
        distance = self.distance_to(foe.x, foe.y)
        power = self._usual_power(distance)
        if distance < 160.0 or guns.rating > 0.36:
            power = 3.0
        if self.me.energy < 25.0:
            power = min(power, max(0.1, self.me.energy / 12.0))
        for less in _LESSER_POWERS:
            if power > less and bullet_damage(less) > foe.energy:
                power = less
        return power

    def _usual_power(self, distance: float) -> float:
        return 1.95 if distance < 500.0 else 1.5
