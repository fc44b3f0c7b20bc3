"""Bots that are always late, in separate processes with real sockets. Skips are counted, not times."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from turnwright import run_battle

pytestmark = pytest.mark.process

NEEDS_S = 0.15
"""So much longer than the timeout that a busy machine does not excuse it: a late server waits longer."""
TIMEOUT_US = 30_000
MOST = 12

OURS = f"""
import time
from turnwright_tank.bots import Bot


class Slow(Bot):
    def on_tick(self, observation):
        time.sleep({NEEDS_S})


Slow.main()
"""

AS_THE_OFFICIAL_PROTOCOL = f"""
import json, os, time
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def newest(socket):
    message = json.loads(socket.recv())
    while True:
        try:
            message = json.loads(socket.recv(timeout=0))
        except TimeoutError:
            return message


with connect(os.environ["SERVER_URL"], compression=None) as socket:
    session = json.loads(socket.recv())["sessionId"]
    hello = {{"type": "BotHandshake", "sessionId": session, "name": "Slow", "version": "1", "authors": ["a"]}}
    socket.send(json.dumps({{**hello, "secret": os.environ.get("SERVER_SECRET")}}))
    while json.loads(socket.recv())["type"] != "GameStartedEventForBot":
        pass
    socket.send('{{"type":"BotReady"}}')
    try:
        while True:
            if newest(socket)["type"] == "TickEventForBot":
                time.sleep({NEEDS_S})
                socket.send('{{"type":"BotIntent"}}')
    except ConnectionClosed:
        pass
"""


@pytest.mark.parametrize("tps", [-1, *(pytest.param(tps, marks=pytest.mark.matrix) for tps in (30, 20))])
@pytest.mark.parametrize("source", [OURS, AS_THE_OFFICIAL_PROTOCOL], ids=["ours", "official protocol"])
def test_a_bot_that_always_needs_more_than_the_timeout_misses_every_turn(
    source: str, tps: int, tmp_path: Path
) -> None:
    """Its first answer, to the first turn of the round, has a second; every later one is too late."""
    (tmp_path / "Slow").mkdir()
    (tmp_path / "Slow" / "Slow.py").write_text(source, encoding="utf-8")
    slow = '{"name": "Slow", "version": "1", "authors": ["a"]}'
    (tmp_path / "Slow" / "Slow.json").write_text(slow, encoding="utf-8")
    result = run_battle(
        tmp_path / "Slow",
        "Duck",
        rounds=1,
        tps=tps,
        turn_timeout_us=TIMEOUT_US,
        max_skipped=MOST,
        max_silence_us=0,
        seed=3,
        python=sys.executable,
    )
    row = result.latency["Slow"]
    assert [r.disqualified for r in result.results if r.name == "Slow"] == [True]
    assert row.skipped == MOST + 1, "and in the turn in which its tank dies"
    assert result.turns == MOST + 3
    assert 1 <= row.late <= MOST + 1
    assert row.p50_us > TIMEOUT_US
