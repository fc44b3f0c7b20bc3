"""Bytes to messages and back: accepted and refused input, and nothing raises."""

from __future__ import annotations

import json
import math
import sys

import pytest

from packages.core.tests.messages import missing
from packages.tank.tests.wire.royale.samples import (
    HANDSHAKE,
    INTENT_FIELDS,
    SAMPLES,
    START_GAME,
    intent,
    python_api_intent,
    server_messages,
    text,
)
from turnwright.wire.faults import Fault, FaultCode
from turnwright_tank.structs import (
    BulletState,
    Frame,
    Observation,
    TankIntent,
    TankState,
    TeamMessage,
    WonRoundEvent,
)
from turnwright_tank.wire.royale import limits
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.codec import (
    decode,
    decode_server,
    encode,
    error_reply,
)


def _fault(data: bytes) -> Fault:
    found = decode(data)
    assert isinstance(found, Fault), found
    return found


def _intent(data: bytes) -> TankIntent:
    found = decode(data)
    assert isinstance(found, TankIntent), found
    return found


# ---- what is read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: json.loads(s)["type"])
def test_every_message_of_a_client_is_read_as_its_type(sample: bytes) -> None:
    message = decode(sample)
    assert not isinstance(message, Fault)
    assert m.type_name(message) == json.loads(sample)["type"]


def test_null_in_an_intent_of_the_python_api_means_unset() -> None:
    said = _intent(python_api_intent(firepower=2, bodyColor="#ff0000"))
    assert said == TankIntent(
        turn_rate=0.0,
        gun_turn_rate=-3.25,
        radar_turn_rate=45.0,
        target_speed=8.0,
        firepower=2.0,
        body_color="#ff0000",
        team_messages=(),
    )


def test_unknown_fields_are_ignored() -> None:
    assert _intent(intent(turnRate=1, futureField={"a": [1]})) == TankIntent(turn_rate=1.0)


def test_the_last_of_equal_keys_counts() -> None:
    assert _intent(b'{"type":"BotIntent","turnRate":1,"turnRate":2}').turn_rate == 2.0


def test_start_game_is_read_with_its_setup_and_addresses() -> None:
    start = decode(json.dumps(START_GAME).encode())
    assert isinstance(start, m.StartGame)
    assert start.game_setup is not None
    assert start.game_setup.turn_timeout == 30_000
    assert start.game_setup.max_number_of_participants is None
    assert [a.port for a in start.bot_addresses] == [41048, 41050]
    assert start.debug_mode is None


def test_start_game_without_setup_and_addresses_is_left_to_validation() -> None:
    assert decode(text(type="StartGame")) == m.StartGame()


@pytest.mark.parametrize("name", ["authors", "countryCodes", "gameTypes"])
def test_null_lists_of_a_handshake_are_empty(name: str) -> None:
    hello = decode(json.dumps({**HANDSHAKE, name: None}).encode())
    assert isinstance(hello, m.BotHandshake)
    attribute = {"authors": "authors", "countryCodes": "country_codes", "gameTypes": "game_types"}[name]
    assert getattr(hello, attribute) == ()


def test_null_addresses_and_null_team_messages_are_empty() -> None:
    start = decode(json.dumps({**START_GAME, "botAddresses": None}).encode())
    assert isinstance(start, m.StartGame)
    assert start.bot_addresses == ()
    assert _intent(intent(teamMessages=None)).team_messages is None


def test_a_whole_number_written_with_a_point_is_an_integer() -> None:
    assert decode(b'{"type":"ChangeTps","tps":30.0}') == m.ChangeTps(30)
    assert isinstance(decode(b'{"type":"ChangeTps","tps":30.5}'), Fault)


def test_a_non_finite_initial_position_is_random_and_the_handshake_counts() -> None:
    data = json.dumps({**HANDSHAKE, "initialPosition": {"x": math.nan, "y": -math.inf, "direction": 5}})
    hello = decode(data.encode())
    assert isinstance(hello, m.BotHandshake)
    assert hello.initial_position == m.InitialPosition(direction=5.0)


# ---- intents that are not quite JSON -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["turnRate", "gunTurnRate", "radarTurnRate", "targetSpeed", "firepower"])
@pytest.mark.parametrize(
    ("number", "meant"),
    [
        ("NaN", None),
        ("Infinity", sys.float_info.max),
        ("-Infinity", -sys.float_info.max),
        ("1e999", sys.float_info.max),
        ("-1e999", -sys.float_info.max),
        ("9" * 400, sys.float_info.max),
        ("1e-999", 0.0),
        ('"NaN"', None),
        ('"-Infinity"', -sys.float_info.max),
        ('"2.5"', 2.5),
    ],
)
def test_numbers_outside_json_spoil_only_themselves(name: str, number: str, meant: float | None) -> None:
    said = _intent(f'{{"type":"BotIntent","rescan":true,"{name}":{number}}}'.encode())
    attribute = {"turnRate": "turn_rate", "gunTurnRate": "gun_turn_rate", "radarTurnRate": "radar_turn_rate"}
    attribute |= {"targetSpeed": "target_speed", "firepower": "firepower"}
    assert getattr(said, attribute[name]) == meant
    assert said.rescan is True


def test_dropped_values_are_noted_as_faults_that_are_not_definite() -> None:
    notes: list[Fault] = []
    decode(b'{"type":"BotIntent","turnRate":NaN,"firepower":Infinity}', notes)
    assert [(n.code, n.definite, n.closes) for n in notes] == [(FaultCode.BAD_NUMBER, False, None)] * 2
    assert "turnRate" in notes[0].advice
    assert "firepower" in notes[1].advice


@pytest.mark.parametrize(("number", "noted"), [("NaN", 1), ("1e16", 1), ("1e400", 1), ("12.0", 0)])
def test_a_dropped_turn_number_is_noted(number: str, noted: int) -> None:
    notes: list[Fault] = []
    said = decode(f'{{"type":"BotIntent","turnNumber":{number}}}'.encode(), notes)
    assert said == TankIntent(turn_number=None if noted else 12)
    assert [(n.code, n.definite, n.closes) for n in notes] == [(FaultCode.BAD_NUMBER, False, None)] * noted
    assert not any(missing(n.advice, "turnNumber", "dropped") for n in notes)


def test_a_valid_intent_causes_no_note() -> None:
    notes: list[Fault] = []
    decode(python_api_intent(stdOut="x" * 3_000), notes)
    assert notes == []


@pytest.mark.parametrize(
    ("number", "shown"), [("5", "5"), ("1.50", "1.50"), ("true", "true"), ("NaN", "NaN")]
)
def test_a_number_for_std_out_is_text(number: str, shown: str) -> None:
    assert _intent(f'{{"type":"BotIntent","stdOut":{number}}}'.encode()).std_out == shown


def test_a_lone_surrogate_is_replaced_and_the_rest_counts() -> None:
    said = _intent(b'{"type":"BotIntent","stdOut":"a\\ud800b","turnRate":3}')
    assert said.turn_rate == 3.0
    assert said.std_out == "a\ufffdb"
    encode(said)


def test_an_invalid_colour_is_preserved_as_text() -> None:
    assert _intent(intent(bodyColor="red", gunColor=7)).body_color == "red"


# ---- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code", "closes"),
    [
        (b"", FaultCode.MALFORMED, None),
        (b"{", FaultCode.MALFORMED, None),
        (b"not json", FaultCode.MALFORMED, None),
        (b'{"type":"BotReady"} x', FaultCode.MALFORMED, None),
        (b'\xef\xbb\xbf{"type":"BotReady"}', FaultCode.MALFORMED, None),
        (b"[]", FaultCode.MALFORMED, None),
        (b'"BotReady"', FaultCode.MALFORMED, None),
        (b"null", FaultCode.MALFORMED, None),
        (b"NaN", FaultCode.MALFORMED, None),
        (b"{}", FaultCode.NO_TYPE, None),
        (b'{"type":null}', FaultCode.NO_TYPE, None),
        (b'{"type":{}}', FaultCode.NO_TYPE, None),
        (b'{"type":5}', FaultCode.NO_TYPE, None),
        (b'{"type":"Tick"}', FaultCode.UNKNOWN_TYPE, None),
        (b'{"type":"\\ud800"}', FaultCode.UNKNOWN_TYPE, None),
        (b'{"type":"TankIntent"}', FaultCode.UNKNOWN_TYPE, None),
        (b'{"type":"ServerHandshake"}', FaultCode.SERVER_ONLY, None),
        (b'{"type":"TickEventForBot"}', FaultCode.SERVER_ONLY, None),
        (b'{"type":"BotIntent","turnRate":"fast"}', FaultCode.WRONG_TYPE, None),
        (b'{"type":"BotIntent","turnRate":true}', FaultCode.WRONG_TYPE, None),
        (b'{"type":"BotIntent","turnRate":[1]}', FaultCode.WRONG_TYPE, None),
        (b'{"type":"BotIntent","rescan":1}', FaultCode.WRONG_TYPE, None),
        (b'{"type":"BotIntent","rescan":"yes"}', FaultCode.WRONG_TYPE, None),
        (b'{"type":"BotIntent","stdOut":{}}', FaultCode.WRONG_TYPE, None),
        (b'{"type":"BotIntent","turnNumber":1.5}', FaultCode.WRONG_TYPE, None),
        (b'{"type":"ChangeTps"}', FaultCode.MISSING_FIELD, None),
        (b'{"type":"ChangeTps","tps":"x"}', FaultCode.WRONG_TYPE, None),
        (b'{"type":"StartGame","gameSetup":{}}', FaultCode.MISSING_FIELD, None),
        (b'{"type":"BotHandshake","version":"1"}', FaultCode.MISSING_FIELD, 1008),
        (b'{"type":"BotHandshake","name":null,"version":"1"}', FaultCode.MISSING_FIELD, 1008),
        (b'{"type":"BotHandshake","name":5,"version":"1"}', FaultCode.WRONG_TYPE, 1008),
        (b'{"type":"BotIntent","teamMessages":[{"message":"x"}]}', FaultCode.TEAM_MESSAGE, 1008),
        (b'{"type":"BotIntent","teamMessages":"x"}', FaultCode.TEAM_MESSAGE, 1008),
        (b'{"type":"BotReady","x":"\xff"', FaultCode.NOT_UTF8, 1007),
        (b'{"type":"BotIntent","stdOut":"\xed\xa0\x80"}', FaultCode.NOT_UTF8, 1007),
    ],
)
def test_a_bad_message_is_a_fault_with_advice(data: bytes, code: FaultCode, closes: int | None) -> None:
    fault = _fault(data)
    assert (fault.code, fault.closes, fault.definite) == (code, closes, True)
    assert 10 < len(fault.advice) < 400
    fault.advice.encode()
    assert len(fault.reason.encode()) <= limits.REASON_BYTES_MAX


@pytest.mark.parametrize("depth", [2_000, 200_000])
@pytest.mark.parametrize("brackets", [(b"[", b"]"), (b'{"a":', b"}")])
def test_deep_nesting_is_a_fault(depth: int, brackets: tuple[bytes, bytes]) -> None:
    nested = brackets[0] * depth + b"1" + brackets[1] * depth
    for data in (nested, b'{"type":"BotIntent","turnRate":' + nested + b"}"):
        if len(data) <= limits.MESSAGE_BYTES_MAX:
            assert _fault(data).code in (FaultCode.TOO_DEEP, FaultCode.MALFORMED, FaultCode.NO_TYPE)


@pytest.mark.parametrize("depth", [60, 480, 950, 980, 1_000])
@pytest.mark.parametrize("start", [b'{"type":"BotIntent","x":', b'{"type":"BotReady","x":', b'{"x":'])
def test_nesting_of_any_depth_is_read_or_a_fault(depth: int, start: bytes) -> None:
    nested = b"[" * depth + b"]" * depth
    decode(start + nested + b"}")
    decode(start + nested + b',"y":NaN}')
    decode_server(start + nested + b"}")


def test_a_message_may_be_as_long_as_the_limit_and_no_longer() -> None:
    frame = b'{"type":"BotReady","x":""}'
    filler = b"a" * (limits.MESSAGE_BYTES_MAX - len(frame))
    assert decode(b'{"type":"BotReady","x":"' + filler + b'"}') == m.BotReady()
    fault = _fault(b'{"type":"BotReady","x":"a' + filler + b'"}')
    assert (fault.code, fault.closes) == (FaultCode.TOO_BIG, 1009)


@pytest.mark.parametrize(("values", "code"), [(0, FaultCode.WRONG_TYPE), (1, FaultCode.TOO_BIG)])
def test_a_faulty_message_is_read_again_up_to_a_number_of_values(values: int, code: FaultCode) -> None:
    numbers = ",".join(["1"] * (limits.VALUES_MAX - 1 + values))
    assert _fault(f'{{"type":"BotIntent","turnRate":"x","z":[{numbers}]}}'.encode()).code is code
    assert _intent(f'{{"type":"BotIntent","turnRate":5,"z":[{numbers}]}}'.encode()).turn_rate == 5


def test_a_mistake_in_a_field_names_the_field_and_the_message() -> None:
    fault = _fault(intent(turnRate="fast"))
    assert "turnRate" in fault.advice
    assert fault.refers_to == "BotIntent"
    assert error_reply(fault) == m.ErrorReply("wrong-type", fault.advice, "BotIntent")


def test_advice_never_repeats_a_secret() -> None:
    for bad in ({"name": 5}, {"name": "x" * 99}, {"secret": ["canary"]}, {"secret": "canary" * 999}):
        fault = _fault(json.dumps({**HANDSHAKE, "secret": "canary", **bad}).encode())
        assert "canary" not in fault.advice


# ---- bounds of intents ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["stdOut", "stdErr"])
def test_output_above_its_limit_is_cut_with_a_mark(name: str) -> None:
    attribute = {"stdOut": "std_out", "stdErr": "std_err"}[name]
    fits = "x" * limits.OUTPUT_BYTES_MAX
    assert getattr(_intent(intent(**{name: fits})), attribute) == fits
    notes: list[Fault] = []
    cut = decode(intent(**{name: fits + "x"}), notes)
    kept = getattr(cut, attribute)
    assert kept.endswith(limits.TRUNCATED_MARK)
    assert len(kept.encode()) == limits.OUTPUT_BYTES_MAX
    assert notes[0].code is FaultCode.TOO_BIG


def test_debug_graphics_are_dropped_above_their_limit() -> None:
    fits = "x" * limits.DEBUG_GRAPHICS_BYTES_MAX
    assert _intent(intent(debugGraphics=fits)).debug_graphics == fits
    over = _intent(intent(debugGraphics=fits + "x", turnRate=4))
    assert over.debug_graphics is None
    assert over.turn_rate == 4.0


def test_every_intent_field_is_read_by_the_fast_and_by_the_slow_path() -> None:
    values = {
        float: 1.5,
        bool: True,
        str: "#abc",
        tuple: [{"message": "1", "messageType": "t", "receiverId": 3}],
    }
    kinds = dict.fromkeys(INTENT_FIELDS, str)
    for name in ("turnRate", "gunTurnRate", "radarTurnRate", "targetSpeed", "firepower"):
        kinds[name] = float
    for name in INTENT_FIELDS:
        if name.startswith("adjust") or name in ("rescan", "fireAssist"):
            kinds[name] = bool
    kinds["teamMessages"] = tuple
    fields = {name: values[kind] for name, kind in kinds.items()}
    fast = _intent(intent(**fields, turnNumber=9))
    slow = _intent(intent(**fields, turnNumber=9.0))
    assert fast == slow
    assert None not in [getattr(fast, name) for name in TankIntent.__struct_fields__]
    assert fast.team_messages == (TeamMessage("1", "t", 3),)


# ---- the client's side ---------------------------------------------------------------------------------


@pytest.mark.parametrize("message", server_messages(), ids=lambda message: m.type_name(message))
def test_a_client_can_read_all_messages_of_the_server(message: object) -> None:
    assert decode_server(encode(message)) == message


def test_a_client_reads_ticks() -> None:
    state = TankState(False, 98.0, 225.8, 50.0, *[0.0] * 9, 1, False, body_color="#FF0000")
    tick = Observation(1, 35, state, [BulletState(1, 1, 2.0, 0.0, -0.0, 1.0)], [WonRoundEvent(35)])
    assert decode_server(encode(tick)) == tick
    frame = Frame(1, 35, [], [], [])
    assert decode_server(encode(frame)) == frame


def test_floats_keep_every_bit() -> None:
    numbers = (1.3877787807814457e-16, 2.6999999999999997, -0.0, 5e-324, sys.float_info.max)
    for number in numbers:
        back = decode(encode(TankIntent(turn_rate=number)))
        assert isinstance(back, TankIntent)
        assert back.turn_rate is not None
        assert back.turn_rate.hex() == number.hex()


def test_a_client_ignores_types_it_does_not_know() -> None:
    assert decode_server(b'{"type":"SomethingNewEvent","x":1}') is None


def test_a_client_gets_a_fault_for_a_broken_message() -> None:
    assert isinstance(decode_server(b'{"type":"SkippedTurnEvent"}'), Fault)
    assert isinstance(decode_server(b"{"), Fault)
    found = decode_server(b'{"type":"BotReady"}')
    assert isinstance(found, Fault)
    assert found.code is FaultCode.SERVER_ONLY
    assert not missing(found.advice, "BotReady", "sent to the server")


def test_an_error_reply_has_the_content_of_its_fault() -> None:
    reply = error_reply(Fault(FaultCode.NOT_NOW, "no game runs", refers_to="PauseGame"))
    assert (reply.code, reply.message, reply.refers_to) == ("not-now", "no game runs", "PauseGame")
