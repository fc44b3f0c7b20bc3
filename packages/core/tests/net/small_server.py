"""A live server of snake for tests whose clients run in this process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from turnwright.app.game.playable import find_game
from turnwright.games.snake.game import SnakeGame
from turnwright.host.config import HostConfig
from turnwright.host.generic_protocol import GenericProtocol, generic_setup
from turnwright.host.host import Host
from turnwright.host.protocol import BattleSetup, GameProtocol
from turnwright.host.summary import BattleSummary
from turnwright.kernel.game import Game
from turnwright.net.http.ports import ListenAddress
from turnwright.net.participants.seating import seat_secret
from turnwright.net.server import LiveServer

BOT_SECRET, OPERATOR_SECRET = "bot secret", "operator secret"
SNAKES = find_game("snake").bots
PROTOCOL = GenericProtocol(SnakeGame(), "test 1")
Overs = list[BattleSummary]


class SmallServer(LiveServer):
    """A live server with its host."""

    def __init__(self, host: Host, overs: Overs) -> None:
        super().__init__(host, ListenAddress("127.0.0.1"), on_battle_over=lambda _, one: overs.append(one))
        self.host = host


@asynccontextmanager
async def small_server(
    overs: Overs | None = None,
    protocol: GameProtocol = PROTOCOL,
    new_game: Callable[[bool], Game] = lambda tolerant: SnakeGame(),
) -> AsyncIterator[SmallServer]:
    """Run a server on a free port. `overs` gets the summary of each battle."""
    config = HostConfig(
        new_game=new_game,
        protocol=protocol,
        random_bytes=os.urandom,
        bot_secrets=frozenset({BOT_SECRET, *(seat_secret(BOT_SECRET, seat) for seat in range(9))}),
        controller_secrets=frozenset({OPERATOR_SECRET}),
        tps=-1,
        seed=5,
        record=True,
    )
    server = SmallServer(Host(config), overs if overs is not None else [])
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def until(claim: Callable[[], object], timeout_s: float = 20.0) -> None:
    """Wait until a condition holds.

    Raises:
        TimeoutError
    """
    async with asyncio.timeout(timeout_s):
        while not claim():
            await asyncio.sleep(0.005)


def quick_setup(bots: int, ready_timeout_us: int = 5_000_000) -> BattleSetup:
    """Return the setup of a battle that ends soon."""
    times = {"turn_timeout_us": 2_000, "ready_timeout_us": ready_timeout_us}
    return generic_setup(SnakeGame(), {"turns": 20}, bots, bots_min=bots, **times)
