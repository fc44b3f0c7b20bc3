"""The official runner, booter and recorder drive and watch our server, unchanged.

They are not where packages come from, so this file is left out unless TURNWRIGHT_PEER_CLASSPATH is a Java
class path that has them (with `robocode-tankroyale-booter.jar` as a resource, as the runner's own jar has).
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.cli.running import free_port, wait_until_listening
from tests.peers.conftest import BOTS, PEER_CLASSPATH
from tests.peers.setup_peers import python_of

pytestmark = [pytest.mark.process, pytest.mark.peer, pytest.mark.long]

ROUNDS = 3
HERE = Path(__file__).parent


@contextmanager
def running(command: list[str], log: Path, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program in the background, its output in `log`, and end it."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT, **options
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def read_recording(folder: Path) -> list[dict[str, Any]]:
    """Return the messages of the only battle in a folder.

    The runner says StopGame when it is done, which any server answers with GameAbortedEvent, and the recorder
    begins a file with that event alone.
    """
    recordings = []
    for file in folder.glob("*.battle.gz"):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            recordings.append([json.loads(line) for line in lines])
    (battle,) = (messages for messages in recordings if messages[0]["type"] != "GameAbortedEvent")
    return battle


def assert_whole_recording(messages: list[dict[str, Any]]) -> None:
    kinds = [message["type"] for message in messages]
    assert kinds[0] == "GameStartedEventForObserver"
    assert kinds[-1] == "GameEndedEventForObserver"
    turns = [
        m["turnNumber"] for m in messages if m["type"] == "TickEventForObserver" and m["roundNumber"] == 1
    ]
    assert turns == list(range(1, len(turns) + 1))
    assert kinds.count("RoundEndedEventForObserver") == ROUNDS


def test_official_runner_pauses_steps_and_finishes_a_battle_and_the_recorder_has_it_all(
    tmp_path: Path,
) -> None:
    python = python_of("1.1.0")
    if python is None:
        pytest.skip("Python bot API 1.1.0 not prepared: run `python tests/peers/setup_peers.py`")
    port, url = free_port(), "ws://127.0.0.1:{}"
    for folder in ("runner", "recorder", "classes"):
        (tmp_path / folder).mkdir()
    classes = str(tmp_path / "classes")
    compile_ = ["javac", "-cp", str(PEER_CLASSPATH), "-d", classes, str(HERE / "runner" / "Drive.java")]
    subprocess.run(compile_, check=True, timeout=60)
    serve = [sys.executable, "-m", "turnwright.cli", "serve", "--port", str(port)]
    recorder = ["java", "-cp", str(PEER_CLASSPATH), "dev.robocode.tankroyale.recorder.MainKt"]
    recorder += ["-u", url.format(port), "-d", str(tmp_path / "recorder")]
    drive = [
        "java",
        "-cp",
        f"{PEER_CLASSPATH}:{classes}",
        "Drive",
        url.format(port),
        str(tmp_path / "runner"),
    ]
    drive += [str(ROUNDS), *(str(BOTS / "python" / name) for name in ("Sweeper", "Borderer"))]
    env = {**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    with running(serve, tmp_path / "serve.log") as server:
        wait_until_listening(port, server)
        with running(recorder, tmp_path / "recorder.log"):
            time.sleep(2)
            driven = subprocess.run(drive, env=env, capture_output=True, text=True, timeout=120)
            time.sleep(1)
    assert driven.returncode == 0, driven.stderr[-2000:]
    lines = driven.stdout.split()
    assert "paused;0" in lines
    assert "stepped;1" in lines
    assert sum(line.startswith(("1;", "2;")) for line in lines) == 2, driven.stdout
    of_recorder = read_recording(tmp_path / "recorder")
    assert_whole_recording(of_recorder)
    assert read_recording(tmp_path / "runner") == of_recorder
