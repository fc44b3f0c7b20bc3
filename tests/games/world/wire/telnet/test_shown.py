"""Text for the screen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.world.wire.telnet.peer import Peer
from turnwright.games.world.wire.telnet.codec import encode


@pytest.mark.parametrize(
    ("text", "encoding", "raw"),
    [
        ("one\ntwo\n", "utf-8", b"one\r\ntwo\r\n"),
        ("one\r\ntwo\r", "utf-8", b"one\r\ntwo"),
        ("\x1b[31mred\x1b[0m\a\t", "utf-8", b"\x1b[31mred\x1b[0m\a\t"),
        ("nul\0bell\x08\x7f\x9b", "utf-8", b"nulbell"),
        ("\udce9half", "utf-8", b"half"),
        ("ÿ", "latin-1", b"\xff\xff"),  # no command
        ("ÿ", "utf-8", b"\xc3\xbf"),
    ],
)
def test_text_becomes_these_bytes(text: str, encoding: str, raw: bytes) -> None:
    assert encode(text, encoding) == raw


@given(st.text(), st.sampled_from(["utf-8", "latin-1", "ascii"]))
def test_no_text_can_be_taken_for_a_command(text: str, encoding: str) -> None:
    peer = Peer().feed(encode(text, encoding))
    assert peer.tokens == []
    assert b"\r" not in peer.shown.replace(b"\r\n", b"")


@given(st.text(st.characters(max_codepoint=127)), st.sampled_from(["utf-8", "latin-1", "ascii"]))
def test_plain_text_becomes_the_bytes_that_it_would_become_among_others(text: str, encoding: str) -> None:
    among = encode(f"\u00e9{text}", encoding)
    assert among == encode("\u00e9", encoding) + encode(text, encoding)
