"""What a file of a battle is, by its content: a record of ours, or a recording of Tank Royale."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Literal

from turnwright.errors import RecordError

__all__ = ["EXPECTED", "BattleKind", "kind_of_file"]

BattleKind = Literal["record", "royale"]

EXPECTED = "expected a record (.twr) or a recording of Tank Royale (.battle.gz)"
_START_BYTES = 4_096
_GZIP = 16 + zlib.MAX_WBITS
_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_OURS = b'{"turnwright"'


def kind_of_file(path: Path) -> BattleKind:
    """Return what a file begins like. Raises: RecordError, in one line, for what can be neither."""
    try:
        with path.open("rb") as stream:
            start = stream.read(_START_BYTES)
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}; {EXPECTED}") from None
    if not start:
        raise RecordError(f"{path} is empty: {EXPECTED}")
    text = _unpacked(start).removeprefix(_BOM).lstrip()
    if not text and start.startswith(_MAGIC):
        raise RecordError(f"{path} is no record, or damaged or cut off at its start; {EXPECTED}")
    if text.startswith(_OURS):
        return "record"
    if not text.startswith(b"{"):
        raise RecordError(f"{path} is no record: {EXPECTED}")
    return "royale"


def _unpacked(start: bytes) -> bytes:
    if not start.startswith(_MAGIC):
        return start
    try:
        return zlib.decompressobj(_GZIP).decompress(start, _START_BYTES)
    except zlib.error:
        return b""
