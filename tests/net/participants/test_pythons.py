from __future__ import annotations

import sys
from pathlib import Path

import pytest

from turnwright.errors import SetupError
from turnwright.net.participants.command import choose_python, python_for


@pytest.fixture
def only_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH that holds just this folder."""
    folder = tmp_path / "path"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def program(folder: Path, name: str) -> None:
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


@pytest.mark.parametrize(
    ("present", "chosen"),
    [(["python", "python3"], "python"), (["python3"], "python3"), ([], sys.executable)],
)
def test_python_is_looked_for_as_python_then_python3_then_ours(
    only_path: Path, present: list[str], chosen: str
) -> None:
    for name in present:
        program(only_path, name)
    assert choose_python(None) == chosen


def test_a_given_python_wins_and_must_exist(
    only_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(only_path, "python")
    program(tmp_path, "mine")
    assert choose_python(str(tmp_path / "mine")) == str(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    assert choose_python("./mine") == str(tmp_path / "mine")
    with pytest.raises(SetupError, match="--python nowhere: no such program"):
        choose_python("nowhere")


def knowing(folder: Path, name: str, knows: bool) -> str:
    """Write a stand-in for a Python that has, or has not, our library."""
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {0 if knows else 1}\n")
    path.chmod(0o755)
    return name


@pytest.mark.process
@pytest.mark.parametrize(
    ("python", "python3", "chosen"),
    [
        (True, True, "python"),
        (False, True, "python3"),
        (False, False, sys.executable),
        (None, False, sys.executable),
        (None, None, sys.executable),
    ],
)
def test_a_bot_that_uses_our_library_gets_the_first_python_that_has_it(
    only_path: Path, tmp_path: Path, python: bool | None, python3: bool | None, chosen: str
) -> None:
    for name, knows in (("python", python), ("python3", python3)):
        if knows is not None:
            knowing(only_path, name, knows)
    script = tmp_path / "Bot.py"
    script.write_text("import os\nfrom turnwright.bots import Bot\n")
    assert python_for(script, None) == chosen


@pytest.mark.parametrize(
    "code", ["import robocode_tank_royale", "# import turnwright", "import turnwrighty", ""]
)
def test_any_other_bot_gets_the_first_python_unasked(only_path: Path, tmp_path: Path, code: str) -> None:
    knowing(only_path, "python", False)
    script = tmp_path / "Bot.py"
    script.write_text(code)
    assert python_for(script, None) == "python"
    assert python_for(tmp_path / "gone.py", None) == "python"


def test_the_given_python_is_used_whatever_it_has(only_path: Path, tmp_path: Path) -> None:
    script = tmp_path / "Bot.py"
    script.write_text("import turnwright\n")
    knowing(only_path, "mine", False)
    assert python_for(script, "mine") == "mine"
