from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from packages.core.tests.net.files.nearly_full import room_for
from turnwright.errors import SetupError
from turnwright.net.files.new_file import (
    ROOM_BYTES,
    NewFile,
    temporary_folder,
    whole_file,
    whole_folder,
    why_not_writable,
    write_file,
)


def test_a_file_takes_the_place_of_an_older_one_with_its_first_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(b"older")
    file = NewFile(path)
    file.write(b"")
    assert path.read_bytes() == b"older"
    file.write(b"new")
    assert path.read_bytes() == b"new"
    file.write(b"er")
    file.close()
    assert path.read_bytes() == b"newer"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("end", [NewFile.close, NewFile.abandon])
def test_a_new_file_without_bytes_changes_nothing(tmp_path: Path, end: Callable[[NewFile], None]) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(b"older")
    file = NewFile(path)
    end(file)
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_an_older_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.twr"
    path.write_bytes(b"older")
    file = NewFile(path)
    with room_for(0), pytest.raises(OSError, match="too large"):
        file.write(b"new")
    file.abandon()
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


def test_directories_on_the_way_are_made(tmp_path: Path) -> None:
    file = NewFile(tmp_path / "a" / "b" / "x.twr")
    file.write(b"x")
    file.close()
    assert (tmp_path / "a" / "b" / "x.twr").read_bytes() == b"x"


def test_a_device_is_written_and_not_replaced() -> None:
    file = NewFile(Path("/dev/null"))
    file.write(b"x")
    file.close()
    assert Path("/dev/null").is_char_device()
    full = NewFile(Path("/dev/full"))
    with pytest.raises(OSError, match="No space left"):
        full.write(b"x")
    full.abandon()


def test_a_writable_path_causes_no_complaint(tmp_path: Path) -> None:
    path = tmp_path / "x.twr"
    assert why_not_writable(path) is None
    path.write_bytes(b"older")
    assert why_not_writable(path) is None
    assert why_not_writable(Path("/dev/null")) is None
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


def test_the_reason_of_an_unwritable_file_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert why_not_writable(tmp_path) == "it is a directory"
    assert why_not_writable(tmp_path / "gone" / "x.twr") == os.strerror(errno.ENOENT)
    with room_for(ROOM_BYTES - 1):
        assert why_not_writable(tmp_path / "x.twr") == "File too large"
    assert list(tmp_path.iterdir()) == []
    path = tmp_path / "x.twr"
    path.write_bytes(b"older")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert not missing(why_not_writable(path), "writable")


@pytest.mark.parametrize("replace", [True, False])
def test_a_whole_file_is_there_when_all_of_it_is(tmp_path: Path, replace: bool) -> None:
    path = tmp_path / "x.txt"
    with whole_file(path, replace=replace) as stream:
        stream.write(b"one ")
        assert not path.exists()
        stream.write(b"two")
    assert path.read_bytes() == b"one two"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("room", [0, 1, 5000])
def test_a_full_disk_leaves_only_the_old_file(tmp_path: Path, room: int) -> None:
    path = tmp_path / "x.txt"
    with room_for(room), pytest.raises(OSError, match="too large"):
        write_file(path, b"new" * 10_000)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"older")
    with room_for(room), pytest.raises(OSError, match="too large"):
        write_file(path, b"new" * 10_000)
    assert path.read_bytes() == b"older"
    with room_for(room), pytest.raises(OSError, match="too large"), whole_folder(tmp_path / "Bot") as folder:
        write_file(folder / "Bot.py", b"new" * 10_000)
    assert list(tmp_path.iterdir()) == [path]


def interrupted(_: object) -> None:
    raise KeyboardInterrupt


def test_an_interruption_leaves_only_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"older")
    with pytest.raises(KeyboardInterrupt), whole_file(path) as stream:
        interrupted(stream.write(b"new"))
    with pytest.raises(KeyboardInterrupt), whole_folder(tmp_path / "Bot"):
        raise KeyboardInterrupt
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_came_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    with pytest.raises(FileExistsError), whole_file(path, replace=False):
        path.write_bytes(b"older")
    with pytest.raises(FileExistsError):
        write_file(path, b"new", replace=False)
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileExistsError), whole_folder(path):
        raise AssertionError


def test_without_hard_links_a_new_file_gets_its_name_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    write_file(tmp_path / "x.txt", "ä", replace=False)
    assert (tmp_path / "x.txt").read_text(encoding="utf-8") == "ä"


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    link.symlink_to(real)
    write_file(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    file = NewFile(link)
    file.write(b"newer")
    file.close()
    assert link.is_symlink()
    assert real.read_text() == "newer"
    assert sorted(tmp_path.iterdir()) == [link, real]


def test_a_new_file_has_the_permissions_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"older")
    path.chmod(0o600)
    write_file(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    file = NewFile(path)
    file.write(b"newer")
    file.close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_writing_a_file_to_a_device_does_not_replace_it() -> None:
    write_file(Path("/dev/null"), "x")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(OSError, match="No space left"):
        write_file(Path("/dev/full"), "x")


def test_missing_room_for_temporary_files_is_reported_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_room(*_: object, **__: object) -> str:
        raise FileNotFoundError(2, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr(tempfile, "mkdtemp", no_room)
    with pytest.raises(SetupError, match=r"temporary folder .*\(No usable.*TMPDIR"):
        temporary_folder()
