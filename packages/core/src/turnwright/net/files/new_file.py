"""Writes files safely: an older file is replaced only when all bytes of the new file are on the disk.

turnwright writes all its files with this module: `write_file` and `whole_file` for complete content,
`NewFile` for a file that grows during a battle, and `whole_folder` for folders with their content.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from turnwright.errors import SetupError

ROOM_BYTES = 1 << 20
"""The free space that a disk must have before a file is started, in bytes. It is enough for some minutes of a
battle.
"""
_NO_LINKS = (errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK)
"""The errors of a file system without hard links."""


def write_file(path: Path, data: bytes | str, *, replace: bool = True) -> None:
    """Write a file (see `whole_file`). Text is written as UTF-8.

    Raises:
        OSError: the file cannot be written.
    """
    with whole_file(path, replace=replace) as stream:
        stream.write(data.encode() if isinstance(data, str) else data)


@contextmanager
def whole_file(path: Path, *, replace: bool = True) -> Iterator[BinaryIO]:
    """Yield a stream to write to. Its content becomes the file `path` when all bytes are on the disk.

    If the block raises an exception, or the disk fails, the file `path` stays as it is. If `path` is a pipe
    or a device, the bytes are written directly. If it is a link, the target of the link is written.

    Args:
        replace: whether an older file may be replaced. The new file then gets the permissions of the older
            file.

    Raises:
        OSError: the file cannot be written.
        FileExistsError: the file exists and may not be replaced.
    """
    place = _place(path)
    if is_special(place):
        with place.open("wb") as stream:
            yield stream
        return
    if not replace and place.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    part = _beside(place, "part")
    try:
        with part.open("xb") as stream:
            _take_permissions(stream, place)
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if replace:
            os.replace(part, place)
        else:
            _name(part, place)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield a folder to be filled. It is renamed to `path` at the end.

    If the block raises an exception, the folder is deleted.

    Raises:
        OSError: the folder cannot be made or renamed.
        FileExistsError: something with that name exists.
    """
    if path.exists() or path.is_symlink():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    part = _beside(path, "part")
    part.mkdir()
    try:
        yield part
        os.rename(part, path)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def temporary_folder() -> Path:
    """Create a folder for temporary files, and return its path. The caller deletes the folder.

    Raises:
        SetupError: the folder cannot be created, e.g. because the disk is full.
    """
    try:
        return Path(tempfile.mkdtemp(prefix="turnwright-"))
    except OSError as error:
        why = error.strerror or str(error)
        raise SetupError(
            f"no temporary folder can be created ({why}): free some space, or let TMPDIR name another place"
        ) from error


class NewFile:
    """A new file that is written from its beginning.

    Until the first bytes are written, the file has a hidden name next to its final path, so that a full disk
    does not destroy an older file. After that, the file grows under its final name, so that the data survives
    if the process is killed. A pipe or a device is written directly.

    Raises:
        OSError: a method could not create or write the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._place = _place(path)
        self._place.parent.mkdir(parents=True, exist_ok=True)
        self._beside = None if is_special(path) else _beside(self._place, "part")
        self._stream: BinaryIO = (self._beside or path).open("wb", buffering=0)
        _take_permissions(self._stream, self._place)

    def write(self, data: bytes) -> None:
        """Append all of `data`."""
        rest = memoryview(data)
        while rest:
            rest = rest[self._stream.write(rest) :]
        if data and self._beside is not None:
            os.replace(self._beside, self._place)
            self._beside = None

    def close(self) -> None:
        """Wait until all bytes are on the disk, and close the file. A file without bytes is deleted."""
        try:
            if not is_special(self.path):
                os.fsync(self._stream.fileno())
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Close the file. If it does not have its final name yet, delete it. No exception is raised."""
        with suppress(OSError):
            self._stream.close()
            if self._beside is not None:
                self._beside.unlink(missing_ok=True)


def why_not_writable(path: Path) -> str | None:
    """Return why a new file cannot be written at `path`, or None.

    For this, a file of ROOM_BYTES next to it is written and deleted. An older file stays as it is.
    """
    if path.is_dir():
        return "it is a directory"
    try:
        if path.exists() and not os.access(path, os.W_OK):
            return "it is not writable"
        if is_special(path):
            return None
        probe = _beside(_place(path), "probe")
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


def is_special(path: Path) -> bool:
    """Return whether a path leads to a pipe, a device or a folder."""
    with suppress(OSError):
        return not stat.S_ISREG(path.stat().st_mode)
    return False


def _place(path: Path) -> Path:
    """Return the path of a file. For a link, return its target, even if the target does not exist."""
    return Path(os.path.realpath(path)) if path.is_symlink() and not is_special(path) else path


def _beside(place: Path, kind: str) -> Path:
    """Return a hidden name next to a file. It is unique to this process."""
    return place.with_name(f".{place.name}.{os.getpid()}.{kind}")


def _take_permissions(stream: BinaryIO, place: Path) -> None:
    """Give a new file the permissions of the file that it will replace."""
    with suppress(OSError):
        mode = place.stat().st_mode
        if stat.S_ISREG(mode) and hasattr(os, "fchmod"):
            os.fchmod(stream.fileno(), stat.S_IMODE(mode))


def _name(part: Path, place: Path) -> None:
    """Rename the hidden file `part` to its final name, which must not exist yet.

    Raises:
        FileExistsError: another process has taken the name in the meantime.
    """
    try:
        os.link(part, place)  # unlike renaming, this does not replace a file
    except OSError as error:
        if error.errno not in _NO_LINKS or place.exists():
            raise
        os.replace(part, place)
