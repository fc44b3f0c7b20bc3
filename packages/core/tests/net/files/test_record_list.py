from __future__ import annotations

import os
from pathlib import Path

import pytest

from turnwright.net.files import record_list as records
from turnwright.net.files.record_list import NO_RECORDS, RecordList, is_record_name, name_of, url_of


def put(folder: Path, name: str, content: bytes = b"x", changed_s: int = 0) -> Path:
    path = folder / name
    path.write_bytes(content)
    os.utime(path, (changed_s, changed_s))
    return path


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("a.twr", True),
        ("a.battle.gz", True),
        ("a.battle", True),
        ("a.gz", False),
        (".a.twr", False),
        ("a.twr.txt", False),
    ],
)
def test_records_are_known_by_their_names(name: str, is_one: bool) -> None:
    assert is_record_name(name) is is_one


def test_a_folder_offers_its_records_newest_first(tmp_path: Path) -> None:
    put(tmp_path, "old.twr", b"12", 1)
    put(tmp_path, "new.battle.gz", b"345", 2)
    put(tmp_path, "other.txt")
    (tmp_path / "folder.twr").mkdir()
    found = RecordList.of_folder(tmp_path).listed()
    assert [(one.name, one.size) for one in found] == [("new.battle.gz", 3), ("old.twr", 2)]


def test_the_record_of_a_battle_that_is_still_played_is_not_offered(tmp_path: Path) -> None:
    played = put(tmp_path, "played.twr")
    put(tmp_path, "over.twr")
    offered = RecordList.of_folder(tmp_path, is_open=lambda path: path == played)
    assert [one.name for one in offered.listed()] == ["over.twr"]
    assert offered.read("played.twr") is None


def test_a_file_that_is_not_in_the_list_is_not_read(tmp_path: Path) -> None:
    inner = tmp_path / "records"
    inner.mkdir()
    put(tmp_path, "outside.twr")
    put(inner, "inside.twr", b"inside")
    offered = RecordList.of_folder(inner)
    assert offered.read("inside.twr") == b"inside"
    for name in ("../outside.twr", "outside.twr", "", ".", "/etc/passwd", "inside.twr/"):
        assert offered.read(name) is None


def test_a_file_is_offered_once_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / "later.twr"
    offered = RecordList.of_files(path)
    assert offered.listed() == []
    path.write_bytes(b"now")
    assert offered.read("later.twr") == b"now"


def test_the_first_of_two_files_of_the_same_name_is_offered(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        put(tmp_path / folder, "same.twr", folder.encode())
    assert (
        RecordList.of_files(tmp_path / "a" / "same.twr", tmp_path / "b" / "same.twr").read("same.twr") == b"a"
    )


def test_too_large_and_too_many_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "RECORD_BYTES_MAX", 3)
    monkeypatch.setattr(records, "RECORDS_MAX", 2)
    put(tmp_path, "large.twr", b"1234", 9)
    for number in (1, 2, 3):
        put(tmp_path, f"{number}.twr", b"123", number)
    assert [one.name for one in RecordList.of_folder(tmp_path).listed()] == ["3.twr", "2.twr"]


def test_a_missing_folder_offers_nothing(tmp_path: Path) -> None:
    assert RecordList.of_folder(tmp_path / "none").listed() == []
    assert NO_RECORDS.listed() == []


def test_a_name_is_quoted_in_its_address() -> None:
    assert url_of("a b/ü?.twr") == "/records/a%20b%2F%C3%BC%3F.twr"


def test_a_record_with_an_undecodable_name_can_be_requested(tmp_path: Path) -> None:
    path = tmp_path / "a\udcff.twr"
    path.write_bytes(b"record")
    name = name_of(path)
    assert (name, url_of(name)) == ("a?.twr", "/records/a%3F.twr")
    assert RecordList.of_files(path).read(name) == b"record"


def test_the_file_of_an_offered_record_is_found_by_its_name_alone(tmp_path: Path) -> None:
    (tmp_path / "a.twr").write_bytes(b"1")
    offered = RecordList.of_files(tmp_path / "a.twr")
    assert offered.path_of("a.twr") == tmp_path / "a.twr"
    assert offered.path_of("../a.twr") is None


def test_an_unlisted_file_is_found_if_its_owner_gives_it_out(tmp_path: Path) -> None:
    (tmp_path / "a.twr").write_bytes(b"1")
    offered = RecordList(tuple, {"x.twr": tmp_path / "a.twr", "gone.twr": tmp_path / "gone.twr"}.get)
    assert offered.read("x.twr") == b"1"
    assert offered.listed() == []
    assert [offered.path_of(name) for name in ("gone.twr", "a.twr", "../a.twr")] == [None, None, None]
