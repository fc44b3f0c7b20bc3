"""Prints of a third-party game go to stderr; stdout contains only the results."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from packages.core.tests.cli.playing import answer, turnwright
from packages.core.tests.dice_game import GOOD, folder
from turnwright import catalog, run_battle
from turnwright.cli.__main__ import main

LOUD = (
    "print('printed at import')\n"
    + GOOD.replace(
        "        state.turn += 1\n", "        state.turn += 1\n        print('printed in resolve')\n"
    )
    + "    def __init__(self):\n        print('printed when made')\n"
)
BOTS = (
    "print('printed by bots.py')\n"
    "def one(seen):\n    print('printed by a bot')\n    return 1\n"
    "BOTS = {'One': one, 'Two': one}\n"
)


@pytest.fixture
def game(tmp_path: Path) -> str:
    where = folder(tmp_path / "dice", LOUD)
    (tmp_path / "dice" / "bots.py").write_text(BOTS)
    return where


@pytest.fixture
def record(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A record of the game. The output of its battle is already read."""
    path = tmp_path / "d.twr"
    run_battle("One", "Two", game=game, record=path)
    capsys.readouterr()
    return path


def test_battle_prints_its_result_alone(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battle", "--game", game, "One", "Two", "--json"]) == 0
    out, err = capsys.readouterr()
    assert {row["name"] for row in json.loads(out)["results"]} == {"One", "Two"}
    for said in ("at import", "when made", "in resolve", "by bots.py", "by a bot"):
        assert f"printed {said}" in err


def test_battle_of_any_way_prints_the_table_alone(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["battle", "--game", game, "One", "Two", "--turn-timeout", "1s"]) == 0
    out, err = capsys.readouterr()
    assert "printed" not in out
    assert "One" in out
    assert "printed in resolve" in err


def test_verify_prints_its_finding_alone(game: str, record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--game", game, str(record), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["ok"] is True
    assert "printed in resolve" in err


def test_replay_prints_where_its_page_is_alone(
    game: str, record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "d.html"
    assert main(["replay", "--game", game, str(record), "--html", str(page), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["html"] == str(page)
    assert "printed in resolve" in err


def test_a_branch_prints_its_result_alone(
    game: str, record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--game", game, "--from", "1.2", "--seat", "1", "--with", "Two", "--json"]
    assert main(["rerun", str(record), *words]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["ghosts"] == ["Two"]
    assert "printed in resolve" in err


@pytest.mark.process
@pytest.mark.long
def test_tournaments_print_standings_alone(game: str, tmp_path: Path) -> None:
    run = turnwright(
        "tournament", "run", "cup", "One", "Two", "--game", game, "--json", cwd=tmp_path
    ).finish()
    assert run.code == 0, run.err
    assert json.loads(run.out)["played"] == 2
    assert "printed in resolve" in run.err
    checked = answer("tournament", "verify", "cup", "--json", cwd=tmp_path)
    assert checked.code == 0, checked.err
    assert json.loads(checked.out)["ok"] is True
    told = answer("tournament", "show", "cup", "--json", cwd=tmp_path)
    assert json.loads(told.out)["game"] == game


def test_stdout_is_back_behind_each_call(game: str) -> None:
    before = sys.stdout
    rules = catalog.load(game)
    assert sys.stdout is before
    assert rules.read_intent(3) == 3
    assert sys.stdout is before


def test_overlapping_threads_leave_stdout_as_it_was() -> None:
    before = sys.stdout
    first, second = catalog.PrintsToStderr(), catalog.PrintsToStderr()
    with first:
        second.__enter__()
    assert sys.stdout is before
    second.__exit__(None, None, None)
    assert sys.stdout is before
