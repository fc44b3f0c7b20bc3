"""A battle on a server between bots that answer immediately, in any protocol, and an attack on the server."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from packages.core.tests.app.served import Served
from packages.core.tests.net.fixtures import PATIENCE_S

ATTACKER = Path(__file__).with_name("attacker.py")
ATTACK_S = 0.7
TIMEOUT_US = 2_000_000
"""So long that no bot misses a turn on a busy machine. A server that a flood holds up is later than that."""
TURNS_MIN = 5


@dataclass(frozen=True)
class Wire:
    """The messages of a protocol. hello(the server's first message, role, name); start(addresses, timeout).

    Attributes:
        ready, observation, skipped: the types of messages to a bot.
        turn: the key of the turn's number in them.
    """

    hello: Callable[[dict[str, Any], str, str], dict[str, Any]]
    start: Callable[[Sequence[dict[str, Any]], int], dict[str, Any]]
    stop: bytes
    ready: str
    observation: str
    skipped: str
    turn: str
    get_ready: str
    intent: str


def _start(bots: Sequence[dict[str, Any]], timeout_us: int) -> dict[str, Any]:
    settings = {"turns": 1_000_000, "pile": 2**62}
    return {"type": "start", "bots": bots, "settings": settings, "turnTimeoutUs": timeout_us}


COUNTDOWN = Wire(
    hello=lambda heard, role, name: {"type": "hello", "protocol": 1, "role": role, "name": name},
    start=_start,
    stop=b'{"type":"stop"}',
    ready="ready",
    observation="observation",
    skipped="skipped",
    turn="turn",
    get_ready='{"type":"ready"}',
    intent='{"type":"intent","intent":1}',
)
"""The messages of the game countdown."""


class Player:
    """A bot that answers immediately.

    Attributes:
        seen, skipped: the turns that it received, and those that it missed.
        seen_s: when it saw each turn, monotonic seconds.
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.seen: list[int] = []
        self.skipped: list[int] = []
        self.seen_s: list[float] = []
        self.port = 0

    async def play(self, url: str, name: str, there: asyncio.Semaphore) -> None:
        async with connect(url, proxy=None, compression=None, ping_interval=None) as socket:
            await introduce(socket, self.wire, "bot", name)
            self.port = socket.local_address[1]
            there.release()
            async for text in socket:
                await self.hear(socket, json.loads(text))

    async def hear(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        if message["type"] == self.wire.ready:
            await socket.send(self.wire.get_ready)
        elif message["type"] == self.wire.observation:
            self.seen.append(message[self.wire.turn])
            self.seen_s.append(time.monotonic())
            await self.answer(socket)
        elif message["type"] == self.wire.skipped:
            self.skipped.append(message[self.wire.turn])

    async def answer(self, socket: ClientConnection) -> None:
        await socket.send(self.wire.intent)


async def introduce(socket: ClientConnection, wire: Wire, role: str, name: str) -> None:
    await socket.send(json.dumps(wire.hello(json.loads(await socket.recv()), role, name)))


async def operate(url: str, wire: Wire, *messages: bytes) -> None:
    async with connect(url, proxy=None, compression=None, max_size=None) as socket:
        await introduce(socket, wire, "operator", "operator")
        for message in messages:
            await socket.send(message.decode())


@asynccontextmanager
async def in_battle(server: Served, *players: Player, timeout_us: int = TIMEOUT_US) -> AsyncIterator[None]:
    """Let bots play a battle with each other. At the end, the battle is stopped."""
    wire = players[0].wire
    there = asyncio.Semaphore(0)
    playing = [asyncio.create_task(one.play(server.url, f"p{n}", there)) for n, one in enumerate(players)]
    for _ in players:
        await there.acquire()
    start = wire.start([{"host": "127.0.0.1", "port": one.port} for one in players], timeout_us)
    await operate(server.url, wire, json.dumps(start).encode())
    try:
        yield
    finally:
        await operate(server.url, wire, wire.stop)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not done():
            await asyncio.sleep(0.01)


async def besieged(server: Served, wire: Wire, kind: str) -> list[Player]:
    """Attack a server during a battle of two bots, and return the bots after some more turns."""
    players = [Player(wire), Player(wire)]
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
