"""A small text game at a telnet port, and a client that reads its texts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from packages.world.tests.wire.telnet.peer import Peer as Screen
from turnwright.host.admission import AdmissionConfig
from turnwright.net.http.ports import bind
from turnwright.net.websocket.interface import PeerAddress
from turnwright_world.net.telnet_port import Listing, TelnetApplication, TelnetConnection, TelnetPort
from turnwright_world.wire.telnet.events import Terminal

DEFECT = "a defect of the game"
VITALS = {"hp": 12, "maxhp": 20, "name": "Zoë"}


class Game(TelnetApplication):
    """Records everything that it receives, and answers the words that the tests type."""

    def __init__(self) -> None:
        self.open: list[TelnetConnection] = []
        self.lines: list[str] = []
        self.messages: list[tuple[str, Any]] = []
        self.sizes: list[tuple[int, int]] = []
        self.terminals: list[Terminal] = []
        self.closed: list[str] = []
        self.refuses = ""

    def on_open(self, connection: TelnetConnection, peer: PeerAddress) -> None:
        self.open.append(connection)
        if self.refuses:
            connection.close(self.refuses)
        connection.write("Welcome, Zoë.\n")
        connection.prompt("Name? ")

    def on_line(self, connection: TelnetConnection, text: str) -> None:
        self.lines.append(text)
        match text:
            case "vitals":
                connection.gmcp("Char.Vitals", VITALS)
            case "secret":
                connection.echo(False)
                connection.prompt("Passphrase: ")
                return
            case "shown":
                connection.echo(True)
            case "bye":
                connection.close("Farewell.")
            case "vanish":
                connection.abort()
            case "crash":
                raise ValueError(DEFECT)
            case "flood":
                for _ in range(1_000):
                    connection.write("x" * 1_000 + "\n")
        connection.write(f"You said: {text}\n")
        connection.prompt("> ")

    def on_gmcp(self, connection: TelnetConnection, package: str, data: object) -> None:
        self.messages.append((package, data))

    def on_size(self, connection: TelnetConnection, columns: int, rows: int) -> None:
        self.sizes.append((columns, rows))

    def on_terminal(self, connection: TelnetConnection, terminal: Terminal) -> None:
        self.terminals.append(terminal)

    def on_close(self, connection: TelnetConnection, reason: str) -> None:
        self.open.remove(connection)
        self.closed.append(reason)

    def listing(self) -> Listing:
        return {"NAME": "a small game", "PLAYERS": len(self.open), "UPTIME": 0}


class Player:
    """A client that types bytes and reads."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.screen = Screen()
        self.reads = 0

    def type(self, data: bytes) -> None:
        self.writer.write(data)

    async def sees(self, text: str) -> None:
        """Wait until `text` is on the screen."""
        while text not in self.screen.text:
            assert await self.more(), f"it ended with {self.screen.text[-500:]!r}"

    async def more(self) -> bool:
        """Read once, and return whether the connection is still open."""
        data = await asyncio.wait_for(self.reader.read(65_536), 60)
        self.reads += 1
        self.screen.feed(data)
        return bool(data)

    async def ended(self) -> None:
        """Read to the end."""
        try:
            while await self.more():
                pass
        except ConnectionResetError:
            pass


@asynccontextmanager
async def game(gate: AdmissionConfig | None = None) -> AsyncIterator[tuple[Game, TelnetPort, int]]:
    application = Game()
    door = TelnetPort(application, gate or AdmissionConfig())
    sockets = bind("127.0.0.1", 0)
    port = int(sockets[0].getsockname()[1])
    await door.open(sockets)
    try:
        yield application, door, port
    finally:
        door.close()
        for connection in list(door.connections):
            connection.abort()
        await asyncio.sleep(0)


@asynccontextmanager
async def player(port: int) -> AsyncIterator[Player]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield Player(reader, writer)
    finally:
        writer.transport.abort()
