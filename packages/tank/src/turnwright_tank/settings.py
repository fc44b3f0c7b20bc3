"""The settings of a battle, with checks and error messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwright.errors import SetupError
from turnwright.kernel.game import SeatInfo
from turnwright_tank.rules.constants import PLACEMENT_CELL, TANKS_MAX

SIDE_MAX = 1_000_000
"""u: the longest side of an arena."""
ROUNDS_MAX = 1_000_000_000

DEFAULTS: Mapping[str, Any] = {
    "game_type": "classic",
    "arena_width": 800,
    "arena_height": 600,
    "number_of_rounds": 10,
    "gun_cooling_rate": 0.1,
    "max_inactivity_turns": 450,
}
"""The `classic` game type. Source: tank-rules.md#game-types."""


@dataclass(frozen=True, slots=True)
class TankSettings:
    """The settings of a tank battle; lengths in arena units.

    Attributes:
        gun_cooling_rate: heat a turn, may be 0 or negative as in the original.
    """

    game_type: str
    arena_width: int
    arena_height: int
    number_of_rounds: int
    gun_cooling_rate: float
    max_inactivity_turns: int


def _whole(setup: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = setup[name]
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise SetupError(f"{name} is {value!r}; give a whole number from {low} to {high}")
    return value


def read_settings(setup: Mapping[str, Any]) -> TankSettings:
    """Return the settings of a setup of JSON values.

    Raises:
        SetupError: naming the first bad one.
    """
    full = {**DEFAULTS, **setup}
    unknown = sorted(set(full) - set(DEFAULTS))
    if unknown:
        raise SetupError(f"the setup has an unknown field {unknown[0]!r}; known are {', '.join(DEFAULTS)}")
    rate = full["gun_cooling_rate"]
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not -1e9 <= rate <= 1e9:
        raise SetupError(f"gun_cooling_rate is {rate!r}; give a finite number, e.g. 0.1")
    if not isinstance(full["game_type"], str):
        raise SetupError(f"game_type is {full['game_type']!r}; give a name, e.g. classic")
    return TankSettings(
        full["game_type"],
        _whole(full, "arena_width", 1, SIDE_MAX),
        _whole(full, "arena_height", 1, SIDE_MAX),
        _whole(full, "number_of_rounds", 1, ROUNDS_MAX),
        float(rate),
        _whole(full, "max_inactivity_turns", -(2**31), 2**31 - 1),
    )


def check_seats(settings: TankSettings, seats: Sequence[SeatInfo]) -> None:
    """Check that the tanks fit into the arena.

    Raises:
        SetupError
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
