"""The wheel with the bot library, for tanks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from packages.tank.tests.wire.royale.samples import server_messages
from turnwright.app.lan.bot_wheel import bot_wheel
from turnwright_tank import GAME
from turnwright_tank.bots.messages import read_message
from turnwright_tank.wire.royale.codec import encode


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    wheel = bot_wheel(GAME.bot_library)
    path = tmp_path / wheel.name
    path.write_bytes(wheel.content)
    return path


def test_every_name_for_authors_of_bots_is_there_without_any_library(wheel: Path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(wheel)!r})\n"
        "import turnwright_tank.bots as bots, turnwright.client as client\n"
        "print(all(hasattr(bots, name) for name in bots.__all__), callable(client.play), bots.__file__)\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('msgspec', 'websockets')])\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    first, second = run.stdout.splitlines()
    assert first.startswith(f"True True {wheel}")
    assert second == "[]"


SAMPLE = """
import sys
from turnwright_tank.bots.messages import read_message
for line in sys.stdin.buffer:
    print(read_message(line))
"""


def test_messages_of_the_server_are_read_as_by_every_bot(wheel: Path) -> None:
    lines = [encode(message) for message in server_messages()]
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(wheel)!r})\n{SAMPLE}"],
        input=b"\n".join(lines),
        capture_output=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr.decode()
    assert run.stdout.decode().splitlines() == [str(read_message(line)) for line in lines]
