"""A seeded battle of built-in bots over real sockets comes out the same at every speed and through pauses."""

from __future__ import annotations

import asyncio
import json
import os
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from packages.core.tests.net.fixtures import LOOPS, USUAL_LOOP
from packages.core.tests.net.small_server import PROTOCOL
from turnwright.client import FunctionSession
from turnwright.games.snake.bots import BOTS
from turnwright.games.snake.game import SnakeGame
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.kernel.record import Footer, Header, TurnEntry
from turnwright.net.server import LiveServer

pytestmark = pytest.mark.process

NAMES = ("Greedy", "Wanderer")
TURN_TIMEOUT_US = 2_000_000
TURNS_MIN = 60
Command = tuple[int, dict[str, Any], float]
"""The turn that an operator waits for, its command, and a pause (s) after it."""


class Digests:
    """An archive that keeps the digest and the misses of each turn."""

    def __init__(self) -> None:
        self.turns: list[tuple[str, tuple[int, ...]]] = []

    def open(self, battle: int, header: Header, line: bytes = b"") -> None:
        self.turns.clear()

    def turn(self, battle: int, entry: TurnEntry, line: bytes = b"") -> None:
        self.turns.append((entry.digest, entry.skipped))

    def close(self, battle: int, footer: Footer) -> None:
        pass


async def play_bot(name: str, url: str) -> None:
    session = FunctionSession(BOTS[name], name, "")
    async with connect(url, max_size=None) as socket:
        try:
            while True:
                for text in session.receive((await socket.recv()).encode()) + session.answer():
                    await socket.send(text.decode())
        except ConnectionClosed:
            pass


async def operate(url: str, commands: list[Command]) -> None:
    """Start the battle as soon as both bots have joined, then send each command in its turn."""
    async with connect(url, max_size=None) as socket:
        await socket.recv()
        await socket.send('{"type":"hello","protocol":1,"name":"op","role":"operator"}')
        started, turn = False, 0
        try:
            while True:
                message: Any = json.loads(await socket.recv())
                if message["type"] == "bots" and len(message["bots"]) == len(NAMES) and not started:
                    started = True
                    await socket.send(json.dumps(start_message(message["bots"])))
                turn = message["turn"] if message["type"] == "frame" else turn
                while commands and turn >= commands[0][0]:
                    _, command, wait_s = commands.pop(0)
                    await socket.send(json.dumps(command))
                    await asyncio.sleep(wait_s)
        except ConnectionClosed:
            pass


def start_message(bots: list[dict[str, Any]]) -> dict[str, Any]:
    chosen = sorted(bots, key=lambda bot: NAMES.index(bot["name"]))
    addresses = [{"host": bot["host"], "port": bot["port"]} for bot in chosen]
    return {"type": "start", "bots": addresses, "settings": SETTINGS, "turnTimeoutUs": TURN_TIMEOUT_US}


SETTINGS = {"width": 40, "height": 40, "turns": 120}


def digests(tps: int, commands: list[Command] | None = None, limit_turns: int = 100_000) -> list[Any]:
    async def main() -> list[Any]:
        archive, over = Digests(), asyncio.Event()
        host = Host(
            HostConfig(
                new_game=lambda _: SnakeGame(),
                protocol=PROTOCOL,
                random_bytes=os.urandom,
                tps=tps,
                seed=11,
                record=True,
            )
        )
        server = LiveServer(host, archive=archive, on_battle_over=lambda *_: over.set())
        await server.start()
        url = f"ws://127.0.0.1:{server.port}"
        tasks = [asyncio.create_task(play_bot(name, url)) for name in NAMES]
        tasks.append(asyncio.create_task(operate(url, commands or [])))
        while not over.is_set() and len(archive.turns) < limit_turns:
            await asyncio.sleep(0.02)
        await server.stop()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return archive.turns[:limit_turns]

    with asyncio.Runner(loop_factory=LOOPS[USUAL_LOOP]) as runner:
        return runner.run(asyncio.wait_for(main(), 120))


@pytest.fixture(scope="module")
def fastest() -> list[Any]:
    turns = digests(-1)
    assert len(turns) > TURNS_MIN
    assert not any(skipped for _, skipped in turns)
    return turns


def test_full_speed_comes_out_the_same_again(fastest: list[Any]) -> None:
    assert digests(-1) == fastest


def test_999_turns_a_second_change_nothing(fastest: list[Any]) -> None:
    assert digests(999) == fastest


def test_30_turns_a_second_change_nothing(fastest: list[Any]) -> None:
    assert digests(30, limit_turns=TURNS_MIN) == fastest[:TURNS_MIN]


def test_1_turn_a_second_changes_nothing(fastest: list[Any]) -> None:
    assert digests(1, limit_turns=4) == fastest[:4]


def test_pauses_steps_and_changes_of_speed_change_nothing(fastest: list[Any]) -> None:
    commands: list[Command] = [
        (10, {"type": "pause"}, 0.1),
        (10, {"type": "step"}, 0.05),
        (10, {"type": "step"}, 0.05),
        (10, {"type": "resume"}, 0),
        (20, {"type": "speed", "tps": 0}, 0.1),
        (20, {"type": "speed", "tps": 500}, 0),
        (40, {"type": "speed", "tps": -1}, 0),
    ]
    assert digests(200, commands) == fastest
