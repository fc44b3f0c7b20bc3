"""The check that the tanks of a battle fit into its arena."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwright.errors import SetupError
from turnwright.kernel.game import SeatInfo
from turnwright_tank.rules.constants import PLACEMENT_CELL, TANKS_MAX
from turnwright_tank.settings import TankSettings


def check_seats(settings: TankSettings, seats: Sequence[SeatInfo]) -> None:
    """Check that the tanks have room in the arena.

    Raises:
        SetupError: the arena has no room for so many tanks, or an initial position is not a number.
    """
    count = len(seats)
    if not 1 <= count <= TANKS_MAX:
        raise SetupError(f"the battle has {count} tanks; give it 1 to {TANKS_MAX}")
    across = settings.arena_width // PLACEMENT_CELL
    up = settings.arena_height // PLACEMENT_CELL
    if across * up < count:
        raise SetupError(
            f"an arena of {settings.arena_width}x{settings.arena_height} has room for {across * up} tanks, "
            f"not for {count}; make it larger: each tank needs {PLACEMENT_CELL}x{PLACEMENT_CELL}"
        )
    for seat, info in enumerate(seats):
        position = info.options.get("initial_position") or {}
        for part in ("x", "y", "direction"):
            value = position.get(part)
            if value is not None and (isinstance(value, bool) or not _is_number(value)):
                raise SetupError(
                    f"the initial {part} of seat {seat} ({info.name}) is {value!r}; give a finite number"
                )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and -1e300 <= value <= 1e300
