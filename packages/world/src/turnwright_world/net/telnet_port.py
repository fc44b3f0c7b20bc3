"""The telnet port: connections, limits, one write a turn.

    port = TelnetPort(application, AdmissionConfig())
    await port.open(bind("127.0.0.1", 4000))

A caller sees its first byte at once: options and greeting leave with the accept, and what it answers later
only makes things nicer.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import cast

from turnwright.host.admission import AdmissionConfig, HttpRefusal, crowding
from turnwright.net.clock import now_ns
from turnwright.net.http.callers import Callers, CountedConnection, Refusals
from turnwright.net.http.close import GracefulClose
from turnwright.net.websocket.connection import ReadThrottle
from turnwright.net.websocket.interface import PeerAddress
from turnwright_world.wire.telnet.codec import TelnetCodec
from turnwright_world.wire.telnet.events import (
    Event,
    Gmcp,
    Hangup,
    ListingAsked,
    Notice,
    Packages,
    Size,
    Terminal,
    TypedLine,
)

Listing = Mapping[str, str | int | Sequence[str | int]]
"""Facts for directories of games (MSSP): NAME, PLAYERS, UPTIME (when it began, in seconds since 1970), …"""


class TelnetApplication:
    """Base class of what a telnet port serves.

    Nothing here is called from inside a call to a connection.
    """

    def on_open(self, connection: TelnetConnection, peer: PeerAddress) -> None:
        """Take a new connection.

        Text that is written now is the first thing that its player sees.
        """

    def on_line(self, connection: TelnetConnection, text: str) -> None:
        """Take a typed line.

        Without its end, without control characters, of at most 1,000 characters.
        """

    def on_gmcp(self, connection: TelnetConnection, package: str, data: object) -> None:
        """Take a GMCP message.

        Core.Supports.* and Core.Ping come here too, though they were answered.
        """

    def on_size(self, connection: TelnetConnection, columns: int, rows: int) -> None:
        """Take the size of the window, in characters, each 1 to 65,535."""

    def on_terminal(self, connection: TelnetConnection, terminal: Terminal) -> None:
        """Take facts about the peer's program.

        Its name, colours, screen reader, or that it takes GMCP.
        """

    def on_close(self, connection: TelnetConnection, reason: str) -> None:
        """Take the end of a connection, once for each that was opened.

        Args:
            reason: one line for the log.
        """

    def listing(self) -> Listing:
        """Return the facts for directories of games."""
        return {}


# What a TCP connection of a person needs: to find out when the other end is gone without a word.


GONE_AFTER_S = 90
"""A machine that answers nothing for so long is gone; nothing that a player could see is sent to find out."""
_IDLE_S, _INTERVAL_S, _PROBES = 60, 10, 3
_OPTIONS = (
    ("TCP_KEEPIDLE", _IDLE_S),
    ("TCP_KEEPINTVL", _INTERVAL_S),
    ("TCP_KEEPCNT", _PROBES),
    ("TCP_USER_TIMEOUT", GONE_AFTER_S * 1_000),
)

_RTT, _RTT_AT = struct.Struct("=II"), 68
_HAS_INFO = sys.platform == "linux"


def keep_alive(transport: asyncio.Transport) -> None:
    """Set keep-alive of the operating system on a connection.

    What the system lacks is left out.
    """
    connected = transport.get_extra_info("socket")
    try:
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _OPTIONS:
            if hasattr(socket, name):
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    except OSError:
        return  # it is gone already, and that will be told


def round_trip_us(transport: asyncio.Transport) -> tuple[int, int] | None:
    """Return the smoothed round trip and its variation, µs, or None.

    As the system has measured them; None: not measured.

    Source: struct tcp_info of linux/tcp.h, tcpi_rtt and tcpi_rttvar.
    """
    connected = transport.get_extra_info("socket")
    if connected is None or not _HAS_INFO:
        return None
    try:
        info = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RTT_AT + _RTT.size)
    except OSError:
        return None  # it is gone
    if len(info) < _RTT_AT + _RTT.size:
        return None
    rtt_us, rttvar_us = _RTT.unpack_from(info, _RTT_AT)
    return (rtt_us, rttvar_us) if rtt_us else None


BACKLOG_BYTES_MAX = 262_144
"""A peer for which more is waiting does not read, and is cut off."""
READ_BYTES = 4_096
"""The most that is read from one connection before the others have their turn."""
HEAVY_BYTES, HEAVY_NS = 1_024, 1_000_000
"""A connection that sends so much at once and takes so long to be read is paused (`ReadThrottle`)."""
REFUSED_MAX = 64
"""Callers above the limit that are waited for at once until they have read why. All others are refused
with a text, too.
"""
_ACCEPT_QUEUE = 1_024
_OUR_FAULT = "something went wrong here; it was logged"

_log = logging.getLogger("turnwright")


class TelnetPort:
    """Listens on sockets; connections call the application.

    Args:
        callers: given when other doors share the limits of `gate`.
    """

    def __init__(
        self, application: TelnetApplication, gate: AdmissionConfig, callers: Callers | None = None
    ) -> None:
        self.application = application
        self.gate = gate
        self.callers = callers or Callers()
        self.connections: set[TelnetConnection] = set()
        self.refusals = Refusals(REFUSED_MAX)
        """Of callers above the limits."""
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
    """A connection to one player's terminal. Once closed, calls do nothing.

    Text written in one go of the event loop leaves as one write to the socket, after the code that wrote it
    has returned. When more than BACKLOG_BYTES_MAX wait for a peer that does not read, it is cut off.

    Attributes:
        codec: what was agreed with the peer's program.
        key: the application's own number for it; 0 until it sets one.
    """

    __slots__ = (
        "_application",
        "_buffer",
        "_closing",
        "_counted",
        "_due",
        "_port",
        "_reason",
        "_throttle",
        "_told",
        "_transport",
        "codec",
        "key",
        "peer",
    )

    _transport: asyncio.Transport
    _throttle: ReadThrottle
    _counted: CountedConnection
    peer: PeerAddress

    def __init__(self, port: TelnetPort) -> None:
        self._port = port
        self._application = port.application
        self.codec = TelnetCodec()
        self._buffer = memoryview(bytearray(READ_BYTES))
        self._closing = False
        self._told = False
        self._due = False
        self._reason = "left"
        self.key = 0

    # ---- what the game knows and says ------------------------------------------------------------------

    @property
    def backlog(self) -> int:
        """Bytes that wait to be sent."""
        return self._transport.get_write_buffer_size() + self.codec.waiting

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return the smoothed round trip and its variation, µs, or None.

        None: not known.
        """
        return round_trip_us(self._transport)

    def write(self, text: str) -> None:
        """Show text; lines end in "\\n".

        Escape sequences for colours are the caller's business.
        """
        if not self._closing:
            self.codec.text(text)
            self._flush_soon()

    def prompt(self, text: str) -> None:
        """Show text after which the player types.

        Its end is marked for programs (EOR or GA).
        """
        if not self._closing:
            self.codec.prompt(text)
            self._flush_soon()

    def gmcp(self, package: str, data: object) -> bool:
        """Send a GMCP message, if the peer takes messages of that package, and return whether it does.

        Args:
            data: any JSON value (dict, list, str, number, structure). None: the package alone.
        """
        if self._closing or not self.codec.gmcp(package, data):
            return False
        self._flush_soon()
        return True

    def echo(self, on: bool) -> None:
        """Off: the peer's program does not show what is typed next, a passphrase.

        On: it does again.
        """
        if not self._closing:
            self.codec.echo(on)
            self._flush_soon()

    def close(self, reason: str = "") -> None:
        """Say why and end the connection once that has arrived."""
        if self._closing:
            return
        self._closing = True
        self._reason = reason or "closed"
        if reason:
            self.codec.text(reason + "\n")
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
        """Accept a connection, or refuse it with a reason."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's do not inherit from it
        self._throttle = ReadThrottle(self._transport)
        self.peer = PeerAddress.of(transport)
        self._counted = CountedConnection(self._port.callers, self._port.refusals, self.peer.host, now_ns())
        refused = crowding(self._counted.caller, self._port.gate)
        if refused is not None:
            self._refuse(refused)
            return
        self._port.connections.add(self)
        keep_alive(self._transport)
        _keep_marks_in_line(self._transport)
        self.codec.open()
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
        for event in self.codec.receive(bytes(self._buffer[:nbytes]), now_ns()):
            self._guarded(self._handle, event)
            if self._closing:
                return
        self._flush()
        if began_ns and now_ns() - began_ns > HEAVY_NS:
            self._throttle.pause()

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
            case TypedLine(text):
                application.on_line(self, text)
            case Gmcp(package, data):
                application.on_gmcp(self, package, data)
            case Size(columns, rows):
                application.on_size(self, columns, rows)
            case Terminal() | Packages():
                application.on_terminal(self, self.codec.terminal)
            case ListingAsked():
                self.codec.listing(application.listing())
            case Notice(text):
                self.codec.text(f"[{text}]\n")
            case Hangup(reason):
                self.close(reason)
            case _:
                pass  # the codec shows text in the character set that was agreed

    def _flush_soon(self) -> None:
        if self.codec.waiting > BACKLOG_BYTES_MAX:
            self._flush()
        elif not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._due = False
        if self._closing:
            return
        data = self.codec.take()
        if data:
            self._transport.write(data)
            if self._transport.get_write_buffer_size() > BACKLOG_BYTES_MAX:
                self.abort()
                self._reason = f"does not read: more than {BACKLOG_BYTES_MAX:,} bytes were waiting"

    def _refuse(self, refused: HttpRefusal) -> None:
        """Say why; the application hears nothing of it."""
        self._closing = self._told = True
        self.codec.text(refused.text + "\n")
        if self._counted.refuse():
            self._say_last()
        else:
            self._transport.write(self.codec.finish())
            self._transport.close()

    def _say_last(self) -> None:
        if not self._transport.is_closing():
            self._transport.write(self.codec.finish())
            GracefulClose(self._transport, lambda _error: self._left())

    def _left(self) -> None:
        """The TCP connection is gone."""
        self._counted.end()
        self._port.connections.discard(self)
        self._tell_closed()

    def _tell_closed(self) -> None:
        if not self._told:
            self._told = True
            self._application.on_close(self, self._reason)


def _keep_marks_in_line(transport: asyncio.Transport) -> None:
    """Read urgent bytes where they stand: the mark after an interrupt, taken out, would break a command."""
    with suppress(OSError):
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
