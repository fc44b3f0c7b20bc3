"""Compression of what the server says."""

from __future__ import annotations

import random
import zlib

from turnwright.games.world.wire.telnet.codec import Compressor

ROOM = "The market. Stalls of cloth stand around a well.\r\nExits: north, east, down.\r\nA wolf is here.\r\n"


def test_each_turn_can_be_read_at_once_without_what_comes_later() -> None:
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


def test_what_a_world_says_becomes_a_third_at_most() -> None:
    draw = random.Random(1)
    words = [f"{a}{b}" for a in ("wolf", "stone", "market", "rain", "sword") for b in ("", "s", "er", "y")]
    compressor, plain, packed = Compressor(), 0, 0
    for _ in range(200):
        said = f"{ROOM}{draw.choice(words)} {draw.choice(words)}. HP {draw.randrange(99)}\r\n> ".encode()
        plain, packed = plain + len(said), packed + len(compressor.compress(said))
    assert packed * 3 < plain
