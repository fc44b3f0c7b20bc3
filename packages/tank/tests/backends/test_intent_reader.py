"""The compiled reader reads an intent exactly like the Python decoder, or passes it on to it."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.kernel.game import SeatInfo
from turnwright.kernel.rng import Streams
from turnwright_tank.backends import extension
from turnwright_tank.backends.compiled import CompiledRows
from turnwright_tank.game import TankGame
from turnwright_tank.intent_rows import DECIDING, store_intent
from turnwright_tank.structs import TankIntent
from turnwright_tank.wire.royale.codec import decode

if not extension.available():
    pytest.skip(extension.why_missing(), allow_module_level=True)

NAMES = [field.encode_name for field in msgspec.structs.fields(TankIntent)]
NUMBERS, SWITCHES = NAMES[:5], NAMES[5:10]
TOKENS = (
    *(
        "0",
        "-0",
        "0.0",
        "-0.0",
        "1",
        "-45",
        "8.5",
        "1e2",
        "1E+2",
        "1e-7",
        "-1.5e-3",
        "01",
        "+1",
        "1.",
        ".5",
        "-",
    ),
    *(
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0",
        "0.1e23",
        "1e22",
        "1e23",
        "1e400",
        "-1e-400",
    ),
    *("4.123456789012345678901234567890", "1797693134862315807e290", "5e-324", "2.2250738585072011e-308"),
    *(
        "123456789012345678901234567890",
        "0.00000000000000000000000000012345678901234567890",
        "1e99999999999999",
    ),
    *(
        "true",
        "false",
        "null",
        "tru",
        "nulll",
        "NaN",
        "Infinity",
        "-Infinity",
        '"5"',
        '"true"',
        '"\\u0041"',
        "[]",
        "{}",
    ),
)
SPACE = st.sampled_from(("", "", "", " ", "\n", "\t \r"))


def tables() -> CompiledRows:
    game = TankGame("compiled")
    state = game.setup({}, [SeatInfo("a"), SeatInfo("b")], Streams(1))
    assert isinstance(state.tables, CompiledRows)
    return state.tables


def packed(intent: Any) -> bytes:
    """An intent, bit for bit: 0.0 and -0.0 differ."""
    return msgspec.msgpack.encode(intent)


def check(data: bytes) -> TankIntent | None:
    """Read a message both ways; return what the compiled reader has read."""
    found: TankIntent | None = tables().read_intent(1, data)
    if found is not None:
        notes: list[Any] = []
        known = decode(data, notes)
        assert type(known) is TankIntent, known
        assert packed(found) == packed(known)
        assert notes == []
        assert known.turn_number is None
    return found


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    number = st.floats(allow_nan=False).map(repr) | st.integers(-(10**18), 10**18).map(str)
    names = st.sampled_from(
        (*NUMBERS, *SWITCHES, *NUMBERS, *SWITCHES, *NAMES, "x", "turnrate", "turnRat\\u0065")
    )
    value = number | st.sampled_from(TOKENS)
    pairs = [
        f'"{draw(names)}"{draw(SPACE)}:{draw(SPACE)}{draw(value)}' for _ in range(draw(st.integers(0, 6)))
    ]
    for _ in range(draw(st.sampled_from((0, 1, 1, 1, 1, 2)))):
        kind = draw(st.sampled_from(("BotIntent",) * 6 + ("BotReady", "botintent")))
        pairs.insert(draw(st.integers(0, len(pairs))), f'"type"{draw(SPACE)}:{draw(SPACE)}"{kind}"')
    text = ",".join(f"{draw(SPACE)}{pair}{draw(SPACE)}" for pair in pairs)
    return f"{draw(SPACE)}{{{text}}}{draw(SPACE)}".encode()


@given(messages())
def test_an_object_is_read_as_by_the_decoder_or_left_to_it(data: bytes) -> None:
    check(data)


@given(messages(), st.data())
def test_a_damaged_message_is_read_like_by_the_decoder_or_left_to_it(
    data: bytes, draw: st.DataObject
) -> None:
    at = draw.draw(st.integers(0, len(data) - 1))
    check(data[:at] + draw.draw(st.binary(max_size=2)) + data[at + draw.draw(st.integers(0, 2)) :])


@given(st.binary(max_size=40))
def test_so_are_any_bytes(data: bytes) -> None:
    check(data)


@given(st.dictionaries(st.sampled_from(NUMBERS), st.floats(allow_nan=False, allow_infinity=False)))
def test_numbers_of_every_size_are_read_here(said: dict[str, float]) -> None:
    data = json.dumps({"type": "BotIntent", **said}).encode()
    found = check(data)
    assert found is not None
    assert {k: v for k, v in msgspec.to_builtins(found).items() if k != "type"} == said


@pytest.mark.parametrize("token", TOKENS)
def test_each_odd_value_is_read_the_same_way(token: str) -> None:
    for name in ("turnRate", "rescan", "turnNumber", "bodyColor", "unknown"):
        check(f'{{"type":"BotIntent","{name}":{token}}}'.encode())


def test_usual_intents_are_read_by_the_compiled_reader() -> None:
    assert check(b'{"type":"BotIntent"}') == TankIntent()
    assert check(b'{"turnRate": 5, "rescan": null, "fireAssist": false, "type": "BotIntent"\n}') is not None
    assert (
        check(b'{"type":"BotIntent","turnRate":-4.123456789012345,"firepower":0.1,"rescan":true}') is not None
    )


@pytest.mark.parametrize(
    "rest",
    [
        '"turnRate":1,"turnRate":1',
        '"turnNumber":1',
        '"stdOut":"a"',
        '"bodyColor":null',
        '"x":1',
        '"type":"BotIntent"',
    ],
)
def test_unusual_intents_are_left_to_the_decoder(rest: str) -> None:
    assert tables().read_intent(0, f'{{"type":"BotIntent",{rest}}}'.encode()) is None


def test_the_same_intent_again_is_the_same_object() -> None:
    rows = tables()
    first = rows.read_intent(0, b'{"type":"BotIntent","turnRate":5}')
    assert rows.read_intent(1, b'{"type":"BotIntent","turnRate":5}') is not first
    assert rows.read_intent(0, b'{"type":"BotIntent","turnRate":5.0}') is first
    assert rows.read_intent(0, b'{"type":"BotIntent","turnRate":-5}') is not first


def test_a_seat_must_be_there_and_a_message_bytes() -> None:
    for seat in (-1, 2, 10**30):
        with pytest.raises((ValueError, OverflowError)):
            tables().read_intent(seat, b"{}")
    with pytest.raises(TypeError):
        tables().read_intent(0, "{}")


@given(messages())
def test_an_intent_is_stored_as_the_decoder_in_python_stores_it(data: bytes) -> None:
    game = TankGame("compiled")
    seats, streams = [SeatInfo("a"), SeatInfo("b")], Streams(1)
    states = [game.setup({}, seats, streams) for _ in range(2)]
    for state in states:
        game.resolve(state, {}, streams)
    compiled, slow = states
    assert isinstance(compiled.tables, CompiledRows)
    intent = compiled.tables.read_intent(1, data)
    if intent is None:
        return
    other = TankIntent(turn_rate=3.0)
    assert list(compiled.tables.store_read({0: other, 1: intent})) == [0]
    assert list(compiled.tables.store_read({1: TankIntent(**msgspec.structs.asdict(intent))})) == [1]
    store_intent(slow, 1, intent)
    assert compiled.tables.snapshot() == slow.tables.snapshot()
    assert len(DECIDING) == 10
