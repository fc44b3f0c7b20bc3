"""A replay ends with a one-line message if a call of its game does not return."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from packages.core.tests.dice_game import GOOD, folder
from packages.core.tests.messages import says
from turnwright import catalog, run_battle
from turnwright.app.branch.choice import load_played
from turnwright.app.game.playable import find_game
from turnwright.app.replay import look_at
from turnwright.cli.__main__ import main
from turnwright.errors import EXIT_BAD_INPUT, TurnwrightError, VoidBattleError
from turnwright.net import rules_watchdog
from turnwright.net.files.reader import read_record
from turnwright_league.app.recorded.event_lines import event_lines

SOON_S = 0.3
ENDLESS_TURN = GOOD.replace(
    "        state.turn += 1\n", "        state.turn += 1\n        while True: pass\n"
)
ENDLESS_READING = GOOD.replace("        return int(data)", "        while True: pass")
RAISING_TURN = GOOD.replace("        return []\n", "        return [] if state.turn < 2 else 1 / 0\n")
FRAMES_SOON = f"""
import runpy
from turnwright.net import rules_watchdog

rules_watchdog.CALL_S_MAX = {SOON_S}
runpy.run_module("turnwright.app.frames", run_name="__main__")
"""


def answer(observation: object) -> int:
    return 1


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A record of a good version of the game."""
    path = tmp_path / "d.twr"
    run_battle(answer, answer, game=folder(tmp_path / "good" / "dice"), record=path)
    return path


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call of a game may take 0.3 s."""
    monkeypatch.setattr(rules_watchdog, "CALL_S_MAX", SOON_S)


def shown(path: Path, game: str) -> object:
    return look_at(path, game=find_game(game))


def told(path: Path, game: str) -> object:
    return list(event_lines(path, game))


def branched(path: Path, game: str) -> object:
    return load_played(path, game)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(
    ("way", "code", "method"),
    [
        (shown, ENDLESS_TURN, "resolve"),
        (shown, ENDLESS_READING, "read_intent"),
        (told, ENDLESS_TURN, "resolve"),
        (told, ENDLESS_READING, "read_intent"),
        (branched, ENDLESS_READING, "read_intent"),
    ],
)
def test_a_call_that_does_not_return_is_named_in_one_line(
    record: Path, tmp_path: Path, way: Callable[[Path, str], object], code: str, method: str
) -> None:
    game = folder(tmp_path / "endless" / "dice", code)
    with pytest.raises(TurnwrightError) as caught:
        way(record, game)
    line = str(caught.value)
    assert says(line, f"dice.{method}() … {SOON_S} s … (game.py, line")
    assert "\n" not in line
    assert caught.value.exit_code == EXIT_BAD_INPUT


@pytest.mark.usefixtures("soon")
def test_the_command_writes_no_page_and_says_why(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, page = folder(tmp_path / "endless" / "dice", ENDLESS_TURN), tmp_path / "d.html"
    assert main(["replay", str(record), "--game", game, "--html", str(page)]) == EXIT_BAD_INPUT
    out, err = capsys.readouterr()
    assert (out, page.exists()) == ("", False)
    (line,) = err.splitlines()
    assert says(line, f"{record} … dice.resolve()")


@pytest.mark.process
def test_the_process_that_makes_frames_ends_too(record: Path, tmp_path: Path) -> None:
    game = folder(tmp_path / "endless" / "dice", ENDLESS_TURN)
    argv = [sys.executable, "-P", "-c", FRAMES_SOON, game, str(record)]
    ended = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout) == (EXIT_BAD_INPUT, "")
    assert says(ended.stderr, "dice.resolve()")


def test_rules_that_fail_in_a_recorded_turn_are_reported(record: Path, tmp_path: Path) -> None:
    game = folder(tmp_path / "raising" / "dice", RAISING_TURN)
    with pytest.raises(TurnwrightError, match=r"turn 2: dice\.resolve\(\) raised ZeroDivisionError"):
        look_at(record, game=find_game(game))


def test_a_record_that_became_void_is_shown_up_to_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path, game = tmp_path / "void.twr", folder(tmp_path / "raising" / "dice", RAISING_TURN)
    with pytest.raises(VoidBattleError):
        run_battle(answer, answer, game=game, record=path)
    kept = read_record(path, rules=catalog.load(game))
    assert [bool(entry.digest) for entry in kept.turns] == [True, False]
    lines = look_at(path, game=find_game(game)).content().splitlines()
    assert b'"turn":1' in lines[-2]
    assert b'"aborted"' in lines[-1]
