"""The check of an upload gives mistakes by file and line, or a bot directory that can play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from packages.league.tests.app.ladder.zips import PLAYS, zip_of
from turnwright.net.participants.directory import load
from turnwright_league.app.ladder.upload_check import CheckReport, UploadCheck, check_upload, python_problems


def check(tmp_path: Path, files: dict[str, bytes | str], name: str = "Bot.zip") -> CheckReport:
    path = tmp_path / "upload"
    path.write_bytes(zip_of(files))
    return check_upload(UploadCheck(path, name, "Anna", tmp_path / "bots" / "1"))


def only(report: CheckReport) -> tuple[str, int | None, str]:
    (problem,) = (one for one in report.problems if not one.is_note)
    return problem.file, problem.line, problem.text


def test_a_bot_gets_its_own_directory_that_can_be_loaded(tmp_path: Path) -> None:
    config = {
        "name": "The great",
        "version": "1.2",
        "authors": ["X"],
        "description": "d",
        "gameTypes": ["1v1"],
    }
    report = check(tmp_path, {"Bot/Bot.py": PLAYS, "Bot/Bot.json": json.dumps(config)})
    assert report.problems == ()
    assert report.directory is not None
    assert report.entry is not None
    loaded = load(report.directory).config
    assert (loaded.name, loaded.version, loaded.authors) == ("Bot (Anna)", "1.2", ("Anna",))
    assert (loaded.description, loaded.game_types) == ("d", ("1v1",))
    assert (report.entry.name, report.bot) == ("Bot (Anna)", "Bot")
    assert Path(report.directory).stat().st_mode & 0o005 == 0o005  # bots in the sandbox have their own ids


def test_a_python_error_is_reported_with_its_line_and_nothing_is_written(tmp_path: Path) -> None:
    report = check(tmp_path, {"Bot/Bot.py": "import os\n\ndef run(:\n    pass\n"})
    file, line, text = only(report)
    assert (file, line) == ("Bot.py", 3)
    assert not missing(text, "SyntaxError")
    assert not (tmp_path / "bots").exists()


def test_a_file_is_parsed_and_never_executed(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    report = check(tmp_path, {"Bot/Bot.py": f"open({str(mark)!r}, 'w')\n"})
    assert report.entry is not None
    assert not mark.exists()


def test_broken_json_is_reported_with_its_line(tmp_path: Path) -> None:
    report = check(tmp_path, {"Bot/Bot.py": PLAYS, "Bot/Bot.json": '{\n "name": "x",\n "version" 1\n}'})
    assert only(report)[:2] == ("Bot.json", 3)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"name": "x"}, ("version", "authors")),
        ({"name": 3, "version": "1", "authors": ["a"]}, ("name",)),
        ({"name": "x\u202ey", "version": "1", "authors": ["a"]}, ("name",)),
        ({"name": "x" * 41, "version": "1", "authors": ["a"]}, ("name", "41", "40")),
        ({"name": "x", "version": "1", "authors": ["a"], "description": "d" * 301}, ("description", "301")),
        ({"name": "x", "version": "1", "authors": ["a"], "teamMembers": ["A"]}, ("team",)),
    ],
)
def test_an_invalid_json_file_is_reported_by_its_key(
    data: dict[str, object], words: tuple[str, ...], tmp_path: Path
) -> None:
    file, _, text = only(check(tmp_path, {"Bot/Bot.py": PLAYS, "Bot/Bot.json": json.dumps(data)}))
    assert not missing(f"{file} {text}", "Bot.json", *words)
    assert str(tmp_path) not in text


TEAM = json.dumps({"name": "x", "version": "1", "authors": ["a"], "teamMembers": ["Left", "Right"]})


@pytest.mark.parametrize(
    "files",
    [
        {"Duo/Duo.json": TEAM},
        {"Duo/Duo.json": TEAM, "Left/Left.py": PLAYS, "Right/Right.py": PLAYS},
        {"team/Duo/Duo.json": TEAM, "team/Left/Left.py": PLAYS, "team/Right/Right.py": PLAYS},
    ],
)
def test_a_team_is_refused_with_advice_to_upload_its_bots_one_by_one(
    files: dict[str, bytes | str], tmp_path: Path
) -> None:
    report = check(tmp_path, files, "team.zip")
    file, _, text = only(report)
    assert file.endswith("Duo.json")
    assert not missing(text, "team", "one by one")
    assert report.entry is None


def test_a_missing_main_file_is_reported_with_the_existing_files(tmp_path: Path) -> None:
    _, _, text = only(check(tmp_path, {"Bot/main.py": PLAYS, "Bot/help.txt": ""}))
    assert not missing(text, "Bot.py", "main.py", "help.txt")


def test_a_main_file_that_starts_nothing_is_reported_at_its_last_line(tmp_path: Path) -> None:
    file, line, text = only(check(tmp_path, {"Bot/Bot.py": "class Bot:\n    pass\n\nX = 1\n"}))
    assert (file, line) == ("Bot.py", 4)
    assert not missing(text, "__main__")
    source = "from turnwright_tank.bots import Bot\n\nclass Zig(Bot):\n    pass\n"
    _, _, text = only(check(tmp_path, {"Bot/Bot.py": source}))
    assert "Zig.main()" in text


def test_a_missing_bot_class_is_a_note(tmp_path: Path) -> None:
    source = "from turnwright_tank.bots import Bot\n\nclass Mine:\n    pass\n\nMine()\n"
    report = check(tmp_path, {"Bot/Bot.py": source})
    assert report.entry is not None
    (note,) = report.problems
    assert (note.is_note, note.line) == (True, 1)
    assert not missing(note.text, "class Bot(Bot)")


@pytest.mark.parametrize(
    "source",
    [
        b"\0",
        b"\xff\xfe",
        b"x = '\\ud800'; (" * 3,
        b"(" * 5_000,
        b"-" * 200_000 + b"1",
        b"# coding: nothing\n",
    ],
)
def test_a_file_that_breaks_the_parser_is_a_problem_and_no_error(source: bytes) -> None:
    for problem in python_problems("Bot.py", source, frozenset()):
        assert problem.text.isprintable()
        break
    else:
        pytest.fail("nothing was said")


def test_a_second_check_replaces_the_files_of_the_first(tmp_path: Path) -> None:
    assert check(tmp_path, {"Bot/Bot.py": PLAYS, "Bot/old.py": ""}).entry is not None
    report = check(tmp_path, {"Bot/Bot.py": PLAYS})
    assert report.directory is not None
    assert sorted(one.name for one in Path(report.directory).iterdir()) == ["Bot.json", "Bot.py"]
