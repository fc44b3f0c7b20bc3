"""A new bot for tanks, the game that is played unless another one is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.playing import turnwright
from turnwright import run_battle
from turnwright.cli.new_bot import create_bot
from turnwright_tank.bots import Observation, ScannedBotEvent


def test_a_new_bot_is_a_short_program_and_its_json(tmp_path: Path) -> None:
    directory = create_bot("MyBot", tmp_path)
    assert sorted(path.name for path in directory.iterdir()) == ["MyBot.json", "MyBot.py"]
    code = (directory / "MyBot.py").read_text()
    assert "class MyBot(Bot):" in code
    assert len([line for line in code.splitlines() if line.strip()]) <= 30
    compile(code, "MyBot.py", "exec")
    config = json.loads((directory / "MyBot.json").read_text())
    assert (config["name"], config["platform"]) == ("MyBot", "Python")


def test_a_new_bot_keeps_its_enemy_in_sight_and_beats_the_weak_ones(tmp_path: Path) -> None:
    space: dict[str, Any] = {"__name__": "new"}
    exec((create_bot("MyBot", tmp_path) / "MyBot.py").read_text(), space)
    seen: list[bool] = []

    class Watched(space["MyBot"]):  # type: ignore[misc]
        name = "MyBot"

        def on_tick(self, observation: Observation) -> None:
            super().on_tick(observation)
            seen.append(any(isinstance(event, ScannedBotEvent) for event in observation.events))

    for opponent in ("Duck", "Spinner"):
        result = run_battle(Watched, opponent, rounds=5, seed=2)
        scores = {row.name: row.total_score for row in result.results}
        assert scores["MyBot"] > 3 * scores[opponent], scores
    assert sum(seen) > 0.9 * len(seen)


@pytest.mark.process
def test_the_command_printed_for_a_new_bot_plays_it(tmp_path: Path) -> None:
    run = turnwright("new", "bot", "Mine", cwd=tmp_path).finish()
    assert (run.code, run.err) == (0, "")
    first, second = run.out.splitlines()
    assert "Mine/Mine.py" in first
    words = second.split()
    assert words[:4] == ["turnwright", "battle", "./Mine", "Spinner"]
    played = turnwright(*words[1:], "--rounds", 1, cwd=tmp_path).finish()
    assert played.code == 0, played.err
    assert "Mine" in played.out


@pytest.mark.process
def test_a_new_bot_plays_if_the_python_on_the_path_lacks_our_library(tmp_path: Path) -> None:
    folder = tmp_path / "path"
    folder.mkdir()
    stranger = folder / "python"
    stranger.write_text("#!/bin/sh\necho no module named turnwright >&2\nexit 1\n")
    stranger.chmod(0o755)
    environ = {"PATH": str(folder)}
    turnwright("new", "bot", "Mine", cwd=tmp_path).finish()
    run = turnwright("battle", "./Mine", "Spinner", "-n", 1, cwd=tmp_path, environ=environ).finish()
    assert run.code == 0, run.err
