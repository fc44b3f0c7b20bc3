"""Ctrl-C and SIGTERM immediately end a game that does not return, in a battle and on a server."""

from __future__ import annotations

import json
import re
import signal
import time
from pathlib import Path

import pytest
from websockets.sync.client import connect

from packages.core.tests.cli.playing import Run, turnwright
from packages.core.tests.dice_game import GOOD, folder
from packages.core.tests.messages import says
from turnwright.errors import EXIT_INTERRUPTED, EXIT_OK

pytestmark = [pytest.mark.process, pytest.mark.long]

PATIENCE_S = 60.0
ENDLESS = """        state.turn += 1
        open({marker!r}, "w").close()
        while True:
            pass
"""


@pytest.fixture
def game(tmp_path: Path) -> str:
    """A game whose first turn writes a file "stuck" and does not return."""
    code = ENDLESS.format(marker=str(tmp_path / "stuck"))
    where = folder(tmp_path / "dice", GOOD.replace("        state.turn += 1\n", code))
    (tmp_path / "dice" / "bots.py").write_text("BOTS = {'One': lambda seen: 1, 'Two': lambda seen: 2}\n")
    return where


def until_stuck(run: Run, tmp_path: Path) -> None:
    end = time.monotonic() + PATIENCE_S
    while not (tmp_path / "stuck").exists():
        assert run.process.poll() is None, run.finish().err
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", [[], ["--turn-timeout", "30ms"]], ids=["in process", "with deadlines"])
def test_a_battle_is_interrupted_within_a_call_that_does_not_return(
    game: str, tmp_path: Path, words: list[str], number: signal.Signals
) -> None:
    run = turnwright("battle", "--game", game, "One", "Two", *words, cwd=tmp_path)
    until_stuck(run, tmp_path)
    run.process.send_signal(number)
    run.finish(timeout_s=40)  # the call itself would be ended after 50 s
    assert run.code == EXIT_INTERRUPTED
    assert "Traceback" not in run.err


def test_a_server_ends_within_a_call_that_does_not_return(game: str, tmp_path: Path) -> None:
    run = turnwright("serve", "--game", game, "--port", 0, "--no-open", cwd=tmp_path)
    assert run.process.stdout is not None
    found = re.search(r"ws://\S+", run.process.stdout.readline())
    assert found is not None
    code = re.search(r"code=([^\s&]+)", run.process.stdout.readline())
    assert code is not None
    with connect(found[0], compression=None, proxy=None) as operator:
        hello = {"type": "hello", "protocol": 1, "name": "n", "role": "operator", "code": code[1]}
        operator.send(json.dumps(hello))
        operator.send(json.dumps({"type": "boot", "ids": ["house/One"]}))
        bots: list[dict[str, object]] = []
        while not bots:
            message = json.loads(operator.recv(timeout=PATIENCE_S))
            bots = message["bots"] if message["type"] == "bots" else []
        chosen = [{"host": one["host"], "port": one["port"]} for one in bots]
        operator.send(json.dumps({"type": "start", "bots": chosen, "settings": {}}))
        until_stuck(run, tmp_path)
        run.process.send_signal(signal.SIGTERM)
        run.finish(timeout_s=40)
    assert run.code == EXIT_OK
    assert says(run.err, "battle 1 … dice.resolve() … (game.py, line")
