"""Workers unpack archives of bots within their folder and within limits."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from turnwright.errors import SetupError
from turnwright_league.app.clusters import archives
from turnwright_league.app.clusters.archives import ArchiveCache, archive_hash, check_archive

FILE = stat.S_IFREG | 0o644
LINK = stat.S_IFLNK | 0o777


def packed(*files: tuple[str, bytes, int]) -> bytes:
    """Return an archive of files: name, content, mode."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in files:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, content)
    return data.getvalue()


def bot(content: bytes = b"play") -> bytes:
    return packed(("Mine/Mine.py", content, FILE), ("Mine/run.sh", b"#!/bin/sh", FILE | 0o111))


def fetched(*known: bytes) -> tuple[Callable[[str], bytes], list[str]]:
    """Return a function that fetches these archives, and the hashes that it was asked for."""
    asked: list[str] = []
    by_hash = {archive_hash(one): one for one in known}

    def fetch(digest: str) -> bytes:
        asked.append(digest)
        return by_hash[digest]

    return fetch, asked


def test_an_archive_is_fetched_once_and_unpacked_as_it_was(tmp_path: Path) -> None:
    fetch, asked = fetched(bot())
    for _ in range(3):
        with ArchiveCache(tmp_path / "cache").held(archive_hash(bot()), fetch) as place:
            assert (place / "Mine" / "Mine.py").read_bytes() == b"play"
            assert stat.S_IMODE((place / "Mine" / "run.sh").stat().st_mode) == 0o755
            assert stat.S_IMODE((place / "Mine" / "Mine.py").stat().st_mode) == 0o644
    assert asked == [archive_hash(bot())]


@pytest.mark.parametrize(
    "wrong",
    [
        b"no archive",
        bot()[:-30],
        packed(),
        packed(("../Mine.py", b"", FILE)),
        packed(("Mine/../../out", b"", FILE)),
        packed(("/etc/out", b"", FILE)),
        packed(("Mine.py", b"", FILE)),
        packed(("Mine/lib", b"..", LINK)),
        packed(("Mine/lib", b".", LINK), ("Mine/lib/x", b"", FILE)),
        packed(("Mine/", b"", stat.S_IFDIR | 0o755)),
        packed(("Mine/pipe", b"", stat.S_IFIFO | 0o644)),
        packed(("Mine/" + "x" * 400, b"", FILE)),
        packed(("Mine/a", b"", FILE), ("Mine/a", b"", FILE)),
        packed(("Mine/a", b"", FILE), ("Mine/a/b", b"", FILE)),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_unpacking_refuses_links_and_outside_paths(wrong: bytes, tmp_path: Path) -> None:
    cache = ArchiveCache(tmp_path / "a" / "cache")
    with pytest.raises((SetupError, OSError)), cache.held(archive_hash(wrong), lambda _: wrong):
        pass
    assert {one.suffix for one in cache.place.iterdir()} <= {".lock", ".sqlite"}, "locks, of either way"
    assert [one.name for one in (tmp_path / "a").iterdir()] == ["cache"]


def test_bytes_with_another_hash_are_refused(tmp_path: Path) -> None:
    cache = ArchiveCache(tmp_path)
    with pytest.raises(SetupError, match="hash"), cache.held(archive_hash(bot()), lambda _: bot(b"other")):
        pass
    with pytest.raises(SetupError, match="hash"), cache.held("../../etc", lambda _: bot()):
        pass


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("ARCHIVE_BYTES_MAX", len(bot())),
        ("UNPACKED_BYTES_MAX", len(b"play") + len(b"#!/bin/sh")),
        ("ARCHIVE_FILES_MAX", 2),
    ],
)
def test_an_archive_may_be_as_large_as_its_bounds(
    name: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, name, size)
    check_archive(bot())
    monkeypatch.setattr(archives, name, size - 1)
    with pytest.raises(SetupError):
        check_archive(bot())


def test_the_least_recently_used_bot_goes_first_and_a_used_one_stays(tmp_path: Path) -> None:
    some = [bot(bytes([number]) * 100) for number in range(4)]
    fetch, asked = fetched(*some)
    size = 100 + len(b"#!/bin/sh")
    cache = ArchiveCache(tmp_path, bytes_max=2 * size)
    first, second, third, fourth = map(archive_hash, some)
    with cache.held(first, fetch) as place:
        for digest in (second, third, fourth):
            os.utime(place, (1, 1))
            with cache.held(digest, fetch):
                pass
        assert (place / "Mine" / "Mine.py").exists()
        assert not cache.drop(first)
    left = {one.name for one in tmp_path.iterdir() if one.is_dir()}
    assert left == {first, fourth}
    with cache.held(second, fetch):
        pass
    assert asked == [first, second, third, fourth, second]


def test_leftovers_of_a_killed_worker_are_deleted_and_those_of_a_live_one_stay(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for pid in (gone.pid, os.getppid()):
        part = tmp_path / f".{'ab' * 16}.{pid}.part"
        part.mkdir()
        if pid == gone.pid:
            os.utime(part, (1, 1))  # where processes cannot be asked, its age tells
    fetch, _ = fetched(bot())
    with ArchiveCache(tmp_path).held(archive_hash(bot()), fetch):
        pass
    assert {one.name for one in tmp_path.glob(".*.part")} == {f".{'ab' * 16}.{os.getppid()}.part"}


def test_a_folder_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "file").touch()
    for name in ("open", "link", "file"):
        with pytest.raises(SetupError, match="TURNWRIGHT_BOT_CACHE"):
            ArchiveCache(tmp_path / name)
