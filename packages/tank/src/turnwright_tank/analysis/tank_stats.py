"""Statistics of one tank in one round, updated each turn."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from turnwright_tank.analysis.counts import NEAR_WALL, Tally
from turnwright_tank.analysis.deaths import BLOWS_KEPT
from turnwright_tank.analysis.facts import Cause, EnergyLoss
from turnwright_tank.rules.constants import DISABLED_BELOW, FIREPOWER_MIN
from turnwright_tank.rules.trig import relative_degrees
from turnwright_tank.structs import TankFrame

STEADY_TURN = 0.1
"""Degrees. A heading that changes by at most this in a turn counts as unchanged."""
STEADY_SPEED = 0.1
"""Units per turn. A speed that changes by at most this in a turn counts as unchanged."""


@dataclass(frozen=True, slots=True)
class Death:
    """How a tank died.

    Attributes:
        by: the tank that caused the last loss of energy, or None.
        seen: the last turn in which the dead tank's radar swept over the tank `by`, or None if it never did.
    """

    turn: int
    cause: Cause
    by: int | None
    seen: int | None


@dataclass(slots=True)
class TankStats:
    """Statistics of one tank in a round.

    Attributes:
        energy: the energy at the end of the last turn that the analysis has taken.
        changed_turn: the last turn in which heading or speed changed.
        moved_turn: the last turn in which the tank moved.
        ready: whether the tank could have fired in this turn at an enemy that it had scanned.
    """

    bot: int
    energy: float
    tally: Tally = field(default_factory=Tally)
    energy_at_start: float = field(init=False)
    death: Death | None = None
    blows: deque[EnergyLoss] = field(default_factory=lambda: deque(maxlen=BLOWS_KEPT))
    tank: TankFrame | None = None
    changed_turn: int = 0
    moved_turn: int = 0
    ready: bool = False
    disabled: bool = False
    _still: int = 0
    _blind: int = 0
    _taken: int = 0

    def __post_init__(self) -> None:
        self.energy_at_start = self.energy

    def moved(self, tank: TankFrame, turn: int) -> None:
        """Record the place of a tank after a turn, and how it moved."""
        before, tally = self.tank, self.tally
        tally.turns += 1
        if before is None or (
            abs(relative_degrees(tank.direction - before.direction)) > STEADY_TURN
            or abs(tank.speed - before.speed) > STEADY_SPEED
        ):
            self.changed_turn = turn
        still = tank.speed == 0.0 and (before is None or (before.x == tank.x and before.y == tank.y))
        self._still = self._still + 1 if still else 0
        if still:
            tally.still_turns += 1
            tally.still_longest = max(tally.still_longest, self._still)
        else:
            self.moved_turn = turn
        self.tank = tank

    def looked(self, sees: bool) -> None:
        """Record whether the tank's radar swept over an enemy in this turn."""
        self._blind = 0 if sees else self._blind + 1
        self.tally.blind_longest = max(self.tally.blind_longest, self._blind)
        if sees:
            self.tally.seeing_turns += 1

    def aimed(self, *, fired: bool, sees: bool) -> None:
        """Record whether the tank fired, and whether it can fire at a scanned enemy in the next turn."""
        if self.ready and not fired:
            self.tally.idle_gun_turns += 1
        tank = self.tank
        self.ready = sees and tank is not None and tank.gun_heat == 0.0 and tank.energy > FIREPOWER_MIN

    def near_wall(self, width: float, height: float) -> None:
        """Record whether the tank is near a wall of an arena of `width` x `height` units."""
        tank = self.tank
        if tank is None:
            return
        if min(tank.x, tank.y, width - tank.x, height - tank.y) < NEAR_WALL:
            self.tally.near_wall_turns += 1

    def took_bullet(self, blow: EnergyLoss, *, steady: bool, still: bool) -> None:
        """Record a bullet that hit the tank.

        Args:
            steady: whether heading and speed were unchanged while the bullet flew.
            still: whether the tank stood still while the bullet flew.
        """
        tally = self.tally
        tally.bullets_taken += 1
        tally.bullet_energy += blow.damage
        tally.steady_taken += steady
        tally.still_taken += still
        self._taken += 1
        tally.streak_taken = max(tally.streak_taken, self._taken)

    def landed_bullet(self) -> None:
        """Record that one of the tank's bullets has hit an enemy."""
        self._taken = 0

    def became_disabled(self) -> bool:
        """Record whether the tank is disabled, and return whether it was not disabled before."""
        tank = self.tank
        was, self.disabled = self.disabled, tank is not None and 0.0 <= tank.energy < DISABLED_BELOW
        self.tally.disabled_turns += self.disabled
        return self.disabled and not was
