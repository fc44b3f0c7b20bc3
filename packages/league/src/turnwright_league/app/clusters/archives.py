"""Archives of bots on a worker. They are checked, unpacked once, and kept by their hashes.

<cache>/<hash>/<Bot>/...   an unpacked archive
<cache>/<hash>.lock        locked while its bot plays; contains its size in bytes
"""

from __future__ import annotations

import getpass
import hashlib
import io
import os
import shutil
import stat
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from turnwright.errors import SetupError
from turnwright.net.files.lock import FileLock
from turnwright.net.files.new_file import whole_folder
from turnwright.net.portability import IS_LINUX

ARCHIVE_BYTES_MAX = 64 << 20
"""The most bytes of a bot's archive."""
UNPACKED_BYTES_MAX = 256 << 20
"""The most bytes of all files of an archive together."""
ARCHIVE_FILES_MAX = 10_000
"""The most files in an archive."""
CACHE_BYTES_MAX = 2 << 30
"""The most bytes of unpacked archives on a worker's machine. Above that, the least recently used archives are
deleted.
"""
_NAME_MAX = 400
_HASH_SIZE = 16
_PLACE = "TURNWRIGHT_BOT_CACHE"
_NEW_FILE_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_UNFINISHED_S = 86_400.0
"""The age in seconds at which an unfinished archive counts as abandoned, on systems where it is unknown
whether a process lives."""


class WrongArchive(SetupError):
    """An archive arrived with other bytes than it was sent with."""


def archive_hash(data: bytes) -> str:
    """Return the hash of an archive, 32 hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=_HASH_SIZE).hexdigest()


def check_archive(data: bytes) -> None:
    """Check an archive without unpacking it.

    Raises:
        SetupError: the archive is invalid. The message begins with "it".
    """
    if len(data) > ARCHIVE_BYTES_MAX:
        raise SetupError(f"it has {len(data):,} bytes, but workers accept at most {ARCHIVE_BYTES_MAX:,}")
    with _opened(data) as archive:
        _checked_files(archive)


@contextmanager
def _opened(data: bytes) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise SetupError(f"it is not an archive that can be unpacked: {error}"[:200]) from None


def _checked_files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files of an archive.

    Raises:
        SetupError: a file must not be unpacked.
    """
    infos = archive.infolist()
    if not 0 < len(infos) <= ARCHIVE_FILES_MAX:
        raise SetupError(f"it has {len(infos):,} files, 1 to {ARCHIVE_FILES_MAX:,} are allowed")
    size = sum(info.file_size for info in infos)
    if size > UNPACKED_BYTES_MAX:
        raise SetupError(f"its files have {size:,} bytes, {UNPACKED_BYTES_MAX:,} are allowed")
    if len({info.filename for info in infos}) < len(infos):
        raise SetupError("it has two files with the same name")
    for info in infos:
        name = info.filename
        parts = PurePosixPath(name).parts
        if len(parts) < 2 or len(name) > _NAME_MAX or name.startswith("/") or {"..", "."} & set(parts):
            raise SetupError(f"it has a file {name[:80]!r} that leads out of the bot's folder")
        mode = info.external_attr >> 16
        if not stat.S_ISREG(mode) or name.endswith("/"):
            raise SetupError(f"it has {name[:80]!r}, which is not a plain file: copy what the link points to")
    return infos


def _unpack(archive: zipfile.ZipFile, into: Path) -> None:
    """Unpack files into a new folder that no other process uses."""
    for info in _checked_files(archive):
        place = into.joinpath(*PurePosixPath(info.filename).parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o755 if info.external_attr >> 16 & 0o100 else 0o644
        with archive.open(info) as packed, os.fdopen(_new_file(place), "wb") as file:
            shutil.copyfileobj(packed, file)
        place.chmod(mode)
    for folder, _, _ in os.walk(into):
        Path(folder).chmod(0o755)  # root's bots play as other users, see `net.sandbox`


def _new_file(place: Path) -> int:
    return os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NEW_FILE_FLAGS, 0o600)


class ArchiveCache:
    """The unpacked archives of one user of a machine, which all of the user's workers share.

    Args:
        place: the folder, which is created if it does not exist. None means TURNWRIGHT_BOT_CACHE, or the
            user's folder in the temporary folder.
        bytes_max: the most bytes of all archives together.

    Raises:
        SetupError: the folder cannot be used.
    """

    def __init__(self, place: Path | None = None, bytes_max: int = CACHE_BYTES_MAX) -> None:
        given = os.environ.get(_PLACE)
        user = os.getuid() if IS_LINUX else getpass.getuser()
        mine = Path(tempfile.gettempdir()) / f"turnwright-bots-{user}"
        self.place = place or (Path(given) if given else mine)
        self._bytes_max = bytes_max
        try:
            self.place.mkdir(mode=0o755, parents=True, exist_ok=True)
            found = self.place.lstat()
        except OSError as error:
            why = error.strerror
            raise SetupError(f"{self.place} cannot be used: {why}; {_PLACE} names another") from None
        is_mine = not IS_LINUX or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
        if not stat.S_ISDIR(found.st_mode) or not is_mine:
            raise SetupError(
                f"{self.place} is not a folder that only its user can write; {_PLACE} names another"
            )

    @contextmanager
    def held(self, digest: str, fetch: Callable[[str], bytes]) -> Iterator[Path]:
        """Give the folder of an unpacked archive. It is not deleted while the context is open.

        Args:
            fetch: returns the bytes of the archive with a hash. It is called only if the archive is not in
                the cache.

        Raises:
            WrongArchive: the bytes are another archive.
            SetupError: the archive is invalid, or `digest` is not a hash.
            OSError: the disk cannot be read or written.
        """
        if len(digest) != 2 * _HASH_SIZE or not digest.isalnum():
            raise SetupError(f"{digest[:40]!r} is not a hash of an archive")
        with FileLock(self._lock(digest)) as lock:
            lock.take(shared=True)
            while not (self.place / digest).is_dir():
                lock.take()
                if not (self.place / digest).is_dir():
                    self._add(digest, fetch(digest))
                lock.take(shared=True)  # not in one step: another process may have deleted it meanwhile
            os.utime(self.place / digest)
            yield self.place / digest

    def drop(self, digest: str) -> bool:
        """Delete an archive, as far as the system allows. Return False, without a change, if it is in use."""
        with FileLock(self._lock(digest)) as lock:
            if not lock.take(wait=False):
                return False
            shutil.rmtree(self.place / digest, ignore_errors=True)
            self._lock(digest).write_text("")
        return True

    def _lock(self, digest: str) -> Path:
        return self.place / f"{digest}.lock"

    def _add(self, digest: str, data: bytes) -> None:
        if archive_hash(data) != digest:
            raise WrongArchive(f"the archive {digest} has a wrong hash after the transfer")
        check_archive(data)
        self._delete_unfinished()
        with _opened(data) as archive, whole_folder(self.place / digest) as folder:
            _unpack(archive, folder)
            size = sum(info.file_size for info in archive.infolist())
        self._lock(digest).write_text(str(size))
        self._make_room(digest)

    def _make_room(self, newest: str) -> None:
        """Delete archives until their total size is within the bound. `newest` and used archives stay."""
        sizes = {one: _size(self._lock(one.name)) for one in self._by_use()}
        total = sum(sizes.values())
        for one, size in sizes.items():
            if total <= self._bytes_max:
                return
            if one.name != newest and self.drop(one.name):
                total -= size

    def _by_use(self) -> Sequence[Path]:
        """Return the unpacked archives, ordered by their last use, oldest first."""
        found = []
        for one in self.place.iterdir():
            with suppress(OSError):
                if one.is_dir() and not one.name.startswith("."):
                    found.append((one.stat().st_mtime_ns, one))
        return [one for _, one in sorted(found)]

    def _delete_unfinished(self) -> None:
        """Delete the unfinished archives of killed workers."""
        for one in self.place.glob(".*.part"):
            pid = one.name.split(".")[-2]
            if pid.isdigit() and not _is_alive(int(pid), one):
                shutil.rmtree(one, ignore_errors=True)


def _size(lock: Path) -> int:
    with suppress(OSError, ValueError):
        return int(lock.read_text())
    return 0


def _is_alive(pid: int, part: Path) -> bool:
    """Return whether the process that unpacks an archive lives.

    If this is unknown, the age of the unfinished archive decides.
    """
    if not IS_LINUX:
        with suppress(OSError):
            return time.time() - part.stat().st_mtime < _UNFINISHED_S
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
