"""The telnet port: connections, limits, one write a turn; what bytes mean is `wire/telnet`'s business.

    door = TelnetDoor(application, GateConfig())
    await door.open(bind("127.0.0.1", 4000))

A caller sees its first byte at once: options and greeting leave with the accept, and what it answers later
only makes things nicer.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from turnwright.host.gate import GateConfig, HttpRefusal, crowding
from turnwright.net.breather import Breather
from turnwright.net.callers import Callers
from turnwright.net.clock import now_ns
from turnwright.net.lines import Lines
from turnwright.net.linger import Linger
from turnwright.net.tcp import keep_alive, round_trip_us
from turnwright.net.transport import Peer
from turnwright.wire.telnet.codec import TelnetCodec
from turnwright.wire.telnet.events import (
    Event,
    Gmcp,
    Hangup,
    Line,
    ListingAsked,
    Notice,
    Packages,
    Size,
    Terminal,
)

__all__ = ["BACKLOG_BYTES_MAX", "READ_BYTES", "REFUSED_MAX", "TelnetConnection", "TelnetDoor"]

BACKLOG_BYTES_MAX = 262_144
"""A peer for which more is waiting does not read, and is cut off."""
READ_BYTES = 4_096
"""What is read at most from one connection before the others have their turn."""
HEAVY_BYTES, HEAVY_NS = 1_024, 1_000_000
"""Who sends so much at once, and takes so long to be read, is not read for a while (see `breather`)."""
REFUSED_MAX = 64
"""Callers above the limit that are waited for at once until they have read why; all others are told, too."""
_ACCEPT_QUEUE = 1_024
_OUR_FAULT = "something went wrong here; it has been logged"

_log = logging.getLogger("turnwright")


class TelnetDoor:
    """Listens on sockets; every connection becomes a `LineConnection` of the application.

    callers: given when other doors share the limits of `gate`.
    """

    def __init__(self, application: Lines, gate: GateConfig, callers: Callers | None = None) -> None:
        self.application = application
        self.gate = gate
        self.callers = callers or Callers()
        self.connections: set[TelnetConnection] = set()
        self.refused = 0
        """Callers who are waited for until they have read why they may not come in."""
        self._servers: list[asyncio.Server] = []

    async def open(self, sockets: list[socket.socket]) -> None:
        """Listen on `sockets`, which are bound and from now on ours."""
        loop = asyncio.get_running_loop()
        for listener in sockets:
            server = await loop.create_server(
                lambda: TelnetConnection(self), sock=listener, backlog=_ACCEPT_QUEUE
            )
            self._servers.append(server)

    def close(self, reason: str = "the game is stopping") -> None:
        """Stop listening and say farewell to everyone."""
        for server in self._servers:
            server.close()
        self._servers.clear()
        for connection in list(self.connections):
            connection.close(reason)


class TelnetConnection(asyncio.BufferedProtocol):
    """One player's program. See `lines.LineConnection`."""

    __slots__ = (
        "_application",
        "_breather",
        "_buffer",
        "_closing",
        "_codec",
        "_door",
        "_due",
        "_reason",
        "_refused",
        "_told",
        "_transport",
        "key",
        "peer",
    )

    _transport: asyncio.Transport
    _breather: Breather
    peer: Peer

    def __init__(self, door: TelnetDoor) -> None:
        self._door = door
        self._application = door.application
        self._codec = TelnetCodec()
        self._buffer = memoryview(bytearray(READ_BYTES))
        self._closing = False
        self._told = False
        self._refused = False
        self._due = False
        self._reason = "left"
        self.key = 0

    # ---- what the game knows and says ------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int] | None:
        """Columns and rows; None: not known."""
        size = self._codec.size
        return None if size is None else (size.columns, size.rows)

    @property
    def terminal(self) -> Terminal:
        """What the peer has said of its program."""
        return self._codec.terminal

    @property
    def has_gmcp(self) -> bool:
        """Whether the peer takes GMCP messages."""
        return self._codec.has_gmcp

    @property
    def backlog(self) -> int:
        """Bytes that wait to be sent."""
        return self._transport.get_write_buffer_size() + self._codec.waiting

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return the smoothed round trip and how much it varies, µs, or None where it is not known."""
        return round_trip_us(self._transport)

    def write(self, text: str) -> None:
        """Show text."""
        if not self._closing:
            self._codec.text(text)
            self._flush_soon()

    def prompt(self, text: str) -> None:
        """Show text after which the player types."""
        if not self._closing:
            self._codec.prompt(text)
            self._flush_soon()

    def gmcp(self, package: str, data: object) -> bool:
        """Send a GMCP message if the peer wants that package; return whether it does."""
        if self._closing or not self._codec.gmcp(package, data):
            return False
        self._flush_soon()
        return True

    def echo(self, on: bool) -> None:
        """Off while a passphrase is typed."""
        if not self._closing:
            self._codec.echo(on)
            self._flush_soon()

    def close(self, reason: str = "") -> None:
        """Say why and end the connection once that has arrived."""
        if self._closing:
            return
        self._closing = True
        self._reason = reason or "closed"
        if reason:
            self._codec.text(reason + "\n")
        self._say_last()
        asyncio.get_running_loop().call_soon(self._tell_closed)

    def abort(self) -> None:
        """End the connection now."""
        if not self._closing:
            self._reason = "cut off"
        self._closing = True
        self._transport.abort()

    # ---- what asyncio tells ----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody calls: take it in, or say why not."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's do not inherit from it
        self._breather = Breather(self._transport)
        name = transport.get_extra_info("peername")
        self.peer = _peer(name)
        caller = self._door.callers.enter(self.peer.host, now_ns())
        refused = crowding(caller, self._door.gate)
        if refused is not None:
            self._door.callers.leave(self.peer.host)
            self._refuse(refused)
            return
        self._door.connections.add(self)
        keep_alive(self._transport)
        _keep_marks_in_line(self._transport)
        self._codec.open()
        self._guarded(self._application.on_open, self, self.peer)
        self._flush()

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return where to put what is read."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Something came: read it, hand it on, and send what that led to in one piece."""
        if self._closing:
            return
        began_ns = now_ns() if nbytes >= HEAVY_BYTES else 0
        self._due = True  # what is said meanwhile leaves below
        for event in self._codec.receive(bytes(self._buffer[:nbytes]), now_ns()):
            self._guarded(self._handle, event)
            if self._closing:
                return
        self._flush()
        if began_ns and now_ns() - began_ns > HEAVY_NS:
            self._breather.rest()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over, and not by us."""
        self._closing = True
        if exc is not None:
            self._reason = f"lost: {exc}"
        self._left()

    # ---- inside ----------------------------------------------------------------------------------------

    def _guarded(self, call: Callable[..., None], *arguments: object) -> None:
        try:
            call(*arguments)
        except Exception:
            _log.exception("the game could not handle a telnet connection's event")
            self.close(_OUR_FAULT)

    def _handle(self, event: Event) -> None:
        application = self._application
        match event:
            case Line(text):
                application.on_line(self, text)
            case Gmcp(package, data):
                application.on_gmcp(self, package, data)
            case Size(columns, rows):
                application.on_size(self, columns, rows)
            case Terminal() | Packages():
                application.on_terminal(self, self._codec.terminal)
            case ListingAsked():
                self._codec.listing(application.listing())
            case Notice(text):
                self._codec.text(f"[{text}]\n")
            case Hangup(reason):
                self.close(reason)
            case _:
                pass  # the codec shows text in the character set that was agreed

    def _flush_soon(self) -> None:
        if self._codec.waiting > BACKLOG_BYTES_MAX:
            self._flush()
        elif not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._due = False
        if self._closing:
            return
        data = self._codec.take()
        if data:
            self._transport.write(data)
            if self._transport.get_write_buffer_size() > BACKLOG_BYTES_MAX:
                self.abort()
                self._reason = f"does not read: more than {BACKLOG_BYTES_MAX:,} bytes were waiting"

    def _refuse(self, refused: HttpRefusal) -> None:
        """Say why; the application hears nothing of it."""
        self._closing = self._told = True
        self._codec.text(refused.text + "\n")
        if self._door.refused >= REFUSED_MAX:
            self._transport.write(self._codec.finish())
            self._transport.close()
            return
        self._door.refused += 1
        self._refused = True
        self._say_last()

    def _say_last(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(self._codec.finish())
            Linger(self._transport, lambda _error: self._left())

    def _left(self) -> None:
        """The TCP connection is gone."""
        if self._refused:
            self._refused = False
            self._door.refused -= 1
        if self in self._door.connections:
            self._door.connections.discard(self)
            self._door.callers.leave(self.peer.host)
        self._tell_closed()

    def _tell_closed(self) -> None:
        if not self._told:
            self._told = True
            self._application.on_close(self, self._reason)


def _keep_marks_in_line(transport: asyncio.Transport) -> None:
    """Read urgent bytes where they stand: the mark after an interrupt, taken out, would break a command."""
    with suppress(OSError):
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)


def _peer(name: object) -> Peer:
    if not isinstance(name, tuple):
        return Peer("unknown", 0)  # it is gone already
    return Peer(str(name[0]).removeprefix("::ffff:"), int(name[1]))
