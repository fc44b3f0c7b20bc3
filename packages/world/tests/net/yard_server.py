"""A server of the yard in its own process, to be killed: `python -m … DATA PACE`."""

from __future__ import annotations

import asyncio
import sys

from turnwright_world.game import WorldGame
from turnwright_world.host.host import WorldConfig
from turnwright_world.net.database import open_database
from turnwright_world.net.open_world import open_world
from turnwright_world.net.server import start_server


async def main() -> None:
    opened = open_world(WorldGame(), open_database(sys.argv[1]), seed=5)
    config = WorldConfig(pace_us=int(sys.argv[2]), salt=opened.salt)
    server = await start_server(opened, config)
    print(server.port, server.telnet_port, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
