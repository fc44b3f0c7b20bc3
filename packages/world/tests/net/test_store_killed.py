"""A world that is killed in the middle of everything comes back whole, at most one turn back."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import websockets

from turnwright.kernel.record import digest
from turnwright_world.game import WorldGame
from turnwright_world.net.database import open_database
from turnwright_world.net.open_world import open_world

pytestmark = pytest.mark.process

PACE_US = 20_000
NAMES = ("Anna", "Bert", "Carl")


async def played_and_killed(data: Path, dice: random.Random) -> int:
    """Let three programs play, one of them lost in the middle of an action; return the last reported turn."""
    command = [sys.executable, "-m", "packages.world.tests.net.yard_server", str(data), str(PACE_US)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().split()[0])
        last = 0
        # two of them are not read: with a queue that fills up one of them could not close within seconds
        sockets = [await websockets.connect(f"ws://127.0.0.1:{port}", max_queue=None) for _ in NAMES]
        for socket, name in zip(sockets, NAMES, strict=True):
            await socket.send(json.dumps({"type": "Hello", "name": name}))
            await socket.send(json.dumps({"type": "Command", "text": "dig"}))
        watched = sockets[0]
        others: set[str] = set()
        while len(others) < len(NAMES) - 1:
            message = json.loads(await watched.recv())
            others = {other["name"] for other in message.get("here", ())}
        until = asyncio.get_running_loop().time() + dice.uniform(0.1, 0.6)
        while asyncio.get_running_loop().time() < until:
            message = json.loads(await watched.recv())
            last = max(last, message["turn"]) if message["type"] == "Turn" else last
            if dice.random() < 0.1:
                await sockets[1].send(
                    json.dumps({"type": "Command", "text": dice.choice(("dig", "hit carl"))})
                )
            if dice.random() < 0.05:
                await sockets[2].close()
        server.send_signal(signal.SIGKILL)
        server.wait()
        try:
            while True:
                message = json.loads(await asyncio.wait_for(watched.recv(), 2))
                last = max(last, message["turn"]) if message["type"] == "Turn" else last
        except (websockets.ConnectionClosed, OSError):
            pass
    return last


def test_a_killed_world_is_at_most_one_turn_back_and_whole(tmp_path: Path) -> None:
    data = tmp_path / "world.db"
    dice = random.Random(4)
    for _ in range(6):
        told = asyncio.run(played_and_killed(data, dice))
        database = open_database(data)
        game = WorldGame()
        opened = open_world(game, database)
        world = opened.battle.state.world
        assert told >= 2
        assert world.turn >= told - 1
        turn, line = database.journal()[-1]
        assert turn == world.turn
        assert json.loads(line)["digest"] == digest(game.snapshot(opened.battle.state))
        assert {creature.name for creature in world.creatures.values()} == set(NAMES)
        database.close()
