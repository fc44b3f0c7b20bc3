"""Start positions of tanks.

Source: tank-rules.md#the-start-of-a-round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Stream, Streams
from turnwright_tank.rules.constants import (
    ENERGY_DROID,
    ENERGY_TANK,
    GUN_HEAT_START,
    PLACEMENT_CELL,
    TANK_DIAMETER,
    TANK_RADIUS,
    clamp,
)
from turnwright_tank.rules.rows import Tank
from turnwright_tank.settings import TankSettings


def place_tanks(
    settings: TankSettings,
    seats: Sequence[SeatInfo],
    teams: Sequence[int],
    retired: Sequence[bool],
    streams: Streams,
    round_number: int,
) -> list[Tank]:
    """Return new tanks for a round, each in a random free cell unless its seat asks for a place.

    Args:
        teams: the lowest seat of each seat's team.
        retired: the seats that are out of the battle. Their tanks die in turn 1.
    """
    stream = streams.stream("place", round_number)
    across = settings.arena_width // PLACEMENT_CELL
    free = list(range(across * (settings.arena_height // PLACEMENT_CELL)))
    tanks = []
    for seat, info in enumerate(seats):
        tank = Tank(alive=1, seat=seat, team=teams[seat], retired=int(retired[seat]))
        tank.droid = int(bool(info.options.get("droid")))
        tank.energy = ENERGY_DROID if tank.droid else ENERGY_TANK
        tank.gun_heat = GUN_HEAT_START
        tank.x, tank.y = _point_in_cell(settings, free.pop(stream.below(len(free))), stream)
        direction = stream.uniform() * 360.0
        direction = _apply_wish(settings, tank, direction, info.options.get("initial_position") or {})
        tank.direction = tank.gun_direction = tank.radar_direction = direction
        tank.spare_x = TANK_RADIUS + stream.uniform() * (settings.arena_width - TANK_DIAMETER)
        tank.spare_y = TANK_RADIUS + stream.uniform() * (settings.arena_height - TANK_DIAMETER)
        tanks.append(tank)
    return tanks


def _point_in_cell(settings: TankSettings, cell: int, stream: Stream) -> tuple[float, float]:
    across = settings.arena_width // PLACEMENT_CELL
    width = settings.arena_width // across
    height = settings.arena_height // (settings.arena_height // PLACEMENT_CELL)
    row, column = divmod(cell, across)
    x = column * width + TANK_RADIUS + stream.uniform() * (width - TANK_DIAMETER)
    y = row * height + TANK_RADIUS + stream.uniform() * (height - TANK_DIAMETER)
    return x, y


def _apply_wish(settings: TankSettings, tank: Tank, direction: float, wish: Mapping[str, Any]) -> float:
    """Move a tank to the requested parts of its start position, and return its direction."""
    x, y, wished = wish.get("x"), wish.get("y"), wish.get("direction")
    tank.x = clamp(tank.x if x is None else float(x), TANK_RADIUS, settings.arena_width - TANK_RADIUS)
    tank.y = clamp(tank.y if y is None else float(y), TANK_RADIUS, settings.arena_height - TANK_RADIUS)
    return direction if wished is None else float(wished)
