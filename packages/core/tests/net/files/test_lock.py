from __future__ import annotations

import errno
import os
import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.messages import missing
from tests.portable.left_out import IS_PORTABLE
from turnwright.errors import SetupError
from turnwright.net.files import lock
from turnwright.net.files.lock import FileLock

WAYS = [False] if IS_PORTABLE else [True, False]


class OnNoDisk(sqlite3.Connection):
    """A database on a disk that cannot lock."""

    def execute(self, sql: str, parameters: Any = ()) -> sqlite3.Cursor:
        """Fail as SQLite does on a network file system without locks."""
        if sql.startswith("BEGIN"):
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_LOCK
            raise error
        return super().execute(sql, parameters)


@pytest.fixture(params=WAYS, ids=lambda linux: "linux" if linux else "portable")
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether locks use the features of Linux or the portable fallback."""
    monkeypatch.setattr(lock, "IS_LINUX", request.param)
    return bool(request.param)


@pytest.mark.usefixtures("way")
def test_one_holds_a_lock_alone_or_several_share_it(tmp_path: Path) -> None:
    path = tmp_path / "x.lock"
    with FileLock(path) as one, FileLock(path) as two, FileLock(path) as three:
        assert one.take(wait=False)
        assert not two.take(wait=False)
        assert one.take(shared=True)
        assert two.take(shared=True)
        assert not three.take(wait=False)
        one.close()
        two.close()
        assert three.take(wait=False)


def test_a_disk_without_locks_is_reported_with_the_name_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: bool
) -> None:
    path = tmp_path / "x.lock"
    if way:
        import fcntl

        def refuse(fd: int, how: int) -> None:
            raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

        monkeypatch.setattr(fcntl, "flock", refuse)
    else:
        monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=OnNoDisk))
    with FileLock(path) as one:
        for wait in (False, True):
            with pytest.raises(SetupError) as refused:
                one.take(wait=wait)
            assert not missing(str(refused.value), path, "folder", "disk")


def test_a_file_that_is_not_a_database_is_reported_where_sqlite_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "IS_LINUX", False)
    path = tmp_path / "x.lock"
    path.with_name("x.lock.sqlite").write_bytes(b"something else " * 100)
    with FileLock(path) as one, pytest.raises(SetupError) as refused:
        one.take(shared=True)
    assert not missing(str(refused.value), path)


def test_a_file_that_cannot_be_created_is_reported_where_sqlite_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "IS_LINUX", False)
    path = tmp_path / "x.lock"
    path.with_name("x.lock.sqlite").mkdir()
    with pytest.raises(SetupError) as refused:
        FileLock(path)
    assert not missing(str(refused.value), path)
