"""The way of one bot's intent through a server: which of our modules it passes."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect

from turnwright.host.config import HostConfig
from turnwright.host.host import Host
from turnwright.net.http.ports import ListenAddress
from turnwright.net.server import LiveServer

MODULES_MAX = 15
"""Modules between a socket and the receipt of an intent: few enough to be read in one go."""
TOUR = Path(__file__).parents[4] / "docs" / "tour.md"
PACKAGES = ("turnwright.", "turnwright_")

Message = dict[str, Any]


class Way:
    """The way of an intent.

    Attributes:
        modules: the modules that were passed, each once, in order.
        trips: the number of calls of the server to the host.
    """

    def __init__(self) -> None:
        self.modules: list[str] = []
        self.trips = 0

    @contextmanager
    def noted(self) -> Iterator[Way]:
        """Record the calls in this thread."""

        def note(frame: FrameType, event: str, _: Any) -> None:
            name = str(frame.f_globals.get("__name__", ""))
            if event != "call" or not name.startswith(PACKAGES):
                return
            if name not in self.modules:
                self.modules.append(name)
            caller = frame.f_back.f_globals.get("__name__", "") if frame.f_back is not None else ""
            enters = name == "turnwright.host.host" and str(caller).startswith("turnwright.net.")
            self.trips += enters and frame.f_code.co_name != "take"

        sys.setprofile(note)
        try:
            yield self
        finally:
            sys.setprofile(None)


def modules_in_the_tour() -> list[int]:
    """Return the numbers of modules that the tour gives: of the generic protocol, and of Tank Royale's."""
    found = re.search(
        r"an intent passes through (\d+) modules \((\d+) with Tank Royale's", TOUR.read_text("utf-8")
    )
    assert found is not None, "docs/tour.md says how many modules an intent passes"
    return [int(number) for number in found.groups()]


class Talk(NamedTuple):
    """Messages of bots and an operator in one protocol, until turn 1 is answered.

    Attributes:
        hello: returns the first message of a client, from the server's greeting, its role and its name.
        start: returns the message that starts a battle, from the addresses of bots.
        asked, shown: the kinds of message after which a bot says ready, and its intent.
    """

    hello: Callable[[Message, str, str], Message]
    start: Callable[[list[Message]], Message]
    asked: str
    ready: Message
    shown: str
    intent: Message


def way_of_an_intent(config: HostConfig, talk: Talk) -> Way:
    """Return the way of the first of two bots' intents, over a WebSocket; the other bot has not answered."""
    return asyncio.run(_played(config, talk))


async def _played(config: HostConfig, talk: Talk) -> Way:
    host, way = Host(config), Way()
    server = LiveServer(host, ListenAddress("127.0.0.1"))
    await server.start()
    bots = [await _bot(server, talk, name) for name in ("one", "two")]
    while len(host.lobby.bots()) < 2:
        await asyncio.sleep(0.01)
    where: list[Message] = [{"host": bot.origin.host, "port": bot.origin.port} for bot in host.lobby.bots()]
    told: list[Any] = []
    operator = server.connect_local(told.append)
    while not told:
        await asyncio.sleep(0.01)
    for message in (talk.hello(json.loads(told[0]), "operator", "o"), talk.start(where)):
        operator.send(json.dumps(message).encode())
    for bot in bots:
        await _heard(bot, talk.asked)
        await bot.send(json.dumps(talk.ready))
    for bot in bots:
        await _heard(bot, talk.shown)
    with way.noted():
        await bots[0].send(json.dumps(talk.intent))
        battle = host.room.battle
        assert battle is not None
        while not battle.collecting.inbox.answers:
            await asyncio.sleep(0.01)
    assert battle.turn == 1, "the other bot has not answered"
    for bot in bots:
        await bot.close()
    await server.stop()
    return way


async def _bot(server: LiveServer, talk: Talk, name: str) -> ClientConnection:
    socket = await connect(f"ws://127.0.0.1:{server.port}", compression=None)
    greeting = json.loads(await socket.recv())
    await socket.send(json.dumps(talk.hello(greeting, "bot", name)))
    return socket


async def _heard(socket: ClientConnection, kind: str) -> None:
    while json.loads(await socket.recv())["type"] != kind:
        pass
