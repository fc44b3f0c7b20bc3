"""The messages: their names, the roles that may send them, and hidden secrets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from packages.tank.tests.wire.royale.samples import SAMPLES, server_messages
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import encode

# Every type of the protocol, and History, BotPolicies, RoundTrips and ErrorReply, which are ours.
TYPES = {
    "bot": "BotHandshake BotReady BotIntent",
    "observer": "ObserverHandshake",
    "controller": (
        "ControllerHandshake StartGame StopGame PauseGame ResumeGame NextTurn ChangeTps BotPolicyUpdate "
        "EnableDebugMode DisableDebugMode ListDirectories BootBots"
    ),
    "to bot": (
        "ServerHandshake GameStartedEventForBot RoundStartedEvent TickEventForBot SkippedTurnEvent "
        "RoundEndedEventForBot GameEndedEventForBot ErrorReply"
    ),
    "to spectator": (
        "ServerHandshake BotListUpdate GameStartedEventForObserver RoundStartedEvent TickEventForObserver "
        "RoundEndedEventForObserver GameEndedEventForObserver GameAbortedEvent GamePausedEventForObserver "
        "GameResumedEventForObserver TpsChangedEvent History BotPolicies RoundTrips ErrorReply"
    ),
}


def _names(members: tuple[type[msgspec.Struct], ...]) -> set[str]:
    return {m.type_name(member) for member in members}


def test_each_role_may_send_and_receive_the_messages_of_the_protocol() -> None:
    assert {role: _names(members) for role, members in m.MAY_SEND.items()} == {
        role: set(TYPES[role].split()) for role in ("bot", "observer", "controller")
    }
    assert _names(m.MAY_RECEIVE["bot"]) == set(TYPES["to bot"].split())
    assert _names(m.MAY_RECEIVE["observer"]) == set(TYPES["to spectator"].split())
    ours = {"Directories", "OperatorToken"}
    assert _names(m.MAY_RECEIVE["controller"]) - _names(m.MAY_RECEIVE["observer"]) == ours
    assert _names(m.MAY_RECEIVE["observer"]) <= _names(m.MAY_RECEIVE["controller"])


def test_the_samples_hold_every_message_that_a_client_sends() -> None:
    sent = set().union(*(_names(members) for members in m.MAY_SEND.values()))
    assert {json.loads(sample)["type"] for sample in SAMPLES} == sent


@pytest.mark.parametrize("message", server_messages(), ids=lambda message: m.type_name(message))
def test_a_message_has_its_type_and_camel_case_names_and_no_null(message: msgspec.Struct) -> None:
    data = json.loads(encode(message))
    assert data["type"] == m.type_name(message)
    assert b"null" not in encode(message)
    assert all(re.fullmatch(r"[a-z][A-Za-z0-9]*", name) for name in data)


def test_lists_that_official_clients_require_are_written_when_empty() -> None:
    listed = m.BotInfo("s", "A", "1", (), (), (), "127.0.0.1", 1)
    data = json.loads(encode(m.BotListUpdate(bots=(listed,))))
    assert data["bots"][0] == {
        "sessionId": "s",
        "name": "A",
        "version": "1",
        "authors": [],
        "countryCodes": [],
        "gameTypes": [],
        "host": "127.0.0.1",
        "port": 1,
    }
    started = json.loads(encode(m.GameStartedEventForBot(1, (), m.GameSetup(**_all_settings()))))
    assert started["teammateIds"] == []


def _all_settings() -> dict[str, object]:
    kinds = {int: 1, str: "classic", bool: False, float: 0.5}
    return {
        field.name: next(value for kind, value in kinds.items() if f"[{kind.__name__}" in str(field.type))
        for field in msgspec.structs.fields(m.GameSetup)
        if field.required
    }


def test_a_setup_writes_all_nine_lock_flags_even_when_false() -> None:
    data = json.loads(encode(m.GameStartedEventForObserver(m.GameSetup(**_all_settings()), ())))
    flags = [name for name in data["gameSetup"] if re.fullmatch(r"is\w+Locked", name)]
    assert len(flags) == 9
    assert not any(data["gameSetup"][flag] for flag in flags)


def test_a_handshake_shows_its_name_and_never_the_secret() -> None:
    for kind in (m.BotHandshake, m.ObserverHandshake, m.ControllerHandshake):
        shown = repr(kind(name="A", version="1", secret="canary"))
        assert "canary" not in shown
        assert "'A'" in shown
    assert "canary" not in repr(m.ControllerHandshake(name="A", version="1", code="canary"))
    assert "canary" not in repr(m.OperatorToken("canary"))


def test_bot_info_and_participant_have_no_place_for_a_secret() -> None:
    for part in (m.BotInfo, m.Participant):
        assert "secret" not in part.__struct_fields__


def test_every_message_says_when_it_is_sent() -> None:
    for members in (*m.MAY_SEND.values(), *m.MAY_RECEIVE.values()):
        for member in members:
            assert len(member.__doc__ or "") > 10, member


def test_no_message_class_is_missing_from_the_table_of_roles() -> None:
    source = Path(m.__file__).read_text()
    declared = set(re.findall(r"^class ([A-Z]\w+)\(_(?:Message|Handshake)\b", source, re.MULTILINE))
    listed = {
        member.__name__ for members in (*m.MAY_SEND.values(), *m.MAY_RECEIVE.values()) for member in members
    }
    assert declared == listed - {"TankIntent", "Observation", "Frame"}
