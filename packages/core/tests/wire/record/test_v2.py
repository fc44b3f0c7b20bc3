"""Version 2 of the record: a written record can be read back, and every change of it is found."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import math
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.errors import RecordError
from turnwright.games.countdown.game import Countdown
from turnwright.kernel.battle import Battle
from turnwright.kernel.failure import Failure, FailureReason
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Footer, Header, Record, TurnEntry, TurnRules
from turnwright.kernel.verify import verify
from turnwright.wire.record import v2, v2_lines

HEADER = Header(
    game="carts",
    behaviour_version=1,
    seed=2**63 - 1,
    setup={"width": 800, "rate": 0.1},
    seats=(
        SeatInfo("Ä 机器人", "1.0", team=7, options={"droid": True, "initial_position": {"x": -0.0}}),
        SeatInfo("B"),
        SeatInfo("C"),
    ),
    rules=TurnRules(timeout_ns=1_000, opening_timeout_ns=2_000, on_skip="idle", max_skipped=0),
    tolerant=True,
    made_by="turnwright 0.1",
    announced={"participants": [{"name": "Ä", "authors": []}]},
)


class Note(msgspec.Struct, frozen=True, rename="camel"):
    text: str
    kind: str
    receiver_id: int | None = None


class Move(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """An intent of many fields, of which most are left out."""

    turn_rate: float | None = None
    power: float | None = None
    rescan: bool | None = None
    notes: tuple[Note, ...] | None = None
    std_out: str | None = None


FAST = Move(turn_rate=1.5, notes=(Note("{}", "t", 2),), std_out="hi\n")
TURNS = [
    TurnEntry(1, {}, digest="00f00f"),
    TurnEntry(2, {0: FAST, 2: Move()}, skipped=(1,), digest="0a00a0", checks="00ff10", opening=True),
    TurnEntry(3, {0: FAST, 1: FAST, 2: Move(rescan=False)}, late_ns={1: 12_345}, digest="0b00b0"),
    TurnEntry(
        4,
        {2: Move(rescan=False)},
        (0,),
        {},
        (0,),
        (1,),
        (("scan", "x | y"),),
        "0c00c0",
        out={1: Failure(FailureReason.SLOW, 2, 31)},
    ),
    TurnEntry(5, {}, digest="0d0d0d", answered="-0K", server_late_ns=7, keyframe=b'{"a":[1.5,-0.0]}'),
]
FOOTER = Footer("over", 5, [{"name": "B", "total": 120}])


def _reader(header: Header) -> Callable[[Any], Any]:
    return lambda data: msgspec.convert(data, Move)


def _lines(turns: list[TurnEntry] = TURNS, footer: Footer | None = FOOTER) -> list[bytes]:
    encoder = v2.Encoder(msgspec.to_builtins)
    lines = [encoder.encode_header(HEADER), *(encoder.encode_turn(turn) for turn in turns)]
    return lines if footer is None else [*lines, encoder.encode_footer(footer)]


def _read(lines: list[bytes]) -> Record:
    return v2.decode_lines(lines, _reader)


def _chained(*bodies: bytes) -> list[bytes]:
    """Return lines with correct hashes around any bodies, as an attacker can write them."""
    lines = []
    line, whole = v2.chained(bodies[0])
    for body in bodies[1:]:
        lines.append(line)
        line, whole = v2.chained(body, whole)
    return [*lines, line]


def _body(line: bytes) -> bytes:
    return line[: -len(',"h":"0123"}\n')] + b"}"


# ---- there and back ------------------------------------------------------------------------------------


def test_a_record_comes_back_as_it_was_written() -> None:
    assert _read(_lines()) == Record(HEADER, TURNS, FOOTER, truncated=False)


def test_seats_come_back_as_numbers_and_in_order() -> None:
    entry = _read(_lines()).turns[2]
    assert list(entry.intents) == [0, 1, 2]
    assert list(entry.late_ns) == [1]


def test_the_debugged_seats_are_written_where_they_change() -> None:
    turns = [TurnEntry(1, {}, debugged=(0, 2)), TurnEntry(2, {}), TurnEntry(3, {}, debugged=())]
    lines = _lines(turns)
    assert [json.loads(line).get("b") for line in lines[1:4]] == [[0, 2], None, []]
    assert b'"b"' not in lines[2]
    assert _read(lines[:4]).turns == turns


def test_an_intent_that_did_not_change_is_not_written_again() -> None:
    third = json.loads(_lines()[3])
    assert third["i"] == {"1": json.loads(msgspec.json.encode(FAST)), "2": {"rescan": False}}
    assert "r" not in third
    fourth = json.loads(_lines()[4])
    assert fourth["r"] == [2]
    assert "i" not in fourth


def test_only_changed_keys_of_an_intent_are_written() -> None:
    turns = [
        TurnEntry(1, {0: Move(turn_rate=1.0, power=0.0, rescan=True)}),
        TurnEntry(2, {0: Move(turn_rate=1.0, power=-0.0)}),
        TurnEntry(3, {0: Move(turn_rate=2.0, power=-0.0, notes=())}),
        TurnEntry(4, {0: Move(turn_rate=2.0, power=-0.0, notes=())}),
    ]
    lines = _lines(turns)
    assert [json.loads(line).get("i") for line in lines[2:5]] == [
        {"0": {"power": -0.0, "rescan": None}},
        {"0": {"turnRate": 2.0, "notes": []}},
        None,
    ]
    back = _read(lines).turns
    assert back == turns
    assert math.copysign(1, back[2].intents[0].power) == -1


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ([(0, 1), (0, 1)], [None]),
        ([(0, 1), (0,)], [[0]]),
        ([(0, 1), ()], [[]]),
        ([(0,), (), (0,), (0,)], [[], [0], None]),
    ],
)
def test_seats_that_repeat_are_written_only_if_they_change(
    seats: list[tuple[int, ...]], said: list[list[int] | None]
) -> None:
    turns = [
        TurnEntry(number, dict.fromkeys(some, FAST), digest="abc") for number, some in enumerate(seats, 1)
    ]
    lines = _lines(turns)
    assert [json.loads(line).get("r") for line in lines[2:-1]] == said
    assert _read(lines).turns == turns


def test_a_digest_and_a_hash_are_shortened_in_every_line() -> None:
    long = "0123456789abcdef"
    turns = [TurnEntry(1, {}, digest=long), TurnEntry(2, {}, digest=long, keyframe=b"{}")]
    lines = [json.loads(line) for line in _lines(turns)]
    assert [line.get("d") for line in lines] == [None, *[long[: v2_lines.DIGEST_DIGITS]] * 2, None]
    assert {len(line["h"]) for line in lines} == {v2_lines.HASH_DIGITS}


def test_the_hash_of_a_line_is_its_last_key_and_covers_everything_before_it() -> None:
    """As the reference page describes it."""
    before = b"turnwright record 2"
    for line in _lines():
        covered, key, rest = line.rpartition(b'"h":"')
        assert key
        before = hashlib.blake2b(before + covered, digest_size=8).hexdigest().encode()
        assert rest == before[:4] + b'"}\n'


def test_an_intent_is_the_same_only_when_every_bit_is() -> None:
    turns = [TurnEntry(1, {0: Move(turn_rate=0.0)}), TurnEntry(2, {0: Move(turn_rate=-0.0)})]
    back = _read(_lines(turns)).turns[1].intents[0]
    assert math.copysign(1, back.turn_rate) == -1


def test_empty_fields_are_not_written() -> None:
    lines = _lines([TurnEntry(1, {}, digest="abc"), TurnEntry(2, {})])
    assert [json.loads(line).keys() for line in lines[1:3]] == [{"d", "h"}, {"h"}]


def test_a_missed_turn_between_does_not_forget_the_intent() -> None:
    turns = [TurnEntry(1, {0: FAST}), TurnEntry(2, {}, skipped=(0,)), TurnEntry(3, {0: FAST})]
    assert json.loads(_lines(turns)[3])["r"] == [0]
    assert _read(_lines(turns)).turns == turns


entries = st.builds(
    TurnEntry,
    turn=st.just(0),
    intents=st.dictionaries(
        st.integers(0, 2),
        st.sampled_from([FAST, Move(), Move(power=5e-324), Move(std_out="\x00\u2028")]),
    ),
    skipped=st.lists(st.integers(0, 2), unique=True, max_size=3).map(tuple),
    late_ns=st.dictionaries(st.integers(0, 2), st.integers(0, 2**62)),
    gone=st.lists(st.integers(0, 2), max_size=2).map(tuple),
    faults=st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), max_size=2).map(tuple),
    opening=st.booleans(),
    answered=st.sampled_from(["", "-Az"]),
    server_late_ns=st.integers(0, 2**62),
    keyframe=st.just(b""),
)
STATES = [
    {},
    {"digest": "012345"},
    {"digest": "012345", "checks": "abcd0f"},
    {"digest": "012345", "keyframe": b"[]"},
    {"digest": "012345", "checks": "abcd", "keyframe": b"{}"},
]
"""Fields in which a turn describes the state after it."""


@given(st.lists(st.tuples(entries, st.sampled_from(STATES)), max_size=12), st.booleans())
def test_any_record_comes_back(turns: list[tuple[TurnEntry, dict[str, Any]]], whole: bool) -> None:
    numbered = [
        dataclasses.replace(turn, turn=number, **state) for number, (turn, state) in enumerate(turns, 1)
    ]
    record = _read(_lines(numbered, FOOTER if whole else None))
    assert record.turns == numbered
    assert record.truncated is not whole


def test_a_battle_that_was_written_and_read_verifies() -> None:
    game = Countdown()
    battle = Battle(game, dict(game.defaults), HEADER.seats, 5)
    encoder = v2.Encoder(game.write_intent)
    lines = [encoder.encode_header(battle.header)]
    for turn in range(1, 31):
        asked = game.asked(battle.state)
        entry = TurnEntry(turn, {seat: 1 + (turn + seat) % 3 for seat in asked if (turn + seat) % 5})
        lines.append(encoder.encode_turn(battle.replay_turn(entry).entry))
        if battle.outcome is not None:
            break
    lines.append(encoder.encode_footer(Footer("over", battle.turn)))
    record = v2.decode_lines(lines, lambda header: game.read_intent)
    found = verify(record, game)
    assert found.ok
    assert found.turns == len(lines) - 2 > 3


# ---- cut off -------------------------------------------------------------------------------------------


def test_a_record_without_a_footer_is_truncated() -> None:
    record = _read(_lines(footer=None))
    assert record.truncated
    assert record.turns == TURNS


def test_a_record_cut_at_any_byte_keeps_its_whole_lines() -> None:
    lines = _lines()
    data = b"".join(lines)
    for length in range(len(lines[0]), len(data)):
        record = _read(data[:length].splitlines(keepends=True))
        whole = data[:length].count(b"\n") - 1
        assert record.truncated
        assert record.turns == TURNS[:whole]


@pytest.mark.parametrize("lines", [[], [b""], [b"{"], [_lines()[0][:-1]]])
def test_a_record_without_a_header_is_refused(lines: list[bytes]) -> None:
    with pytest.raises(RecordError, match="header"):
        _read(lines)


# ---- changed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 8))
def test_any_changed_byte_is_found_and_its_line_named(number: int) -> None:
    lines = _lines()
    for at in range(len(lines[number - 1]) - 1):
        changed = bytearray(lines[number - 1])
        changed[at] ^= 1
        if b"\n" in changed[:-1]:
            continue
        with pytest.raises(RecordError, match=rf"line {number}\b"):
            _read([*lines[: number - 1], bytes(changed), *lines[number:]])


def test_a_missing_line_two_swapped_and_one_too_many_are_found() -> None:
    lines = _lines()
    for bad, number in (
        ([*lines[:2], *lines[3:]], 3),
        ([lines[0], lines[2], lines[1], *lines[3:]], 2),
        ([*lines[:2], lines[1], *lines[2:]], 3),
        ([*lines, lines[-1]], 8),
    ):
        with pytest.raises(RecordError, match=rf"line {number}\b"):
            _read(bad)


def test_more_after_the_footer_is_found_even_without_a_newline() -> None:
    with pytest.raises(RecordError, match="after the footer"):
        _read([*_lines(), b"x"])


# ---- not a record, or one that lies ---------------------------------------------------------------------


@pytest.mark.parametrize("line", [b"\n", b"x\n", b"[]\n", b'{"a":1}\n', b"\x1f\x8b\n", b"[" * 64 + b"\n"])
def test_other_data_is_refused_as_not_a_record(line: bytes) -> None:
    with pytest.raises(RecordError, match=r"line 1 .*not a record"):
        _read([line])


@pytest.mark.parametrize(
    ("version", "reader"), [(1, "a development version from before release 0.1.0"), (3, "a newer one")]
)
def test_a_record_of_another_version_is_refused_with_the_version_that_reads_it(
    version: int, reader: str
) -> None:
    said = f"it is of version {version} of the format; this turnwright reads version 2: read it with {reader}"
    with pytest.raises(RecordError, match=said):
        _read([b'{"turnwright":%d,"what":"ever"}\n' % version])


@pytest.mark.parametrize(
    ("turn", "why"),
    [
        ({"r": [0]}, "has sent no intent before"),
        ({"i": {"3": {}}}, "no seat 3"),
        ({"i": {"-1": {}}}, "no seat -1"),
        ({"i": {"a": {}}}, "line 2"),
        ({"s": [3]}, "no seat 3"),
        ({"l": {"3": 1}}, "no seat 3"),
        ({"l": {"1": "x"}}, "line 2"),
        ({"g": [99]}, "no seat 99"),
        ({"x": [99]}, "no seat 99"),
        ({"b": [3]}, "no seat 3"),
        ({"b": "x"}, "line 2"),
        ({"f": [["a"]]}, "line 2"),
        ({"c": 5}, "line 2"),
        ({"a": "--"}, "2 answer times for 3 seats"),
        ({"i": {"0": {"turnRate": "x"}}}, "line 2"),
        ({"r": "x"}, "line 2"),
    ],
)
def test_an_impossible_turn_is_refused(turn: dict[str, Any], why: str) -> None:
    lines = _chained(_body(_lines()[0]), json.dumps(turn).encode())
    with pytest.raises(RecordError, match=why):
        _read(lines)


def test_a_header_with_a_wrong_type_is_refused() -> None:
    header = json.loads(_body(_lines()[0]))
    for name in ("game", "seed", "seats", "rules", "setup"):
        with pytest.raises(RecordError, match="line 1"):
            _read(_chained(json.dumps({**header, name: None}).encode()))


def test_an_unknown_key_is_ignored() -> None:
    header = _body(_lines()[0])
    record = _read(_chained(header, b'{"new":[1],"o":true}'))
    assert record.turns == [TurnEntry(1, {}, opening=True)]


def test_a_line_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = _lines()
    longest = max(map(len, lines))
    monkeypatch.setattr(v2, "LINE_BYTES_MAX", longest)
    _read(lines)
    monkeypatch.setattr(v2, "LINE_BYTES_MAX", longest - 1)
    with pytest.raises(RecordError, match="more than"):
        _read(lines)


def test_a_reader_may_refuse_the_game() -> None:
    def refuse(header: Header) -> Callable[[Any], Any]:
        raise RecordError(f"no game {header.game!r}")

    with pytest.raises(RecordError, match="no game 'carts'"):
        v2.decode_lines(_lines(), refuse)


@given(st.lists(st.binary(max_size=60).map(lambda b: b + b"\n"), max_size=4))
def test_any_lines_are_a_record_or_a_record_error(lines: list[bytes]) -> None:
    for data in (lines, [*_lines(), *lines], [*_lines(footer=None), *lines]):
        for lenient in (False, True):
            with contextlib.suppress(RecordError):
                v2.decode_lines(data, _reader, lenient=lenient)


# ---- lenient -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "turn"), [(1, 0), (2, 1), (4, 3), (6, 5), (7, None)])
def test_a_lenient_reader_says_which_line_was_changed(number: int, turn: int | None) -> None:
    lines = _lines()
    found = 0
    for at in range(len(lines[number - 1]) - 1):
        changed = bytearray(lines[number - 1])
        changed[at] ^= 1
        if b"\n" in changed[:-1]:
            continue
        with contextlib.suppress(RecordError):  # a header cannot be read at all
            data = [*lines[: number - 1], bytes(changed), *lines[number:]]
            record = v2.decode_lines(data, _reader, lenient=True)
            assert record.broken is not None
            assert record.broken.line == number
            assert record.broken.turn in (turn, turn or 6)  # a footer may look like a turn now
            assert record.broken.recorded != record.broken.found
            assert record.turns[: max(0, number - 2)] == TURNS[: max(0, number - 2)]
            assert not record.truncated
            found += 1
    assert found >= 5


def test_a_lenient_reader_tells_a_missing_line() -> None:
    lines = _lines()
    record = v2.decode_lines([*lines[:2], *lines[3:]], _reader, lenient=True)
    assert record.broken is not None
    assert record.broken.line == 3


def _changed(lines: list[bytes], number: int, old: bytes, new: bytes) -> list[bytes]:
    assert old in lines[number - 1]
    return [*lines[: number - 1], lines[number - 1].replace(old, new), *lines[number:]]


def test_lenient_reading_accepts_a_changed_line_and_those_after_it() -> None:
    lines = _changed(_lines(), 3, b'"turnRate":1.5', b'"turnRate":2.5')
    record = v2.decode_lines(lines, _reader, lenient=True)
    assert record.broken is not None
    faster = msgspec.structs.replace(FAST, turn_rate=2.5)
    second = dataclasses.replace(TURNS[1], intents={0: faster, 2: Move()})
    third = dataclasses.replace(TURNS[2], intents={**TURNS[2].intents, 0: faster})
    assert record.turns == [TURNS[0], second, third, *TURNS[3:]]
    assert record.footer == FOOTER


@pytest.mark.parametrize("end", [b"nonsense\n", b'{"r":[9]}\n', b'{"s":"x"}\n', b"[" * 99 + b"\n"])
def test_reading_behind_a_changed_line_ends_where_nothing_can_be_read(end: bytes) -> None:
    lines = _changed(_lines(), 2, b'"00f', b'"10f')
    record = v2.decode_lines([*lines[:3], end, *lines[3:]], _reader, lenient=True)
    assert record.broken is not None
    assert record.broken.line == 2
    assert record.turns == [dataclasses.replace(TURNS[0], digest="10f00f"), TURNS[1]]
    assert (record.footer, record.truncated) == (None, False)


def test_a_changed_line_that_cannot_be_read_is_named() -> None:
    lines = _lines()
    record = v2.decode_lines([*lines[:3], b"nonsense\n", *lines[4:]], _reader, lenient=True)
    assert record.broken is not None
    assert (record.broken.line, record.broken.turn, record.broken.recorded) == (4, 3, "")
    assert record.turns == TURNS[:2]


@pytest.mark.parametrize("error", [RecordError("it unpacks to too much"), OSError("gone"), zlib.error("bad")])
def test_a_file_that_is_damaged_behind_a_changed_line_is_read_up_to_there(error: Exception) -> None:
    def damaged(lines: list[bytes]) -> Iterator[bytes]:
        yield from lines
        raise error

    record = v2.decode_lines(damaged(_changed(_lines(), 2, b'"00f', b'"10f')[:4]), _reader, lenient=True)
    assert record.broken is not None
    assert [entry.turn for entry in record.turns] == [1, 2, 3]
    with pytest.raises(type(error)):
        v2.decode_lines(damaged(_lines()[:4]), _reader, lenient=True)


def test_nothing_is_read_behind_a_changed_header() -> None:
    lines = _changed(_lines(), 1, b'"made_by":"turnwright 0.1"', b'"made_by":"turnwright 0.2"')
    record = v2.decode_lines(lines, _reader, lenient=True)
    assert record.broken is not None
    assert (record.broken.turn, record.turns, record.footer) == (0, [], None)


def test_a_whole_record_is_not_broken() -> None:
    assert v2.decode_lines(_lines(), _reader, lenient=True) == Record(HEADER, TURNS, FOOTER)
