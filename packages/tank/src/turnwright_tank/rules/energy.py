"""The one line of the project that changes a tank's energy."""

from __future__ import annotations

from turnwright_tank.rules.constants import DISABLED_BELOW
from turnwright_tank.rules.rows import Tank


def change_energy(tank: Tank, amount: float) -> None:
    """Add `amount` energy (negative: a loss) to a tank.

    Death is decided at the end of the turn only.
    """
    tank.energy += amount


def is_enabled(tank: Tank) -> bool:
    """Return whether a tank has the energy to act.

    Source: tank-rules.md#disabled-and-dead.
    """
    return tank.energy >= DISABLED_BELOW
