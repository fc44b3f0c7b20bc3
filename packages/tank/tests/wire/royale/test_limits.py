"""The limits of the official server are its numbers."""

from __future__ import annotations

from turnwright_tank.wire.royale import limits


def test_the_official_limits_are_kept() -> None:
    official = {
        "MESSAGE_BYTES_MAX": 1_048_576,
        "NAME_CHARS_MAX": 30,
        "VERSION_CHARS_MAX": 20,
        "AUTHORS_MAX": 20,
        "AUTHOR_CHARS_MAX": 50,
        "DESCRIPTION_CHARS_MAX": 250,
        "HOMEPAGE_CHARS_MAX": 150,
        "COUNTRY_CODES_MAX": 20,
        "GAME_TYPES_MAX": 10,
        "GAME_TYPE_CHARS_MAX": 20,
        "TEAM_MESSAGES_MAX": 64,
        "BATCH_MESSAGES_MAX": 128,
        "TEAM_MESSAGE_BYTES_MAX": 48 * 1024,
        "TEAM_MESSAGES_BYTES_MAX": 256 * 1024,
    }
    assert {name: getattr(limits, name) for name in official} == official


def test_a_message_has_room_for_all_its_parts() -> None:
    parts = limits.TEAM_MESSAGES_BYTES_MAX + limits.DEBUG_GRAPHICS_BYTES_MAX + 2 * limits.OUTPUT_BYTES_MAX
    assert parts < limits.MESSAGE_BYTES_MAX
