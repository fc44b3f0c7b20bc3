"""A file that takes its name, and the place of an older one, once its first bytes are on the disk."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["ROOM_BYTES", "NewFile", "why_not_writable"]

ROOM_BYTES = 1 << 20
"""What a disk must have room for before it is believed that a file can be written: minutes of a battle."""


class NewFile:
    """A file to be written from its beginning. Raises: OSError, as all methods do.

    Until the first bytes are written it lies beside its place, hidden, so that a disk that is full leaves an
    older file alone. What is no plain file, a pipe or a device, is written as it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._beside = None if _is_special(path) else path.with_name(f".{path.name}.{os.getpid()}.part")
        self._stream: BinaryIO = (self._beside or path).open("wb", buffering=0)

    def write(self, data: bytes) -> None:
        """Append all of `data`."""
        rest = memoryview(data)
        while rest:
            rest = rest[self._stream.write(rest) :]
        if data and self._beside is not None:
            os.replace(self._beside, self.path)
            self._beside = None

    def close(self) -> None:
        """Wait until all of it is on the disk, and let go."""
        try:
            if not _is_special(self.path):
                os.fsync(self._stream.fileno())
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Let go; what was never named is deleted. Raises nothing."""
        with suppress(OSError):
            self._stream.close()
            if self._beside is not None:
                self._beside.unlink(missing_ok=True)


def why_not_writable(path: Path) -> str | None:
    """Return why a new file cannot be written at `path`, or None; an older file stays as it is."""
    if path.is_dir():
        return "it is a directory"
    try:
        if path.exists() and not os.access(path, os.W_OK):
            return "it may not be written"
        if _is_special(path):
            return None
        probe = path.with_name(f".{path.name}.{os.getpid()}.probe")
        try:
            with probe.open("wb") as stream:
                stream.write(bytes(ROOM_BYTES))
                stream.flush()
                os.fsync(stream.fileno())
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        return error.strerror or str(error)
    return None


def _is_special(path: Path) -> bool:
    with suppress(OSError):
        return not stat.S_ISREG(path.stat().st_mode)
    return False
