"""Unpacking refuses an invalid upload with a reason, and writes nothing outside of its folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.league.tests.app.ladder.zips import HOSTILE, PLAYS, zip_of
from turnwright_league.app.ladder.uploads import UNPACKED_BYTES_MAX, RefusedUpload, bot_name_problem, unpacked


def read(tmp_path: Path, data: bytes, name: str = "Bot.zip") -> tuple[str, dict[str, bytes]]:
    path = tmp_path / "upload"
    path.write_bytes(data)
    found = unpacked(path, name)
    return found.name, dict(found.files)


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_upload_is_refused_in_one_line_that_can_be_shown(kind: str, tmp_path: Path) -> None:
    name, make = HOSTILE[kind]
    with pytest.raises(RefusedUpload) as refused:
        read(tmp_path, make(), name)
    for problem in refused.value.problems:
        assert 5 < len(problem.text) < 300
        assert (problem.text + problem.file).isprintable()
    assert [one.name for one in tmp_path.iterdir()] == ["upload"]


def test_a_zip_of_a_folder_is_a_bot_of_its_name(tmp_path: Path) -> None:
    data = zip_of({"MyBot/MyBot.py": PLAYS, "MyBot/MyBot.json": "{}", "MyBot/data/x.txt": "1"})
    assert read(tmp_path, data) == ("MyBot", {"MyBot.py": PLAYS, "MyBot.json": b"{}", "data/x.txt": b"1"})


def test_folders_around_the_bot_do_not_matter(tmp_path: Path) -> None:
    name, files = read(tmp_path, zip_of({"home/bots/MyBot/MyBot.py": PLAYS}))
    assert (name, list(files)) == ("MyBot", ["MyBot.py"])


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"MyBot.py": PLAYS, "MyBot.json": "{}", "other.py": ""}, "MyBot"),
        ({"MyBot.py": PLAYS}, "MyBot"),
        ({"a.py": PLAYS, "b.py": ""}, "Given"),
    ],
)
def test_files_without_a_folder_are_named_by_their_main_file_or_the_zip(
    files: dict[str, bytes | str], name: str, tmp_path: Path
) -> None:
    assert read(tmp_path, zip_of(files), "Given.zip")[0] == name


def test_one_file_becomes_a_bot_of_its_name(tmp_path: Path) -> None:
    assert read(tmp_path, PLAYS, "C:\\Users\\x\\MyBot.PY") == ("MyBot", {"MyBot.py": PLAYS})


def test_files_that_systems_and_tools_add_are_left_out(tmp_path: Path) -> None:
    junk = (
        "__MACOSX/MyBot/._MyBot.py",
        "MyBot/.DS_Store",
        "MyBot/.git/config",
        "MyBot/__pycache__/x.pyc",
        "MyBot/Thumbs.db",
    )
    data = zip_of({"MyBot/MyBot.py": PLAYS, **dict.fromkeys(junk, b"x")})
    assert read(tmp_path, data) == ("MyBot", {"MyBot.py": PLAYS})


def test_files_are_unpacked_up_to_the_bound_and_not_beyond(tmp_path: Path) -> None:
    room = UNPACKED_BYTES_MAX - len(PLAYS)
    assert len(read(tmp_path, zip_of({"B/B.py": PLAYS, "B/x": b"\0" * room}))[1]["x"]) == room
    with pytest.raises(RefusedUpload):
        read(tmp_path, zip_of({"B/B.py": PLAYS, "B/x": b"\0" * (room + 1)}))


@pytest.mark.parametrize("name", ["Bot", "My_Bot-2", "Ünïcode", "Бот", "B" * 30])
def test_a_plain_word_is_the_name_of_a_bot(name: str) -> None:
    assert bot_name_problem(name) is None
