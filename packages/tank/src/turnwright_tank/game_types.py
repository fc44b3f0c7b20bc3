"""The game types, as differences from `custom`, which has the default of every setting.

Source: the official server's GameTypePreset (values and lock flags).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from turnwright_tank.settings import START_SETTINGS

_ARENA = ("arena_width", "arena_height", "min_number_of_participants")
_ARENA_AND_SEATS = (*_ARENA, "max_number_of_participants")
_TIMEOUTS = ("turn_timeout", "ready_timeout")


@dataclass(frozen=True, slots=True)
class GameType:
    """A game type.

    Attributes:
        locked: the settings that user interfaces protect.
        changes: the values that are not the default.
    """

    locked: tuple[str, ...] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)


GAME_TYPES: Mapping[str, GameType] = MappingProxyType(
    {
        "classic": GameType(
            tuple(one.name for one in START_SETTINGS if one.is_locked and one.name not in _TIMEOUTS)
        ),
        "1v1": GameType(_ARENA_AND_SEATS, {"max_number_of_participants": 2}),
        "twinduel": GameType(
            _ARENA_AND_SEATS,
            {
                "arena_height": 800,
                "min_number_of_participants": 4,
                "max_number_of_participants": 4,
                "number_of_rounds": 75,
            },
        ),
        "melee": GameType(
            _ARENA, {"arena_width": 1000, "arena_height": 1000, "min_number_of_participants": 10}
        ),
        "custom": GameType(),
    }
)
"""The game types by name. The server offers these by default."""


def values_of(game_type: str) -> dict[str, Any]:
    """Return the values of a game type and its lock flags, by their names in Python."""
    kind = GAME_TYPES[game_type]
    values = {one.name: one.default for one in START_SETTINGS}
    flags = {lock_of(one.name): one.name in kind.locked for one in START_SETTINGS if one.is_locked}
    return {**values, **flags, **kind.changes, "game_type": game_type}


def lock_of(setting: str) -> str:
    """Return the name of a setting's lock flag."""
    return f"is_{setting}_locked"
