"""Locks between processes. A lock ends with the process that holds it.

On Linux, a lock uses `fcntl`. On other systems, a lock is a transaction on an empty SQLite file next to the
lock's file, because SQLite can lock files on every system, including Windows.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from turnwright.errors import SetupError
from turnwright.net.portability import IS_LINUX

if TYPE_CHECKING:
    import sqlite3

_WAIT_S = 60.0
_PRIMARY_CODE = 0xFF
"""The bits of a SQLite error code without its details."""


class FileLock:
    """A lock that belongs to a file. The file is created if it does not exist.

    As a context manager, the object releases the lock at the end of the block.

    Raises:
        OSError: the file cannot be written.
        SetupError: the file cannot be locked. The message names the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1
        self._base: sqlite3.Connection | None = None
        if IS_LINUX:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            return
        import sqlite3  # a slow import

        path.touch()
        beside = path.with_name(f"{path.name}.sqlite")
        try:
            self._base = sqlite3.connect(beside, timeout=0.0, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._refused(error) from None

    def take(self, *, shared: bool = False, wait: bool = True) -> bool:
        """Take the lock. Return whether this object has it now.

        If this object already has the lock, shared or not, it releases the lock for a moment before it takes
        the lock again.

        Args:
            shared: whether other processes may have a shared lock at the same time.
            wait: whether to wait, without a time limit, until the lock is available.

        Raises:
            SetupError: files cannot be locked in this folder. The message names the file.
        """
        if self._base is not None:
            import sqlite3

            try:
                return _begin(self._base, shared, wait)
            except sqlite3.Error as error:
                raise self._refused(error) from None
        import fcntl  # not available on other systems

        how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(self._file, how if wait else how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise self._refused(error) from None
        return True

    def _refused(self, error: Exception) -> SetupError:
        why = error.strerror if isinstance(error, OSError) else error
        return SetupError(f"{self._path} cannot be locked: {why}; use a folder on a disk of this machine")

    def close(self) -> None:
        """Release the lock. A second call has no effect."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        if self._base is not None:
            self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _begin(base: sqlite3.Connection, shared: bool, wait: bool) -> bool:
    """Begin a transaction. Return False if another process has one.

    Raises:
        sqlite3.Error: the transaction failed for another reason.
    """
    import sqlite3

    if base.in_transaction:
        base.rollback()
    base.execute(f"PRAGMA busy_timeout = {int(1000 * _WAIT_S) if wait else 0}")
    while True:
        try:
            base.execute("BEGIN" if shared else "BEGIN EXCLUSIVE")
            if shared:
                base.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # this takes the lock
        except sqlite3.OperationalError as error:
            if base.in_transaction:
                base.rollback()
            code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE
            if code not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            if not wait:
                return False
        else:
            return True
