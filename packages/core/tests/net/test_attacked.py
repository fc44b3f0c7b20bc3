"""A battle continues, without a skipped turn, during attempts to bring the server down."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from urllib.request import urlopen

import pytest
from websockets.asyncio.client import ClientConnection

from packages.core.tests.app.served import Served
from packages.core.tests.net.attacker import KINDS
from packages.core.tests.net.besieged import (
    COUNTDOWN,
    TIMEOUT_US,
    TURNS_MIN,
    Player,
    besieged,
    in_battle,
    until,
)
from packages.core.tests.net.raw_client import frame

pytestmark = pytest.mark.process

FLOOD, FLOOD_TURN = 20_000, 5
FLOODED_TIMEOUT_US = 700_000
"""The timeout of each turn, which waits for a flooder in vain."""
FLOODER_SKIPS = 3
TPS = 50


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with Served("--game", "countdown", "--tps", TPS, "--turn-timeout", f"{TIMEOUT_US}us") as served:
        yield served


class Flooder(Player):
    """A bot that answers a few turns, then sends thousands of intents together, then nothing."""

    async def answer(self, socket: ClientConnection) -> None:
        if len(self.seen) < FLOOD_TURN:
            await super().answer(socket)
        elif len(self.seen) == FLOOD_TURN:
            socket.transport.write(frame(COUNTDOWN.intent.encode()) * FLOOD)


def figure(server: Served, name: str) -> float:
    """Return the value of one of the server's metrics."""
    with urlopen(f"http://127.0.0.1:{server.port}/metrics") as reply:
        lines = reply.read().decode().splitlines()
    return float(next(line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")))


def test_a_bot_that_floods_its_battle_costs_its_neighbour_no_turn(server: Served) -> None:
    """Its thousands of answers are read within its own deadlines, and hold up nothing that comes after."""

    async def played() -> tuple[Player, Player, float]:
        neighbour, flooder = Player(COUNTDOWN), Flooder(COUNTDOWN)
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
def test_an_attack_causes_no_skip(server: Served, kind: str) -> None:
    players = asyncio.run(besieged(server, COUNTDOWN, kind))
    assert [one.skipped for one in players] == [[], []]
    assert all(len(one.seen) > TURNS_MIN for one in players)
    assert server.run.process.poll() is None
