"""A server with players in it, under attack."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect

from tests.app.served import Served
from tests.net.fixtures import PATIENCE_S
from turnwright.games.tank.wire.royale.codec import encode
from turnwright.games.tank.wire.royale.setup import custom

__all__ = ["TIMEOUT_US", "TPS", "Player", "besieged", "in_battle", "introduce", "operate", "until"]

ATTACKER = Path(__file__).with_name("attacker.py")
ATTACK_S = 0.7
TIMEOUT_US = 2_000_000
"""Long, so that a machine that does much else skips nobody; a server that a flood holds up is later."""
TURNS_MIN = 5
TPS = 50


class Player:
    """A bot that answers at once. seen, skipped: the turns that it saw, and that it missed."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self.skipped: list[int] = []
        self.port = 0

    async def play(self, url: str, name: str, there: asyncio.Semaphore) -> None:
        async with connect(url, proxy=None, compression=None, ping_interval=None) as socket:
            await introduce(socket, "BotHandshake", name)
            self.port = socket.local_address[1]
            there.release()
            async for text in socket:
                await self.hear(socket, json.loads(text))

    async def hear(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        if message["type"] == "GameStartedEventForBot":
            await socket.send('{"type":"BotReady"}')
        elif message["type"] == "TickEventForBot":
            self.seen.append(message["turnNumber"])
            await self.answer(socket)
        elif message["type"] == "SkippedTurnEvent":
            self.skipped.append(message["turnNumber"])

    async def answer(self, socket: ClientConnection) -> None:
        await socket.send('{"type":"BotIntent","turnRate":1}')


async def introduce(socket: ClientConnection, kind: str, name: str) -> None:
    session = json.loads(await socket.recv())["sessionId"]
    me: dict[str, Any] = {"type": kind, "sessionId": session, "name": name, "version": "1", "authors": ["a"]}
    await socket.send(json.dumps(me))


async def operate(url: str, *messages: bytes) -> None:
    async with connect(url, proxy=None, compression=None, max_size=None) as socket:
        await introduce(socket, "ControllerHandshake", "operator")
        for message in messages:
            await socket.send(message.decode())


@asynccontextmanager
async def in_battle(server: Served, *players: Player, timeout_us: int = TIMEOUT_US) -> AsyncIterator[None]:
    """Let bots play a battle with each other; it is stopped at the end."""
    there = asyncio.Semaphore(0)
    playing = [asyncio.create_task(one.play(server.url, f"p{n}", there)) for n, one in enumerate(players)]
    for _ in players:
        await there.acquire()
    setup = replace(custom(), turn_timeout=timeout_us, number_of_rounds=1000, max_inactivity_turns=10**6)
    start = {
        "type": "StartGame",
        "gameSetup": json.loads(encode(setup)),
        "botAddresses": [{"host": "127.0.0.1", "port": one.port} for one in players],
    }
    await operate(server.url, json.dumps(start).encode())
    try:
        yield
    finally:
        await operate(server.url, b'{"type":"StopGame"}')
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not done():
            await asyncio.sleep(0.01)


async def besieged(server: Served, kind: str, of: type[Player] = Player) -> list[Any]:
    """Return two bots of a class as they are after a battle in which the server was attacked."""
    players = [of(), of()]
    async with in_battle(server, *players):
        await until(lambda: len(players[0].seen) >= 2)
        before = len(players[0].seen)
        attacker = await asyncio.create_subprocess_exec(
            sys.executable,
            str(ATTACKER),
            str(server.port),
            kind,
            str(ATTACK_S),
            stdout=asyncio.subprocess.PIPE,
        )
        said, _ = await attacker.communicate()
        assert int(said) > 0
        await until(lambda: len(players[0].seen) >= before + TURNS_MIN)  # and now it must be itself again
    return players
