"""Bots on the official Python bot API, every version that bots in the wild use, play whole battles here."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.playing import Run, turnwright
from tests.peers.conftest import BOTS, Battle, Played, assert_clean
from tests.peers.setup_peers import PYTHON_API_VERSIONS, python_of

pytestmark = [pytest.mark.process, pytest.mark.peer, pytest.mark.long]

TEAM_ROUNDS = 4
HOW = "not prepared: run `python tests/peers/setup_peers.py`"


def interpreter(version: str) -> Path:
    """Return the interpreter with that API, or skip the test and say how to get it."""
    path = python_of(version)
    if path is None:
        pytest.skip(f"Python bot API {version} {HOW}")
    return path


def kinds(played: Played, bot: str) -> Counter[str]:
    """Count the entries in the logs of a bot directory's processes."""
    return Counter(line["kind"] for log in played.of(bot) for line in log)


@pytest.mark.parametrize(
    ("version", "rounds"),
    list(zip(PYTHON_API_VERSIONS, (5, 3, 3, 3, 5), strict=True)),
    ids=PYTHON_API_VERSIONS,
)
def test_bots_of_this_api_version_play_rounds_and_miss_no_first_turn(
    battle: Battle, version: str, rounds: int
) -> None:
    python = interpreter(version)
    names = ["Borderer", "Lookout", "Sweeper"]
    played = battle(
        [BOTS / "python" / name for name in names], rounds=rounds, options=("--python", str(python))
    )
    assert_clean(played, rounds, processes=3)
    assert sorted(row["name"] for row in played.result["results"]) == names
    assert kinds(played, "Lookout")["custom"] > 0
    assert sum(kinds(played, name)["won"] for name in names) > 0


@pytest.mark.parametrize("version", ["1.0.2", "1.4.0"])
def test_a_team_talks_in_every_round(battle: Battle, version: str) -> None:
    python = interpreter(version)
    played = battle(
        [BOTS / "python" / name for name in ("Squad", "Sweeper")],
        rounds=TEAM_ROUNDS,
        options=("--python", str(python)),
    )
    assert_clean(played, TEAM_ROUNDS, processes=4)
    assert sorted(row["name"] for row in played.result["results"]) == ["Squad", "Sweeper"]
    heard = [sum(line["kind"] == "heard" for line in log) for log in played.of("Follower")]
    assert heard == [TEAM_ROUNDS, TEAM_ROUNDS]


@pytest.mark.parametrize("version", ["1.0.2", "1.4.0"])
def test_a_tank_that_dies_learns_of_its_death(battle: Battle, version: str) -> None:
    python = interpreter(version)
    played = battle(
        [BOTS / "python" / name for name in ("Sweeper", "Borderer")],
        rounds=5,
        options=("--python", str(python), "--turn-timeout", "300ms"),  # no test of its speed
    )
    assert_clean(played, 5, processes=2)
    died = kinds(played, "Sweeper")["died"] + kinds(played, "Borderer")["died"]
    won = kinds(played, "Sweeper")["won"] + kinds(played, "Borderer")["won"]
    assert died >= won > 0


def test_bots_of_different_api_versions_play_together(battle: Battle, tmp_path: Path) -> None:
    oldest, newest = interpreter(PYTHON_API_VERSIONS[0]), interpreter(PYTHON_API_VERSIONS[-1])
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "deps").symlink_to(BOTS / "python" / "deps")
    for name, python in (("Sweeper", oldest), ("Borderer", newest)):
        folder = tmp_path / "bots" / name
        folder.mkdir()
        for file in (BOTS / "python" / name).iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
        script = folder / f"{name}.sh"
        script.write_text(f'#!/bin/sh\ncd "$(dirname "$0")"\nexec "{python}" {name}.py\n', encoding="utf-8")
        os.chmod(script, 0o755)
    played = battle([tmp_path / "bots" / "Sweeper", tmp_path / "bots" / "Borderer"], rounds=10)
    assert_clean(played, 10, processes=2)


@pytest.mark.quiet
@pytest.mark.parametrize("tps", ["-1", "30", "20"])
@pytest.mark.parametrize("version", ["1.0.2", "1.4.0"])
def test_a_bot_that_always_needs_more_than_the_timeout_misses_every_turn(
    battle: Battle, version: str, tps: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on our own library: packages/core/tests/net/test_late_bots.py."""
    most = 12
    monkeypatch.setenv("PEER_THINKS_S", "0.045")
    options = ("--python", str(interpreter(version)), "--turn-timeout", "30ms", "--tps", tps)
    played = battle(
        [BOTS / "python" / "Laggard", Path("Duck")],
        rounds=1,
        options=(*options, "--max-skipped", str(most), "--max-silence", "0s"),
    )
    assert {row["name"]: row["disqualified"] for row in played.result["results"]} == {
        "Laggard": True,
        "Duck": False,
    }
    assert played.result["latency"]["Laggard"]["skipped"] == most + 1
    assert played.result["turns"] == most + 3


@pytest.mark.quiet
@pytest.mark.parametrize("version", ["1.0.2", "1.4.0"])
def test_after_a_hiccup_of_five_timeouts_a_bot_is_in_step_again(
    battle: Battle, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The battle waits for the late answer, so few turns pass; a busy machine may cost more."""
    monkeypatch.setenv("PEER_HICCUP_S", "0.5")
    options = ("--python", str(interpreter(version)), "--turn-timeout", "100ms", "--tps", "-1")
    played = battle([BOTS / "python" / "Laggard", Path("Duck")], rounds=1, options=options)
    latency = played.result["latency"]["Laggard"]
    assert not any(row["disqualified"] for row in played.result["results"])
    assert 1 <= latency["skipped"] <= 10
    assert played.result["turns"] > 100


def failing(version: str, how: str) -> tuple[Run, dict[str, Any]]:
    """Play a bot that fails in turn 20, and return the command and its JSON object."""
    words = ["battle", BOTS / "python" / "Failing", "Duck", "--rounds", 1, "--max-skipped", 12, "--json"]
    words += ["--python", interpreter(version), "--turn-timeout", "300ms"]  # no test of its speed
    run = turnwright(*words, environ={"PEER_FAILS": how}).finish()
    return run, json.loads(run.out)


@pytest.mark.parametrize("version", ["1.0.2", "1.4.0"])
def test_an_exception_of_a_bot_is_reported(version: str) -> None:
    """Older APIs answer no more after it. Newer ones print it, and continue without the bot."""
    run, result = failing(version, "raises")
    told = (result["failures"] | result["printed_errors"])["Failing"]
    assert (told["round"], told["error"]) == (1, "ZeroDivisionError: division by zero")
    assert run.code == (3 if "Failing" in result["failures"] else 0)
    assert "ZeroDivisionError: division by zero" in run.err


@pytest.mark.parametrize("version", ["1.0.2", "1.4.0"])
def test_the_exit_code_of_a_bot_is_reported(version: str) -> None:
    run, result = failing(version, "exits")
    failure = result["failures"]["Failing"]
    assert (run.code, failure["reason"], failure["error"]) == (3, "crashed", "exit code 7")
    assert "I am leaving" in result["last_lines"]["Failing"]


@pytest.mark.parametrize("version", ["1.0.2", "1.4.0"])
def test_a_bot_that_hangs_is_silent(version: str) -> None:
    run, result = failing(version, "hangs")
    assert (run.code, result["failures"]["Failing"]["reason"]) == (0, "silent")
