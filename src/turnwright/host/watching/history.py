"""The battle so far, piece by piece, for spectators that read it at their own pace.

A piece is a line of text: a line of the record, or a frame. Each spectator has a place of its own in it, so a
slow or paused one costs nothing.
"""

from __future__ import annotations

from collections import deque
from itertools import islice

__all__ = ["HISTORY_BYTES_MAX", "READ_BYTES_MAX", "BattlePieces"]

HISTORY_BYTES_MAX = 64 << 20
"""Bytes of the pieces that are kept; then the oldest are forgotten."""
READ_BYTES_MAX = 48 << 10
"""A reading ends with the piece that reaches so many bytes, so that it fits into a connection's backlog."""
_PIECE_BYTES = 64
"""The memory of a piece, apart from its text."""


class BattlePieces:
    """The pieces of one battle, oldest first.

    first: the number of the oldest piece that is kept, 0 unless some are forgotten.
    """

    __slots__ = ("_bytes", "_bytes_max", "_pieces", "first")

    def __init__(self, bytes_max: int = HISTORY_BYTES_MAX) -> None:
        self.first = 0
        self._bytes_max = bytes_max
        self._pieces: deque[bytes] = deque()
        self._bytes = 0

    @property
    def length(self) -> int:
        """One more than the number of the newest piece."""
        return self.first + len(self._pieces)

    def add(self, piece: bytes) -> None:
        """Append a piece. piece: one line; its newline may be missing."""
        if not piece:
            return
        self._pieces.append(piece if piece.endswith(b"\n") else piece + b"\n")
        self._bytes += len(piece) + _PIECE_BYTES
        while self._bytes > self._bytes_max and len(self._pieces) > 1:
            self._bytes -= len(self._pieces.popleft()) + _PIECE_BYTES
            self.first += 1

    def read(self, at: int) -> tuple[int, int, bytes]:
        """Return the pieces from number `at` on.

        They are given by the number of the first, the number after the last, and their text. A place that is
        forgotten reads from the oldest piece on.
        """
        at = max(at, self.first)
        lines, size = [], 0
        for line in islice(self._pieces, at - self.first, None):
            lines.append(line)
            size += len(line)
            if size >= READ_BYTES_MAX:
                break
        return at, at + len(lines), b"".join(lines)
