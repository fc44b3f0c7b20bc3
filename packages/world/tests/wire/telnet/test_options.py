"""Options: the opening, negotiations, character sets, terminals and window sizes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.world.tests.wire.telnet.peer import Peer, do, said, sub, will
from turnwright_world.wire.telnet import options
from turnwright_world.wire.telnet import options as naws
from turnwright_world.wire.telnet.events import Mtts, Size, Terminal
from turnwright_world.wire.telnet.options import (
    NAME_CHARS_MAX,
    OPTIONS,
    CharsetTalk,
    TerminalTalk,
    simplified,
)
from turnwright_world.wire.telnet.parser import Command, Option


def test_the_opening_asks_for_the_terminal_and_offers_the_worlds_options() -> None:
    assert Peer().feed(options.opening(options.start())).negotiated() == [
        ("DO", Option.TTYPE),
        ("DO", Option.NAWS),
        ("WILL", Option.CHARSET),
        ("WILL", Option.EOR),
        ("WILL", Option.GMCP),
        ("WILL", Option.MSSP),
        ("WILL", Option.MCCP2),
    ]


@pytest.mark.parametrize("row", OPTIONS, ids=lambda row: row.option.name)
def test_a_request_out_of_the_blue_is_answered_as_the_table_says(row: options.OptionRow) -> None:
    negotiation = options.start()
    agreed = row.ours in ("first", "agreed")
    assert negotiation.receive(Command.DO, row.option) == said(
        Command.WILL if agreed else Command.WONT, row.option
    )
    agreed = row.theirs in ("first", "agreed")
    expected = do(row.option) if agreed else said(Command.DONT, row.option)
    assert negotiation.receive(Command.WILL, row.option) == expected


def test_input_of_players_is_never_compressed() -> None:
    """MCCP3 from TinTin++ broke another server: the marker and the stream came in one packet."""
    negotiation = options.start()
    assert negotiation.receive(Command.WILL, Option.MCCP3) == said(Command.DONT, Option.MCCP3)
    assert will(Option.MCCP3) not in options.opening(negotiation)


def test_every_option_with_a_name_has_one_row() -> None:
    assert sorted(row.option for row in OPTIONS) == sorted(Option)


OURS = sub(42, b"\1;UTF-8;ISO-8859-1;US-ASCII")


@pytest.mark.parametrize(
    ("answer", "encoding"),
    [
        (b"\2UTF-8", "utf-8"),
        (b"\2utf-8", "utf-8"),
        (b"\2ISO-8859-1", "latin-1"),
        (b"\2US-ASCII", "ascii"),
        (b"\2KLINGON", None),
        (b"\3", "ascii"),
    ],
)
def test_our_proposal_is_answered_with_one_set_or_none_of_them(answer: bytes, encoding: str | None) -> None:
    talk = CharsetTalk()
    assert talk.begin() == OURS
    assert talk.receive(answer) == b""
    assert talk.encoding == encoding


@pytest.mark.parametrize(
    ("proposal", "answer", "encoding"),
    [
        (b"\1;UTF-8", sub(42, b"\2UTF-8"), "utf-8"),
        (b"\1 latin1 utf8 ascii", sub(42, b"\2utf8"), "utf-8"),
        (b"\1,KOI8-R,iso-8859-1", sub(42, b"\2iso-8859-1"), "latin-1"),
        (b"\1[TTABLE]\1;US-ASCII", sub(42, b"\2US-ASCII"), "ascii"),
        (b"\1;KOI8-R", sub(42, b"\3"), None),
        (b"\1", sub(42, b"\3"), None),
        (b"\4\1;x", sub(42, b"\5"), None),
        (b"", b"", None),
    ],
)
def test_a_proposal_of_the_peer_is_answered_with_the_best_that_we_know(
    proposal: bytes, answer: bytes, encoding: str | None
) -> None:
    talk = CharsetTalk()
    assert talk.receive(proposal) == answer
    assert talk.encoding == encoding


def test_the_servers_proposal_wins_over_a_crossing_one() -> None:
    talk = CharsetTalk()
    talk.begin()
    assert talk.receive(b"\1;US-ASCII") == sub(42, b"\3")
    talk.receive(b"\2UTF-8")
    assert talk.encoding == "utf-8"


def test_an_unexpected_answer_changes_nothing() -> None:
    talk = CharsetTalk()
    talk.receive(b"\2US-ASCII")
    assert talk.encoding is None


@pytest.mark.parametrize(
    ("text", "encoding", "raw"),
    [
        ("Zoë — “naïve”… łódź ☃", "ascii", b'Zoe - "naive"... ?odz ?'),
        ("Zoë ☃", "latin-1", b"Zo\xeb ?"),
        ("Zoë ☃", "utf-8", "Zoë ☃".encode()),
    ],
)
def test_letters_that_a_set_lacks_lose_their_accents_first(text: str, encoding: str, raw: bytes) -> None:
    assert simplified(text, encoding) == raw


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["utf-8", "latin-1", "ascii"]))
def test_any_text_can_be_encoded_in_any_set(text: str, encoding: str) -> None:
    raw = simplified(text, encoding)
    assert raw.decode(encoding) == text or encoding != "utf-8"


ASK = b"\xff\xfa\x18\x01\xff\xf0"


def told(*answers: bytes) -> tuple[Terminal, int]:
    """The terminal after these answers, and how many questions were asked."""
    talk = TerminalTalk()
    question, asked = talk.begin(), 0
    for answer in answers:
        asked += question == ASK
        question, _ = talk.receive(b"\0" + answer)
    return talk.terminal, asked + (question == ASK)


@pytest.mark.parametrize(
    ("answers", "terminal", "asked"),
    [
        ([], Terminal(), 1),
        ([b"TINTIN++", b"xterm-256color", b"MTTS 271"], Terminal("TINTIN++", "XTERM-256COLOR", Mtts(271)), 3),
        ([b"MUDLET", b"ANSI-TRUECOLOR", b"MTTS 2349"], Terminal("MUDLET", "ANSI-TRUECOLOR", Mtts(2349)), 3),
        ([b"xterm", b"xterm"], Terminal("XTERM"), 2),  # no MTTS: the last is repeated
        ([b"vt220", b"vt100", b"dumb"], Terminal("VT220", "VT100"), 3),
        ([b"VIP", b"MTTS 64"], Terminal("VIP", "", Mtts.SCREEN_READER), 2),
        ([b"x", b"y", b"MTTS many"], Terminal("X", "Y"), 3),
        ([b"x", b"y", b"MTTS " + b"9" * 30], Terminal("X", "Y"), 3),
        ([b"\xff\x1b[2J" + b"A" * 99], Terminal("[2J" + "A" * (NAME_CHARS_MAX - 3)), 2),
        ([b"a", b"b", b"c", b"d", b"e"], Terminal("A", "B"), 3),
    ],
)
def test_three_answers_tell_client_terminal_and_abilities(
    answers: list[bytes], terminal: Terminal, asked: int
) -> None:
    assert told(*answers) == (terminal, asked)


def test_an_unrequested_answer_is_ignored() -> None:
    talk = TerminalTalk()
    assert talk.receive(b"\0liar") == (b"", None)
    talk.begin()
    assert talk.receive(b"\1") == (b"", None)
    assert talk.receive(b"") == (b"", None)
    assert talk.receive(b"\0honest") == (ASK, Terminal("HONEST"))


def test_a_second_beginning_asks_nothing_while_the_first_is_open() -> None:
    talk = TerminalTalk()
    assert (talk.begin(), talk.begin()) == (ASK, b"")


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (b"\0\x50\0\x18", Size(80, 24)),
        (b"\xff\xff\xff\xff", Size(65_535, 65_535)),
        (b"\0\x01\0\x01", Size(1, 1)),
        (b"\0\0\0\x18", None),
        (b"\0\x50\0\0", None),
        (b"", None),
        (b"\0\x50\0", None),
        (b"\0\x50\0\x18\0", None),
    ],
)
def test_a_size_is_two_numbers_that_are_known(data: bytes, size: Size | None) -> None:
    assert naws.read(data) == size
