"""The messages of the bot library, compared with the server's."""

from __future__ import annotations

import json
from dataclasses import fields
from math import inf, nan
from typing import get_args

import pytest

from packages.tank.tests.bots.scenes import bullet, scan, scene
from packages.tank.tests.wire.royale.samples import server_messages
from turnwright_tank import intent, observation, structs
from turnwright_tank.bots.messages import UnreadableMessage, read_message, write_intent
from turnwright_tank.intent import TankIntent, TeamMessage
from turnwright_tank.wire.royale.codec import decode, decode_server, encode

FULL = scene(
    3,
    scan(3),
    structs.BulletHitBotEvent(3, 1, bullet(color="#FFFFFF"), 4.0, 50.0),
    structs.BotDeathEvent(3, 2),
    structs.WonRoundEvent(3),
    body_color="#112233",
)


def test_an_observation_is_that_of_the_server_as_dataclasses() -> None:
    kind, seen = read_message(encode(FULL))
    assert (kind, repr(seen)) == ("TickEventForBot", repr(decode_server(encode(FULL))))
    assert type(seen) is observation.Observation
    assert [type(event).__module__ for event in seen.events] == [observation.__name__] * 4


def test_every_message_of_a_server_is_read() -> None:
    for message in server_messages():
        assert read_message(encode(message))[0] == json.loads(encode(message))["type"]


def test_a_whole_number_is_a_float_where_one_is_expected() -> None:
    text = encode(FULL).replace(b'"energy":100.0', b'"energy":100')
    assert repr(read_message(text)) == repr(read_message(encode(FULL)))


def test_an_event_that_the_library_does_not_know_is_left_out() -> None:
    text = encode(scene(3, scan(3))).replace(b"ScannedBotEvent", b"SomethingNewEvent")
    assert read_message(text)[1].events == []


@pytest.mark.parametrize(
    "said",
    [
        TankIntent(),
        TankIntent(1.0, -2.0, 3.0, 4.0, 0.5, True, False, None, True, False, "#112233", std_out="Zoë\n"),
        TankIntent(team_messages=(TeamMessage("[1]", "list"), TeamMessage("2", "int", 3))),
    ],
)
def test_the_server_reads_the_intent_that_a_bot_has_written(said: TankIntent) -> None:
    read = decode(write_intent(said, 7))
    assert read == structs.struct_of(TankIntent(**{**_values(said), "turn_number": 7}))


def _values(said: TankIntent) -> dict[str, object]:
    return {one.name: getattr(said, one.name) for one in fields(said)}


def test_values_that_json_cannot_hold_become_defaults() -> None:
    read = decode(write_intent(TankIntent(turn_rate=nan, firepower=inf, std_out="a\ud800b"), 7))
    assert read == structs.TankIntent(std_out="a?b", turn_number=7)


def test_a_message_without_a_required_field_is_unreadable() -> None:
    with pytest.raises(UnreadableMessage, match="turnNumber"):
        read_message(b'{"type":"SkippedTurnEvent"}')


@pytest.mark.parametrize(
    "shape",
    [
        *get_args(observation.Event),
        observation.BulletState,
        observation.TankState,
        observation.Observation,
    ],
)
def test_a_struct_is_an_instance_of_its_dataclass_with_the_same_fields(shape: type) -> None:
    made = getattr(structs, shape.__name__)(*range(len(fields(shape))))
    assert isinstance(made, shape)
    assert not isinstance(made, intent.TeamMessage)
    assert repr(made) == repr(shape(*range(len(fields(shape)))))
