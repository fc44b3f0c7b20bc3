"""A battle goes on, without a skipped turn, while somebody tries to bring the server down."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect

from tests.app.test_serve import Served
from tests.net.attacker import KINDS
from tests.net.fixtures import PATIENCE_S
from tests.net.raw_client import frame
from turnwright.games.tank.wire.royale.codec import encode
from turnwright.games.tank.wire.royale.setup import custom

pytestmark = pytest.mark.process

ATTACKER = Path(__file__).with_name("attacker.py")
ATTACK_S = 0.7
TIMEOUT_US = 2_000_000
"""Long, so that a machine that does much else skips nobody; a server that a flood holds up is later."""
TURNS_MIN = 5
FLOOD, FLOOD_TURN = 20_000, 5
FLOODED_TIMEOUT_US = 700_000
"""Of each turn that waits for a flooder in vain."""
FLOODER_SKIPS = 3
TPS = 50


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    served = Served("--tps", TPS, "--turn-timeout", TIMEOUT_US)
    yield served
    served.run.process.kill()
    served.run.process.wait()


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


class Flooder(Player):
    """A bot that answers a few turns, then sends thousands of intents at once, then nothing more."""

    async def answer(self, socket: ClientConnection) -> None:
        if len(self.seen) < FLOOD_TURN:
            await super().answer(socket)
        elif len(self.seen) == FLOOD_TURN:
            socket.transport.write(frame(b'{"type":"BotIntent","turnRate":1}') * FLOOD)


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


def figure(server: Served, name: str) -> float:
    """Return one of the server's figures."""
    with urlopen(f"http://127.0.0.1:{server.port}/metrics") as reply:
        lines = reply.read().decode().splitlines()
    return float(next(line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")))


def test_a_bot_that_floods_its_battle_costs_its_neighbour_no_turn(server: Served) -> None:
    """Its thousands of answers are read within its own deadlines, and hold up nothing that comes after."""

    async def played() -> tuple[Player, Player, float]:
        neighbour, flooder = Player(), Flooder()
        read = figure(server, "turnwright_messages_total")
        async with in_battle(server, neighbour, flooder, timeout_us=FLOODED_TIMEOUT_US):
            await until(lambda: len(flooder.skipped) >= FLOODER_SKIPS)
        return neighbour, flooder, figure(server, "turnwright_messages_total") - read

    neighbour, flooder, read = asyncio.run(played())
    assert neighbour.skipped == []
    assert neighbour.seen == list(range(1, len(neighbour.seen) + 1)), "it saw every turn"
    assert read >= FLOOD, "all of it was read"
    first, last = flooder.skipped[0], flooder.skipped[-1]
    assert first > FLOOD_TURN, "its flood answered the turns in which it was read"
    assert flooder.skipped == list(range(first, last + 1)), "each turn went on without it at its deadline"


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_battle_goes_on_without_a_skip(server: Served, kind: str) -> None:
    players = asyncio.run(besieged(server, kind))
    assert [one.skipped for one in players] == [[], []]
    assert all(len(one.seen) > TURNS_MIN for one in players)
    assert server.run.process.poll() is None
