"""Locks between processes, which end with the process that holds them.

They use `fcntl` on Linux. Elsewhere they are a transaction on an empty SQLite file next to the lock's,
because SQLite knows how each system locks files, Windows included.
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
"""The bits of an error code of SQLite without its details."""


class FileLock:
    """A lock that belongs to a file, which is made where there is none.

    As a context manager it releases the lock at the end.

    Raises:
        OSError: the file cannot be written.
        SetupError: the file cannot be locked. The message names it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1
        self._base: sqlite3.Connection | None = None
        if IS_LINUX:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            return
        import sqlite3  # it takes its time

        path.touch()
        beside = path.with_name(f"{path.name}.sqlite")
        try:
            self._base = sqlite3.connect(beside, timeout=0.0, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._refused(error) from None

    def take(self, *, shared: bool = False, wait: bool = True) -> bool:
        """Take the lock, and return False if it is held elsewhere.

        If this object already holds it, shared or not, it releases it meanwhile.

        Args:
            shared: whether it may be held together with others that share it.
            wait: whether to wait until it is available.

        Raises:
            SetupError: files cannot be locked here. The message names the file.
        """
        if self._base is not None:
            import sqlite3

            try:
                return _begin(self._base, shared, wait)
            except sqlite3.Error as error:
                raise self._refused(error) from None
        import fcntl  # which other systems lack

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
        """Release it; a second call does nothing."""
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
    """Begin a transaction; return False where another has one.

    Raises:
        sqlite3.Error: any other failure.
    """
    import sqlite3

    if base.in_transaction:
        base.rollback()
    base.execute(f"PRAGMA busy_timeout = {int(1000 * _WAIT_S) if wait else 0}")
    while True:
        try:
            base.execute("BEGIN" if shared else "BEGIN EXCLUSIVE")
            if shared:
                base.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # only now it is held
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
