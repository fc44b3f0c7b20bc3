"""Modules between a socket and the receipt of an intent: few enough to be read in one go."""

from __future__ import annotations

import asyncio
import json
import os
from time import monotonic_ns

from websockets.asyncio.client import ClientConnection, connect

from tests.games.tank.host.royale_rooms import config_of, rules, start_game
from tests.net.way import MODULES_MAX, Way
from turnwright.host.host import Host
from turnwright.net.server import LiveServer

TIMEOUT_US = 60_000_000


async def a_bot(server: LiveServer, name: str) -> ClientConnection:
    socket = await connect(f"ws://127.0.0.1:{server.port}", compression=None)
    hello = json.loads(await socket.recv())
    await socket.send(
        json.dumps({"type": "BotHandshake", "sessionId": hello["sessionId"], "name": name, "version": "1"})
    )
    return socket


async def heard(socket: ClientConnection, kind: str) -> None:
    while json.loads(await socket.recv())["type"] != kind:
        pass


def test_an_intent_passes_few_modules_and_the_host_is_entered_once() -> None:
    way = Way()

    async def main() -> None:
        config = config_of(new_game=rules, random_bytes=os.urandom, tps=-1, seed=1, stopwatch=monotonic_ns)
        host = Host(config)
        server = LiveServer(host, host_name="127.0.0.1", port=0)
        await server.start()
        bots = [await a_bot(server, name) for name in ("one", "two")]
        while len(host.lobby.bots()) < 2:
            await asyncio.sleep(0.01)
        where = [{"host": bot.peer_host, "port": bot.peer_port} for bot in host.lobby.bots()]
        start = {**start_game([], turnTimeout=TIMEOUT_US), "botAddresses": where}
        operator = server.connect_local(lambda data: None)
        session = next(c.session_id for c in host.lobby.clients.values() if c.role is None)
        hello = {"type": "ControllerHandshake", "sessionId": session, "name": "o", "version": "1"}
        operator.send(json.dumps(hello).encode())
        operator.send(json.dumps({"type": "StartGame", **start}).encode())
        for bot in bots:
            await heard(bot, "GameStartedEventForBot")
            await bot.send('{"type": "BotReady"}')
        for bot in bots:
            await heard(bot, "TickEventForBot")
        with way.noted():
            await bots[0].send('{"type": "BotIntent", "turnNumber": 1, "targetSpeed": 5}')
            battle = host.table.battle
            assert battle is not None
            while not battle.collected:
                await asyncio.sleep(0.01)
        assert battle.turn == 1, "the other bot has not answered"
        for bot in bots:
            await bot.close()
        await server.stop()

    asyncio.run(main())
    assert "turnwright.kernel.late_drop" in way.modules
    assert len(way.modules) <= MODULES_MAX, way.modules
    assert way.trips == 1
