from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from turnwright.net.newfile import ROOM_BYTES, NewFile, why_not_writable


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let files grow to so many bytes, as on a disk that is nearly full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


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
def test_one_that_got_no_bytes_leaves_everything_as_it_was(
    tmp_path: Path, end: Callable[[NewFile], None]
) -> None:
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


def test_a_device_is_written_as_it_is() -> None:
    file = NewFile(Path("/dev/null"))
    file.write(b"x")
    file.close()
    assert Path("/dev/null").is_char_device()
    full = NewFile(Path("/dev/full"))
    with pytest.raises(OSError, match="No space left"):
        full.write(b"x")
    full.abandon()


def test_what_can_be_written_is_not_complained_about(tmp_path: Path) -> None:
    path = tmp_path / "x.twr"
    assert why_not_writable(path) is None
    path.write_bytes(b"older")
    assert why_not_writable(path) is None
    assert why_not_writable(Path("/dev/null")) is None
    assert path.read_bytes() == b"older"
    assert list(tmp_path.iterdir()) == [path]


def test_why_a_file_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert why_not_writable(tmp_path) == "it is a directory"
    assert why_not_writable(tmp_path / "gone" / "x.twr") == "No such file or directory"
    with room_for(ROOM_BYTES - 1):
        assert why_not_writable(tmp_path / "x.twr") == "File too large"
    assert list(tmp_path.iterdir()) == []
    path = tmp_path / "x.twr"
    path.write_bytes(b"older")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert why_not_writable(path) == "it may not be written"
