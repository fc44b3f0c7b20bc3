"""A seeded battle of house bots over real sockets comes out the same at every speed and through pauses."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

import pytest
import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from turnwright.games.tank.bots.connection import BotSession
from turnwright.games.tank.bots.house import HOUSE
from turnwright.games.tank.bots.identity import read_identity
from turnwright.games.tank.game import TankGame
from turnwright.games.tank.host.royale import RoyaleProtocol
from turnwright.games.tank.wire.royale import messages as m
from turnwright.games.tank.wire.royale.codec import decode_server, encode
from turnwright.games.tank.wire.royale.setup import preset
from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.kernel.record import Footer, Header, TurnEntry
from turnwright.net.server import LiveServer

pytestmark = pytest.mark.process

NAMES = ("Spinner", "Rammer")
TURN_TIMEOUT_US = 2_000_000
Command = tuple[int, Callable[[], object], float]
"""When an operator has seen this turn: say this, then wait (s) before the next command."""


class Digests:
    """An archive that keeps what each turn came to."""

    def __init__(self) -> None:
        self.turns: list[tuple[str, tuple[int, ...]]] = []

    def open(self, battle: int, header: Header) -> None:
        self.turns.clear()

    def turn(self, battle: int, entry: TurnEntry) -> None:
        self.turns.append((entry.digest, entry.skipped))

    def close(self, battle: int, footer: Footer) -> None:
        pass


async def play_bot(name: str, url: str) -> None:
    bot = HOUSE[name]()
    bot.use_seed(5)
    session = BotSession(bot, read_identity(type(bot)))
    async with connect(url, max_size=None) as socket:
        try:
            while True:
                for text in session.receive((await socket.recv()).encode()) + session.answer():
                    await socket.send(text.decode())
        except ConnectionClosed:
            pass


async def operate(url: str, commands: list[Command]) -> None:
    """Start the game once both bots are there, then give the commands as their turns come by."""
    async with connect(url, max_size=None) as socket:
        hello = decode_server((await socket.recv()).encode())
        assert isinstance(hello, m.ServerHandshake)
        greeting = m.ControllerHandshake(session_id=hello.session_id, name="op", version="1", turnwright=1)
        await socket.send(encode(greeting).decode())
        started, turn = False, 0
        try:
            while True:
                message: Any = decode_server((await socket.recv()).encode())
                if isinstance(message, m.BotListUpdate) and len(message.bots) == len(NAMES) and not started:
                    started = True
                    await socket.send(encode(start_message(message.bots)).decode())
                turn = getattr(message, "turn_number", turn)
                while commands and turn >= commands[0][0]:
                    _, command, wait_s = commands.pop(0)
                    await socket.send(encode(command()).decode())
                    await asyncio.sleep(wait_s)
        except ConnectionClosed:
            pass


def start_message(bots: tuple[m.BotInfo, ...]) -> m.StartGame:
    setup = preset("custom")
    setup.arena_width = setup.arena_height = 300
    setup.number_of_rounds = 1
    setup.turn_timeout = TURN_TIMEOUT_US
    chosen = sorted(bots, key=lambda bot: NAMES.index(bot.name))
    addresses = tuple(m.BotAddress(host=bot.host, port=bot.port) for bot in chosen)
    return m.StartGame(game_setup=setup, bot_addresses=addresses)


def digests(tps: int, commands: list[Command] | None = None, limit_turns: int = 100_000) -> list[Any]:
    async def main() -> list[Any]:
        archive, over = Digests(), asyncio.Event()
        host = Host(
            HostConfig(
                new_game=lambda _: TankGame("python"),
                protocol=RoyaleProtocol(),
                random_bytes=os.urandom,
                tps=tps,
                seed=11,
                record=True,
            )
        )
        server = LiveServer(host, port=0, archive=archive, on_battle_over=lambda *_: over.set())
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

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(asyncio.wait_for(main(), 120))


@pytest.fixture(scope="module")
def fastest() -> list[Any]:
    turns = digests(-1)
    assert len(turns) > 60
    assert not any(skipped for _, skipped in turns)
    return turns


def test_full_speed_comes_out_the_same_again(fastest: list[Any]) -> None:
    assert digests(-1) == fastest


def test_999_turns_a_second_change_nothing(fastest: list[Any]) -> None:
    assert digests(999) == fastest


def test_30_turns_a_second_change_nothing(fastest: list[Any]) -> None:
    assert digests(30, limit_turns=75) == fastest[:75]


def test_1_turn_a_second_changes_nothing(fastest: list[Any]) -> None:
    assert digests(1, limit_turns=4) == fastest[:4]


def test_pauses_steps_and_changes_of_speed_change_nothing(fastest: list[Any]) -> None:
    commands: list[Command] = [
        (10, m.PauseGame, 0.1),
        (10, m.NextTurn, 0.05),
        (10, m.NextTurn, 0.05),
        (10, m.ResumeGame, 0),
        (20, lambda: m.ChangeTps(tps=0), 0.1),
        (20, lambda: m.ChangeTps(tps=500), 0),
        (40, lambda: m.ChangeTps(tps=-1), 0),
    ]
    assert digests(200, commands) == fastest
