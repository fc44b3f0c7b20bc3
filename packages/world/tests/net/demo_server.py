"""A real `turnwright world serve`, programs that trade in it, and what its database holds."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import websockets

from turnwright.host.accounts import fold
from turnwright_world.net.database import Kept, open_database
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.state import World

PHRASE = "three green apples"
WAIT_S = 60.0


class Demo:
    """A process of `turnwright world serve`.

    Attributes:
        ws, telnet: where programs and terminals play.
    """

    def __init__(self, data: str, log: Path, *options: str, turn_ms: int = 100) -> None:
        self._log = log
        words = ["world", "serve", "--port", "0", "--telnet-port", "0", "--data", data]
        self._command = [
            sys.executable,
            "-m",
            "turnwright.cli",
            *words,
            "--turn",
            f"{turn_ms}ms",
            "--seed",
            "7",
        ]
        self._command += options

    def __enter__(self) -> Demo:
        with self._log.open("a") as log:
            self.process = subprocess.Popen(
                self._command,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "DISPLAY": ""},
            )
        assert self.process.stdout is not None
        said = {}
        for line in self.process.stdout:
            kind, _, where = line.partition(":")
            said[kind] = where.split()
            if kind == "programs":
                break
        assert "programs" in said, self.log()
        self.ws = said["programs"][0]
        self.telnet = said["telnet"][1], int(said["telnet"][2])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def browser(self) -> Any:
        """Connect as the page does; to be used with `async with`."""
        return websockets.connect(self.ws, subprotocols=[websockets.Subprotocol("gmcp.")], max_queue=None)

    def kill(self) -> None:
        """End it without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def log(self) -> str:
        """Return what it wrote to stderr."""
        return self._log.read_text("utf-8")


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
        """Come in; without a token as a guest."""
        self.socket = await websockets.connect(demo.ws, max_queue=None)
        await self.say("Hello", name=self.name, token=token)
        await self.until(lambda: bool(self.turn))

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        await self.socket.send(json.dumps({"type": kind, **fields}))

    async def type(self, *lines: str) -> None:
        """Give commands."""
        for line in lines:
            await self.say("Command", text=line)

    async def read(self) -> None:
        """Take one message."""
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
        """Read until something is true."""
        while not done():
            await self.read()

    async def hears(self, wanted: str) -> None:
        """Read until a text has been told."""
        await self.until(lambda: any(wanted in text for text in self.texts))
        self.texts = []

    async def drain(self) -> None:
        """Read what a killed server has still said."""
        try:
            while True:
                await self.read()
        except (websockets.ConnectionClosed, OSError, ConnectionError):
            pass


def kept_world(where: str) -> tuple[World, Kept]:
    """Return what a database holds."""
    database = open_database(where)
    kept = database.load()
    database.close()
    assert kept is not None
    return World.of(*(kept.number(name) for name in ("turn", "now_us", "dt_us")), kept.images), kept


def holdings(world: World, body: Creature) -> tuple[int, list[str]]:
    """Return money and things of a body, as its program gets them."""
    return body.money, sorted(world.items[number].name for number in body.items)


def misplaced(world: World) -> Mapping[int, int]:
    """Return the items that are not in exactly one place or pack: how often each is somewhere."""
    held = Counter(number for body in world.creatures.values() for number in body.items)
    held.update(number for place in world.places.values() for number in place.items)
    wrong = {number: count for number, count in held.items() if count != 1 or number not in world.items}
    return {**wrong, **{number: 0 for number in world.items if number not in held}}


def body_of(world: World, kept: Kept, name: str) -> Creature:
    """Return the body of an account."""
    (account,) = [account for account in kept.accounts if fold(account.name) == fold(name)]
    assert account.body is not None
    return world.creatures[account.body]
