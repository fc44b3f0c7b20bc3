"""Connections of players: telnet, the browser's page, and programs.

Text that is written in one round of the event loop leaves as one message for each connection (on telnet as
one write).
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
from msgspec import Struct

from turnwright.net.websocket import connection as websocket
from turnwright.net.websocket.connection import SocketOptions, WebSocketConnection
from turnwright.net.websocket.interface import Accepted, Application
from turnwright_world.net.telnet_port import TelnetConnection, keep_alive, round_trip_us
from turnwright_world.wire.messages import convert
from turnwright_world.wire.packed import pack_message, unpack_message
from turnwright_world.wire.server_messages import (
    GameText,
    GoodbyeMessage,
    SecretInput,
    fields_of,
    name_of,
)
from turnwright_world.wire.telnet import gmcp
from turnwright_world.wire.telnet.codec import BURST, PER_S
from turnwright_world.wire.telnet.events import Gmcp, Notice

BACKLOG_BYTES_MAX = 262_144
"""A WebSocket for which more bytes are waiting is closed, because its client does not read."""

_encode = msgspec.json.Encoder().encode


class PlayerConnection(Protocol):
    """Sends to one player, over telnet or a WebSocket."""

    def text(self, text: str) -> None:
        """Show text. Its lines end in "\\n"."""

    def prompt(self, text: str) -> None:
        """Show text after which the player types."""

    def package(self, message: Struct) -> None:
        """Send a message to the player's program."""

    def secret(self, on: bool) -> None:
        """Hide what the player types next if `on` is True. Otherwise show it again."""

    def flush(self) -> None:
        """Send the collected text."""

    def close(self, code: int, reason: str = "") -> None:
        """Send the reason and end the connection.

        Args:
            code: the close code for a WebSocket.
        """

    def abort(self) -> None:
        """End the connection now. Data that waits to be sent is lost."""

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return the smoothed round trip and its variation in µs, or None if they are not known."""


class TelnetPlayer:
    """Sends over telnet. The telnet connection collects text itself."""

    def __init__(self, connection: TelnetConnection) -> None:
        self._connection = connection
        self.text = connection.write
        self.prompt = connection.prompt
        self.round_trip_us = connection.round_trip_us
        self.abort = connection.abort

    def package(self, message: Struct) -> None:
        """Send a GMCP message if the client accepts it."""
        self._connection.gmcp(name_of(message), message)

    def secret(self, on: bool) -> None:
        """Switch the client's echo off if `on` is True. Otherwise switch it on."""
        self._connection.echo(not on)

    def flush(self) -> None:
        """Do nothing, because the telnet connection collects text itself."""

    def close(self, code: int, reason: str = "") -> None:
        """Send the reason and end the connection."""
        self._connection.close(reason)


class BrowserPlayer:
    """Sends to a browser, by the sub-protocols `gmcp.`, `terminal.` and `packed.`.

    Text goes in binary messages. Packages, if the client accepts them, go in text messages.

    Args:
        packed: whether the sub-protocol is `packed.`. With `packed.`, packages are packed and go in binary
            messages, and text goes in text messages.
    """

    def __init__(self, socket: WebSocketConnection, *, takes_packages: bool, packed: bool = False) -> None:
        self._packed = packed
        self._socket = socket
        self._takes_packages = takes_packages
        self._held = False
        self._gathered: list[str] = []

    def text(self, text: str) -> None:
        """Collect text for `flush`."""
        self._gathered.append(text.replace("\n", "\r\n"))

    def prompt(self, text: str) -> None:
        """Collect a prompt for `flush`."""
        self._gathered.append(text)

    def package(self, message: Struct) -> None:
        """Send a package after the text that was written before, at the latest with the next `flush`."""
        if self._takes_packages:
            self._held = True
            self._socket.hold()
            self._send_text()
            if self._packed:
                self._socket.send_binary(pack_message(name_of(message), fields_of(message)))
            else:
                self._socket.send(gmcp.write(name_of(message), message))

    def secret(self, on: bool) -> None:
        """Tell the client's program whether to hide the next input, if the program accepts packages."""
        self.package(SecretInput(on))

    def flush(self) -> None:
        """Send the collected text."""
        self._send_text()
        if self._held:
            self._held = False
            self._socket.release()

    def _send_text(self) -> None:
        if self._gathered:
            data, self._gathered = "".join(self._gathered).encode("utf-8", "replace"), []
            if self._packed:
                self._socket.send(data)
            else:
                self._socket.send_binary(data)

    def close(self, code: int, reason: str = "") -> None:
        """Send the reason and end the connection."""
        self.text(f"{reason}\n")
        self.flush()
        self._socket.close(code, reason)

    def abort(self) -> None:
        """End the connection now."""
        self._socket.abort()

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return the round trip that the operating system has measured, or None."""
        return round_trip_us(self._socket.transport)


class ProgramPlayer:
    """Sends to a player's program.

    Messages are JSON objects with a "type". Once the program has sent a packed message, they are packed.
    """

    def __init__(self, socket: WebSocketConnection) -> None:
        self._socket = socket
        self.abort = socket.abort

    def text(self, text: str) -> None:
        """Send text as a message."""
        self.package(GameText(text))

    def prompt(self, text: str) -> None:
        """Do nothing, because a program needs no prompt."""

    def package(self, message: Struct) -> None:
        """Send a message, in binary if the program sends binary messages, otherwise as JSON."""
        name, fields = name_of(message), fields_of(message)
        if self._socket.sends_binary:
            self._socket.send_binary(pack_message(name, fields))
        else:
            self._socket.send(_encode({"type": name, **fields}))

    def secret(self, on: bool) -> None:
        """Tell the program that the server asks for a passphrase, or no longer does."""
        self.package(SecretInput(on))

    def flush(self) -> None:
        """Do nothing, because each message leaves immediately."""

    def close(self, code: int, reason: str = "") -> None:
        """Send the reason and end the connection."""
        self.package(GoodbyeMessage(reason))
        self._socket.close(code, reason)

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return the round trip that the operating system has measured, or None."""
        return round_trip_us(self._socket.transport)


def attach(application: Application, accepted: Accepted) -> None:
    """Complete an upgrade and take over the connection."""
    keep_alive(accepted.transport)
    websocket.attach(application, accepted, _OPTIONS)


def player_of(socket: WebSocketConnection) -> BrowserPlayer | ProgramPlayer:
    """Return the sender for the player of a WebSocket."""
    if not socket.protocol:
        return ProgramPlayer(socket)
    packed = socket.protocol == "packed."
    return BrowserPlayer(socket, takes_packages=packed or socket.protocol == "gmcp.", packed=packed)


PROTOCOLS = ("packed.", "gmcp.", "terminal.")
"""The sub-protocols of WebSockets, the preferred one first. Source: mudstandards.org, except for `packed.`.

packed.    binary frames are packed messages (`wire.packed`), text frames the terminal's text; both ways
gmcp.      text frames "Package.Name json", binary frames are the terminal's text; both ways
terminal.  binary frames only
(none)     text frames, each a JSON object with a "type"; or packed: binary frames, from the first one that
           the program sends
"""
_OPTIONS = SocketOptions(PROTOCOLS, frames_per_s=PER_S, frames_burst=BURST, gathers=True)

FRAME_BYTES_MAX = 40_960
"""The most bytes of a message from a client. A mind of the largest size fits as escaped JSON."""
LINE_CHARS_MAX = 1_000
_WHY_CHARS_MAX = 200
LINES_MAX = 64
"""The most lines in one binary message. The limit on lines per second is separate."""


def split_lines(data: bytes) -> tuple[list[str], str | None]:
    """Return the lines of a binary message, and its mistake, or None without a mistake.

    Long lines, and lines beyond LINES_MAX, are left out. A message that is too long has no lines.
    """
    text = data[:FRAME_BYTES_MAX].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    if text.endswith("\n"):
        text = text[:-1]
    lines = text.split("\n")
    fit = [line for line in lines[:LINES_MAX] if len(line) <= LINE_CHARS_MAX]
    if len(data) <= FRAME_BYTES_MAX and len(fit) == len(lines):
        return fit, None
    return ([] if len(data) > FRAME_BYTES_MAX else fit), f"a line has at most {LINE_CHARS_MAX} characters"


def read_object(data: bytes) -> Gmcp | Notice:
    """Return a program's message, or a notice about its mistake. The function raises no exception."""
    try:
        message = msgspec.json.decode(data)
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            return Notice(
                'a message is a JSON object with a "type", e.g. {"type": "Command", "text": "look"}'
            )
        return _converted(message.pop("type")[:64], message)
    except (ValueError, RecursionError) as error:
        return _unreadable("this message", error)


def read_packed(data: bytes) -> Gmcp | Notice:
    """Return a program's packed message, or a notice about its mistake. The function raises no exception."""
    try:
        package, fields = unpack_message(data)
        return _converted(package[:64], fields)
    except (ValueError, RecursionError) as error:
        return _unreadable("this message", error)


def _converted(package: str, fields: Any) -> Gmcp | Notice:
    try:
        return Gmcp(package, convert(package, fields))
    except ValueError as error:
        return _unreadable(f"the message {package}", error)


def _unreadable(what: str, error: Exception) -> Notice:
    text = f"{what} cannot be read: {error}"
    return Notice("".join(c for c in text if c.isprintable())[:_WHY_CHARS_MAX])
