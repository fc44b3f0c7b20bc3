"""A game of another package, or in a folder, can have all the parts that our games have."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from packages.core.tests.adder_game import PACKAGE, PARTS, copied_game, install
from turnwright import catalog, run_battle
from turnwright.app.frames import view_files
from turnwright.app.game.playable import find_game
from turnwright.app.verify import verify_file
from turnwright.cli.__main__ import main
from turnwright.net.files.reader import read_record
from turnwright_league import run_tournament


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the package `adder`, on the path of this process and of its children."""
    folder = tmp_path_factory.mktemp("site")
    package = copied_game("snake", "adder", folder)
    (package / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    (package / "parts.py").write_text(PARTS, encoding="utf-8")
    install("adder", folder)
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(str(folder))
    patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]))
    yield folder
    patch.undo()
    for name in [name for name in sys.modules if name.split(".")[0] == "adder"]:
        del sys.modules[name]


@pytest.fixture(params=["installed", "in a folder"])
def game(request: pytest.FixtureRequest, site: Path, tmp_path: Path) -> str:
    """The game by its name, and by the path of a folder whose `game.py` has the object."""
    if request.param == "installed":
        return "adder"
    folder = tmp_path / "asp"
    shutil.copytree(site / "adder", folder)
    (folder / "__init__.py").unlink()
    for file in folder.rglob("*.py"):
        up = "." * len(file.relative_to(folder).parts)
        text = file.read_text(encoding="utf-8").replace("from adder.", f"from {up}")
        file.write_text(text.replace('= "adder"', '= "asp"'), encoding="utf-8")
    with (folder / "game.py").open("a", encoding="utf-8") as file:
        file.write(PACKAGE)
    return str(folder)


def test_its_command_is_listed_and_runs(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "count the adders" in capsys.readouterr().out
    assert main(["adder"]) == 0
    assert capsys.readouterr().out == "adders: 2\n"


def test_a_battle_takes_its_options_and_its_record_verifies(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "a.twr"
    assert main(["battle", "--game", game, "--help"]) == 0
    assert "--food" in capsys.readouterr().out
    words = ["Greedy", "Wanderer", "--food", "5", "--set", "turns=9", "--record", str(record)]
    assert main(["battle", "--game", game, *words]) == 0
    said = capsys.readouterr()
    assert "Length" in said.out, "a heading of its own"
    assert read_record(record, rules=catalog.load(game)).header.setup["food"] == 5
    assert verify_file(record, game=game).to_data()["ok"]


@pytest.mark.process
def test_a_battle_with_a_deadline_is_played_in_its_protocol(game: str) -> None:
    found = run_battle("Greedy", "Wanderer", game=game, food=2, turns=3, turn_timeout="5s")
    assert found.turns == 3
    assert find_game(game).part("protocol").said


def test_its_display_shows_a_battle_in_characters(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    words = ["battle", "--game", game, "Greedy", "Wanderer", "--set", "turns=3", "--watch=text"]
    assert main(words) == 0
    assert "adders in characters" in capsys.readouterr().err


def test_its_view_is_that_of_the_page(game: str) -> None:
    assert b"snakes" in view_files(find_game(game))["viewer/own_view.js"].content


@pytest.mark.process
def test_a_tournament_is_played_by_its_options_in_other_processes(game: str, tmp_path: Path) -> None:
    found = run_tournament(tmp_path / "cup", "Greedy", "Wanderer", game=game, battles=1, food=1, turns=5)
    assert len(found.standings) == 2


def test_an_environment_has_its_name_and_settings(game: str) -> None:
    envs = pytest.importorskip("turnwright_learn.envs")
    env = envs.make_env(game, "Adder-v0")
    observation, _ = env.reset(seed=1)
    assert observation.shape[2] == 9
    env.close()


def test_its_environment_is_registered(site: Path) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    pytest.importorskip("turnwright_learn.envs").register_envs()
    assert gymnasium.make("turnwright/Adder-v0").spec.kwargs["game"] == "adder"
