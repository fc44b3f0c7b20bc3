from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.playing import turnwright
from packages.core.tests.messages import missing
from packages.core.tests.net.bot_directories import make_bot, make_team
from packages.tank.tests.bot_programs import SPINNING_BOT
from turnwright.cli.__main__ import main
from turnwright_tank.bots.house import HOUSE


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with bots and teams of each kind."""
    make_bot(tmp_path, "Good", {"Good.sh": ""}, {"name": "The Good", "authors": ["Ann", "Bo", "Cy"]})
    make_bot(tmp_path, "Bare", ["Bare.sh"], with_config=False)
    make_bot(tmp_path, "Broken", {"Broken.json": "{"})
    make_bot(tmp_path, "Nothing")
    make_team(tmp_path, "Team", ["Good", "Good", "Bare"])
    make_team(tmp_path, "Torn", ["Good", "Ghost"])
    return tmp_path


def listed(capsys: pytest.CaptureFixture[str], *roots: Path) -> dict[str, Any]:
    assert main(["bots", "list", "--json", *map(str, roots)]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def test_the_json_lists_every_bot_and_team_with_its_problem(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = listed(capsys, root)
    assert list(data) == ["bots", "built_in"]
    bots = {Path(bot["path"]).name: bot for bot in data["bots"]}
    assert list(bots) == ["Bare", "Broken", "Good", "Nothing", "Team", "Torn"]
    assert bots["Good"] == {
        "name": "The Good",
        "version": "1.0",
        "kind": "bot",
        "platform": None,
        "authors": ["Ann", "Bo", "Cy"],
        "members": [],
        "path": str(root / "Good"),
        "problem": None,
    }
    assert bots["Team"]["kind"] == "team"
    assert bots["Team"]["members"] == ["Good", "Good", "Bare"]
    assert bots["Team"]["problem"] is None
    assert "not JSON" in bots["Broken"]["problem"]
    assert "nothing to start" in bots["Nothing"]["problem"]
    assert 'member "Ghost"' in bots["Torn"]["problem"]


def test_an_unreadable_directory_is_listed_with_its_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ("B" * 253)).mkdir()
    (bot,) = listed(capsys, tmp_path)["bots"]
    assert (bot["platform"], "cannot be read" in bot["problem"]) == (None, True)


def test_the_built_in_bots_are_listed_weakest_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert listed(capsys) == {"bots": [], "built_in": list(HOUSE)}
    assert main(["bots", "list"]) == 0
    assert capsys.readouterr().out == f"built-in bots, weakest first: {', '.join(HOUSE)}\n"


def test_the_table_has_a_row_for_each_bot_and_lists_unplayable_ones(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    assert main(["bots", "list", "."]) == 0
    out = capsys.readouterr().out
    (row,) = [line for line in out.splitlines() if line.startswith("The Good")]
    assert row.split() == ["The", "Good", "1.0", "bot", "Ann,", "Bo", "and", "1", "more", "Good"]
    assert "team of 3" in out
    problems = out[out.index("cannot be played here:") :]
    assert "  Nothing: nothing to start" in problems
    assert "  Team" not in problems


def test_a_program_that_is_missing_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_bot(tmp_path, "Java", ["Java.java"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not missing(listed(capsys, tmp_path)["bots"][0]["problem"], "java", "PATH")


def test_an_empty_root_is_answered_with_the_form_of_a_bot_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bots", "list", str(tmp_path)]) == 0
    assert not missing(capsys.readouterr().out, "no bots", "bot directory", "file named")


def test_a_missing_root_ends_with_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "list", str(tmp_path / "gone")]) == 2
    assert "no directory at" in capsys.readouterr().err


def test_names_cannot_command_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_bot(tmp_path, "Evil", ["Evil.sh"], {"name": "\x1b[2JEvil"})
    assert main(["bots", "list", str(tmp_path)]) == 0
    assert "\x1b" not in capsys.readouterr().out


# ---- installing what a bot requires ------------------------------------------------------------------------


def small_wheel(name: str) -> bytes:
    """A wheel with one empty module."""
    info, packed = f"{name}-1.0.dist-info", io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return packed.getvalue()


@pytest.mark.long
@pytest.mark.process
def test_a_bot_that_lacks_a_module_gets_a_command_that_installs_it(tmp_path: Path) -> None:
    wheel = "needed_by_needy-1.0-py3-none-any.whl"
    files = {
        "Needy.py": "import needed_by_needy\n" + SPINNING_BOT,
        "requirements.txt": f"./{wheel}\n",
        "typing.py": "raise SystemExit('a module of the bot ran while its environment was made')\n",
        wheel: small_wheel("needed_by_needy"),
    }
    bot = make_bot(tmp_path, "Needy", files)
    (bot / "typing.py").rename(bot / "later.py")
    battle = ("battle", bot, "Duck", "--rounds", 1)
    failed = turnwright(*battle).finish()
    assert failed.code == 3
    assert not missing(failed.err, "needed_by_needy", f"turnwright bots install {bot}")
    (bot / "later.py").rename(bot / "typing.py")
    installed = turnwright("bots", "install", bot, "--json").finish()
    assert installed.code == 0, installed.err
    (bot / "typing.py").unlink()
    assert json.loads(installed.out)["installed"] == [str(bot)]
    assert not missing(installed.err, "Needy", ".venv")
    assert turnwright(*battle).finish().code == 0


@pytest.mark.long
@pytest.mark.process
def test_requirements_that_cannot_be_installed_end_with_exit_code_2(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Torn", {"Torn.py": "", "requirements.txt": "./gone-1.0-py3-none-any.whl\n"})
    whole = make_bot(tmp_path, "Whole", {"Whole.py": "", "requirements.txt": ""})
    run = turnwright("bots", "install", tmp_path).finish()
    assert run.code == 2
    assert not (bot / ".venv").exists(), "half an environment would be used"
    assert (whole / ".venv").exists()
    assert not missing(run.err, "gone-1.0", str(bot / "requirements.txt"), "cannot be installed")
    assert run.out == ""


def test_nothing_to_install_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_bot(tmp_path, "Plain", ["Plain.py"])
    assert main(["bots", "install", "--json", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["installed"] == []
    assert not missing(captured.err, "nothing to install", "requirements.txt")
