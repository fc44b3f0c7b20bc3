"""Causes of a tank's death: the change that took its energy below 0.

A tank may pass 0 more than once in a turn, because its own hits give energy back. The last time counts.
Changes are in the order of tank-rules.md#the-stages-of-a-turn: shots and walls first, then tanks that touch,
then bullets, then inactivity.
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
"""The number of reported losses of a death, including the last."""
AGAIN_TURNS = 5
"""Contacts with the same tank, or with walls, at most this many turns apart are reported as one."""


def bullet_blow(event: BulletHitBotEvent, shot: Shot) -> EnergyLoss:
    """Return the loss of energy of the tank that a bullet hit."""
    bullet: BulletState = event.bullet
    flown = distance(shot.x, shot.y, bullet.x, bullet.y)
    before = event.energy + event.damage
    return EnergyLoss(event.turn_number, "bullet", bullet.owner_id, bullet.power, flown, event.damage, before)


def ram_blow(event: BotHitBotEvent) -> EnergyLoss:
    """Return the loss of energy of the tank `victim_id` when the tank `bot_id` touched it."""
    before = event.energy + RAM_DAMAGE
    return EnergyLoss(event.turn_number, "ram", event.bot_id, None, None, RAM_DAMAGE, before)


def rest_blow(turn: int, before: float, after: float, *, hit_wall: bool, inactive: bool) -> EnergyLoss:
    """Return a loss of energy that no event reports, with the cause "wall", "inactivity" or "unknown".

    Args:
        before, after: the energies before and after the turn.
    """
    if hit_wall and not (inactive and after + INACTIVITY_DAMAGE >= 0.0):
        return EnergyLoss(turn, "wall", None, None, None, before - after, before)
    if inactive:
        return EnergyLoss(turn, "inactivity", None, None, None, INACTIVITY_DAMAGE, after + INACTIVITY_DAMAGE)
    return EnergyLoss(turn, "unknown", None, None, None, before - after, before)


def last_blow(blows: Sequence[EnergyLoss]) -> int | None:
    """Return the index of the last loss that took a tank below 0, or None if no loss did."""
    fatal = [k for k, one in enumerate(blows) if one.energy_before >= 0.0 > one.energy_before - one.damage]
    return fatal[-1] if fatal else None


def note_blow(blows: deque[EnergyLoss], blow: EnergyLoss) -> None:
    """Append a loss to `blows`. If it continues the last loss and is not a bullet, add it to that loss."""
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
    """Return the losses of energy in the turn of a tank's death, up to the fatal one.

    If no event reports a fatal loss, the last loss is the one that no event explains.

    Args:
        blows: the losses in this turn that events report.
        why: why the tank was taken out of the battle, or None.
        inactive: whether all tanks lost energy by inactivity in that turn.
    """
    if why is not None:
        return [EnergyLoss(turn, why, None, None, None, turned.before - turned.after, turned.before)]
    at = last_blow(blows)
    if at is not None:
        return list(blows[: at + 1])
    rest = rest_blow(turn, turned.before, turned.after, hit_wall=turned.hit_wall, inactive=inactive)
    return [*blows, rest]
