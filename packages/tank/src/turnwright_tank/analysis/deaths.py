"""Causes of a tank's death: the change that took its energy below 0.

A tank may pass 0 more than once in a turn (its own hits give energy back); the last time counts.
The order is that of tank-rules.md#the-stages-of-a-turn: shots and walls first, then tanks that touch, then
bullets, then inactivity.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from turnwright_tank.analysis.energy_ledger import TurnEnergy
from turnwright_tank.analysis.facts import Cause, EnergyLoss
from turnwright_tank.analysis.shots import Shot, distance
from turnwright_tank.rules.constants import INACTIVITY_DAMAGE, RAM_DAMAGE
from turnwright_tank.structs import BotHitBotEvent, BulletHitBotEvent, BulletState

BLOWS_KEPT = 4
"""Blows told of a death, the last one included."""
AGAIN_TURNS = 5
"""Events that follow one another within this many turns are reported as one."""


def bullet_blow(event: BulletHitBotEvent, shot: Shot) -> EnergyLoss:
    """Return the energy that a bullet took."""
    bullet: BulletState = event.bullet
    flown = distance(shot.x, shot.y, bullet.x, bullet.y)
    before = event.energy + event.damage
    return EnergyLoss(event.turn_number, "bullet", bullet.owner_id, bullet.power, flown, event.damage, before)


def ram_blow(event: BotHitBotEvent) -> EnergyLoss:
    """Return what touching `bot_id` took from `victim_id`."""
    before = event.energy + RAM_DAMAGE
    return EnergyLoss(event.turn_number, "ram", event.bot_id, None, None, RAM_DAMAGE, before)


def rest_blow(turn: int, before: float, after: float, *, hit_wall: bool, inactive: bool) -> EnergyLoss:
    """Return the loss of energy that no event reports.

    Args:
        before, after: the energies of the whole turn.
    """
    if hit_wall and not (inactive and after + INACTIVITY_DAMAGE >= 0.0):
        return EnergyLoss(turn, "wall", None, None, None, before - after, before)
    if inactive:
        return EnergyLoss(turn, "inactivity", None, None, None, INACTIVITY_DAMAGE, after + INACTIVITY_DAMAGE)
    return EnergyLoss(turn, "unknown", None, None, None, before - after, before)


def last_blow(blows: Sequence[EnergyLoss]) -> int | None:
    """Return the index of the loss that took a tank below 0, or None.

    If several did so, it is the last of the turn.
    """
    fatal = [k for k, one in enumerate(blows) if one.energy_before >= 0.0 > one.energy_before - one.damage]
    return fatal[-1] if fatal else None


def note_blow(blows: deque[EnergyLoss], blow: EnergyLoss) -> None:
    """Append a loss.

    One that continues the last one (touching, pushing at a wall) is added to it.
    """
    last = blows[-1] if blows else None
    if (
        last is not None
        and last.cause == blow.cause != "bullet"
        and last.by == blow.by
        and blow.turn - last.turn <= AGAIN_TURNS
    ):
        last.turn = blow.turn
        last.damage += blow.damage
    else:
        blows.append(blow)


def fatal_blows(
    turn: int, turned: TurnEnergy, blows: Sequence[EnergyLoss], *, why: Cause | None, inactive: bool
) -> list[EnergyLoss]:
    """Return the losses of energy in the turn in which a tank died, up to the last that counts.

    Args:
        why: The tank was put out, for this reason.
        inactive: All tanks lost energy in that turn, because nothing was hit for long.
    """
    if why is not None:
        return [EnergyLoss(turn, why, None, None, None, turned.before - turned.after, turned.before)]
    at = last_blow(blows)
    if at is not None:
        return list(blows[: at + 1])
    rest = rest_blow(turn, turned.before, turned.after, hit_wall=turned.hit_wall, inactive=inactive)
    return [*blows, rest]
