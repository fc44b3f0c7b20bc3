"""Other games on the command line: battle, verify, and a new game."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from turnwright import catalog
from turnwright.cli.__main__ import main
from turnwright.cli.new_game import create_game
from turnwright.errors import EXIT_BAD_INPUT, SetupError
from turnwright.testing.check_game import check_game


def test_a_battle_of_snake_is_played_recorded_and_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "s.twr")
    words = ["battle", "--game", "snake", "Greedy", "Wanderer", "--seed", "3", "--set", "turns=60"]
    assert main([*words, "--record", file]) == 0
    said = capsys.readouterr().out
    assert "snake, 1 round, 60 turns, seed 3" in said
    assert [line.split()[:2] for line in said.splitlines()[1:3]] == [["1", "Greedy"], ["2", "Wanderer"]]
    assert main(["verify", file]) == 0
    assert "verified" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["turns"] == 60


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game=snak", "Greedy"], "did you mean snake"),
        (["--game", "snake", "Greedy", "--set", "width"], "name and a value"),
        (["--game", "snake", "Greedy", "--set", "wide=3"], "no setting 'wide'"),
        (["--game", "snake", "Greedy", "--arena", "8x8"], "--arena"),
    ],
)
def test_an_unplayable_battle_prints_a_one_line_error(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["battle", *words]) == EXIT_BAD_INPUT
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_new_game_keeps_the_contract_and_is_playable_immediately(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "game", "guess_it", "--out", str(tmp_path)]) == 0
    where, file = str(tmp_path / "guess_it"), str(tmp_path / "g.twr")
    assert f"turnwright battle --game {where} Middle Echo" in capsys.readouterr().out
    check_game(catalog.load(where))
    assert main(["battle", "--game", where, "Middle", "Echo", "--record", file]) == 0
    assert main(["verify", file]) == EXIT_BAD_INPUT
    assert main(["verify", "--game", where, file]) == 0


@pytest.mark.parametrize("name", ["Guess", "1st", "", "a" * 31, "class", "snake", "a-b"])
def test_a_name_that_no_game_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SetupError):
        create_game(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_new_game_overwrites_nothing(tmp_path: Path) -> None:
    create_game("guess", tmp_path)
    with pytest.raises(SetupError, match="already exists"):
        create_game("guess", tmp_path)


@pytest.mark.process
@pytest.mark.long
def test_a_new_game_works_in_a_folder_that_has_only_the_installed_package(tmp_path: Path) -> None:
    """The package without its source tree: copied as it is installed, from elsewhere."""
    built, work = tmp_path / "site", tmp_path / "work"
    work.mkdir()
    root = Path(__file__).parents[2]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, "--target", str(built), str(root)], check=True)
    program = [sys.executable, "-P", "-m", "turnwright.cli"]
    for words in (
        ["new", "game", "mine"],
        ["battle", "--game", "./mine", "Middle", "Echo", "--record", "m.twr"],
        ["verify", "--game", "./mine", "m.twr"],
        ["battle", "--game", "snake", "Greedy", "Wanderer", "--set", "turns=9"],
    ):
        subprocess.run([*program, *words], cwd=work, env={"PYTHONPATH": str(built)}, check=True, timeout=120)
