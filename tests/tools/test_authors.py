"""The reference for authors is rendered from today's docstrings, and its examples run."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import websockets
from authors import PAGE, render

from tests.docs.transcript import blocks_of
from turnwright.kernel.game import Game

LINES_MAX = 20


def examples() -> list[str]:
    page = PAGE.read_text(encoding="utf-8")
    return [block.text for block in blocks_of(page) if block.language == "python"][:2]


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), "run `PYTHONPATH=tools python -m authors`"


def test_the_page_has_every_method_of_a_game() -> None:
    methods = [name for name in vars(Game) if not name.startswith("_") and callable(getattr(Game, name))]
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in methods if f"\n`{name}(" not in page] == []


def test_the_examples_have_twenty_lines_at_most() -> None:
    for text in examples():
        assert sum(bool(line.strip()) for line in text.splitlines()) <= LINES_MAX


@pytest.mark.process
def test_the_battle_of_the_page_prints_its_scores(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", examples()[0]], capture_output=True, text=True, cwd=tmp_path)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["Stairs", "Straight"], done.stderr


@pytest.mark.process
def test_the_server_of_the_page_greets_a_client_and_stops(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(examples()[1], encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, program], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    ) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]

        async def greeting() -> str:
            async with websockets.connect(address) as socket:
                return str(await socket.recv())

        assert '"type":"hello"' in asyncio.run(greeting())
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=30) == 0
