"""Bots on the official Python bot API play several battles of a tournament in one process each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.playing import Run, turnwright
from tests.peers.conftest import BOTS
from tests.peers.setup_peers import PYTHON_API_VERSIONS, python_of

pytestmark = [pytest.mark.process, pytest.mark.peer, pytest.mark.long]

NAMES = ("Sweeper", "Borderer")
BATTLES, ROUNDS = 4, 2
FAILURES = ("error", "connection_error")


def tournament(*words: object, cwd: Path, logs: Path) -> Run:
    environ = {"PEER_LOG": str(logs), "PYTHONDONTWRITEBYTECODE": "1"}
    run = turnwright("tournament", *words, "--json", cwd=cwd, environ=environ).finish(400)
    assert run.code == 0, run.err[-3000:]
    return run


def played(version: str, at: Path, *options: str) -> tuple[dict[str, Any], list[list[dict[str, Any]]]]:
    """Play a tournament of both bots; return its output, and the messages that each process received."""
    python = python_of(version)
    if python is None:
        pytest.skip(f"Python bot API {version} not prepared: run `python tests/peers/setup_peers.py`")
    logs = at / "logs"
    logs.mkdir()
    bots = [BOTS / "python" / name for name in NAMES]
    words = ["--python", python, "--battles", BATTLES, "--rounds", ROUNDS, "--turn-timeout", "5s", *options]
    run = tournament("run", "cup", *bots, "--jobs", 1, *words, cwd=at, logs=logs)
    told = [[json.loads(line) for line in file.open()] for file in sorted(logs.glob("*.jsonl"))]
    return json.loads(run.out), told


def games(log: list[dict[str, Any]]) -> int:
    """Count the battles that a process saw begin, each of which ended, with all its rounds."""
    kinds = [line["kind"] for line in log]
    assert not [line for line in log if line["kind"] in FAILURES]
    begun = kinds.count("game_started")
    assert kinds.count("game_ended") == begun
    rounds = [line["round"] for line in log if line["kind"] == "round_ended"]
    assert rounds == list(range(1, ROUNDS + 1)) * begun
    return begun


@pytest.mark.parametrize("version", [PYTHON_API_VERSIONS[0], PYTHON_API_VERSIONS[-1]])
def test_each_bot_has_one_process_for_all_battles_and_every_record_verifies(
    version: str, tmp_path: Path
) -> None:
    result, told = played(version, tmp_path)
    assert [battle["counts"] for battle in result["battles"]] == [True] * BATTLES
    assert sorted(battle["kept"] for battle in result["battles"]) == [0, 2, 2, 2]
    assert {log[0]["bot"]: games(log) for log in told} == dict.fromkeys(NAMES, BATTLES)
    assert len(told) == len(NAMES)
    for battle in result["battles"]:
        assert sum(row["score"] for row in battle["scores"]) > 0
    checked = json.loads(tournament("verify", "cup", cwd=tmp_path, logs=tmp_path).out)
    assert (checked["ok"], checked["checked"]) == (True, BATTLES)


def test_fresh_starts_a_process_for_each_battle(tmp_path: Path) -> None:
    result, told = played(PYTHON_API_VERSIONS[-1], tmp_path, "--fresh")
    assert [battle["kept"] for battle in result["battles"]] == [0] * BATTLES
    assert [games(log) for log in told] == [1] * BATTLES * len(NAMES)
