"""The two doors of a world: what telnet and WebSocket tell, said to the server in the same words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

from turnwright.host.world.sessions import Carrier
from turnwright.net.http import HttpResponse
from turnwright.net.lines import LineConnection, Listing
from turnwright.net.transport import Connection, Peer
from turnwright.net.world_socket import WorldSocket
from turnwright.net.world_speech import Speech, TelnetSpeech, speech_of
from turnwright.wire.telnet import gmcp
from turnwright.wire.telnet.events import Gmcp, Mtts, Notice, Terminal
from turnwright.wire.telnet.packages import convert
from turnwright.wire.world.packed import pack_message, unpack_message

__all__ = [
    "FRAME_BYTES_MAX",
    "LINES_MAX",
    "Server",
    "SocketHall",
    "TelnetHall",
    "read_object",
    "read_packed",
    "split_lines",
]

FRAME_BYTES_MAX = 40_960
"""A message of a player's program, or of a program, may have so many bytes: a whole mind fits, escaped."""
LINE_CHARS_MAX = 1_000
LINES_MAX = 64
"""Lines in one binary message; the limit on lines a second is another."""
_CARRIERS: Mapping[str, Carrier] = {
    "packed.": "packed",
    "gmcp.": "gmcp",
    "terminal.": "terminal",
    "": "program",
}


class Server(Protocol):
    """What the doors tell; `world.WorldServer` is one."""

    def enter(self, carrier: Carrier, address: str, speech: Speech) -> int: ...
    def line(self, conn: int, text: str) -> None: ...
    def message(self, conn: int, package: str, data: Any) -> None: ...
    def terminal(self, conn: int, **known: Any) -> None: ...
    def mistake(self, conn: int, text: str) -> None: ...
    def left(self, conn: int) -> None: ...
    def http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse: ...
    def listing(self) -> Listing: ...


class TelnetHall:
    """See `lines.Lines`."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def on_open(self, connection: LineConnection, peer: Peer) -> None:
        """A player's program connected."""
        connection.key = self._server.enter("telnet", peer.host, TelnetSpeech(connection))

    def on_line(self, connection: LineConnection, text: str) -> None:
        """A line was typed."""
        self._server.line(connection.key, text)

    def on_gmcp(self, connection: LineConnection, package: str, data: object) -> None:
        """A message came."""
        self._server.message(connection.key, package, data)

    def on_size(self, connection: LineConnection, columns: int, rows: int) -> None:
        """The window has this size."""
        self._server.terminal(connection.key, width=columns)

    def on_terminal(self, connection: LineConnection, terminal: Terminal) -> None:
        """More is known of the player's program."""
        mtts = terminal.mtts or Mtts(0)
        self._server.terminal(
            connection.key,
            colours=bool(mtts & Mtts.ANSI) and not mtts & Mtts.SCREEN_READER,
            screen_reader=bool(mtts & Mtts.SCREEN_READER),
            packages=connection.has_gmcp,
        )

    def on_close(self, connection: LineConnection, reason: str) -> None:
        """The connection is gone."""
        self._server.left(connection.key)

    def listing(self) -> Listing:
        """Return what directories of games shall know."""
        return self._server.listing()


class SocketHall:
    """See `world_socket.SocketApplication`. A socket's line that has no end yet waits for it."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def on_open(self, connection: Connection, peer: Peer) -> None:
        """A WebSocket is ready."""
        assert isinstance(connection, WorldSocket)
        carrier = _CARRIERS[connection.protocol]
        connection.key = self._server.enter(carrier, peer.host, speech_of(connection))

    def on_text(self, connection: Connection, data: bytes) -> None:
        """A text message came: a package, or a program's object."""
        assert isinstance(connection, WorldSocket)
        if len(data) > FRAME_BYTES_MAX:
            why = f"a message has at most {FRAME_BYTES_MAX} bytes; this one has {len(data)}"
            self._server.mistake(connection.key, why)
            return
        if connection.protocol in ("terminal.", "packed."):
            self._lines(connection, data)
            return
        self._deal(connection, gmcp.read(data) if connection.protocol else read_object(data))

    def _deal(self, connection: WorldSocket, read: Gmcp | Notice) -> None:
        if isinstance(read, Notice):
            self._server.mistake(connection.key, read.text)
        elif read.package == "Core.Ping" and connection.protocol:
            if connection.protocol == "packed.":
                connection.send_binary(pack_message("Core.Ping", {}))
            else:
                connection.send(b"Core.Ping")
        else:
            self._server.message(connection.key, read.package, read.data)

    def on_binary(self, connection: WorldSocket, data: bytes) -> None:
        """A binary message came: typed lines, or a packed message."""
        if connection.protocol in ("", "packed."):
            connection.packed = True
            self._deal(connection, read_packed(data))
        else:
            self._lines(connection, data)

    def _lines(self, connection: WorldSocket, data: bytes) -> None:
        lines, problem = split_lines(data)
        for line in lines:
            self._server.line(connection.key, line)
        if problem is not None:
            self._server.mistake(connection.key, problem)

    def on_pressure(self, connection: Connection, high: bool) -> None:
        """Whoever does not read is cut off by `SocketSpeech`."""

    def on_close(self, connection: Connection) -> None:
        """The connection is gone."""
        self._server.left(connection.key)

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Answer a request."""
        return self._server.http(method, path, headers)


def split_lines(data: bytes) -> tuple[list[str], str | None]:
    """Return the lines of a binary message, each whole, and what was wrong with others, or None."""
    text = data[:FRAME_BYTES_MAX].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if text.endswith("\n"):
        text = text[:-1]
    lines = text.split("\n")
    fit = [line for line in lines[:LINES_MAX] if len(line) <= LINE_CHARS_MAX]
    if len(data) <= FRAME_BYTES_MAX and len(fit) == len(lines):
        return fit, None
    return ([] if len(data) > FRAME_BYTES_MAX else fit), f"a line has at most {LINE_CHARS_MAX} characters"


def read_object(data: bytes) -> Gmcp | Notice:
    """Return a program's message, or what is wrong with it. Never raises."""
    try:
        message = msgspec.json.decode(data)
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            return Notice(
                'a message is a JSON object with a "type", e.g. {"type": "Command", "text": "look"}'
            )
        package = message.pop("type")[:64]
        return Gmcp(package, convert(package, message))
    except (ValueError, RecursionError) as error:
        why = "".join(c for c in str(error) if c.isprintable())[:120]
        return Notice(f"this message cannot be read: {why}")


def read_packed(data: bytes) -> Gmcp | Notice:
    """Return a program's packed message, or what is wrong with it. Never raises."""
    try:
        package, fields = unpack_message(data)
        return Gmcp(package[:64], convert(package, fields))
    except (ValueError, RecursionError) as error:
        why = "".join(c for c in str(error) if c.isprintable())[:120]
        return Notice(f"this message cannot be read: {why}")
