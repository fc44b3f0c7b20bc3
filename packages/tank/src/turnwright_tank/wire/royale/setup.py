"""Settings of a game: presets, checks of StartGame, and settings for the rules.

The checks have the order of the official server.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from turnwright.errors import SetupError
from turnwright_tank import game_types
from turnwright_tank.settings import SETTINGS, START_SETTINGS
from turnwright_tank.wire.royale.message_parts import GameSetup

GAME_TYPES = tuple(game_types.GAME_TYPES)
"""The game types that the server offers by default."""


def preset(game_type: str) -> GameSetup:
    """Return a new setup with the preset of a game type.

    Raises:
        SetupError: the game type is unknown.
    """
    if game_type not in GAME_TYPES:
        known = ", ".join(GAME_TYPES)
        raise SetupError(f"unknown game type {game_type[:40]!r}: choose one of {known}")
    return GameSetup(**game_types.values_of(game_type))


def custom() -> GameSetup:
    """Return the preset `custom`, with the default of every setting and nothing locked."""
    return preset("custom")


def validate_start(setup: GameSetup | None, game_types: Collection[str]) -> str | None:
    """Return why a game cannot start with `setup`, or None.

    The checks of the official server come first, in its order, then ours. Like the official server, we accept
    any cooling rate (also 0 and below) and any number of inactivity turns, but within bounds that keep the
    arithmetic exact.
    """
    if setup is None:
        return "no gameSetup was given: StartGame needs one"
    return next(_complaints(setup, game_types), None)


def _complaints(setup: GameSetup, game_types: Collection[str]) -> Iterator[str]:
    bounded = [
        (one, getattr(setup, one.name), *one.start_bounds) for one in START_SETTINGS if one.start_bounds
    ]
    bounded.sort(key=lambda row: row[0].name != "number_of_rounds")
    for one, value, low, high in bounded:
        if low >= 0 and value < low:
            yield f"{one.wire_name} is {value}: give {_range(low, high)}"
    if setup.game_type not in game_types:
        yield f"gameType is {setup.game_type[:40]!r}: give one of {', '.join(game_types)}"
    for one, value, low, high in bounded:
        if not low <= value <= high:
            yield f"{one.wire_name} is {_shown(value)}: give {_range(low, high)}"


def _range(lowest: float, highest: float) -> str:
    return f"{lowest:,.0f} to {highest:,.0f}"


def _shown(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e300 else "a huge number"


def tank_setup(setup: GameSetup) -> dict[str, Any]:
    """Return the settings of the rules as JSON values, without the timeouts."""
    return {one.name: getattr(setup, one.name) for one in SETTINGS}
