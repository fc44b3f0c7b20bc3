"""Bots on the official Python API and in Java are opponents, with one process for all episodes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.playing import turnwright
from tests.peers.conftest import BOTS
from tests.peers.setup_peers import PYTHON_API_VERSIONS, python_of
from turnwright_learn.envs import make_env

pytestmark = [pytest.mark.process, pytest.mark.peer, pytest.mark.long]

EPISODES = 4


@pytest.mark.parametrize("version", [PYTHON_API_VERSIONS[0], PYTHON_API_VERSIONS[-1]])
@pytest.mark.parametrize("most", [40, 0])
def test_an_official_bot_plays_episodes_that_verify(
    version: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = python_of(version)
    if python is None:
        pytest.skip(f"Python bot API {version} not prepared: run `python tests/peers/setup_peers.py`")
    logs, records = tmp_path / "logs", tmp_path / "records"
    logs.mkdir()
    monkeypatch.setenv("PEER_LOG", str(logs))
    options: dict[str, Any] = {"python": str(python), "max_turns": most, "record": records}
    env = make_env("tank", "TankDuel-v0", opponents=BOTS / "python" / "Sweeper", **options)
    env.action_space.seed(1)
    for _ in range(EPISODES):
        env.reset(seed=1)
        while not any(env.step(env.action_space.sample())[2:4]):
            pass
    env.close()
    assert verified(records) == EPISODES
    (log,) = logs.glob("*.jsonl")
    told = [json.loads(line)["kind"] for line in log.open()]
    assert told.count("game_started") == EPISODES
    assert "error" not in told


def test_a_bot_in_java_plays_episodes_that_verify(tmp_path: Path) -> None:
    if not shutil.which("javac"):
        pytest.skip("there is no JDK (java and javac) here")
    drifter = BOTS / "java-plain" / "Drifter"
    env = make_env("tank", "TankDuel-v0", opponents=drifter, max_turns=60, record=tmp_path)
    env.action_space.seed(1)
    for _ in range(EPISODES):
        env.reset(seed=1)
        while not any(env.step(env.action_space.sample())[2:4]):
            pass
    assert env.episode is not None
    assert env.episode.seats[1].name == "Drifter"
    env.close()
    assert verified(tmp_path) == EPISODES


def verified(records: Path) -> int:
    """Return how many records verify."""
    return sum(turnwright("verify", file).finish().code == 0 for file in records.glob("*.twr"))
