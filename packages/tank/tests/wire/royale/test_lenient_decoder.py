"""The slow path of intents: JSON as bots write it, repairs, faults, over-long texts."""

from __future__ import annotations

import sys

import pytest

from turnwright.wire.faults import Fault, FaultCode
from turnwright_tank.structs import TankIntent, TeamMessage
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.lenient_decoder import (
    Expected,
    NumberText,
    cut_output,
    limit_texts,
    parse,
    plain,
    recover_message,
    repair_intent,
    to_float,
    whole_text,
)
from turnwright_tank.wire.royale.limits import (
    COLOR_CHARS_MAX,
    DEBUG_GRAPHICS_BYTES_MAX,
    OUTPUT_BYTES_MAX,
    TRUNCATED_MARK,
)


def _mend(fields: str) -> TankIntent | Fault:
    return repair_intent(parse("{" + fields + "}"), [])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ("", TankIntent()),
        ('"turnRate": null, "teamMessages": null', TankIntent()),
        ('"turnRate": NaN', TankIntent()),
        ('"turnRate": " 5"', None),
        ('"turnRate": "5_0"', None),
        ('"turnRate": "٣"', None),
        ('"turnRate": "0x10"', None),
        ('"turnRate": "1e2"', TankIntent(turn_rate=100.0)),
        ('"rescan": "TRUE"', TankIntent(rescan=True)),
        ('"rescan": "false"', TankIntent(rescan=False)),
        ('"rescan": NaN', None),
        ('"bodyColor": 123', TankIntent(body_color="123")),
        ('"bodyColor": []', None),
        ('"turnNumber": 12.0', TankIntent(turn_number=12)),
        ('"turnNumber": NaN', TankIntent()),
        (f'"turnNumber": {"9" * 400}', TankIntent()),
        ('"turnNumber": "12"', None),
        ('"turnNumber": 1.5', None),
    ],
)
def test_a_field_is_read_dropped_or_refused(fields: str, said: TankIntent | None) -> None:
    found = _mend(fields)
    if said is None:
        assert isinstance(found, Fault)
        assert found.code is FaultCode.WRONG_TYPE
        assert found.closes is None
    else:
        assert found == said


@pytest.mark.parametrize(
    ("messages", "read"),
    [
        ("[]", ()),
        ('[{"message": "m", "messageType": "t"}]', (TeamMessage("m", "t"),)),
        ('[{"message": "m", "messageType": "t", "receiverId": null}]', (TeamMessage("m", "t"),)),
        ('[{"message": "m", "messageType": "t", "receiverId": 2.0}]', (TeamMessage("m", "t", 2),)),
        ('[{"message": "\\ud800", "messageType": "t"}]', (TeamMessage("\ufffd", "t"),)),
        ('[{"message": 5, "messageType": "t"}]', None),
        ('[{"message": "m", "messageType": null}]', None),
        ('[{"message": "m", "messageType": "t", "receiverId": "2"}]', None),
        ('[{"message": "m", "messageType": "t", "receiverId": 2.5}]', None),
        ('[{"message": "m", "messageType": "t", "receiverId": NaN}]', None),
        ("[1]", None),
        ("{}", None),
        ('"x"', None),
    ],
)
def test_team_messages_are_read_or_close_the_connection(
    messages: str, read: tuple[TeamMessage, ...] | None
) -> None:
    found = _mend(f'"teamMessages": {messages}')
    if read is None:
        assert isinstance(found, Fault)
        assert (found.code, found.closes) == (FaultCode.TEAM_MESSAGE, 1008)
    else:
        assert found == TankIntent(team_messages=read)


def test_numbers_stay_as_they_were_written() -> None:
    parsed = parse('[1, -2.50, 1e999, NaN, -Infinity, "3"]')
    assert parsed == ["1", "-2.50", "1e999", "NaN", "-Infinity", "3"]
    assert [type(item) is NumberText for item in parsed] == [True] * 5 + [False]


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("0", 0.0),
        ("-0.0", -0.0),
        ("2.5e3", 2500.0),
        ("1e308", 1e308),
        ("1e309", sys.float_info.max),
        ("-1e309", -sys.float_info.max),
        ("Infinity", sys.float_info.max),
        ("1" + "0" * 5_000, sys.float_info.max),
        ("NaN", None),
    ],
)
def test_a_number_becomes_a_finite_float_or_nothing(number: str, value: float | None) -> None:
    found = to_float(number)
    assert found == value


def test_minus_zero_keeps_its_sign() -> None:
    assert str(to_float("-0.0")) == "-0.0"


@pytest.mark.parametrize(
    ("written", "value"),
    [("30.0", 30), ("30", 30), ("0.1", 0.1), ("-1", -1), ("1e3", 1000), ("9007199254740993.5", 2.0**53 + 2)],
)
def test_a_plain_number_is_whole_where_it_can_be(written: str, value: float) -> None:
    found = plain(NumberText(written))
    assert found == value
    assert isinstance(found, int) == (float(written).is_integer() and abs(value) < 2**53)


def test_nulls_and_non_finite_numbers_are_left_out_of_objects() -> None:
    data = parse('{"a": null, "b": NaN, "c": {"d": Infinity, "e": 1}, "f": [null, 2]}')
    assert plain(data) == {"c": {"e": 1}, "f": [None, 2]}


def test_lone_surrogates_are_replaced_and_pairs_kept() -> None:
    assert whole_text("a\ud800b") == "a\ufffdb"
    assert whole_text("\udc00") == "\ufffd"
    assert plain(parse('"\\ud83d\\ude00"')) == "😀"
    assert plain({"\ud800": "x"}) == {"\ufffd": "x"}


def test_a_number_taken_as_text_is_a_plain_str() -> None:
    assert type(whole_text(NumberText("1.50"))) is str


EXPECTED = Expected.of(
    TankIntent | m.ChangeTps | m.ObserverHandshake,
    m.SkippedTurnEvent | m.TpsChangedEvent,
    to_server=True,
)


def _look(data: bytes) -> object:
    return recover_message(data, EXPECTED, [])


def test_a_direction_knows_its_types_by_their_names_on_the_wire() -> None:
    assert set(EXPECTED.types) == {"BotIntent", "ChangeTps", "ObserverHandshake"}
    assert EXPECTED.not_from_here == {"SkippedTurnEvent", "TpsChangedEvent"}


def test_repairable_messages_are_repaired() -> None:
    assert _look(b'{"type":"ChangeTps","tps":5.0,"x":NaN}') == m.ChangeTps(5)
    assert _look(b'{"type":"BotIntent","turnRate":1e999,"x":"\\ud800"}') != TankIntent()


@pytest.mark.parametrize(
    ("data", "code", "refers_to"),
    [
        (b'{"type":"TpsChangedEvent","tps":1}', FaultCode.SERVER_ONLY, "TpsChangedEvent"),
        (b'{"type":"StopGame"}', FaultCode.UNKNOWN_TYPE, None),
        (b'{"type":"ChangeTps"}', FaultCode.MISSING_FIELD, "ChangeTps"),
        (b'{"type":"ChangeTps","tps":"5"}', FaultCode.WRONG_TYPE, "ChangeTps"),
        (
            b'{"type":"ObserverHandshake","name":"","version":"1"}',
            FaultCode.OUT_OF_BOUNDS,
            "ObserverHandshake",
        ),
    ],
)
def test_a_fault_names_the_message_it_is_about(data: bytes, code: FaultCode, refers_to: str | None) -> None:
    fault = _look(data)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.refers_to) == (code, refers_to)


def test_only_a_broken_handshake_closes_the_connection() -> None:
    handshake, command = _look(b'{"type":"ObserverHandshake"}'), _look(b'{"type":"ChangeTps"}')
    assert isinstance(handshake, Fault)
    assert isinstance(command, Fault)
    assert (handshake.closes, command.closes) == (1008, None)


def test_a_huge_type_name_is_not_repeated_in_full() -> None:
    fault = _look(b'{"type":"' + b"x" * 100_000 + b'"}')
    assert isinstance(fault, Fault)
    assert len(fault.advice) < 120


@pytest.mark.parametrize("letter", ["a", "é", "€", "😀"])
@pytest.mark.parametrize("extra_bytes", [-1, 0, 1, 10_000])
def test_output_is_cut_by_its_bytes_at_a_whole_letter(letter: str, extra_bytes: int) -> None:
    text = letter * ((OUTPUT_BYTES_MAX + extra_bytes) // len(letter.encode()))
    over = len(text.encode()) > OUTPUT_BYTES_MAX
    kept = cut_output(text)
    assert len(kept.encode()) <= OUTPUT_BYTES_MAX
    assert (kept == text) is not over
    if over:
        assert kept.endswith(TRUNCATED_MARK)
        assert set(kept.removesuffix(TRUNCATED_MARK)) == {letter}
        assert len(kept.encode()) > OUTPUT_BYTES_MAX - 4


def test_an_intent_within_its_bounds_is_left_alone() -> None:
    intent = TankIntent(
        std_out="o" * OUTPUT_BYTES_MAX,
        debug_graphics="g" * DEBUG_GRAPHICS_BYTES_MAX,
        gun_color="c" * COLOR_CHARS_MAX,
    )
    notes: list[Fault] = []
    assert limit_texts(intent, notes) is intent
    assert notes == []


def test_each_thing_over_its_bound_is_cut_or_dropped_and_noted() -> None:
    intent = TankIntent(
        turn_rate=3.0,
        std_out="o" * (OUTPUT_BYTES_MAX + 1),
        std_err="e" * (OUTPUT_BYTES_MAX + 1),
        debug_graphics="é" * (DEBUG_GRAPHICS_BYTES_MAX // 2 + 1),
        gun_color="c" * (COLOR_CHARS_MAX + 1),
    )
    notes: list[Fault] = []
    trimmed = limit_texts(intent, notes)
    assert trimmed.turn_rate == 3.0
    assert trimmed.debug_graphics is None
    assert trimmed.gun_color is None
    assert (trimmed.std_out or "").endswith(TRUNCATED_MARK)
    assert (trimmed.std_err or "").endswith(TRUNCATED_MARK)
    assert len(notes) == 4
    assert not any(note.definite for note in notes)
