"""The history of a battle has a bound, and a reader can begin in it when the beginning is lost."""

from __future__ import annotations

import pytest

from turnwright.host.watching.history import NEAR_BYTES, READ_BYTES_MAX, BattlePieces

PIECE = 64
"""The bytes that a piece or a start needs in addition to its text."""


def pieces(count: int, room: int, start: bytes | None = None, every: int = 1) -> BattlePieces:
    """Return a history of pieces "0", "1" …, with room for `room` of them. Each `every`th has a start."""
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


def test_a_single_piece_is_stored_whatever_its_length():
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


def test_a_reader_waits_if_it_cannot_begin():
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


LINE = 1 << 10
FAR = 2 * NEAR_BYTES // LINE
"""The number of such lines in a battle that is longer than the part that a late spectator reads."""


def lines(count: int, every: int) -> BattlePieces:
    """Return a history of `count` pieces of LINE bytes with their newlines. Each `every`th has a start."""
    history = BattlePieces()
    for number in range(count):
        history.add((b"%d " % number).ljust(LINE - 1, b"."), b"s" if number % every == 0 else None)
    return history


def test_near_is_the_beginning_of_a_short_battle():
    assert lines(NEAR_BYTES // LINE, every=1).near() == 0
    assert lines(NEAR_BYTES // LINE + 1, every=1).near() == 1


@pytest.mark.parametrize("every", [1, 7, 100])
def test_near_is_a_bounded_number_of_bytes_before_the_end_of_a_long_battle(every):
    history = lines(FAR, every)
    place = history.near()
    assert (FAR - place) * LINE <= NEAR_BYTES < (FAR - place + every) * LINE
    part = history.begin(place)
    opening, first = part.lines.split(b"\n")[:2]
    assert (part.first, part.start) == (place, b"s")
    assert (opening.split()[0], first.split()[0]) == (b"0", b"%d" % place)


def test_without_a_start_that_is_near_it_begins_at_the_newest_one_with_a_piece_behind_it():
    assert lines(FAR, every=FAR).near() == 1
    history = lines(FAR, every=FAR - 1)
    assert history.near() == 1, "behind the newest start is nothing that could be shown"
    history.add(b"one more")
    assert history.near() == FAR


def test_a_place_that_has_been_forgotten_meanwhile_is_replaced_by_the_oldest_start():
    history = BattlePieces(FAR * LINE)
    for number in range(FAR):
        history.add(b"x" * LINE, b"s" if number % 100 == 0 else None)
    place = history.near()
    for number in range(FAR):
        history.add(b"y" * LINE, b"t" if number % 100 == 0 else None)
    part = history.begin(place)
    assert (part.start, part.lines[-2:]) == (b"t", b"y\n")
