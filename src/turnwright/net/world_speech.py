"""How one connection is spoken to, whatever carries it: telnet, `gmcp.`, `terminal.`, or a program's JSON.

What is said in one go of the event loop leaves as one message (telnet: one write) for each connection.
"""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

from turnwright.net.lines import LineConnection
from turnwright.net.world_socket import WorldSocket
from turnwright.wire.telnet import gmcp
from turnwright.wire.world.packed import pack_message

__all__ = ["BACKLOG_BYTES_MAX", "ProgramSpeech", "SocketSpeech", "Speech", "TelnetSpeech", "speech_of"]

BACKLOG_BYTES_MAX = 262_144
"""A WebSocket for which more is waiting does not read, and is cut off."""
_CLOSE_NORMAL = 1000

_encode = msgspec.json.Encoder().encode


class Speech(Protocol):
    """Speaks to one connection."""

    def text(self, text: str) -> None:
        """Show text; lines end in "\\n"."""

    def prompt(self, text: str) -> None:
        """Show text after which the player types."""

    def package(self, name: str, data: Any) -> None:
        """Send a message to its program."""

    def secret(self, on: bool) -> None:
        """What is typed next is not to be shown, or is again."""

    def flush(self) -> None:
        """Let out what has gathered."""

    def close(self, reason: str) -> None:
        """Say why and end the connection."""

    def abort(self) -> None:
        """End the connection now."""

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return the smoothed round trip and how much it varies, µs, or None where it is not known."""


class TelnetSpeech:
    """Telnet, which gathers by itself."""

    def __init__(self, connection: LineConnection) -> None:
        self._connection = connection
        self.text = connection.write
        self.prompt = connection.prompt
        self.close = connection.close
        self.round_trip_us = connection.round_trip_us
        self.abort = connection.abort

    def package(self, name: str, data: Any) -> None:
        """Send GMCP, where the client takes it."""
        self._connection.gmcp(name, data)

    def secret(self, on: bool) -> None:
        """Switch the echo."""
        self._connection.echo(not on)

    def flush(self) -> None:
        """Do nothing: telnet gathers by itself."""


class SocketSpeech:
    """`gmcp.` and `terminal.`: text goes in binary messages, packages, if it takes any, in text messages.

    packed: `packed.`, the other way round: packages are packed, in binary messages, and text is in text ones.
    """

    def __init__(self, socket: WorldSocket, *, takes_packages: bool, packed: bool = False) -> None:
        self._packed = packed
        self._socket = socket
        self._takes_packages = takes_packages
        self._gathered: list[str] = []

    def text(self, text: str) -> None:
        """Show text."""
        self._gathered.append(text.replace("\n", "\r\n"))

    def prompt(self, text: str) -> None:
        """Show a prompt."""
        self._gathered.append(text)

    def package(self, name: str, data: Any) -> None:
        """Send a package, behind the text before it."""
        if self._takes_packages:
            self._socket.held = True
            self._send_text()
            if self._packed:
                fields = data if isinstance(data, dict) else msgspec.to_builtins(data)
                self._socket.send_binary(pack_message(name, fields))
            else:
                self._socket.send(gmcp.write(name, data))

    def secret(self, on: bool) -> None:
        """Tell its program, if it has one."""
        self.package("Core.Secret", {"on": on})

    def flush(self) -> None:
        """Let out the text, and cut off who does not read."""
        self._send_text()
        if self._socket.held:
            self._socket.let_out()
        if self._socket.backlog > BACKLOG_BYTES_MAX:
            self._socket.abort()

    def _send_text(self) -> None:
        if self._gathered:
            data, self._gathered = "".join(self._gathered).encode("utf-8", "replace"), []
            if self._packed:
                self._socket.send(data)
            else:
                self._socket.send_binary(data)

    def close(self, reason: str) -> None:
        """Say why and end the connection."""
        self.text(f"{reason}\n")
        self.flush()
        self._socket.close(_CLOSE_NORMAL, reason)

    def abort(self) -> None:
        """End the connection now."""
        self._socket.abort()

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return what is known of its line."""
        return self._socket.round_trip_us()


class ProgramSpeech:
    """A program: each message is an object with a "type", or packed."""

    def __init__(self, socket: WorldSocket) -> None:
        self._socket = socket
        self.abort = socket.abort

    def text(self, text: str) -> None:
        """Send text as a message."""
        self.package("Game.Text", {"text": text})

    def prompt(self, text: str) -> None:
        """Do nothing: a program needs no prompt."""

    def package(self, name: str, data: Any) -> None:
        """Send a message."""
        fields = data if isinstance(data, dict) else msgspec.to_builtins(data)
        if self._socket.packed:
            self._socket.send_binary(pack_message(name, fields))
        else:
            self._socket.send(_encode({"type": name, **fields}))
        if self._socket.backlog > BACKLOG_BYTES_MAX:
            self._socket.abort()

    def secret(self, on: bool) -> None:
        """Do nothing: a program shows nobody what it sends."""

    def flush(self) -> None:
        """Do nothing: each message leaves at once."""

    def close(self, reason: str) -> None:
        """Say why and end the connection."""
        self.package("Goodbye", {"why": reason})
        self._socket.close(_CLOSE_NORMAL, reason)

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return what is known of its line."""
        return self._socket.round_trip_us()


def speech_of(socket: WorldSocket) -> SocketSpeech | ProgramSpeech:
    """Return how to speak to a WebSocket."""
    if not socket.protocol:
        return ProgramSpeech(socket)
    packed = socket.protocol == "packed."
    return SocketSpeech(socket, takes_packages=packed or socket.protocol == "gmcp.", packed=packed)
