"""Presets and the checks of StartGame."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from turnwright.errors import SetupError
from turnwright_tank.wire.royale.message_parts import GameSetup
from turnwright_tank.wire.royale.setup import GAME_TYPES, custom, preset, tank_setup, validate_start

# game type: width, height, min, max, rounds, locked fields
PRESETS: dict[str, tuple[Any, ...]] = {
    "classic": (800, 600, 2, None, 10, "arena_width arena_height min max rounds cooling inactivity"),
    "1v1": (800, 600, 2, 2, 10, "arena_width arena_height min max"),
    "melee": (1000, 1000, 10, None, 10, "arena_width arena_height min"),
    "twinduel": (800, 800, 4, 4, 75, "arena_width arena_height min max"),
    "custom": (800, 600, 2, None, 10, ""),
}
FLAGS = {
    "arena_width": "is_arena_width_locked",
    "arena_height": "is_arena_height_locked",
    "min": "is_min_number_of_participants_locked",
    "max": "is_max_number_of_participants_locked",
    "rounds": "is_number_of_rounds_locked",
    "cooling": "is_gun_cooling_rate_locked",
    "inactivity": "is_max_inactivity_turns_locked",
    "turn timeout": "is_turn_timeout_locked",
    "ready timeout": "is_ready_timeout_locked",
}


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_a_preset_is_the_official_one(game_type: str) -> None:
    setup = preset(game_type)
    width, height, least, most, rounds, locked = PRESETS[game_type]
    assert setup.game_type == game_type
    assert (setup.arena_width, setup.arena_height) == (width, height)
    assert (setup.min_number_of_participants, setup.max_number_of_participants) == (least, most)
    assert setup.number_of_rounds == rounds
    assert (setup.gun_cooling_rate, setup.max_inactivity_turns) == (0.1, 450)
    assert (setup.turn_timeout, setup.ready_timeout) == (30_000, 10_000_000)
    assert setup.default_turns_per_second == 30
    assert {name for name, flag in FLAGS.items() if getattr(setup, flag)} == set(locked.split())
    assert validate_start(setup, GAME_TYPES) is None


def test_a_preset_is_new_each_time() -> None:
    preset("classic").arena_width = 5
    assert preset("classic").arena_width == 800


def test_an_unknown_game_type_is_named_with_the_known_ones() -> None:
    with pytest.raises(SetupError, match=f"'rumble'.*{', '.join(GAME_TYPES)}"):
        preset("rumble")


def _with(**changes: Any) -> GameSetup:
    return msgspec.structs.replace(custom(), **changes)


@pytest.mark.parametrize(
    ("field", "name", "most"),
    [
        ("number_of_rounds", "numberOfRounds", 1_000_000_000),
        ("arena_width", "arenaWidth", 100_000),
        ("arena_height", "arenaHeight", 100_000),
        ("min_number_of_participants", "minNumberOfParticipants", 1_000),
        ("turn_timeout", "turnTimeout", 3_600_000_000),
        ("ready_timeout", "readyTimeout", 3_600_000_000),
    ],
)
def test_a_number_from_one_to_its_limit_is_taken(field: str, name: str, most: int) -> None:
    for value in (1, 2, most - 1, most):
        assert validate_start(_with(**{field: value}), GAME_TYPES) is None
    for value in (0, -1, most + 1, 10**400, -(10**400)):
        complaint = validate_start(_with(**{field: value}), GAME_TYPES) or ""
        assert complaint.startswith(f"{name} is ")
        assert "give" in complaint


@pytest.mark.parametrize(
    ("field", "size"),
    [
        ("gun_cooling_rate", 1_000_000),
        ("max_inactivity_turns", 2_147_483_647),
    ],
)
def test_zero_and_negative_values_are_taken_where_the_official_server_takes_them(
    field: str, size: int
) -> None:
    for value in (0, -1, size, -size):
        assert validate_start(_with(**{field: value}), GAME_TYPES) is None
    for value in (size + 1, -size - 1):
        assert validate_start(_with(**{field: value}), GAME_TYPES) is not None


def test_the_order_of_checks_is_the_official_one() -> None:
    wrong = [
        ("number_of_rounds", "numberOfRounds"),
        ("arena_width", "arenaWidth"),
        ("arena_height", "arenaHeight"),
        ("min_number_of_participants", "minNumberOfParticipants"),
        ("turn_timeout", "turnTimeout"),
        ("ready_timeout", "readyTimeout"),
    ]
    setup = _with(game_type="rumble", gun_cooling_rate=1e9, **{field: 0 for field, _ in wrong})
    for field, name in wrong:
        assert (validate_start(setup, GAME_TYPES) or "").startswith(name)
        setattr(setup, field, 1)
    assert (validate_start(setup, GAME_TYPES) or "").startswith("gameType")
    setup.game_type = "custom"
    assert (validate_start(setup, GAME_TYPES) or "").startswith("gunCoolingRate")


def test_a_missing_setup_is_reported() -> None:
    assert validate_start(None, GAME_TYPES) is not None


def test_only_the_game_types_of_the_server_are_taken() -> None:
    complaint = validate_start(_with(game_type="melee"), ("classic", "custom")) or ""
    assert "'melee'" in complaint
    assert "classic, custom" in complaint
    long_name = validate_start(_with(game_type="x" * 10_000), GAME_TYPES) or ""
    assert len(long_name) < 200


def test_the_rules_get_their_settings_and_no_timeouts() -> None:
    assert tank_setup(preset("melee")) == {
        "game_type": "melee",
        "arena_width": 1000,
        "arena_height": 1000,
        "number_of_rounds": 10,
        "gun_cooling_rate": 0.1,
        "max_inactivity_turns": 450,
    }
