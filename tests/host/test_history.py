"""The window on a battle: what is kept of it, and where a reader can begin when the beginning is lost."""

from __future__ import annotations

import pytest

from turnwright.host.watching.history import READ_BYTES_MAX, BattlePieces

PIECE = 64
"""The memory of a piece or a start, apart from its text."""


def pieces(count: int, room: int, start: bytes | None = None, every: int = 1) -> BattlePieces:
    """Return a history of pieces "0", "1" … with room for so many of them, each `every`th with a start."""
    history = BattlePieces(room * (PIECE + 1))
    for number in range(count):
        history.add(b"%d" % number, start if number % every == 0 else None)
    return history


@pytest.mark.parametrize(("count", "first"), [(9, 0), (10, 0), (11, 1), (60, 50)])
def test_the_oldest_pieces_are_lost(count, first):
    history = BattlePieces(10 * (PIECE + 2))
    for number in range(count):
        history.add(b"%02d" % number)
    assert (history.first, history.length) == (first, count)
    assert history.read(first).lines == b"".join(b"%02d\n" % n for n in range(first, count))


def test_one_piece_is_kept_however_long_it_is():
    history = BattlePieces(10)
    history.add(b"x" * 1_000)
    assert history.read(0).lines == b"x" * 1_000 + b"\n"


def test_a_reader_without_the_beginning_begins_at_the_oldest_start_with_the_first_piece_in_front():
    history = pieces(9, 6, b"s", every=3)
    assert history.first > 3
    part = history.read(0)
    assert (part.first, part.after, part.lines, part.start) == (7, 9, b"0\n7\n8\n", b"s")


def test_pieces_that_need_no_others_are_read_without_the_first_one():
    part = pieces(9, 6, b"").read(0)
    assert part.start == b""
    assert part.lines.startswith(b"%d\n" % part.first)
    assert part.first > 3


def test_a_reader_waits_where_none_can_begin():
    history = pieces(9, 3, None)
    assert history.read(0) is None
    assert history.read(history.first).start is None


def test_a_start_behind_the_newest_piece_gives_no_pieces_yet():
    history = BattlePieces(3 * (PIECE + 1))
    for number in range(8):
        history.add(b"%d" % number, b"s" if number == 7 else None)
    part = history.read(0)
    assert (part.first, part.after, part.start) == (8, 8, b"s")


@pytest.mark.parametrize("size", [READ_BYTES_MAX - 2, READ_BYTES_MAX - 1, READ_BYTES_MAX])
def test_a_reading_ends_with_the_piece_that_reaches_its_bound(size):
    history = BattlePieces()
    history.add(b"x" * size)
    history.add(b"y")
    assert history.read(0).after == (2 if size + 1 < READ_BYTES_MAX else 1)
