"""Bullets of a round: origin and ending of each."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

from turnwright_tank.structs import BulletState

Ending = Literal["flying", "tank", "bullet", "wall"]


def distance(x: float, y: float, other_x: float, other_y: float) -> float:
    """Return how far two places are apart, in arena units."""
    dx, dy = other_x - x, other_y - y
    return sqrt(dx * dx + dy * dy)


@dataclass(slots=True)
class Shot:
    """A bullet.

    Attributes:
        turn: the turn of the round, in which it was fired at x, y.
        cost: what it cost its owner's energy.
        ending: what it hit at last; a bullet that met a bullet and a tank in the same turn has hit the tank.
    """

    owner: int
    power: float
    turn: int
    x: float
    y: float
    cost: float
    ending: Ending = "flying"


class Shots:
    """All bullets of a round, by the number that they have in frames."""

    def __init__(self) -> None:
        self._shots: dict[int, Shot] = {}

    def fired(self, bullet: BulletState, turn: int) -> Shot:
        """Note a bullet that has left its gun, and return it."""
        shot = Shot(bullet.owner_id, bullet.power, turn, bullet.x, bullet.y, bullet.power)
        self._shots[bullet.bullet_id] = shot
        return shot

    def ended(self, bullet: BulletState, ending: Ending, turn: int) -> Shot:
        """Note what a bullet hit.

        One without a seen shot (the file begins later) begins here.
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
