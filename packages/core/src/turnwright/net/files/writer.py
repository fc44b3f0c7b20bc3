"""Writes lines of battles into gzip files, with one thread for each file.

During a battle, at most the last second is not on the disk yet. Twice a second, the waiting lines are written
and the stream is flushed (Z_SYNC_FLUSH). So a truncated file can be read up to the last flush. If the disk
fails, the record ends, but the battle continues. The part of the record that was written stays, without a
footer.
"""

from __future__ import annotations

import logging
import os
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from struct import Struct

from turnwright.kernel.record import Footer, Header, TurnEntry
from turnwright.net.files.new_file import NewFile, is_special
from turnwright.net.files.record_lines import FileState, RecordLines
from turnwright.wire.record.v2 import Encoder

FLUSH_S = 0.5
"""Seconds between two flushes of a stream."""
PENDING_BYTES_MAX = 64 << 20
"""The largest number of bytes that may wait for the disk. If more bytes wait, the disk counts as failed."""
CLOSE_WAIT_S = 2.0
"""The longest time for which the end of a battle waits for the disk, in seconds, if the server continues
afterwards.
"""
NO_END = "the battle did not end"
"""The reason why an abandoned record is incomplete, if the disk did not fail."""
GZIP_START = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03"
"""The beginning of a record that turnwright has packed. This gzip header has no name and no time, and claims
the highest compression level.
"""
_GZIP = 16 + zlib.MAX_WBITS
_TRAILER = Struct("<LL")

_log = logging.getLogger("turnwright")


class SmallGzip:
    """A compressor for records. It compresses with level 7 of zlib, and writes the gzip header of level 9.

    The lines of a record differ mainly in numbers. The compressor ignores short matches, which makes files of
    such lines 5 % smaller. Real level 9 would make files only 0.5 % smaller, and take 1.5 times as long.
    """

    def __init__(self) -> None:
        self._deflate = zlib.compressobj(
            7, zlib.DEFLATED, -zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, zlib.Z_FILTERED
        )
        self._start = GZIP_START
        self._crc, self._size = 0, 0

    def compress(self, data: bytes) -> bytes:
        """Compress `data`. Return the compressed bytes that are ready."""
        self._crc, self._size = zlib.crc32(data, self._crc), self._size + len(data)
        start, self._start = self._start, b""
        return start + self._deflate.compress(data)

    def flush(self, mode: int) -> bytes:
        """Compress the data that is still waiting, and return the bytes.

        Args:
            mode: Z_SYNC_FLUSH, or Z_FINISH at the end.
        """
        start, self._start = self._start, b""
        rest = start + self._deflate.flush(mode)
        return rest + _TRAILER.pack(self._crc, self._size & 0xFFFFFFFF) if mode == zlib.Z_FINISH else rest


NewGzip = Callable[[], "zlib._Compress | SmallGzip"]
"""Makes the compressor for one file."""


def plain_gzip() -> zlib._Compress:
    """Return a compressor with zlib's usual settings."""
    return zlib.compressobj(6, zlib.DEFLATED, _GZIP)


def one_file(path: str | os.PathLike[str]) -> Callable[[int], Path]:
    """Return a function that returns the file of each battle of a server.

    The function takes the number of the battle, counted from 1. The first file is `path`, and the next ones
    are `name-2.twr`, `name-3.twr` and so on.
    """
    first = Path(path)
    return lambda battle: first if battle <= 1 else first.with_name(f"{first.stem}-{battle}{first.suffix}")


class LineFiles:
    """Files of lines, one for each battle, named by `path_of(battle)`. Errors of the disk raise no exception.

    An existing file is overwritten.

    Args:
        new_gzip: makes a compressor for each file, except for files `*.battle`, which are not compressed.
        close_wait_s: the longest time for which the end of a battle waits for the disk, in seconds. None
            means CLOSE_WAIT_S.

    Attributes:
        errors: for each battle with an incomplete record, the reason.
    """

    def __init__(
        self,
        path_of: Callable[[int], Path],
        new_gzip: NewGzip = plain_gzip,
        close_wait_s: float | None = None,
    ) -> None:
        self.errors: dict[int, str] = {}
        self._path_of = path_of
        self._new_gzip = new_gzip
        self._close_wait_s = CLOSE_WAIT_S if close_wait_s is None else close_wait_s
        self._writers: dict[int, _FileWriter] = {}

    def open(self, battle: int, header_line: bytes) -> Path:
        """Begin a record, which a new thread writes. Return the path of its file."""
        path = self._path_of(battle)
        self._writers[battle] = writer = _FileWriter(path, self._new_gzip)
        writer.put(header_line)
        return path

    def turn(self, battle: int, line: bytes) -> None:
        """Append a line. The call returns immediately, and the line is written later."""
        writer = self._writers.get(battle)
        if writer is not None:
            writer.put(line)

    def close(self, battle: int, footer_line: bytes) -> Path | None:
        """End a record, and wait up to `close_wait_s` for the disk.

        Return the path of the file if it has all lines. Otherwise add an entry to `errors`, and return None.
        """
        writer = self._writers.pop(battle, None)
        if writer is None:
            return None
        writer.put(footer_line)
        error = writer.finish(self._close_wait_s)
        if error is None:
            return writer.path
        self.errors[battle] = error
        _log.error("the record %s is incomplete: %s", writer.path, error)
        return None

    def reading(self, battle: int) -> Callable[[], RecordLines] | None:
        """Return a function that makes a reader of an open battle's file, from its beginning.

        Return None if the battle is not open, or if the file cannot be read, because it is a pipe, for
        example.
        """
        writer = self._writers.get(battle)
        if writer is None or is_special(writer.path):
            return None
        return lambda: RecordLines(writer.path, writer.state)

    def is_open(self, path: Path) -> bool:
        """Return whether the battle of a record is still running.

        Any thread may call this.
        """
        return any(writer.path == path for writer in list(self._writers.values()))

    def error(self, battle: int) -> str | None:
        """Return the reason why the record of a battle is incomplete, or None.

        This also works during the battle.
        """
        writer = self._writers.get(battle)
        return writer.error if writer is not None else self.errors.get(battle)

    def abandon(self) -> None:
        """Write the waiting lines of all records that were not closed, and close their files.

        These records get no footer. The call waits up to `close_wait_s` for each file.
        """
        for battle, writer in self._writers.items():
            self.errors[battle] = writer.finish(self._close_wait_s) or NO_END
        self._writers.clear()


class _FileWriter:
    """One file and the thread that writes it."""

    def __init__(self, path: Path, new_gzip: NewGzip) -> None:
        self.path = path
        self._new_gzip = new_gzip
        self.error: str | None = None
        self._has_begun = False
        self._pending: list[bytes] = []
        self._pending_bytes = 0
        self._lock = threading.Lock()
        self._some = threading.Event()
        self._last = threading.Event()
        self._thread = threading.Thread(target=self._run, name="turnwright-record", daemon=True)
        self._thread.start()

    def put(self, line: bytes) -> None:
        if self.error is not None:
            return
        with self._lock:
            self._pending.append(line if line.endswith(b"\n") else line + b"\n")
            self._pending_bytes += len(line)
            full = self._pending_bytes > PENDING_BYTES_MAX
        if full:
            self.error = f"the disk is more than {PENDING_BYTES_MAX >> 20} MiB behind"
        if not self._some.is_set():
            self._some.set()

    def state(self) -> FileState:
        """Return the state of the file. Any thread may call this."""
        if not self._thread.is_alive() and self.error is None:
            return "ended"
        if self.error is not None:
            return "failed"
        return "growing" if self._has_begun else "coming"

    def finish(self, wait_s: float) -> str | None:
        """Wait up to `wait_s` seconds for the disk. Return the error, or None if the file is complete."""
        self._last.set()
        self._some.set()
        self._thread.join(wait_s)
        if self._thread.is_alive():
            self.error = self.error or f"the disk did not answer within {wait_s:g} seconds"
        return self.error

    def _take(self) -> bytes:
        with self._lock:
            lines, self._pending, self._pending_bytes = self._pending, [], 0
        return b"".join(lines)

    def _run(self) -> None:
        file: NewFile | None = None
        try:
            file = NewFile(self.path)
            self._write(file)
            file.close()
        except OSError as error:
            self.error = self.error or (error.strerror or str(error))
            if file is not None:
                file.abandon()

    def _write(self, file: NewFile) -> None:
        gzip = None if self.path.suffix == ".battle" else self._new_gzip()

        def packed(data: bytes, mode: int) -> bytes:
            return data if gzip is None else gzip.compress(data) + gzip.flush(mode)

        while not self._last.is_set() and self.error is None:
            self._some.wait()
            self._some.clear()
            file.write(packed(self._take(), zlib.Z_SYNC_FLUSH))
            self._has_begun = True
            self._last.wait(FLUSH_S)
        file.write(packed(self._take(), zlib.Z_FINISH))


class RecordWriter:
    """Writes the records of battles. If the caller passes no lines, the writer makes them.

    Attributes:
        paths: by number of the battle, the complete files.
        newest: the file of the battle that began last, or None.
    """

    def __init__(self, files: LineFiles, new_encoder: Callable[[], Encoder]) -> None:
        self.files = files
        self.paths: dict[int, Path] = {}
        self.newest: Path | None = None
        self._new_encoder = new_encoder
        self._encoders: dict[int, Encoder] = {}
        self._reading: tuple[int, Callable[[], RecordLines] | None] = 0, None
        """The number of the battle that began last, and its reader."""

    def open(self, battle: int, header: Header, line: bytes = b"") -> None:
        """Begin the record of a battle."""
        encoder = self._encoders[battle] = self._new_encoder()
        self.newest = self.files.open(battle, line or encoder.encode_header(header))
        self._reading = battle, self.files.reading(battle)

    def lines(self, battle: int) -> RecordLines | None:
        """Return a reader of the lines of a record, beginning with the first line. The record may still be
        growing.

        Return None if the record cannot be read, or the record of a later battle has begun.
        """
        newest, reading = self._reading
        return reading() if newest == battle and reading is not None else None

    def turn(self, battle: int, entry: TurnEntry, line: bytes = b"") -> None:
        """Append a turn to the record of a battle."""
        self.files.turn(battle, line or self._encoders[battle].encode_turn(entry))

    def close(self, battle: int, footer: Footer, line: bytes = b"") -> Path | None:
        """End a record, and wait for the disk. Return its file if it is complete, or None."""
        encoder = self._encoders.pop(battle)
        path = self.files.close(battle, line or encoder.encode_footer(footer))
        if path is not None:
            self.paths[battle] = path
        return path


class NoRecords:
    """Drops the records of battles."""

    def open(self, battle: int, header: Header, line: bytes = b"") -> None:
        """Drop the header."""

    def lines(self, battle: int) -> None:
        """Return None: there are no lines."""

    def turn(self, battle: int, entry: TurnEntry, line: bytes = b"") -> None:
        """Drop the turn."""

    def close(self, battle: int, footer: Footer, line: bytes = b"") -> None:
        """Drop the footer."""
