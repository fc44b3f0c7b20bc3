"""Reads `.twr` files, and distinguishes records from recordings."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec

from turnwright import catalog
from turnwright.errors import GameError, RecordError, SetupError
from turnwright.kernel.game import Game
from turnwright.kernel.record import Header, Record
from turnwright.net.files.writer import GZIP_START
from turnwright.net.gc_pause import gc_paused
from turnwright.wire.record.v2 import decode_lines
from turnwright.wire.record.v2_lines import LINE_BYTES_MAX

BattleKind = Literal["record", "royale"]
"""A turnwright record, or a Tank Royale recording."""


EXPECTED = "give a record (.twr) or a Tank Royale recording (.battle.gz)"
"""The end of error messages about files that are neither a record nor a recording."""
_START_BYTES = 4_096
_BOM = b"\xef\xbb\xbf"
_OURS = b'{"turnwright"'
UNPACKED_BYTES_MAX = 4 << 30
"""The largest size of an unpacked record, in bytes (4 GiB). The record of a battle with 100 tanks and 100,000
turns has about 1 GiB.
"""
_CHUNK = 1 << 20
_GZIP = 16 + zlib.MAX_WBITS
_MAGIC = b"\x1f\x8b"

OnProgress = Callable[[int, int, str], None]
"""Called with the amount that is done, the total amount, and the unit: "bytes" for reading, or "turns" for a
replay.
"""


def no_progress(done: int, whole: int, unit: str) -> None:
    """Show no progress."""


def kind_of_file(path: Path, expected: str = EXPECTED) -> BattleKind:
    """Return whether a file is a record or a recording. Its first bytes show this. Any other file that begins
    with `{` counts as a recording.

    Args:
        expected: which files the caller can read, for the messages.

    Raises:
        RecordError: the file cannot be read, or it is neither a record nor a recording. The message has one
            line.
    """
    try:
        with path.open("rb") as stream:
            start = stream.read(_START_BYTES)
    except FileNotFoundError:
        raise RecordError(f"there is no file {path}: check the path") from None
    except OSError as error:
        raise RecordError(f"{path} cannot be read ({error.strerror}): {expected}") from None
    if not start:
        raise RecordError(f"{path} is empty: {expected}")
    text = _unpacked(start).removeprefix(_BOM).lstrip()
    if not text and start.startswith(_MAGIC):
        raise RecordError(f"{path} is not a record, or damaged or cut off at its start: {expected}")
    if text.startswith(_OURS):
        return "record"
    if not text.startswith(b"{"):
        raise RecordError(f"{path} is not a record: {expected}")
    return "royale"


def _unpacked(start: bytes) -> bytes:
    if not start.startswith(_MAGIC):
        return start
    try:
        return zlib.decompressobj(_GZIP).decompress(start, _START_BYTES)
    except zlib.error:
        return b""


def game_of_record(path: Path) -> str:
    """Return the name of a record's game, or "" if the file is not readable or not a record."""
    try:
        with gzip.open(path) as stream:
            head = msgspec.json.decode(stream.readline(LINE_BYTES_MAX))
    except (OSError, EOFError, zlib.error, msgspec.DecodeError, RecursionError):
        return ""
    game = head.get("game") if isinstance(head, dict) else None
    return game if isinstance(game, str) else ""


def read_record(
    path: Path, *, lenient: bool = False, on_progress: OnProgress = no_progress, rules: Game | None = None
) -> Record:
    """Return the record in a `.twr` file.

    If the file is truncated, the record contains everything before the cut, and `truncated` is set.

    Args:
        lenient: what to do with a changed line that can be read. True means return a record with `broken`
            set. False means raise an error.
        rules: the rules of the record's game. If it is None, use the installed game that the header names.

    Raises:
        RecordError: the file cannot be read, or its game is not installed. If a line is wrong, the message
            names the line.
        GameError: the game's code cannot be loaded.
    """
    if kind_of_file(path, "give a record (.twr)") == "royale":
        raise RecordError(
            f"{path} is a Tank Royale recording, not a record (.twr): it does not contain the intents of bots"
        )
    try:
        with path.open("rb") as stream:
            if stream.read(2) != _MAGIC:
                raise RecordError(f"{path} is an unpacked record: pack it with gzip")
            stream.seek(0)
            lines = _GzipLines(stream, path.stat().st_size, on_progress)
            with naming(path), gc_paused():  # many objects are created here, and none of them is garbage
                record = decode_lines(lines, lambda header: _intent_reader(header, rules), lenient=lenient)
            record.truncated = record.broken is None and (record.truncated or not lines.ended)
            return record
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except zlib.error as error:
        raise RecordError(f"{path} is damaged ({error}); use another copy of it") from error


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Add the name of a file in front of the message of a RecordError."""
    try:
        yield
    except RecordError as error:
        raise type(error)(f"{path}: {error}") from error


def is_as_packed(path: Path) -> bool:
    """Return whether a record has the gzip header that our writer makes.

    If the header differs, another program has packed the record again. Nothing else shows this, because the
    lines need not have changed.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as stream:
        return stream.read(len(GZIP_START)) == GZIP_START


def _intent_reader(header: Header, rules: Game | None) -> Callable[[object], object]:
    try:
        rules = rules or catalog.load(header.game, installed_only=True)
    except GameError:
        raise
    except SetupError as error:
        raise RecordError(
            f"it is of the game {header.game[:80]!r}, which is not installed: give the folder with its"
            " game.py as --game FOLDER"
        ) from error
    if rules.name != header.game:
        raise RecordError(f"it is of the game {header.game!r}, not of {rules.name!r}")
    return rules.read_intent


class _GzipLines:
    """Yields complete lines with their newline, and the data after the last line.

    Attributes:
        ended: whether the gzip data has ended.
    """

    def __init__(self, stream: BinaryIO, whole: int, on_progress: OnProgress) -> None:
        self.ended = False
        self._stream = stream
        self._whole = whole
        self._on_progress = on_progress

    def __iter__(self) -> Iterator[bytes]:
        unpack = zlib.decompressobj(_GZIP)
        rest, size = b"", 0
        while chunk := self._stream.read(_CHUNK):
            while chunk:
                if unpack.eof:
                    raise RecordError("the file has data after the end of the record, so it was changed")
                data = unpack.decompress(chunk, _CHUNK)
                chunk = unpack.unconsumed_tail or unpack.unused_data
                size += len(data)
                *whole, rest = (rest + data).split(b"\n")
                yield from (line + b"\n" for line in whole)
                self._on_progress(self._stream.tell() - len(chunk), self._whole, "bytes")
                _check_size(size, len(rest))
        self.ended = unpack.eof
        if rest:
            yield rest


def _check_size(size: int, line: int) -> None:
    if line > LINE_BYTES_MAX:
        raise RecordError(f"a line is longer than {LINE_BYTES_MAX} bytes")
    if size > UNPACKED_BYTES_MAX:
        raise RecordError(f"it unpacks to more than {UNPACKED_BYTES_MAX >> 30} GiB")
