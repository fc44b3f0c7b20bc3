"""Fixtures of the peers' tests: a battle of bot directories played by the command line, and the logs of bots.

Nothing is installed here: `python tests/peers/setup_peers.py` does that. Files whose peer is not available
(its publisher has not put it where packages come from) are left out, and the end of the run names them.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.peers.setup_peers import java_bot_api, typescript_bot_api, why_no_java, why_no_typescript

BOTS = Path(__file__).parent / "bots"
PEER_CLASSPATH = os.environ.get("TURNWRIGHT_PEER_CLASSPATH")

collect_ignore = []
if not java_bot_api() and why_no_java():
    collect_ignore.append("test_java_api.py")
if not typescript_bot_api() and why_no_typescript():
    collect_ignore.append("test_typescript_api.py")
if not PEER_CLASSPATH:
    collect_ignore.append("test_runner.py")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a line for each group of tests that was left out, with the reason."""
    if "test_java_api.py" in collect_ignore:
        terminalreporter.write_line(f"left out: official Java bots: {why_no_java()}")
    if "test_typescript_api.py" in collect_ignore:
        terminalreporter.write_line(f"left out: official TypeScript bots: {why_no_typescript()}")
    if "test_runner.py" in collect_ignore:
        terminalreporter.write_line("left out: official runner and recorder: see tests/peers/test_runner.py")


@dataclass(frozen=True)
class Played:
    """A finished battle.

    Attributes:
        result: the object of `--json`.
        logs: for each process, the log of its bot.
    """

    result: dict[str, Any]
    logs: list[list[dict[str, Any]]]
    stderr: str

    def of(self, bot: str) -> list[list[dict[str, Any]]]:
        """Return the logs of the processes of one bot directory."""
        return [log for log in self.logs if log[0]["bot"] == bot]


Battle = Callable[..., Played]


@pytest.fixture
def battle(tmp_path: Path) -> Battle:
    """A function that plays bot directories: battle(dirs, rounds=…, options=(…), timeout_s=…) → Played."""

    def play(
        dirs: list[Path], *, rounds: int = 20, options: tuple[str, ...] = (), timeout_s: float = 240
    ) -> Played:
        logs = tmp_path / "logs"
        logs.mkdir()
        command = [sys.executable, "-m", "turnwright.cli", "battle", *map(str, dirs)]
        command += ["--rounds", str(rounds), "--json", *options]
        env = {**os.environ, "PEER_LOG": str(logs), "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=timeout_s)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        assert process.returncode == 0, f"exit code {process.returncode}: {err[-3000:]}"
        read = [[json.loads(line) for line in file.open()] for file in sorted(logs.glob("*.jsonl"))]
        return Played(json.loads(out), read, err)

    return play


def assert_clean(played: Played, rounds: int, processes: int) -> None:
    """Assert that every process saw every round begin and end, and that nothing went wrong.

    No bot failed, was disqualified, sent a malformed message, or missed the first turn of a round.
    """
    assert played.result["rounds"] == rounds
    assert len(played.logs) == processes
    for log in played.logs:
        bot = log[0]["bot"]
        failures = [line for line in log if line["kind"] in ("error", "connection_error")]
        assert not failures, f"{bot}: {failures[:2]}"
        assert [line["round"] for line in log if line["kind"] == "round_started"] == list(
            range(1, rounds + 1)
        )
        assert [line["round"] for line in log if line["kind"] == "round_ended"] == list(range(1, rounds + 1))
        first_turns = [line for line in log if line["kind"] == "skipped" and line["turn"] == 1]
        assert not first_turns, f"{bot} missed the first turn of {len(first_turns)} rounds"
    for name, latency in played.result["latency"].items():
        assert latency["malformed"] == 0, f"{name}: {latency['malformed']} messages that the server refused"
    assert not any(row["disqualified"] for row in played.result["results"])
