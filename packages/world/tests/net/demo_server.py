"""A real `turnwright world serve`, programs that trade in it, and the world in its database."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import websockets

from packages.core.tests.cli.running import Running
from turnwright.host.accounts import fold
from turnwright_world.net.database import Kept, open_database
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.state import World

PHRASE = "three green apples"
WAIT_S = 60.0


class Demo(Running):
    """A process of `turnwright world serve` on free ports.

    Args:
        cwd: where it has its data, if the options do not name another place.
    """

    def __init__(self, *options: str | Path, cwd: Path | None = None) -> None:
        words = ("world", "serve", "--port", "0", "--telnet-port", "0", "--no-open")
        super().__init__(*words, *options, cwd=cwd)

    @property
    def url(self) -> str:
        """The address for programs."""
        return self.said(r"^programs: (\S+)")[1]

    @property
    def port(self) -> int:
        """The port for browsers and programs."""
        return int(self.url.rpartition(":")[2])

    @property
    def telnet_port(self) -> int:
        """The port for terminals."""
        return int(self.said(r"^telnet: .* (\d+)$")[1])

    def browser(self) -> Any:
        """Return a connection like the page's, for `async with`."""
        return websockets.connect(self.url, subprotocols=[websockets.Subprotocol("gmcp.")], max_queue=None)

    def end(self, with_signal: int) -> tuple[int, str]:
        """End it with a signal, and return its exit code and its log."""
        self.process.send_signal(with_signal)
        return self.wait(), "\n".join(self.lines)


class Program:
    """A program in the world.

    Attributes:
        seen: for each turn that it perceived, its money and what it carries.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen: dict[int, tuple[int, list[str]]] = {}
        self.texts: list[str] = []
        self.turn: dict[str, Any] = {}

    async def come(self, demo: Demo, token: str = "") -> None:
        """Log in, without a token as a guest, and wait for the first turn."""
        self.socket = await websockets.connect(demo.url, max_queue=None)
        await self.say("Hello", name=self.name, token=token)
        await self.until(lambda: bool(self.turn))

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def type(self, *lines: str) -> None:
        """Send commands."""
        for line in lines:
            await self.say("Command", text=line)

    async def read(self) -> None:
        """Read one message.

        Raises:
            ConnectionError: the server said goodbye.
        """
        message = json.loads(await asyncio.wait_for(self.socket.recv(), WAIT_S))
        if message["type"] == "Turn":
            self.turn = message
            items = sorted(str(item["name"]) for item in message["items"])
            self.seen[message["turn"]] = int(message["vitals"]["money"]), items
            self.texts += [str(heard.get("text", "")) for heard in message["heard"]]
        elif message["type"] == "Goodbye":
            raise ConnectionError(message["why"])
        else:
            self.texts.append(str(message.get("text", "")))

    async def until(self, done: Any) -> None:
        """Read until a condition holds."""
        while not done():
            await self.read()

    async def hears(self, wanted: str) -> None:
        """Read until a text has arrived. Then forget all texts."""
        await self.until(lambda: any(wanted in text for text in self.texts))
        self.texts = []

    async def drain(self) -> None:
        """Read the last messages of a killed server."""
        try:
            while True:
                await self.read()
        except (websockets.ConnectionClosed, OSError, ConnectionError):
            pass


def kept_world(where: str) -> tuple[World, Kept]:
    """Return the world in a database, and all that the database keeps."""
    database = open_database(where)
    kept = database.load()
    database.close()
    assert kept is not None
    return World.of(*(kept.number(name) for name in ("turn", "now_us", "dt_us")), kept.images), kept


def holdings(world: World, body: Creature) -> tuple[int, list[str]]:
    """Return money and things of a body, as its program gets them."""
    return body.money, sorted(world.items[number].name for number in body.items)


def misplaced(world: World) -> Mapping[int, int]:
    """Return the items that are not in exactly one place or pack, with the number of places of each."""
    held = Counter(number for body in world.creatures.values() for number in body.items)
    held.update(number for place in world.places.values() for number in place.items)
    wrong = {number: count for number, count in held.items() if count != 1 or number not in world.items}
    return {**wrong, **{number: 0 for number in world.items if number not in held}}


def body_of(world: World, kept: Kept, name: str) -> Creature:
    """Return the body of an account."""
    (account,) = [account for account in kept.accounts if fold(account.name) == fold(name)]
    assert account.body is not None
    return world.creatures[account.body]
