"""Bytes of real programs, split at every point: the same events and answers.

The files of `streams` were recorded from TinTin++ 2.02.20, telnetlib3 5.0.1's client and inetutils' telnet
2.4; mudlet is put together from its documentation.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packages.world.tests.wire.telnet.peer import Peer, do, said, sub, will
from turnwright_world.wire.clock import TimePing
from turnwright_world.wire.messages import Hello, React
from turnwright_world.wire.telnet.codec import TelnetCodec
from turnwright_world.wire.telnet.events import (
    Event,
    Gmcp,
    ListingAsked,
    Mtts,
    Notice,
    Packages,
    Size,
    Terminal,
    TypedLine,
)
from turnwright_world.wire.telnet.parser import Command, Option

GMCP = Option.GMCP
SUPPORTS = [
    "char 1",
    "char.vitals 1",
    "char.items 1",
    "room 1",
    "room.info 1",
    "comm 1",
    "comm.channel 1",
    "group 1",
]
MUDLET = b"".join(
    [
        will(Option.TTYPE), will(Option.NAWS), sub(Option.NAWS, b"\0\xff\0\x28"), do(Option.CHARSET),
        do(Option.EOR), do(GMCP), sub(GMCP, b'Core.Hello { "client": "Mudlet", "version": "4.19.1" }'),
        sub(GMCP, b'Core.Supports.Set [ "Char 1", "Room 1", "Combat 1", "Time 1" ]'), do(Option.MSSP),
        do(Option.MCCP2), sub(Option.TTYPE, b"\0MUDLET"), sub(Option.TTYPE, b"\0ANSI-TRUECOLOR"),
        sub(Option.TTYPE, b"\0MTTS 2349"), sub(Option.CHARSET, b"\2UTF-8"), "Zoë\n".encode(),
        sub(GMCP, b'Time.Ping {"n":1,"c":123456}'), b"half a l", sub(GMCP, b"Core.Ping 44"), b"ine\r\n",
        sub(GMCP, b'Combat.React {"at":9000000,"reaction":"dodge"}'), b"na\xefve\r\0", sub(GMCP, b"Oops {"),
        said(Command.NOP), b"x" * 1_001 + b"\r\n", will(Option.MCCP3), do(200), b"quit\r\n",
    ]
)  # fmt: skip
KNOWN: dict[str, list[Event]] = {
    "tintin": [
        Size(100, 40),
        Packages(True),
        Gmcp("Core.Hello", Hello("tt", "1")),
        ListingAsked(),
        Terminal("TINTIN++"),
        Terminal("TINTIN++", "XTERM-256COLOR"),
        Terminal("TINTIN++", "XTERM-256COLOR", Mtts(271)),
        *(TypedLine(text) for text in ("hello wörld", "gm", "pw", "sesame", "ok")),
        Size(120, 30),
        TypedLine("quit"),
    ],
    "telnetlib3": [
        Size(91, 33),
        Packages(True),
        Gmcp("Core.Hello", Hello("telnetlib3", "5.0.1")),
        Gmcp("Core.Supports.Set", SUPPORTS),
        Terminal("XTERM-256COLOR"),
        *(TypedLine(text) for text in ("hello wörld", "gm", "pw", "ok")),
        Gmcp("Core.Hello", Hello("tl3", "5")),
        *(TypedLine(text) for text in ("gm", "quit")),
    ],
    "inetutils": [
        Terminal("VT220"),
        *(TypedLine(text) for text in ("hello", "pw", "secret", "ok", "after", "quit")),
    ],
    "mudlet": [
        Size(255, 40),
        Packages(True),
        Gmcp("Core.Hello", Hello("Mudlet", "4.19.1")),
        Gmcp("Core.Supports.Set", ["Char 1", "Room 1", "Combat 1", "Time 1"]),
        ListingAsked(),
        Terminal("MUDLET"),
        Terminal("MUDLET", "ANSI-TRUECOLOR"),
        Terminal("MUDLET", "ANSI-TRUECOLOR", Mtts(2349)),
        TypedLine("Zoë"),
        Gmcp("Time.Ping", TimePing(1, 123_456)),
        Gmcp("Core.Ping", 44),
        TypedLine("half a line"),
        Gmcp("Combat.React", React("dodge", 9_000_000)),
        TypedLine("naïve"),
        Notice("GMCP Oops: Input data was truncated"),
        Notice("that line is longer than 1,000 characters: the rest of it is dropped"),
        TypedLine("x" * 1_000),
        TypedLine("quit"),
    ],
}


def stream(name: str) -> bytes:
    return MUDLET if name == "mudlet" else (Path(__file__).parent / "streams" / f"{name}.bin").read_bytes()


def played(pieces: list[bytes]) -> tuple[list[Event], bytes]:
    """The events of a stream that comes in these pieces, and all that was answered, uncompressed."""
    codec, peer, events = TelnetCodec(), Peer(), []
    codec.open()
    peer.feed(codec.take())
    for piece in pieces:
        events += codec.receive(piece, 0)
        peer.feed(codec.take())
    return events, bytes(peer.plain)


@pytest.mark.parametrize("name", KNOWN)
def test_a_recorded_stream_has_these_events(name: str) -> None:
    assert played([stream(name)])[0] == KNOWN[name]


@pytest.mark.parametrize("name", KNOWN)
def test_a_recorded_stream_split_at_any_point_says_the_same(name: str) -> None:
    whole = stream(name)
    expected = played([whole])
    for cut in range(len(whole) + 1):
        assert played([whole[:cut], whole[cut:]]) == expected, cut


@pytest.mark.parametrize("name", KNOWN)
def test_a_recorded_stream_byte_by_byte_says_the_same(name: str) -> None:
    whole = stream(name)
    assert played([bytes([byte]) for byte in whole]) == played([whole])


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(sorted(KNOWN)), st.data())
def test_a_recorded_stream_in_any_pieces_says_the_same(name: str, data: st.DataObject) -> None:
    whole = stream(name)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=20)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert played(pieces) == played([whole])
