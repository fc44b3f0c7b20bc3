"""The seats of a battle, and the check that the arena has room for their tanks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from turnwright.errors import SetupError
from turnwright.kernel.game import SeatInfo
from turnwright_tank.rules.constants import PLACEMENT_CELL, TANKS_MAX
from turnwright_tank.settings import TankSettings


@dataclass(frozen=True, slots=True)
class Lineup:
    """The settings and the seats of a battle, which stay the same in all turns.

    Attributes:
        teams: for each seat, the lowest seat of its team.
        odd_directions: whether a seat has requested a start direction outside [0, 360).
    """

    settings: TankSettings
    seats: tuple[SeatInfo, ...]
    teams: tuple[int, ...]
    has_teams: bool
    odd_directions: bool
    droids: tuple[bool, ...]
    session_ids: tuple[str, ...]


def line_up(settings: TankSettings, seats: Sequence[SeatInfo]) -> Lineup:
    """Return the lineup of a battle.

    Raises:
        SetupError: `check_seats` refuses the seats.
    """
    check_seats(settings, seats)
    ids = [-seat - 1 if info.team is None else info.team for seat, info in enumerate(seats)]
    return Lineup(
        settings,
        tuple(seats),
        tuple(ids.index(team) for team in ids),
        len(set(ids)) < len(ids),
        any(_wishes_odd_direction(info) for info in seats),
        tuple(bool(info.options.get("droid")) for info in seats),
        tuple(str(info.options.get("session_id", "")) for info in seats),
    )


def _wishes_odd_direction(info: SeatInfo) -> bool:
    direction = (info.options.get("initial_position") or {}).get("direction")
    return direction is not None and not 0.0 <= direction < 360.0


def check_seats(settings: TankSettings, seats: Sequence[SeatInfo]) -> None:
    """Check that the tanks have room in the arena.

    Raises:
        SetupError: there is no tank, the arena has no room for so many, or an initial position is not a
            number.
    """
    count = len(seats)
    if not 1 <= count <= TANKS_MAX:
        raise SetupError(f"the battle has {count} tanks: give it 1 to {TANKS_MAX}")
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
                    f"the initial {part} of seat {seat} ({info.name}) is {value!r}: give a finite number"
                )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and -1e300 <= value <= 1e300
