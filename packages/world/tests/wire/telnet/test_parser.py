"""Bytes become tokens, wherever they are split."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright_world.wire.telnet.parser import (
    IAC,
    SUB_BYTES_MAX,
    Command,
    CommandByte,
    Negotiated,
    Option,
    Sub,
    TelnetParser,
    TextBytes,
    Token,
    TooLong,
)

BS = Command.SB
CASES: list[tuple[bytes, list[Token]]] = [
    (b"plain", [TextBytes(b"plain")]),
    (b"a\xff\xffb", [TextBytes(b"a"), TextBytes(b"\xff"), TextBytes(b"b")]),
    (b"\xff\xfd\xc9", [Negotiated(Command.DO, 201)]),
    (b"\xff\xf9\xff\xef", [CommandByte(Command.GO_AHEAD), CommandByte(Command.EOR)]),
    (b"\xff\xfa\x1f\x00\x50\x00\x18\xff\xf0", [Sub(31, b"\x00\x50\x00\x18")]),
    (b"\xff\xfa\x1f\x00\xff\xff\x00\x18\xff\xf0", [Sub(31, b"\x00\xff\x00\x18")]),
    (b"\xff\xfa\x1f\x00\xff\x00\x18\xff\xf0", [Sub(31, b"\x00\xff\x00\x18")]),  # 255 not doubled
    (b"\xff\xfa\xc9cut\xff\xfd\x56on", [Negotiated(Command.DO, 86), TextBytes(b"on")]),  # its end forgotten
    (b"\xff\xfa\xc9cut\xff\xfa\xc9x\xff\xf0", [Sub(201, b"x")]),
    (b"\xff\xfa\x56\xff\xf0", [Sub(86, b"")]),
    (b"\xff\x01on", [TextBytes(b"on")]),  # no command has this number
    (b"\xff\xf0on", [CommandByte(Command.SE), TextBytes(b"on")]),
]


def tokens(parser: TelnetParser, data: bytes) -> list[Token]:
    """The tokens of data, with neighbouring texts as one."""
    found: list[Token] = []
    for token in parser.feed(data):
        found.append(token)
    return found


def joined(found: list[Token]) -> list[Token]:
    out: list[Token] = []
    for token in found:
        if isinstance(token, TextBytes) and out and isinstance(out[-1], TextBytes):
            out[-1] = TextBytes(out[-1].data + token.data)
        else:
            out.append(token)
    return out


@pytest.mark.parametrize(("data", "expected"), CASES, ids=[ascii(case[0]) for case in CASES])
def test_bytes_become_these_tokens_at_every_split(data: bytes, expected: list[Token]) -> None:
    assert tokens(TelnetParser(), data) == expected
    for cut in range(len(data) + 1):
        parser = TelnetParser()
        assert joined(tokens(parser, data[:cut]) + tokens(parser, data[cut:])) == joined(expected)


@pytest.mark.parametrize("size", [SUB_BYTES_MAX - 1, SUB_BYTES_MAX])
def test_a_subnegotiation_up_to_the_limit_comes_whole(size: int) -> None:
    assert tokens(TelnetParser(), b"\xff\xfa\xc9" + b"x" * size + b"\xff\xf0") == [Sub(201, b"x" * size)]


@pytest.mark.parametrize("piece", [1_000, 1_000_000])
def test_a_longer_subnegotiation_is_reported_once_and_the_stream_continues(piece: int) -> None:
    data = b"\xff\xfa\xc9" + b"x" * (3 * SUB_BYTES_MAX) + b"\xff\xf0next"
    parser, found = TelnetParser(), []
    for start in range(0, len(data), piece):
        found += tokens(parser, data[start : start + piece])
        assert parser.held <= SUB_BYTES_MAX
    assert joined(found) == [TooLong(201), TextBytes(b"next")]


def test_an_endless_subnegotiation_uses_no_memory() -> None:
    parser = TelnetParser()
    list(parser.feed(b"\xff\xfa\xc9"))
    for _ in range(100):
        list(parser.feed(b"\xff\xff" * 5_000))
    assert parser.held <= SUB_BYTES_MAX


@given(
    st.lists(st.sampled_from([b"\xff", b"\xfa", b"\xf0", b"\xfd", b"\xc9", b"x", b"\0", b"\xef"])), st.data()
)
def test_any_bytes_split_anywhere_give_the_same_tokens(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    parser, found = TelnetParser(), []
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        found += tokens(parser, whole[start:end])
    assert joined(found) == joined(tokens(TelnetParser(), whole))


def test_commands_fill_the_numbers_from_eor_to_dont() -> None:
    assert sorted(Command) == list(range(239, 255))
    assert IAC == 255


def test_options_have_the_numbers_that_the_rfcs_and_clients_use() -> None:
    assert {option.name: option.value for option in Option} == {
        "BINARY": 0, "ECHO": 1, "SGA": 3, "TTYPE": 24, "EOR": 25, "NAWS": 31, "NEW_ENVIRON": 39,
        "CHARSET": 42, "MSDP": 69, "MSSP": 70, "MCCP2": 86, "MCCP3": 87, "MXP": 91, "GMCP": 201,
    }  # fmt: skip
