"""Settings of a game: presets, checks of StartGame, settings for the rules.

Source: the official server's GameTypePreset (values and lock flags) and the order of its checks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from turnwright.errors import SetupError
from turnwright_tank.wire.royale import limits
from turnwright_tank.wire.royale.message_parts import GameSetup


def custom() -> GameSetup:
    """Return the preset `custom`.

    800 × 600, 2 bots or more, 10 rounds, nothing locked.
    """
    return GameSetup(
        game_type="custom",
        arena_width=800,
        is_arena_width_locked=False,
        arena_height=600,
        is_arena_height_locked=False,
        min_number_of_participants=2,
        is_min_number_of_participants_locked=False,
        max_number_of_participants=None,
        is_max_number_of_participants_locked=False,
        number_of_rounds=10,
        is_number_of_rounds_locked=False,
        gun_cooling_rate=0.1,
        is_gun_cooling_rate_locked=False,
        max_inactivity_turns=450,
        is_max_inactivity_turns_locked=False,
        turn_timeout=30_000,
        is_turn_timeout_locked=False,
        ready_timeout=10_000_000,
        is_ready_timeout_locked=False,
        default_turns_per_second=30,
    )


def _locked_arena(game_type: str) -> GameSetup:
    setup = custom()
    setup.game_type = game_type
    setup.is_arena_width_locked = setup.is_arena_height_locked = True
    setup.is_min_number_of_participants_locked = True
    return setup


def classic() -> GameSetup:
    """Return the preset `classic`.

    800 × 600, 2 bots or more, 10 rounds; all but the timeouts is locked.
    """
    setup = _locked_arena("classic")
    setup.is_max_number_of_participants_locked = True
    setup.is_number_of_rounds_locked = True
    setup.is_gun_cooling_rate_locked = True
    setup.is_max_inactivity_turns_locked = True
    return setup


def duel() -> GameSetup:
    """Return the preset `1v1`: 800 × 600, exactly 2 bots, 10 rounds."""
    setup = _locked_arena("1v1")
    setup.max_number_of_participants = 2
    setup.is_max_number_of_participants_locked = True
    return setup


def melee() -> GameSetup:
    """Return the preset `melee`: 1000 × 1000, 10 bots or more, 10 rounds."""
    setup = _locked_arena("melee")
    setup.arena_width = setup.arena_height = 1000
    setup.min_number_of_participants = 10
    return setup


def twinduel() -> GameSetup:
    """Return the preset `twinduel`: 800 × 800, exactly 4 bots in two teams, 75 rounds."""
    setup = _locked_arena("twinduel")
    setup.arena_height = 800
    setup.min_number_of_participants = setup.max_number_of_participants = 4
    setup.is_max_number_of_participants_locked = True
    setup.number_of_rounds = 75
    return setup


_PRESETS = MappingProxyType(
    {"classic": classic, "1v1": duel, "twinduel": twinduel, "melee": melee, "custom": custom}
)
GAME_TYPES = tuple(_PRESETS)
"""The game types that the server offers by default."""


def preset(game_type: str) -> GameSetup:
    """Return a new setup of that game type.

    Raises:
        SetupError: an unknown one.
    """
    if game_type not in _PRESETS:
        known = ", ".join(GAME_TYPES)
        raise SetupError(f"unknown game type {game_type[:40]!r}: choose one of {known}")
    return _PRESETS[game_type]()


def validate_start(setup: GameSetup | None, game_types: Collection[str]) -> str | None:
    """Return why a game cannot start with `setup`, or None.

    First the official server's checks in its order, then ours. The official server takes any cooling rate
    (0 and below too) and any number of inactivity turns; so do we, within bounds that arithmetic can hold.
    """
    if setup is None:
        return "no gameSetup was given: StartGame needs one"
    return next(_complaints(setup, game_types), None)


def _complaints(setup: GameSetup, game_types: Collection[str]) -> Iterator[str]:
    at_least_one = (
        ("numberOfRounds", setup.number_of_rounds, limits.ROUNDS_MAX),
        ("arenaWidth", setup.arena_width, limits.ARENA_SIDE_MAX),
        ("arenaHeight", setup.arena_height, limits.ARENA_SIDE_MAX),
        ("minNumberOfParticipants", setup.min_number_of_participants, limits.PARTICIPANTS_MAX),
        ("turnTimeout", setup.turn_timeout, limits.TIMEOUT_US_MAX),
        ("readyTimeout", setup.ready_timeout, limits.TIMEOUT_US_MAX),
    )
    for name, value, highest in at_least_one:
        if value < 1:
            yield f"{name} was {value}: give {_range(1, highest)}"
    if setup.game_type not in game_types:
        yield f"gameType was {setup.game_type[:40]!r}: give one of {', '.join(game_types)}"
    for name, value, highest in at_least_one:
        if value > highest:
            yield f"{name} was {_shown(value)}: give {_range(1, highest)}"
    either_sign: Mapping[str, tuple[float, float]] = {
        "gunCoolingRate": (setup.gun_cooling_rate, limits.GUN_COOLING_RATE_MAX),
        "maxInactivityTurns": (setup.max_inactivity_turns, limits.INACTIVITY_TURNS_MAX),
    }
    for name, (number, size) in either_sign.items():
        if not -size <= number <= size:
            yield f"{name} was {_shown(number)}: give {_range(-size, size)}"


def _range(lowest: float, highest: float) -> str:
    return f"a value from {lowest:,.0f} to {highest:,.0f}"


def _shown(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e300 else "a huge number"


def tank_setup(setup: GameSetup) -> dict[str, Any]:
    """Return the settings of the rules of the tank arena (JSON values).

    The timeouts are not among them.
    """
    return {
        "game_type": setup.game_type,
        "arena_width": setup.arena_width,
        "arena_height": setup.arena_height,
        "number_of_rounds": setup.number_of_rounds,
        "gun_cooling_rate": setup.gun_cooling_rate,
        "max_inactivity_turns": setup.max_inactivity_turns,
    }
