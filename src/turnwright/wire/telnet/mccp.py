"""Compressing what the server says (MCCP2). Source: MCCP, mudhalla; RFC 1950."""

from __future__ import annotations

import zlib

from turnwright.wire.telnet.codes import IAC, Command, Option

__all__ = ["MARKER", "Compressor"]

MARKER = bytes([IAC, Command.SB, Option.MCCP2, IAC, Command.SE])
"""What comes after it is compressed."""
_LEVEL = 6
_WINDOW_BITS = 12
"""The last 4 KiB, two screens, are what repeats: 35 KiB a player; with the usual 15 bits 100 to 260."""
_MEMORY_LEVEL = 5


class Compressor:
    """One compressed stream."""

    __slots__ = ("_deflate",)

    def __init__(self) -> None:
        self._deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL)

    def compress(self, data: bytes) -> bytes:
        """Return bytes from which the peer can read all of `data` at once."""
        return self._deflate.compress(data) + self._deflate.flush(zlib.Z_SYNC_FLUSH)

    def finish(self) -> bytes:
        """Return the end of the stream; what comes after it is not compressed."""
        return self._deflate.flush(zlib.Z_FINISH)
