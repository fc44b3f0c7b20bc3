"""The generic protocol: each message of a client is read or is a fault."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.wire import generic_protocol as m
from turnwright.wire.faults import CLOSE_TOO_BIG, MESSAGE_BYTES_MAX, Fault, FaultCode
from turnwright.wire.generic_protocol import decode_generic, encode_generic
from turnwright.wire.generic_protocol_docs import JAVASCRIPT_CLIENT, PYTHON_CLIENT, render


@pytest.mark.parametrize(
    "message",
    [
        m.GenericClientHello(protocol=1, name="Mine"),
        m.GenericClientHello(protocol=1, name="Eye", role="spectator", secret="x", session="1", version="2"),
        m.GenericClientReady(),
        m.GenericIntent(intent={"a": [1, None]}, turn=7),
        m.GenericIntent(intent="up"),
        m.GenericClientHello(protocol=1, name="Hand", role="operator", code="x"),
        m.GenericStart(bots=(m.RemoteBot("::1", 7),), settings={"width": 9}, turn_timeout_us=5),
        m.GenericStop(),
        m.GenericPause(),
        m.GenericResume(),
        m.GenericStep(),
        m.GenericSetSpeed(-1),
        m.GenericPolicy(0, breakpoints=True),
        m.GenericDebug(on=True),
        m.GenericListDirectories(),
        m.GenericBoot(("house/Greedy",)),
    ],
)
def test_messages_of_clients_can_be_read(message: m.ClientMessage) -> None:
    assert decode_generic(encode_generic(message)) == message


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", FaultCode.MALFORMED, "JSON object"),
        ("[1]", FaultCode.MALFORMED, "JSON object"),
        ("{}", FaultCode.NO_TYPE, "hello, ready, intent"),
        ('{"type": 3}', FaultCode.NO_TYPE, "no type"),
        ('{"type": "move"}', FaultCode.UNKNOWN_TYPE, "not 'move'"),
        ('{"type": "frame"}', FaultCode.SERVER_ONLY, "not 'frame'"),
        ('{"type": "hello", "protocol": 1}', FaultCode.MISSING_FIELD, "`name`"),
        ('{"type": "hello", "protocol": 2, "name": "x"}', FaultCode.OUT_OF_BOUNDS, "speaks version 1"),
        ('{"type": "hello", "protocol": 1, "name": ""}', FaultCode.OUT_OF_BOUNDS, "length >= 1"),
        ('{"type": "hello", "protocol": 1, "name": "' + "x" * 101 + '"}', FaultCode.OUT_OF_BOUNDS, "<= 100"),
        ('{"type": "hello", "protocol": 1, "name": " "}', FaultCode.OUT_OF_BOUNDS, "not be blank"),
        ('{"type": "hello", "protocol": 1, "name": "a\u202eb"}', FaultCode.OUT_OF_BOUNDS, "control char"),
        ('{"type": "hello", "protocol": 1, "name": "a\\u001bb"}', FaultCode.OUT_OF_BOUNDS, "control char"),
        ('{"type": "hello", "protocol": 1, "name": "x", "role": "king"}', FaultCode.WRONG_TYPE, "king"),
        ('{"type": "start", "bots": []}', FaultCode.OUT_OF_BOUNDS, "length >= 1"),
        ('{"type": "start", "bots": [{"host": "h", "port": -1}]}', FaultCode.OUT_OF_BOUNDS, ">= 0"),
        ('{"type": "speed", "tps": 1001}', FaultCode.OUT_OF_BOUNDS, "<= 1000"),
        ('{"type": "boot", "ids": ["' + "x" * 201 + '"]}', FaultCode.OUT_OF_BOUNDS, "length <= 200"),
        ('{"type": "intent"}', FaultCode.MISSING_FIELD, "`intent`"),
        ('{"type": "intent", "intent": 1, "turn": -1}', FaultCode.OUT_OF_BOUNDS, ">= 0"),
        ('{"type": "intent", "intent": 1, "turn": "1"}', FaultCode.WRONG_TYPE, "`int"),
        ('{"type": "intent", "intent": ' + "[" * 99 + "]" * 99 + "}", FaultCode.TOO_DEEP, "nested deeper"),
    ],
)  # fmt: skip
def test_an_unreadable_message_is_a_fault_in_one_line(text: str, code: FaultCode, words: str) -> None:
    fault = decode_generic(text.encode())
    assert isinstance(fault, Fault)
    assert (fault.code, fault.closes) == (code, None)
    assert words in fault.advice
    assert "\n" not in fault.advice


def test_a_message_may_be_as_long_as_the_limit_and_no_longer() -> None:
    head = b'{"type":"intent","intent":"'
    fits = head + b"x" * (MESSAGE_BYTES_MAX - len(head) - 2) + b'"}'
    assert isinstance(decode_generic(fits), m.GenericIntent)
    fault = decode_generic(fits + b" ")
    assert isinstance(fault, Fault)
    assert (fault.code, fault.closes) == (FaultCode.TOO_BIG, CLOSE_TOO_BIG)


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_a_message_or_a_fault(data: bytes) -> None:
    assert isinstance(decode_generic(data), Fault | msgspec.Struct)


def test_invalid_utf8_is_a_fault() -> None:
    fault = decode_generic(b'{"type": "hello", "protocol": 1, "name": "\xff"}')
    assert isinstance(fault, Fault)
    assert fault.code in (FaultCode.NOT_UTF8, FaultCode.MALFORMED)


# ---- the clients of the page -----------------------------------------------------------------------------


def test_both_clients_are_short() -> None:
    assert max(len(code.splitlines()) for code in (PYTHON_CLIENT, JAVASCRIPT_CLIENT)) <= 18
    assert all(code in render() for code in (PYTHON_CLIENT, JAVASCRIPT_CLIENT))
