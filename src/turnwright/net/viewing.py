"""Looking at a file before it is shown: what it is, whether this version can show it, whether it is whole."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from turnwright.errors import RecordError
from turnwright.games.tank.game import TankGame
from turnwright.kernel.replay import rebuild
from turnwright.net.records import read_record
from turnwright.net.shelf import RECORD_BYTES_MAX

__all__ = ["Viewable", "look_at"]

_CHUNK = 1 << 20
_START_BYTES = 4_096
_GZIP = 16 + zlib.MAX_WBITS
_EXPECTED = "expected a record (.twr) or a recording of Tank Royale (.battle.gz)"


@dataclass(frozen=True, slots=True)
class Viewable:
    """A file that the viewer can show.

    kind: ours, or Tank Royale's. truncated: it ends before its battle does; what is there is shown.
    """

    path: Path
    kind: Literal["record", "royale"]
    size: int
    truncated: bool


def look_at(path: Path) -> Viewable:
    """Return what a file is. Raises: RecordError, in one line, for what cannot be shown."""
    try:
        size = path.stat().st_size
        with path.open("rb") as stream:
            start = stream.read(_START_BYTES)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}; {_EXPECTED}") from None
    if not size:
        raise RecordError(f"{path} is empty: {_EXPECTED}")
    if size > RECORD_BYTES_MAX:
        most = RECORD_BYTES_MAX >> 20
        raise RecordError(f"{path} has {size:,} bytes: the viewer is given at most {most} MiB")
    first = _first_line(start)
    if first.lstrip().startswith(b'{"turnwright"'):
        return Viewable(path, "record", size, _check_record(path))
    if not first.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        raise RecordError(f"{path} is no record: {_EXPECTED}")
    return Viewable(path, "royale", size, _check_royale(path))


def _first_line(start: bytes) -> bytes:
    """Return the beginning of a file's first line, unpacked where it is packed."""
    if not start.startswith(b"\x1f\x8b"):
        return start
    try:
        return zlib.decompressobj(_GZIP).decompress(start, _START_BYTES)
    except zlib.error:
        return b""


def _check_record(path: Path) -> bool:
    """Return whether a record of ours was cut off. Raises: RecordError when it cannot be played again."""
    record = read_record(path)
    game = TankGame("python")
    if record.header.game != game.name:
        raise RecordError(
            f"{path} is a record of the game {record.header.game!r}: the viewer shows {game.name!r};"
            " `turnwright verify` checks it"
        )
    try:
        rebuild(record, game)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error
    return record.truncated


def _check_royale(path: Path) -> bool:
    """Return whether a recording was cut off. Raises: RecordError when nothing in it can be shown."""
    from turnwright.wire.record.recording import Notes
    from turnwright.wire.record.royale_reader import read_lines, read_messages

    if next(read_messages(_chunks(path), Notes()), None) is None:
        raise RecordError(f"{path} holds no turn of a battle: {_EXPECTED}")
    notes = Notes()
    for _ in read_lines(_chunks(path), notes):
        pass
    return notes.truncated


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk
