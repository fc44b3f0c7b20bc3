"""Bots on the official Java bot API play whole battles here, started by the JVM template.

The API comes from Maven Central where that has it, or from the folder of jars TURNWRIGHT_JAVA_BOT_API.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.peers.conftest import BOTS, Battle, assert_clean
from tests.peers.setup_peers import java_bot_api

pytestmark = [pytest.mark.process, pytest.mark.peer, pytest.mark.long]

ROUNDS = 8


@pytest.fixture
def java_bots(tmp_path: Path) -> Path:
    """Return a folder with the Java bots and, next to them, lib/ with the API and their common class."""
    if not shutil.which("javac"):
        pytest.skip("there is no JDK (java and javac) here")
    jars = java_bot_api()
    if not jars:
        pytest.skip("Java bot API not prepared: run `python tests/peers/setup_peers.py`")
    bots = tmp_path / "bots"
    shutil.copytree(BOTS / "java", bots)
    for jar in jars:
        shutil.copy(jar, bots / "lib")
    classes = tmp_path / "classes"
    subprocess.run(
        ["javac", "-cp", str(bots / "lib" / "*"), "-d", str(classes), str(bots / "lib" / "LoggedBot.java")],
        check=True,
        timeout=60,
    )
    archive = shutil.make_archive(str(tmp_path / "peerlog"), "zip", classes)
    shutil.move(archive, bots / "lib" / "peerlog.jar")
    return bots


def test_java_bots_play_eight_rounds_and_miss_no_first_turn(battle: Battle, java_bots: Path) -> None:
    played = battle([java_bots / name for name in ("Rover", "Mason", "Sentry")], rounds=ROUNDS)
    assert_clean(played, ROUNDS, processes=3)
    assert any(line["kind"] == "custom" for log in played.of("Sentry") for line in log)
    assert any(line["kind"] == "died" for log in played.logs for line in log)
