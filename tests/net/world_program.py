"""A server of the yard in a process of its own, to be killed: python -m tests.net.world_program DATA PACE."""

from __future__ import annotations

import asyncio
import sys

from turnwright.games.world.game import WorldGame
from turnwright.host.world.host import WorldConfig
from turnwright.net.store_sql import open_database
from turnwright.net.world import WorldServer
from turnwright.net.world_founding import found


async def main() -> None:
    database = open_database(sys.argv[1])
    founded = found(WorldGame(), database, seed=5)
    config = WorldConfig(pace_us=int(sys.argv[2]), salt=founded.salt)
    server = WorldServer(founded, config, database=database)
    await server.start()
    print(server.port, server.telnet_port, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
