"""A world whose minds plan in processes, players at its telnet port, and a program that serves one.

python -m packages.world.tests.net.player_minds_server WHERE
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from turnwright.errors import SetupError
from turnwright.net import loop as loops
from turnwright_world.game import WorldGame
from turnwright_world.host.host import WorldConfig
from turnwright_world.net.database import MEMORY, Database, open_database
from turnwright_world.net.open_world import open_world
from turnwright_world.net.server import WorldServer, start_server
from turnwright_world.planning.limits import WORLD, PlanRules
from turnwright_world.planning.net.world_planner import ProcessPlanner

PHRASE = "a long passphrase"
WALKER = "def plan(view, random):\n    print('I see', len(view['here']))\n    return 'dig'\n"
RULES = PlanRules(slots=2, wall_us=2_000_000, phase_us=180_000, plan_us=20_000, weights={WORLD: 64})


def opened(where: str) -> Database:
    """Open a database as soon as a killed server no longer locks it."""
    end_s = time.monotonic() + 30
    while True:
        try:
            return open_database(where)
        except SetupError as error:
            if "another server" not in str(error) or time.monotonic() > end_s:
                raise
            time.sleep(0.02)


@asynccontextmanager
async def running(where: str = MEMORY) -> AsyncIterator[WorldServer]:
    world = open_world(WorldGame(), opened(where), seed=3)
    config = WorldConfig(pace_us=100_000, plan_us=75_000, salt=world.salt)
    planner = ProcessPlanner(
        RULES, 3, {"hopper": ("minds/hopper.py", "def plan(view, random): return 'dig'")}
    )
    server = await start_server(world, config, planner=planner)
    try:
        async with asyncio.timeout(60):
            yield server
    finally:
        await server.stop()


class Player:
    """A player at a telnet connection that answers no negotiation."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer, self.text = reader, writer, ""

    @classmethod
    async def of(cls, port: int, name: str, *, new: bool = True, guest: bool = False) -> Player:
        """Log in: as a new player with a new account, with the passphrase of one, or as a guest."""
        player = cls(*await asyncio.open_connection("127.0.0.1", port))
        player.type(name)
        if guest:
            await player.until("Yard")
        elif new:
            await player.until("Yard")
            player.type("keep", PHRASE, PHRASE)
            await player.until("is saved")
        else:
            player.type(PHRASE)
            await player.until("Yard")
        return player

    def type(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode())

    async def until(self, wanted: str) -> str:
        """Return the text that was shown up to `wanted`."""
        while wanted not in self.text:
            data = await self.reader.read(65_536)
            assert data, f"{wanted!r} did not come: {self.text[-600:]!r}"
            self.text += data.decode("utf-8", "ignore")
        before, _, self.text = self.text.partition(wanted)
        return before

    async def close(self) -> None:
        self.writer.close()


async def _serve(where: str) -> None:
    async with running(where) as server:
        print(server.telnet_port, flush=True)
        await asyncio.sleep(60)


if __name__ == "__main__":
    loops.run(_serve(sys.argv[1]))
