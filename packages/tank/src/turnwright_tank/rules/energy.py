"""The only function of the project that changes a tank's energy."""

from __future__ import annotations

from turnwright_tank.rules.constants import DISABLED_BELOW
from turnwright_tank.rules.rows import Tank


def change_energy(tank: Tank, amount: float) -> None:
    """Add `amount` energy to a tank. A negative amount is a loss.

    Whether the tank dies is decided at the end of the turn.
    """
    tank.energy += amount


def is_enabled(tank: Tank) -> bool:
    """Return whether a tank has enough energy to act.

    Source: tank-rules.md#disabled-and-dead.
    """
    return tank.energy >= DISABLED_BELOW
