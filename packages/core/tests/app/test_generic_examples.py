"""The programs of the generic protocol's page, as bot directories."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from packages.core.tests.cli.playing import turnwright
from packages.core.tests.messages import missing
from packages.core.tests.net.bot_directories import make_bot
from turnwright.wire.generic_protocol_docs import JAVASCRIPT_CLIENT, PYTHON_CLIENT

pytestmark = pytest.mark.process
NODE = shutil.which("node")
PROGRAMS = ["python", pytest.param("node", marks=pytest.mark.skipif(NODE is None, reason="needs Node"))]
SECRETS = {
    "python": '"secret": os.environ.get("SERVER_SECRET"),',
    "node": "secret: process.env.SERVER_SECRET,",
}


def example(language: str, root: Path, *, without_secret: bool = False) -> Path:
    """Write a program of the page as a bot directory."""
    client = {"python": PYTHON_CLIENT, "node": JAVASCRIPT_CLIENT}[language]
    if without_secret:
        assert SECRETS[language] in client
        client = client.replace(SECRETS[language], "")
    if language == "python":
        return make_bot(root, "Doc", {"Doc.py": client})
    start = f"#!/bin/sh\nexec {shlex.join(['node', *node_flags()])} Doc.js\n"
    bot = make_bot(root, "Doc", {"Doc.js": client, "Doc.sh": start})
    (bot / "Doc.sh").chmod(0o755)
    return bot


def node_flags() -> list[str]:
    """Return the options with which Node has WebSocket, as the page says."""
    assert NODE is not None
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout
    return ["--experimental-websocket"] if int(version[1:].split(".")[0]) < 22 else []


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_program_of_the_page_plays_from_its_directory(language: str, tmp_path: Path) -> None:
    words = ("battle", "--game", "snake", example(language, tmp_path), "Greedy", "--python", sys.executable)
    run = turnwright(
        *words, "--turn-timeout", "5s", "--set", "turns=50", "--set", "food=0", "--json"
    ).finish()
    assert run.code == 0, run.err
    rows = {row["name"]: row for row in json.loads(run.out)["results"]}
    assert rows["Doc"]["score"] == 9.0, "eight rows up, then out of the grid"


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_program_without_the_secret_learns_what_to_send(language: str, tmp_path: Path) -> None:
    bot = example(language, tmp_path, without_secret=True)
    run = turnwright("battle", "--game", "snake", bot, "Greedy", "--python", sys.executable).finish()
    assert run.code == 3, run.err
    assert not missing(run.err, "refused", "Invalid secret", "SERVER_SECRET", "secret"), run.err
