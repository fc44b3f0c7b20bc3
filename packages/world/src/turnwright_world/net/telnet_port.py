"""The telnet port: connections, limits, and one write per turn for each connection.

    port = TelnetPort(application, AdmissionConfig())
    await port.open(bind("127.0.0.1", 4000))

The port sends options and greeting as soon as it accepts a connection. A client need not answer the options.
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
"""Facts for directories of games (MSSP): NAME, PLAYERS, UPTIME (start time in seconds since 1970), …"""


class TelnetApplication:
    """Base class of the application that a telnet port serves.

    When the application calls a method of a connection, no method of this class is called before that call
    returns.
    """

    def on_open(self, connection: TelnetConnection, peer: PeerAddress) -> None:
        """Handle a new connection.

        Text that is written now is the first text that the player sees.
        """

    def on_line(self, connection: TelnetConnection, text: str) -> None:
        """Handle a typed line.

        The text has no line end, no control characters and at most 1,000 characters.
        """

    def on_gmcp(self, connection: TelnetConnection, package: str, data: object) -> None:
        """Handle a GMCP message.

        Core.Supports.* and Core.Ping are passed on too, although the port has answered them.
        """

    def on_size(self, connection: TelnetConnection, columns: int, rows: int) -> None:
        """Handle the window's size in characters. Both numbers are 1 to 65,535."""

    def on_terminal(self, connection: TelnetConnection, terminal: Terminal) -> None:
        """Handle facts about the client: its name, colours, screen reader, or that it accepts GMCP."""

    def on_close(self, connection: TelnetConnection, reason: str) -> None:
        """Handle the end of a connection. Each opened connection ends once.

        Args:
            reason: the reason, as one line for the log.
        """

    def listing(self) -> Listing:
        """Return the facts for directories of games. By default, there are none."""
        return {}


# TCP keep-alive finds out when a peer has disappeared without closing its connection.


GONE_AFTER_S = 90
"""A connection ends if the client does not answer keep-alive probes for this time.

The player does not see the probes.
"""
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
    """Switch on the operating system's keep-alive for a connection.

    Options that the system does not have are left out.
    """
    connected = transport.get_extra_info("socket")
    try:
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in _OPTIONS:
            if hasattr(socket, name):
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    except OSError:
        return  # the connection has ended, and `connection_lost` will follow


def round_trip_us(transport: asyncio.Transport) -> tuple[int, int] | None:
    """Return the smoothed round trip and its variation in µs, or None if the system has not measured them.

    Source: struct tcp_info of linux/tcp.h, tcpi_rtt and tcpi_rttvar.
    """
    connected = transport.get_extra_info("socket")
    if connected is None or not _HAS_INFO:
        return None
    try:
        info = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RTT_AT + _RTT.size)
    except OSError:
        return None  # the connection has ended
    if len(info) < _RTT_AT + _RTT.size:
        return None
    rtt_us, rttvar_us = _RTT.unpack_from(info, _RTT_AT)
    return (rtt_us, rttvar_us) if rtt_us else None


BACKLOG_BYTES_MAX = 262_144
"""A connection for which more bytes are waiting is closed, because the peer does not read."""
READ_BYTES = 4_096
"""The most bytes that are read from one connection before other connections are read."""
HEAVY_BYTES, HEAVY_NS = 1_024, 1_000_000
"""A connection whose input is so large and takes so long to handle is paused (`ReadThrottle`)."""
REFUSED_MAX = 64
"""The most refused connections that are kept open at the same time until they have read the reason.

Further connections are sent the reason and closed immediately.
"""
_ACCEPT_QUEUE = 1_024
_OUR_FAULT = "something went wrong here; it was logged"

_log = logging.getLogger("turnwright")


class TelnetPort:
    """Listens on sockets. Its connections call the application.

    Args:
        callers: the counts of connections, if other ports share the limits of `gate`.
    """

    def __init__(
        self, application: TelnetApplication, gate: AdmissionConfig, callers: Callers | None = None
    ) -> None:
        self.application = application
        self.gate = gate
        self.callers = callers or Callers()
        self.connections: set[TelnetConnection] = set()
        self.refusals = Refusals(REFUSED_MAX)
        """Connections above the limits."""
        self._servers: list[asyncio.Server] = []

    async def open(self, sockets: list[socket.socket]) -> None:
        """Listen on `sockets`, which are bound. The port owns them from now on."""
        loop = asyncio.get_running_loop()
        for listener in sockets:
            server = await loop.create_server(
                lambda: TelnetConnection(self), sock=listener, backlog=_ACCEPT_QUEUE
            )
            self._servers.append(server)

    def close(self, reason: str = "the game is stopping") -> None:
        """Stop listening and say farewell to all connections."""
        for server in self._servers:
            server.close()
        self._servers.clear()
        for connection in list(self.connections):
            connection.close(reason)


class TelnetConnection(asyncio.BufferedProtocol):
    """A connection to one player's terminal. After it is closed, calls do nothing.

    Text that is written in one round of the event loop leaves as one write to the socket, after the code that
    wrote it has returned. If more than BACKLOG_BYTES_MAX are waiting because the peer does not read, the
    connection is closed.

    Attributes:
        codec: the state of the protocol, such as options that both sides agreed on.
        key: the application's number for the connection, or 0 until the application sets a number.
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

    # ---- for the application ----------------------------------------------------------------------------

    @property
    def backlog(self) -> int:
        """The number of bytes that wait to be sent."""
        return self._transport.get_write_buffer_size() + self.codec.waiting

    def round_trip_us(self) -> tuple[int, int] | None:
        """Return the smoothed round trip and its variation in µs, or None if they are not known."""
        return round_trip_us(self._transport)

    def write(self, text: str) -> None:
        """Show text. Its lines end in "\\n".

        The caller adds escape sequences for colours, if any.
        """
        if not self._closing:
            self.codec.text(text)
            self._flush_soon()

    def prompt(self, text: str) -> None:
        """Show text after which the player types.

        EOR or GA marks its end for the client.
        """
        if not self._closing:
            self.codec.prompt(text)
            self._flush_soon()

    def gmcp(self, package: str, data: object) -> bool:
        """Send a GMCP message if the peer accepts messages of the package, and return whether it does.

        Args:
            data: any JSON value (dict, list, str, number, structure), or None to send only the package's
                name.
        """
        if self._closing or not self.codec.gmcp(package, data):
            return False
        self._flush_soon()
        return True

    def echo(self, on: bool) -> None:
        """Tell the client whether to show what the player types. Off is for passphrases."""
        if not self._closing:
            self.codec.echo(on)
            self._flush_soon()

    def close(self, reason: str = "") -> None:
        """Send the reason, and end the connection when it has arrived."""
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

    # ---- calls from asyncio -----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a connection, or refuse it with a reason."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transports do not inherit from it
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
        """Return the buffer for incoming bytes."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Read the new bytes, handle them, and send all output of that as one write."""
        if self._closing:
            return
        began_ns = now_ns() if nbytes >= HEAVY_BYTES else 0
        self._due = True  # output of the handlers is sent below
        for event in self.codec.receive(bytes(self._buffer[:nbytes]), now_ns()):
            self._guarded(self._handle, event)
            if self._closing:
                return
        self._flush()
        if began_ns and now_ns() - began_ns > HEAVY_NS:
            self._throttle.pause()

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle that the peer or the network has ended the connection."""
        self._closing = True
        if exc is not None:
            self._reason = f"lost: {exc}"
        self._left()

    # ---- helpers ----------------------------------------------------------------------------------------

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
        """Send why the connection is refused. The application is not notified."""
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
        """Handle the end of the TCP connection."""
        self._counted.end()
        self._port.connections.discard(self)
        self._tell_closed()

    def _tell_closed(self) -> None:
        if not self._told:
            self._told = True
            self._application.on_close(self, self._reason)


def _keep_marks_in_line(transport: asyncio.Transport) -> None:
    """Keep urgent bytes in the stream.

    After an interrupt, a telnet program sends IAC DM, with DM as an urgent byte. By default, the system takes
    DM out of the stream. The IAC would then cut the first byte of the next command.
    """
    with suppress(OSError):
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
