"""Bullets of a round: origin and ending of each."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

from turnwright_tank.structs import BulletState

Ending = Literal["flying", "tank", "bullet", "wall"]


def distance(x: float, y: float, other_x: float, other_y: float) -> float:
    """Return the distance between two places in arena units."""
    dx, dy = other_x - x, other_y - y
    return sqrt(dx * dx + dy * dy)


@dataclass(slots=True)
class Shot:
    """A bullet, from its shot to what it hit.

    Attributes:
        turn: the turn of the round in which the bullet was fired.
        x, y: where the bullet was fired, in units.
        cost: the energy that the bullet cost its owner.
        ending: what the bullet hit, or "flying". If the bullet met a bullet and a tank in the same turn, it
            hit the tank.
    """

    owner: int
    power: float
    turn: int
    x: float
    y: float
    cost: float
    ending: Ending = "flying"


class Shots:
    """The shots of a round. The id of a bullet in frames selects its shot."""

    def __init__(self) -> None:
        self._shots: dict[int, Shot] = {}

    def fired(self, bullet: BulletState, turn: int) -> Shot:
        """Record a fired bullet, and return its shot."""
        shot = Shot(bullet.owner_id, bullet.power, turn, bullet.x, bullet.y, bullet.power)
        self._shots[bullet.bullet_id] = shot
        return shot

    def ended(self, bullet: BulletState, ending: Ending, turn: int) -> Shot:
        """Record what a bullet hit, and return its shot.

        If the file begins after the shot, the shot begins in `turn` at the bullet's place.
        """
        shot = self._shots.get(bullet.bullet_id)
        if shot is None:
            shot = self.fired(bullet, turn)
        if shot.ending != "tank":
            shot.ending = ending
        return shot

    def of(self, owner: int) -> list[Shot]:
        """Return the shots of one tank, in order of firing."""
        return [shot for shot in self._shots.values() if shot.owner == owner]
