"""A world whose minds plan in processes, players at its telnet port, and a program that serves one.

python -m tests.net.own_minds_rig FILE
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from turnwright.games.world.game import WorldGame
from turnwright.host.planning.rules import WORLD, PlanRules
from turnwright.host.world.host import WorldConfig
from turnwright.net import loops
from turnwright.net.store_sql import open_database
from turnwright.net.world import WorldServer
from turnwright.net.world_founding import found
from turnwright.net.world_planner import ProcessPlanner

PHRASE = "a long passphrase"
WALKER = "def plan(view, random):\n    print('I see', len(view['here']))\n    return 'dig'\n"
RULES = PlanRules(slots=2, wall_us=2_000_000, phase_us=180_000, plan_us=20_000, weights={WORLD: 64})


@asynccontextmanager
async def running(data: Path | None = None) -> AsyncIterator[WorldServer]:
    database = open_database(data) if data is not None else None
    founded = found(WorldGame(), database, seed=3)
    config = WorldConfig(pace_us=100_000, plan_us=75_000, salt=founded.salt)
    planner = ProcessPlanner(
        RULES, 3, {"hopper": ("minds/hopper.py", "def plan(view, random): return 'dig'")}
    )
    server = WorldServer(founded, config, database=database, planner=planner)
    await server.start()
    try:
        async with asyncio.timeout(60):
            yield server
    finally:
        await server.stop()


class Player:
    """Somebody at a telnet line that answers no negotiation."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer, self.text = reader, writer, ""

    @classmethod
    async def of(cls, port: int, name: str, *, new: bool = True) -> Player:
        player = cls(*await asyncio.open_connection("127.0.0.1", port))
        player.type(name)
        if new:
            await player.until("Yard")
            player.type("keep", PHRASE, PHRASE)
            await player.until("is kept from now on")
        else:
            player.type(PHRASE)
            await player.until("Yard")
        return player

    def type(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode())

    async def until(self, wanted: str) -> str:
        """Return what was shown up to a text."""
        while wanted not in self.text:
            data = await self.reader.read(65_536)
            assert data, f"{wanted!r} did not come: {self.text[-600:]!r}"
            self.text += data.decode("utf-8", "ignore")
        before, _, self.text = self.text.partition(wanted)
        return before

    async def close(self) -> None:
        self.writer.close()


async def _serve(data: Path) -> None:
    async with running(data) as server:
        print(server.telnet_port, flush=True)
        await asyncio.sleep(60)


if __name__ == "__main__":
    loops.run(_serve(Path(sys.argv[1])))
