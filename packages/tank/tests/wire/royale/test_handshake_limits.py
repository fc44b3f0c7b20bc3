"""Limits of a handshake: the schema's limits, and names that can be shown anywhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from packages.tank.tests.wire.royale.samples import HANDSHAKE, text
from turnwright.wire.faults import Fault
from turnwright_tank.wire.royale import limits
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import decode


def _hello(**fields: Any) -> m.BotHandshake | Fault:
    found = decode(json.dumps({**HANDSHAKE, **fields}).encode())
    assert isinstance(found, (m.BotHandshake, Fault))
    return found


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("name", limits.NAME_CHARS_MAX),
        ("version", limits.VERSION_CHARS_MAX),
        ("description", limits.DESCRIPTION_CHARS_MAX),
        ("homepage", limits.HOMEPAGE_CHARS_MAX),
        ("platform", limits.PLATFORM_CHARS_MAX),
        ("programmingLang", limits.LANGUAGE_CHARS_MAX),
        ("teamName", limits.NAME_CHARS_MAX),
        ("teamVersion", limits.VERSION_CHARS_MAX),
        ("teamMemberName", limits.TEAM_MEMBER_NAME_CHARS_MAX),
        ("secret", limits.SECRET_CHARS_MAX),
        ("sessionId", limits.SESSION_ID_CHARS_MAX),
    ],
)
def test_a_text_may_be_as_long_as_its_limit(name: str, limit: int) -> None:
    for length in (1, limit - 1, limit):
        assert isinstance(_hello(**{name: "é" * length}), m.BotHandshake)
    refused = _hello(**{name: "é" * (limit + 1)})
    assert isinstance(refused, Fault)
    assert refused.closes == 1008
    assert name in refused.reason


@pytest.mark.parametrize(
    ("name", "items", "chars"),
    [
        ("authors", limits.AUTHORS_MAX, limits.AUTHOR_CHARS_MAX),
        ("countryCodes", limits.COUNTRY_CODES_MAX, limits.COUNTRY_CODE_CHARS_MAX),
        ("gameTypes", limits.GAME_TYPES_MAX, limits.GAME_TYPE_CHARS_MAX),
    ],
)
def test_a_list_may_be_as_long_as_its_limits(name: str, items: int, chars: int) -> None:
    assert isinstance(_hello(**{name: ["x" * chars] * items}), m.BotHandshake)
    for over in (["x" * chars] * (items + 1), ["x" * (chars + 1)]):
        refused = _hello(**{name: over})
        assert isinstance(refused, Fault)
        assert refused.closes == 1008


@pytest.mark.parametrize("team_id", [0, 1, limits.TEAM_ID_MAX])
def test_a_team_id_fits_32_bits(team_id: int) -> None:
    assert isinstance(_hello(teamId=team_id), m.BotHandshake)
    assert isinstance(_hello(teamId=limits.TEAM_ID_MAX + 1), Fault)
    assert isinstance(_hello(teamId=-1), Fault), "it would be of the side of a solo tank"


def test_an_initial_position_has_bounds() -> None:
    assert isinstance(_hello(initialPosition={"x": limits.POSITION_MAX}), m.BotHandshake)
    assert isinstance(_hello(initialPosition={"direction": limits.POSITION_MAX * 2}), Fault)


def test_the_longest_default_platform_of_the_java_api_is_taken() -> None:
    platform = "Java Runtime Environment (JRE) 21.0.10-ea"
    assert isinstance(_hello(platform=platform), m.BotHandshake)


def test_the_official_runner_may_introduce_itself() -> None:
    hello = decode(
        text(
            type="ObserverHandshake",
            sessionId="J0fEL5kiTYmfre7ibJJzgA",
            name="Robocode Tank Royale Battle Runner",
            version="1.1.0",
            author=None,
            secret=None,
        )
    )
    assert isinstance(hello, m.ObserverHandshake)


@pytest.mark.parametrize("name", ["Älv", "机器人", "R2-D2 🤖", "👨‍👩‍👧", "a" * 30, "x y"])
def test_names_of_the_world_are_welcome(name: str) -> None:
    assert isinstance(_hello(name=name), m.BotHandshake)


@pytest.mark.parametrize("bad", ["\x1b[31m", "\n", "\x00", "\u202e", "\u2066", "\u2028", "\x7f", "\x85"])
@pytest.mark.parametrize(
    "name", ["name", "version", "homepage", "platform", "programmingLang", "teamName", "teamMemberName"]
)
def test_control_characters_are_refused(name: str, bad: str) -> None:
    refused = _hello(**{name: f"a{bad}b"})
    assert isinstance(refused, Fault)
    assert refused.closes == 1008
    assert refused.reason.isprintable()


@pytest.mark.parametrize("name", ["authors", "countryCodes", "gameTypes"])
def test_control_characters_are_refused_in_lists(name: str) -> None:
    assert isinstance(_hello(**{name: ["\x1b"]}), Fault)


def test_a_description_may_have_lines_and_nothing_worse() -> None:
    assert isinstance(_hello(description="one\r\n\ttwo"), m.BotHandshake)
    assert isinstance(_hello(description="one\x1b[2J"), Fault)


@pytest.mark.parametrize("name", ["name", "version"])
@pytest.mark.parametrize("blank", ["", " ", "\u3000"])
def test_a_blank_name_or_version_is_refused(name: str, blank: str) -> None:
    refused = _hello(**{name: blank})
    assert isinstance(refused, Fault)
    assert refused.closes == 1008


@pytest.mark.parametrize("kind", ["ObserverHandshake", "ControllerHandshake"])
def test_spectators_and_operators_have_the_same_rules(kind: str) -> None:
    longest = "x" * limits.CLIENT_NAME_CHARS_MAX
    assert not isinstance(decode(text(type=kind, name=longest, version=longest)), Fault)
    for bad in ({"name": longest + "x"}, {"name": "\x1b"}, {"name": " "}, {"author": "\x1b"}):
        refused = decode(text(**{"type": kind, "name": "a", "version": "1", **bad}))
        assert isinstance(refused, Fault)
        assert refused.closes == 1008
