"""Reading records from files."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from turnwright import catalog
from turnwright.errors import RecordError, SetupError
from turnwright.kernel.record import Header, Record
from turnwright.net.kinds import kind_of_file
from turnwright.wire.record.v1 import LINE_BYTES_MAX, decode_lines

__all__ = ["UNPACKED_BYTES_MAX", "OnProgress", "is_as_packed", "naming", "read_record", "unwatched"]

UNPACKED_BYTES_MAX = 4 << 30
"""What a record may unpack to; a battle of 100 tanks over 100,000 turns has about 1 GiB."""
_CHUNK = 1 << 20
_GZIP = 16 + zlib.MAX_WBITS
_MAGIC = b"\x1f\x8b"
_GZIP_START = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03"
"""How gzip begins the way we write it: no name, no time, packed as well as it can."""

OnProgress = Callable[[int, int, str], None]
"""Told how much is done, of how much, and of what: "bytes" that were read, or "turns" that were played."""


def unwatched(done: int, whole: int, unit: str) -> None:
    """Nobody wants to know how far it has come."""


def read_record(path: Path, *, lenient: bool = False, on_progress: OnProgress = unwatched) -> Record:
    """Return the record in a `.twr` file. One that was cut off is read up to there (`truncated`).

    lenient: a line that can be read but was changed gives a record that is `broken`, not an error.
    Raises: RecordError when it cannot be read, with the line where there is one.
    """
    if kind_of_file(path) == "royale":
        raise RecordError(
            f"{path} is a recording of Tank Royale, not a record (.twr): what the bots intended is not in it"
        )
    try:
        with path.open("rb") as stream:
            if stream.read(2) != _MAGIC:
                raise RecordError(f"{path} is an unpacked record: pack it with gzip")
            stream.seek(0)
            lines = _Lines(stream, path.stat().st_size, on_progress)
            with naming(path):
                record = decode_lines(lines, _intent_reader, lenient=lenient)
            record.truncated = record.broken is None and (record.truncated or not lines.ended)
            return record
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except zlib.error as error:
        raise RecordError(f"{path} is damaged ({error}): use another copy of it") from error


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Put the name of a file before what a RecordError that is raised within says."""
    try:
        yield
    except RecordError as error:
        raise type(error)(f"{path}: {error}") from error


def is_as_packed(path: Path) -> bool:
    """Return whether a file begins as a record does that we wrote: one that was packed anew does not.

    The bytes of that beginning mean nothing, so nothing else in a record would tell. Raises: OSError.
    """
    with path.open("rb") as stream:
        return stream.read(len(_GZIP_START)) == _GZIP_START


def _intent_reader(header: Header) -> Callable[[object], object]:
    try:
        return catalog.load(header.game).intent_from_data
    except SetupError as error:
        raise RecordError(f"it is of a game that is not installed: {error}") from error


class _Lines:
    """Whole lines with their newline, and what is behind the last one. ended: gzip has come to its end."""

    def __init__(self, stream: BinaryIO, whole: int, on_progress: OnProgress) -> None:
        self.ended = False
        self._stream = stream
        self._whole = whole
        self._on_progress = on_progress

    def __iter__(self) -> Iterator[bytes]:
        gzip = zlib.decompressobj(_GZIP)
        rest, size = b"", 0
        while chunk := self._stream.read(_CHUNK):
            while chunk:
                if gzip.eof:
                    raise RecordError("there is more behind its end: something was added")
                data = gzip.decompress(chunk, _CHUNK)
                chunk = gzip.unconsumed_tail or gzip.unused_data
                size += len(data)
                *whole, rest = (rest + data).split(b"\n")
                yield from (line + b"\n" for line in whole)
                self._on_progress(self._stream.tell() - len(chunk), self._whole, "bytes")
                _check_size(size, len(rest))
        self.ended = gzip.eof
        if rest:
            yield rest


def _check_size(size: int, line: int) -> None:
    if line > LINE_BYTES_MAX:
        raise RecordError(f"a line is longer than {LINE_BYTES_MAX} bytes")
    if size > UNPACKED_BYTES_MAX:
        raise RecordError(f"it unpacks to more than {UNPACKED_BYTES_MAX >> 30} GiB")
