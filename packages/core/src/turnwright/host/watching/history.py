"""The battle so far in pieces, for spectators that read it at their own pace.

A piece is a line of text: a line of the record, or a frame. Each spectator has its own position in the list
of pieces, so a slow or paused spectator needs no additional memory. Only the newest pieces are kept, because
a battle may last forever.
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import NamedTuple

HISTORY_BYTES_MAX = 64 << 20
"""The largest number of bytes of all pieces in memory. If there are more, the oldest pieces are dropped."""
READ_BYTES_MAX = 48 << 10
"""One reading returns pieces until they have this number of bytes. So a reading fits into a connection's
backlog.
"""
NEAR_BYTES = 512 << 10
"""A late spectator that follows the newest turn reads about this number of bytes of earlier pieces. The
spectator's page needs some seconds to process them.
"""
_PIECE_BYTES = 64
"""The memory that a piece or a start needs in addition to its text, in bytes."""


class Excerpt(NamedTuple):
    """A sequence of pieces that follow one another.

    Attributes:
        first: the number of the first piece.
        after: the number of the last piece, plus one.
        lines: the pieces, each with its newline.
        start: the data from earlier pieces that a reader needs for the first piece. None means that the
            reader already has the earlier pieces. If the data is not empty, `lines` begins with piece 0.
    """

    first: int
    after: int
    lines: bytes
    start: bytes | None = None


class _PlaceToBegin(NamedTuple):
    """A piece at which a reader can begin, and the data from earlier pieces that the reader then needs
    (`start`).

    Attributes:
        told: the number of bytes of all pieces before this piece.
    """

    number: int
    start: bytes
    told: int


class BattlePieces:
    """The pieces of one battle, oldest first.

    Attributes:
        first: the number of the oldest piece that is kept. It is 0 unless some were dropped.
    """

    __slots__ = ("_bytes", "_bytes_max", "_opening", "_pieces", "_starts", "_told", "first")

    def __init__(self, bytes_max: int = HISTORY_BYTES_MAX) -> None:
        self.first = 0
        self._bytes_max = bytes_max
        self._opening = b""
        self._pieces: deque[bytes] = deque()
        self._starts: deque[_PlaceToBegin] = deque()
        self._bytes = 0
        self._told = 0

    @property
    def length(self) -> int:
        """One more than the number of the newest piece."""
        return self.first + len(self._pieces)

    def add(self, piece: bytes, start: bytes | None = None) -> None:
        """Append a piece.

        Args:
            piece: one line. Its newline may be missing. An empty piece is not added.
            start: the data that a reader needs to begin after this piece. None means that no reader can begin
                there.
        """
        if not piece:
            return
        line = piece if piece.endswith(b"\n") else piece + b"\n"
        self._opening = self._opening or line
        self._pieces.append(line)
        self._told += len(line)
        self._bytes += len(piece) + _PIECE_BYTES
        if start is not None:
            self._starts.append(_PlaceToBegin(self.length, start, self._told))
            self._bytes += len(start) + _PIECE_BYTES
        while self._bytes > self._bytes_max and len(self._pieces) > 1:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        self._bytes -= len(self._pieces.popleft()) + _PIECE_BYTES
        self.first += 1
        while self._starts and self._starts[0].number < self.first:
            self._bytes -= len(self._starts.popleft().start) + _PIECE_BYTES

    def near(self) -> int:
        """Return the number of the piece with which a late spectator begins, if the spectator follows the
        newest turn.

        If the whole battle has at most NEAR_BYTES, the spectator begins with piece 0. Otherwise it begins
        with the oldest start in the last NEAR_BYTES. If there is no such start, it begins with the newest
        start that is followed by a piece, or otherwise with piece 0.
        """
        place = 0
        if self._told > NEAR_BYTES:
            for one in reversed(self._starts):
                if place and self._told - one.told > NEAR_BYTES:
                    break
                place = one.number if one.number < self.length else place
        return place

    def read(self, at: int) -> Excerpt | None:
        """Return the pieces from number `at` on, up to about READ_BYTES_MAX bytes, or no pieces if there are
        no newer ones.

        If piece `at` was dropped, the result begins with the oldest piece that has a start. None means that
        no kept piece has a start.
        """
        if at >= self.first:
            return self._part(at)
        return self._begun(self._starts[0]) if self._starts else None

    def begin(self, at: int) -> Excerpt | None:
        """Return the pieces from number `at` on, for a reader that has no earlier pieces. `at` must be a
        result of `near`. If piece `at` was dropped, return the same as `read(0)`.
        """
        started = at > 0 and next((one for one in reversed(self._starts) if one.number == at), None)
        return self._begun(started) if started else self.read(0)

    def _begun(self, at: _PlaceToBegin) -> Excerpt:
        part = self._part(at.number)
        return part._replace(lines=(self._opening if at.start else b"") + part.lines, start=at.start)

    def _part(self, at: int) -> Excerpt:
        lines, size = [], 0
        for line in islice(self._pieces, at - self.first, None):
            lines.append(line)
            size += len(line)
            if size >= READ_BYTES_MAX:
                break
        return Excerpt(at, at + len(lines), b"".join(lines))
