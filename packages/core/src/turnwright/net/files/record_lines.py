"""Reads a record while it is written. This is for spectators that need early lines, which are no longer in
memory.

Each reading is short, and opens and closes the file. So a reader that waits uses at most 40 KB of memory.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from turnwright.wire.record.v2_lines import LINE_BYTES_MAX

FileState = Literal["coming", "growing", "ended", "failed"]
"""The state of a record's file. coming: the file does not exist yet. growing: it is being written. ended: it
is complete. failed: lines are missing.
"""
PACKED_BYTES = 16 << 10
"""The largest number of bytes that a reading takes from the disk."""
UNPACKED_BYTES = 48 << 10
"""The largest number of bytes that a reading unpacks."""
_GZIP = 16 + zlib.MAX_WBITS


class RecordLines:
    """The lines of a record in order, for one reader. Any thread may use the object, but only one thread at a
    time.

    Args:
        state: the state of the file at `path`.
    """

    def __init__(self, path: Path, state: Callable[[], FileState]) -> None:
        self._path = path
        self._state = state
        self._next = 0
        """The number of the next line."""
        self._unpack: zlib._Decompress | None = None
        self._at = 0
        """The number of bytes of the file that were read."""
        self._packed = b""
        self._cut = bytearray()
        """The beginning of an incomplete line."""
        self._file: tuple[int, int] | None = None
        """Identifies the file on the disk, because another file may replace it."""

    def read(self, at: int) -> bytes | None:
        """Return the next lines from number `at` on, counted from 0. `at` must never decrease.

        Empty means that the lines are not available yet. None means that the lines will never be available.
        """
        state = self._state()
        if state == "coming":
            return b""
        if state == "failed":
            return None
        try:
            data = self._more()
        except (OSError, zlib.error):
            self._state = lambda: "failed"
            return None
        if (not data and state == "ended") or len(self._cut) > LINE_BYTES_MAX:
            return None
        end = data.rfind(b"\n") + 1
        if not end:
            self._cut += data
            return b""
        lines = bytes(self._cut) + data[:end]
        self._cut = bytearray(data[end:])
        skipped = max(at - self._next, 0)
        self._next += lines.count(b"\n")
        return b"" if self._next <= at else b"\n".join(lines.split(b"\n")[skipped:])

    def _more(self) -> bytes:
        if not self._packed:
            with self._path.open("rb", buffering=0) as stream:
                about = os.fstat(stream.fileno())
                found = about.st_dev, about.st_ino
                if self._file not in (None, found):
                    raise FileNotFoundError(self._path)
                self._file = found
                stream.seek(self._at)
                self._packed = stream.read(PACKED_BYTES)
                self._at += len(self._packed)
        unpack = self._unpack = self._unpack or zlib.decompressobj(_GZIP)
        data = unpack.decompress(self._packed, UNPACKED_BYTES)
        self._packed = unpack.unconsumed_tail
        return data
