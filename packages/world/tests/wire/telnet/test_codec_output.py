"""The codec's output: text for the screen, compressed or not."""

from __future__ import annotations

import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.world.tests.wire.telnet.peer import Peer
from turnwright_world.wire.telnet.codec import Compressor, encode


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


ROOM = "The market. Stalls of cloth stand around a well.\r\nExits: north, east, down.\r\nA wolf is here.\r\n"


def test_each_turn_can_be_read_immediately_without_later_data() -> None:
    compressor, inflate = Compressor(), zlib.decompressobj()
    for turn in range(50):
        said = f"{ROOM}turn {turn}\r\n".encode()
        assert inflate.decompress(compressor.compress(said)) == said
    assert inflate.decompress(compressor.finish()) == b""
    assert inflate.eof


def test_a_stream_that_is_cut_can_be_read_up_to_its_last_turn() -> None:
    compressor = Compressor()
    turns = [compressor.compress(f"{ROOM}{turn}".encode()) for turn in range(5)]
    whole = b"".join(turns)
    for cut in range(len(whole)):
        complete = sum(1 for n in range(1, 6) if sum(map(len, turns[:n])) <= cut)
        read = zlib.decompressobj().decompress(whole[:cut])
        assert read.startswith("".join(f"{ROOM}{turn}" for turn in range(complete)).encode())


def test_output_of_a_world_shrinks_to_a_third_at_most() -> None:
    draw = random.Random(1)
    words = [f"{a}{b}" for a in ("wolf", "stone", "market", "rain", "sword") for b in ("", "s", "er", "y")]
    compressor, plain, packed = Compressor(), 0, 0
    for _ in range(200):
        said = f"{ROOM}{draw.choice(words)} {draw.choice(words)}. HP {draw.randrange(99)}\r\n> ".encode()
        plain, packed = plain + len(said), packed + len(compressor.compress(said))
    assert packed * 3 < plain
