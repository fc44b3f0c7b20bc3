"""A ledger of a tank's energy in one turn, with every change under its cause.

Events report the cost of bullets, rams and shots. The ledger explains the remaining change by inactivity if
the counter of the rules shows it, then by a wall if one was hit, then by removal from the battle. Source:
tank-rules.md#energy.
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwright_tank.analysis.counts import Tally
from turnwright_tank.rules.constants import INACTIVITY_DAMAGE

CLOSE = 1e-6
"""Energies that differ by less count as equal, because sums of floats are not exact."""
PUT_OUT_AT = -1.0
"""The energy of a tank whose seat is out of the battle."""
_WALL_MOST = 3.0
"""The largest energy that a wall costs. Source: tank-rules.md#numbers."""


@dataclass(slots=True)
class TurnEnergy:
    """A tank's energy in one turn, while the changes are entered.

    Attributes:
        before, after: the energy before and after the turn.
        known: the change that events have explained so far. A loss is negative.
        put_out: whether the tank was taken out of the battle in this turn.
    """

    before: float
    after: float
    known: float = 0.0
    hit_wall: bool = False
    fired: bool = False
    put_out: bool = False


@dataclass(slots=True)
class Inactivity:
    """Counts turns without a hit as the rules do. After `limit` such turns, each turn costs energy."""

    limit: int
    turns: int = 0

    def costs(self, anybody_hit: bool) -> bool:
        """Count a turn, and return whether inactivity costs every tank energy in this turn."""
        if anybody_hit:
            self.turns = 0
        costs = self.turns > self.limit
        self.turns += 1
        return costs


def is_put_out(turned: TurnEnergy, *, known: bool, inactive: bool) -> bool:
    """Return whether a tank lost all its energy because it was taken out of the battle.

    Its energy is then exactly -1. Without a message, the result is true only if walls, shots and inactivity
    cannot explain the loss.

    Args:
        known: whether a message reports that the tank is out.
    """
    rest = turned.before + turned.known - turned.after
    if abs(turned.after - PUT_OUT_AT) > CLOSE or abs(rest) < CLOSE:
        return False
    return known or rest > _WALL_MOST + INACTIVITY_DAMAGE or not (turned.hit_wall or turned.fired or inactive)


def book_rest(tally: Tally, turned: TurnEnergy, inactive: bool) -> None:
    """Add to `tally` the energy that a tank lost in a turn without an event that explains the loss."""
    rest = turned.before + turned.known - turned.after
    if turned.put_out:
        tally.removed_energy += rest
        return
    if inactive and rest > INACTIVITY_DAMAGE - CLOSE:
        tally.inactivity_energy += INACTIVITY_DAMAGE
        rest -= INACTIVITY_DAMAGE
    if -CLOSE < rest < CLOSE:
        return
    if turned.hit_wall:
        tally.wall_energy += rest
    elif turned.fired and rest > 0.0:
        tally.shot_energy += rest
    else:
        tally.other_energy += rest
