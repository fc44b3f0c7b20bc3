"""Reading records from files."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from turnwright.catalog import load
from turnwright.errors import RecordError, SetupError
from turnwright.kernel.record import Record
from turnwright.wire.record.v1 import LINE_BYTES_MAX, decode_lines

__all__ = ["read_record"]

_CHUNK = 1 << 20
_GZIP = 16 + zlib.MAX_WBITS


def read_record(path: Path) -> Record:
    """Return the record in a `.twr` file. One that was cut off is read up to there (`truncated`).

    Raises: RecordError when it cannot be read, with the line where there is one.
    """
    try:
        with path.open("rb") as stream:
            start = stream.read(2)
            if start != b"\x1f\x8b":
                raise RecordError(f"{path} is no record: expected a .twr file (gzip)")
            stream.seek(0)
            chunks = iter(lambda: stream.read(_CHUNK), b"")
            return decode_lines(_lines(chunks), lambda header: load(header.game).intent_from_data)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except (RecordError, SetupError) as error:
        text = str(error)
        raise RecordError(text if str(path) in text else f"{path}: {text}") from error
    except zlib.error as error:
        raise RecordError(f"{path} is damaged: {error}") from error


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield whole lines with their newline, and what is behind the last one."""
    gzip = zlib.decompressobj(_GZIP)
    rest = b""
    for chunk in chunks:
        while chunk and not gzip.eof:
            rest += gzip.decompress(chunk, _CHUNK)
            chunk = gzip.unconsumed_tail
            *whole, rest = rest.split(b"\n")
            yield from (line + b"\n" for line in whole)
            if len(rest) > LINE_BYTES_MAX:
                raise RecordError(f"a line is longer than {LINE_BYTES_MAX} bytes")
    if rest:
        yield rest
