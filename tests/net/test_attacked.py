"""A battle goes on, without a skipped turn, while somebody tries to bring the server down."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect

from tests.net.attacker import KINDS
from tests.net.conftest import PATIENCE_S
from tests.net.test_serving import Served
from turnwright.wire.royale.codec import encode
from turnwright.wire.royale.setup import custom

pytestmark = pytest.mark.process

ATTACKER = Path(__file__).with_name("attacker.py")
ATTACK_S = 0.7
TIMEOUT_US = 2_000_000
"""Long, so that a machine that does much else skips nobody; a server that a flood holds up is later."""
TURNS_MIN = 5
TPS = 50


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    served = Served("--tps", TPS, "--turn-timeout", TIMEOUT_US)
    yield served
    served.run.process.kill()
    served.run.process.wait()


class Player:
    """A bot that answers at once. turns, skips: how many it saw and was told of; gap_s: its longest wait."""

    def __init__(self) -> None:
        self.turns = self.skips = 0
        self.gap_s = self.heard_s = 0.0
        self.port = 0

    async def play(self, url: str, name: str, there: asyncio.Semaphore) -> None:
        async with connect(url, proxy=None, compression=None, ping_interval=None) as socket:
            await introduce(socket, "BotHandshake", name)
            self.port = socket.local_address[1]
            there.release()
            async for text in socket:
                await self.hear(socket, json.loads(text)["type"])

    async def hear(self, socket: ClientConnection, kind: str) -> None:
        if kind == "GameStartedEventForBot":
            await socket.send('{"type":"BotReady"}')
        elif kind == "TickEventForBot":
            now_s = asyncio.get_running_loop().time()
            self.gap_s = max(self.gap_s, now_s - self.heard_s) if self.turns else 0.0
            self.turns, self.heard_s = self.turns + 1, now_s
            await socket.send('{"type":"BotIntent","turnRate":1}')
        elif kind == "SkippedTurnEvent":
            self.skips += 1


async def introduce(socket: ClientConnection, kind: str, name: str) -> None:
    session = json.loads(await socket.recv())["sessionId"]
    me: dict[str, Any] = {"type": kind, "sessionId": session, "name": name, "version": "1", "authors": ["a"]}
    await socket.send(json.dumps(me))


async def operate(url: str, *messages: bytes) -> None:
    async with connect(url, proxy=None, compression=None, max_size=None) as socket:
        await introduce(socket, "ControllerHandshake", "operator")
        for message in messages:
            await socket.send(message.decode())


async def besieged(server: Served, kind: str) -> list[Player]:
    """Return two bots as they are after a battle in which the server was attacked."""
    players, there = [Player(), Player()], asyncio.Semaphore(0)
    playing = [asyncio.create_task(one.play(server.url, f"p{n}", there)) for n, one in enumerate(players)]
    for _ in players:
        await there.acquire()
    setup = replace(custom(), turn_timeout=TIMEOUT_US, number_of_rounds=1000, max_inactivity_turns=10**6)
    start = {
        "type": "StartGame",
        "gameSetup": json.loads(encode(setup)),
        "botAddresses": [{"host": "127.0.0.1", "port": one.port} for one in players],
    }
    await operate(server.url, json.dumps(start).encode())
    async with asyncio.timeout(PATIENCE_S):
        while players[0].turns < 2:
            await asyncio.sleep(0.01)
    before = players[0].turns
    attacker = await asyncio.create_subprocess_exec(
        sys.executable, str(ATTACKER), str(server.port), kind, str(ATTACK_S), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await attacker.communicate()
    assert int(said) > 0
    async with asyncio.timeout(PATIENCE_S):  # and now it must be itself again
        while players[0].turns < before + TURNS_MIN:
            await asyncio.sleep(0.01)
    await operate(server.url, b'{"type":"StopGame"}')
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return players


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_battle_goes_on_without_a_skip(server: Served, kind: str) -> None:
    players = asyncio.run(besieged(server, kind))
    assert [one.skips for one in players] == [0, 0]
    assert all(one.turns > TURNS_MIN for one in players)
    assert server.run.process.poll() is None
