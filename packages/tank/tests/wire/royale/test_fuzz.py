"""Whatever arrives, decoding answers with a message or a Fault: it never raises."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from packages.tank.tests.wire.royale.samples import INTENT_FIELDS, SAMPLES
from turnwright.wire.faults import Fault
from turnwright_tank.structs import TankIntent
from turnwright_tank.wire.royale.codec import (
    decode,
    decode_server,
    encode,
    error_reply,
)
from turnwright_tank.wire.royale.team_messages import check_team_messages

MUTATED_MESSAGES = 100_000

_NASTY = (
    b"NaN",
    b"-Infinity",
    b"1e999",
    b"null",
    b"[]",
    b"{}",
    b'"',
    b"\\ud800",
    b"\xff",
    b"9" * 400,
    b"[" * 50,
)
_NUMBERS = st.sampled_from(["NaN", "Infinity", "-Infinity", "1e999", "-0.0", "1" * 400, "1e-400", "0.1"])

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


def _survives(data: bytes) -> Any:
    """Decode in both directions; what comes out can be used and encoded."""
    found = decode(data)
    if isinstance(found, Fault):
        encode(error_reply(found))
        found.reason.encode()
    else:
        encode(found)
        if isinstance(found, TankIntent):
            check_team_messages(found, 1, (2, 3), (2,))
    decode_server(data)
    return found


def _mutated(rng: random.Random) -> bytes:
    data = bytearray(rng.choice(SAMPLES))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        what = rng.randrange(5)
        if what == 0:
            data[at : at + 1] = bytes([rng.randrange(256)])
        elif what == 1:
            del data[at : at + rng.randint(1, 20)]
        elif what == 2:
            data[at:at] = rng.choice(_NASTY)
        elif what == 3:
            start = rng.randrange(len(data) + 1)
            data[at:at] = data[start : start + rng.randint(1, 40)]
        else:
            colon = data.find(b":", at)
            if colon >= 0:
                data[colon + 1 : colon + 2] = rng.choice(_NASTY)
    return bytes(data)


def test_a_hundred_thousand_mutated_messages_never_raise() -> None:
    rng = random.Random(20)
    understood = refused = 0
    for _ in range(MUTATED_MESSAGES):
        found = decode(_mutated(rng))
        if isinstance(found, Fault):
            refused += 1
        else:
            understood += 1
            encode(found)
    assert understood > MUTATED_MESSAGES // 20
    assert refused > MUTATED_MESSAGES // 5


@example(b'{"type":"ChangeTps","tps":0}')
@given(st.binary(max_size=300))
def test_any_bytes_are_a_fault_or_a_message_that_comes_back_as_it_was_understood(data: bytes) -> None:
    found = _survives(data)
    assert isinstance(found, Fault) or decode(encode(found)) == found


@given(st.binary(max_size=300).filter(lambda data: b'"type"' not in data))
def test_bytes_that_name_no_type_are_a_fault(data: bytes) -> None:
    assert isinstance(_survives(data), Fault)


@given(json_values)
def test_any_json_never_raises(value: Any) -> None:
    _survives(json.dumps(value).encode())


@given(st.sampled_from((*INTENT_FIELDS, "turnNumber")), json_values.map(json.dumps) | _NUMBERS)
def test_any_value_in_an_intent_never_raises(name: str, value: str) -> None:
    found = _survives(f'{{"type": "BotIntent", "{name}": {value}}}'.encode())
    if isinstance(found, Fault):
        assert name in found.advice


@given(st.sampled_from(SAMPLES), st.dictionaries(st.text(max_size=12), json_values, max_size=4), st.data())
def test_any_value_in_any_message_never_raises(sample: bytes, extra: dict[str, Any], data: Any) -> None:
    message = json.loads(sample) | extra
    name = data.draw(st.sampled_from(sorted(message)))
    message[name] = data.draw(json_values)
    _survives(json.dumps(message).encode())


@given(
    st.lists(
        st.fixed_dictionaries({"message": st.text(), "messageType": st.text(), "receiverId": json_values})
    )
)
def test_any_team_messages_never_raise(messages: list[dict[str, Any]]) -> None:
    _survives(json.dumps({"type": "BotIntent", "teamMessages": messages}).encode())


@given(
    st.builds(
        TankIntent,
        turn_rate=st.none() | st.floats(allow_nan=False, allow_infinity=False),
        firepower=st.none() | st.floats(allow_nan=False, allow_infinity=False),
        rescan=st.none() | st.booleans(),
        body_color=st.none() | st.text(st.characters(exclude_categories=["Cs"])),
        turn_number=st.none() | st.integers(0, 2**31),
    )
)
def test_an_intent_comes_back_as_it_was_sent(intent: TankIntent) -> None:
    assert decode(encode(intent)) == intent
