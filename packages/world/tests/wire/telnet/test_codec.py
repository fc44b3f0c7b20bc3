"""One connection: messages of both ends in both directions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.world.tests.wire.telnet.peer import Peer, do, hear, said, sub, will
from turnwright_world.wire.clock import TimePing
from turnwright_world.wire.messages import React
from turnwright_world.wire.telnet import mssp
from turnwright_world.wire.telnet.codec import TelnetCodec
from turnwright_world.wire.telnet.events import (
    Encoding,
    Gmcp,
    ListingAsked,
    Mtts,
    Notice,
    Packages,
    Size,
    Terminal,
    TypedLine,
)
from turnwright_world.wire.telnet.parser import Command, Option, Sub

GMCP, MCCP2, EOR, ECHO = Option.GMCP, Option.MCCP2, Option.EOR, Option.ECHO


def opened(*answers: bytes) -> TelnetCodec:
    """A codec whose opening is sent and answered with these."""
    codec = TelnetCodec()
    codec.open()
    codec.take()
    hear(codec, b"".join(answers))
    codec.take()
    return codec


# ---- opening -------------------------------------------------------------------------------------------


def test_the_greeting_follows_the_options_without_waiting_for_an_answer() -> None:
    codec = TelnetCodec()
    codec.open()
    codec.text("Welcome\n")
    codec.prompt("Name? ")
    first = codec.take()
    assert first.startswith(do(Option.TTYPE))
    assert Peer().feed(first).text == "Welcome\r\nName? "
    assert codec.take() == b""


# ---- text and prompts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "mark"),
    [
        ([], [Command.GO_AHEAD]),
        ([do(EOR)], [Command.EOR]),
        ([do(Option.SGA)], []),
        ([do(EOR), do(Option.SGA)], [Command.EOR]),
        ([do(EOR), said(Command.DONT, EOR)], [Command.GO_AHEAD]),
    ],
)
def test_a_prompt_ends_with_the_mark_that_was_agreed(answers: list[bytes], mark: list[Command]) -> None:
    codec = opened(*answers)
    codec.prompt("> ")
    peer = Peer().feed(codec.take())
    assert peer.shown == b"> "
    assert peer.commands() == mark


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_any_text_arrives_unchanged(text: str) -> None:
    codec = opened()
    codec.text(text + "\n")
    assert Peer().feed(codec.take()).text == text + "\r\n"


def test_a_passphrase_is_masked_while_it_is_typed_and_the_next_text_begins_a_line() -> None:
    codec = opened()
    codec.echo(False)
    codec.prompt("Passphrase: ")
    assert codec.take() == said(Command.WILL, ECHO) + b"Passphrase: " + said(Command.GO_AHEAD)
    assert hear(codec, do(ECHO) + b"sesame\r\n") == [TypedLine("sesame")]
    codec.echo(True)
    codec.text("Welcome back.\n")
    assert codec.take() == said(Command.WONT, ECHO) + b"\r\nWelcome back.\r\n"


def test_masking_works_a_second_time_without_an_answer_to_the_first() -> None:
    """TinTin++ answers WILL ECHO with DO, and leaves WONT ECHO without an answer."""
    codec = opened()
    for _ in range(3):
        codec.echo(False)
        assert codec.take() == said(Command.WILL, ECHO)
        hear(codec, do(ECHO) + b"sesame\r\n")
        codec.echo(True)
        assert codec.take() == said(Command.WONT, ECHO) + b"\r\n"


def test_saying_the_same_of_echo_twice_says_nothing_more() -> None:
    codec = opened()
    codec.echo(True)
    assert codec.take() == b""
    codec.echo(False)
    codec.echo(False)
    assert codec.take() == said(Command.WILL, ECHO)


def test_a_client_cannot_switch_echo_itself() -> None:
    codec = opened()
    hear(codec, do(ECHO))
    assert codec.take() == said(Command.WONT, ECHO)
    hear(codec, said(Command.DONT, ECHO) + will(ECHO))
    assert codec.take() == said(Command.DONT, ECHO)


# ---- facts about the peer ------------------------------------------------------------------------------


def test_sizes_are_reported_when_they_change() -> None:
    codec = opened(will(Option.NAWS))
    eighty = sub(Option.NAWS, b"\0\x50\0\x18")
    assert hear(codec, eighty + eighty + sub(Option.NAWS, b"\0\xff\0\x18")) == [Size(80, 24), Size(255, 24)]
    assert codec.size == Size(255, 24)


@pytest.mark.parametrize(
    "data",
    [
        sub(Option.NAWS, b"\0\x50\0\x18"),
        sub(Option.TTYPE, b"\0xterm"),
        sub(Option.CHARSET, b"\2UTF-8"),
        sub(GMCP, b"Core.Hello {}"),
        sub(Option.MSSP, b""),
        sub(200, b"?"),
    ],
)
def test_options_that_were_not_negotiated_are_ignored(data: bytes) -> None:
    codec = opened()
    assert hear(codec, data) == []
    assert codec.take() == b""


def test_the_terminal_is_asked_until_it_has_answered_everything() -> None:
    codec = opened(will(Option.TTYPE))
    ask = sub(Option.TTYPE, b"\1")
    assert hear(codec, sub(Option.TTYPE, b"\0MUDLET")) == [Terminal("MUDLET")]
    assert codec.take() == ask
    assert hear(codec, sub(Option.TTYPE, b"\0ANSI")) == [Terminal("MUDLET", "ANSI")]
    assert codec.take() == ask
    assert hear(codec, sub(Option.TTYPE, b"\0MTTS 77")) == [Terminal("MUDLET", "ANSI", Mtts(77))]
    assert codec.take() == b""
    assert codec.terminal.mtts is not None
    assert Mtts.SCREEN_READER in codec.terminal.mtts


MTTS_PLAIN = sub(Option.TTYPE, b"\0X") + sub(Option.TTYPE, b"\0MTTS 1")
MTTS_UTF_8 = sub(Option.TTYPE, b"\0X") + sub(Option.TTYPE, b"\0MTTS 5")


@pytest.mark.parametrize(
    ("answers", "encoding", "shown"),
    [
        ([], "utf-8", "Zoë ☃".encode()),
        ([do(Option.CHARSET), sub(Option.CHARSET, b"\2UTF-8")], "utf-8", "Zoë ☃".encode()),
        ([do(Option.CHARSET), sub(Option.CHARSET, b"\2ISO-8859-1")], "latin-1", b"Zo\xeb ?"),
        ([do(Option.CHARSET), sub(Option.CHARSET, b"\3")], "ascii", b"Zoe ?"),
        ([will(Option.TTYPE), MTTS_PLAIN], "ascii", b"Zoe ?"),
        ([will(Option.TTYPE), MTTS_UTF_8], "utf-8", "Zoë ☃".encode()),
        ([will(Option.TTYPE), MTTS_UTF_8, do(Option.CHARSET), sub(Option.CHARSET, b"\3")], "utf-8", None),
        ([said(Command.DONT, Option.CHARSET), will(Option.CHARSET), sub(Option.CHARSET, b"\1;latin1")],
         "latin-1", None),
    ],
)  # fmt: skip
def test_text_is_shown_in_the_character_set_that_the_peer_has(
    answers: list[bytes], encoding: str, shown: bytes | None
) -> None:
    codec = opened(*answers)
    assert codec.encoding == encoding
    codec.text("Zoë ☃")
    assert shown is None or bytes(Peer().feed(codec.take()).shown) == shown


def test_a_settled_character_set_is_reported() -> None:
    codec = opened()
    assert hear(codec, do(Option.CHARSET)) == []
    assert hear(codec, sub(Option.CHARSET, b"\2US-ASCII")) == [Encoding("ascii")]
    codec = opened(do(Option.CHARSET))
    assert hear(codec, sub(Option.CHARSET, b"\2UTF-8")) == []  # as it was


def test_an_are_you_there_is_answered() -> None:
    codec = opened()
    assert hear(codec, said(Command.ARE_YOU_THERE)) == []
    assert b"yes" in codec.take()


def test_an_interrupt_takes_the_line_back() -> None:
    codec = opened()
    keys = b"wrong" + said(Command.INTERRUPT) + b"righ" + b"x" + said(Command.ERASE_CHARACTER) + b"t\r\n"
    assert hear(codec, keys) == [TypedLine("right")]


# ---- GMCP ----------------------------------------------------------------------------------------------

OUT: dict[str, Any] = {
    "Char.Name": {"name": "zoe", "fullname": "Zoë the Quick"},
    "Char.Vitals": {"hp": 12, "maxhp": 20, "sp": 3, "maxsp": 9, "turn": 41},
    "Char.Status": {"state": "acting", "action": "chop", "ends_turn": 44},
    "Char.Queue": {"commands": ["north", "get ÿ"], "max": 20},
    "Char.Items.List": {"location": "inv", "items": [{"id": 7, "name": "rope"}]},
    "Room.Info": {
        "num": 5,
        "id": "market",
        "name": "Market",
        "exits": {"n": "gate"},
        "desc": "…",
        "here": [],
    },
    "Comm.Channel.Text": {"channel": "say", "talker": "Zoë", "text": 'hi "you" \x1b[2J'},
    "Game.Text": {"text": "line\nline\n"},
    "Time.Pong": {"n": 1, "c": 2, "r": 3, "s": 1_700_000_000_000_000},
    "Time.Segment": {"g": 5_000_000, "w": 1_700_000_000_000_000, "rate": 1_000_000},
    "Combat.Threat.Add": {
        "id": 9,
        "from": 3,
        "name": "wolf",
        "kind": "bite",
        "at": 5_000_000,
        "us": 1_500_000,
    },
    "Combat.Threat.Gone": {"id": 9, "why": "dodged", "damage": 0},
    "Combat.Result": {"ok": False, "why": "lockout", "early_us": -4_000, "threats": []},
}


@pytest.mark.parametrize("package", OUT)
def test_a_message_to_the_client_arrives_whole(package: str) -> None:
    codec = opened(do(GMCP))
    assert codec.has_gmcp
    assert codec.gmcp(package, OUT[package])
    (message,) = Peer().feed(codec.take()).messages
    reader = opened(do(GMCP))
    assert hear(reader, sub(GMCP, message)) == [Gmcp(package, OUT[package])]


@pytest.mark.parametrize(
    ("raw", "event"),
    [
        (b'Time.Ping {"n":1,"c":5}', Gmcp("Time.Ping", TimePing(1, 5))),
        (b'Combat.React {"at":9,"reaction":"dodge"}', Gmcp("Combat.React", React("dodge", 9))),
        (b"Core.KeepAlive", Gmcp("Core.KeepAlive", None)),
    ],
)
def test_a_message_from_the_client_is_reported(raw: bytes, event: Gmcp) -> None:
    assert hear(opened(do(GMCP)), sub(GMCP, raw)) == [event]


def test_an_invalid_message_costs_only_itself() -> None:
    codec = opened(do(GMCP))
    events = hear(codec, sub(GMCP, b"Core.Hello {not json") + b"look\r\n")
    assert [type(event) for event in events] == [Notice, TypedLine]


def test_a_change_of_support_for_messages_is_reported() -> None:
    codec = opened()
    assert hear(codec, do(GMCP) + do(GMCP)) == [Packages(True)]
    assert hear(codec, said(Command.DONT, GMCP)) == [Packages(False)]
    assert not codec.has_gmcp


def test_without_gmcp_nothing_is_sent_for_it() -> None:
    codec = opened(said(Command.DONT, GMCP))
    assert not codec.has_gmcp
    assert not codec.gmcp("Char.Vitals", OUT["Char.Vitals"])
    assert codec.take() == b""


def test_a_client_hears_of_the_modules_that_it_asked_for() -> None:
    codec = opened(do(GMCP), sub(GMCP, b'Core.Supports.Set ["Char 1"]'))
    assert codec.gmcp("Char.Vitals", {})
    assert not codec.gmcp("Room.Info", {})
    hear(codec, sub(GMCP, b'Core.Supports.Add ["Room 1"]') + sub(GMCP, b'Core.Supports.Remove ["Char"]'))
    assert codec.gmcp("Room.Info", {})
    assert not codec.gmcp("Char.Vitals", {})


def test_a_ping_of_gmcp_is_answered() -> None:
    codec = opened(do(GMCP))
    hear(codec, sub(GMCP, b"Core.Ping 120"))
    assert Peer().feed(codec.take()).messages == [b"Core.Ping"]


# ---- MSSP ----------------------------------------------------------------------------------------------


def test_a_directory_of_games_gets_the_facts() -> None:
    codec = opened()
    assert hear(codec, do(Option.MSSP)) == [ListingAsked()]
    codec.listing({"NAME": "world", "PLAYERS": 3})
    (token,) = Peer().feed(codec.take()).tokens
    assert isinstance(token, Sub)
    assert mssp.read(token.data) == {"NAME": ["world"], "PLAYERS": ["3"]}


# ---- MCCP2 ---------------------------------------------------------------------------------------------


def test_compression_begins_after_the_marker_and_every_turn_is_whole() -> None:
    codec, peer = TelnetCodec(), Peer()
    codec.open()
    codec.text("plain\n")
    peer.feed(codec.take())
    codec.text("still plain\n")  # written, not sent, when the answer comes
    hear(codec, do(MCCP2))
    codec.text("packed\n")
    assert codec.compressed
    peer.feed(codec.take())
    assert peer.text == "plain\r\nstill plain\r\npacked\r\n"
    for turn in range(5):
        codec.text(f"turn {turn}\n")
        peer.feed(codec.take())
        assert peer.text.endswith(f"turn {turn}\r\n")
    peer.feed(codec.finish())
    assert not peer.compressed


def test_compression_ends_when_the_client_no_longer_wants_it_and_may_begin_again() -> None:
    codec, peer = TelnetCodec(), Peer()
    codec.open()
    hear(codec, do(MCCP2))
    codec.text("packed\n")
    hear(codec, said(Command.DONT, MCCP2))
    codec.text("plain\n")
    data = codec.take()
    assert data.endswith(b"plain\r\n")
    peer.feed(data)
    hear(codec, do(MCCP2))
    codec.text("packed again\n")
    peer.feed(codec.take())
    assert peer.text == "packed\r\nplain\r\npacked again\r\n"


def test_a_client_without_compression_gets_plain_text() -> None:
    codec = opened(said(Command.DONT, MCCP2))
    codec.text("plain\n")
    assert codec.take() == b"plain\r\n"


def test_nothing_is_sent_when_there_is_nothing_to_say() -> None:
    codec = opened(do(MCCP2))
    assert codec.take() == b""


def test_waiting_bytes_can_be_counted() -> None:
    codec = opened()
    codec.text("12345")
    assert codec.waiting == 5
    codec.take()
    assert codec.waiting == 0
