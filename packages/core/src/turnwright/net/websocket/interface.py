"""The interface between a server and its connections: Connection, Application."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from turnwright.net.portability import has_unread
from turnwright.wire.faults import Farewell

MESSAGE_BYTES_MAX = 1 << 20
"""The largest message, in bytes. After a larger message, the connection is closed with code 1009."""
CLOSE_WAIT_S = 2.0
"""The time for a peer to answer our close frame, in seconds."""
REASON_BYTES_MAX = 123
"""The longest reason in a close frame, in bytes (RFC 6455 §5.5.1)."""


@dataclass(frozen=True, slots=True)
class PeerAddress:
    """The address of a connection's peer: IP address as text, port, and listener.

    Attributes:
        listener: the name of the listener that accepted the connection, "" for the first listener. Two
            listeners in different network namespaces may have connections from the same host and port.
        is_sandboxed: whether the connection comes from the sandbox of an untrusted bot.
    """

    host: str
    port: int
    listener: str = ""
    is_sandboxed: bool = False

    @property
    def caller(self) -> str:
        """The name under which the peer's connections are counted."""
        return self.listener if self.is_sandboxed else self.host

    @classmethod
    def of(
        cls, transport: asyncio.BaseTransport, listener: str = "", *, is_sandboxed: bool = False
    ) -> PeerAddress:
        """Return the address of the peer of a network connection.

        If the peer has already gone, `host` is "unknown".
        """
        name = transport.get_extra_info("peername")
        if not isinstance(name, tuple):
            return cls("unknown", 0, listener, is_sandboxed)  # the peer has already gone
        return cls(str(name[0]).removeprefix("::ffff:"), int(name[1]), listener, is_sandboxed)


class Connection(Protocol):
    """A WebSocket, or an object in this process that behaves like one.

    After the connection has closed, calls have no effect.
    """

    key: int
    """The application's number for this connection."""
    heard: bool
    """Whether anything has arrived since `Keepalive` last reset this to False."""
    trip_ns: int | None
    """The time between the newest ping and its pong. None means not known."""

    @property
    def backlog(self) -> int:
        """The number of sent bytes that the operating system has not taken yet."""

    def send(self, data: bytes) -> None:
        """Send a text message, immediately unless there is a backlog.

        Args:
            data: UTF-8.
        """

    def close(self, code: int, reason: str = "") -> None:
        """Begin to close the connection. Input that arrives later is dropped.

        The peer has `CLOSE_WAIT_S` seconds to answer.
        """

    def abort(self) -> None:
        """End the connection now. Unsent data is lost."""

    def ping(self) -> None:
        """Send a ping. Its pong sets `trip_ns`."""

    def pause_reading(self) -> None:
        """Stop reading from a peer that sends too fast, for less than a tenth of a second."""

    def fileno(self) -> int:
        """Return the socket's file descriptor. -1 means that there is no socket that is read."""

    @property
    def waiting(self) -> bool:
        """Whether messages in either direction wait within this process."""


class Application(Protocol):
    """Receives the events of connections.

    A connection may call `on_pressure` while one of its own methods is running. It calls the other methods
    only at other times.
    """

    def on_open(self, connection: Connection, peer: PeerAddress) -> None:
        """Begin to serve a WebSocket, whose upgrade has been answered."""

    def on_text(self, connection: Connection, data: bytes) -> None:
        """Take a complete text message. Its UTF-8 has not been checked."""

    def on_binary(self, connection: Connection, data: bytes) -> None:
        """Take a complete binary message."""

    def on_pressure(self, connection: Connection, high: bool) -> None:
        """The backlog of `connection` rose above its mark of 64 KiB, or fell below the mark."""

    def on_close(self, connection: Connection, farewell: Farewell) -> None:
        """A connection has ended. This is called once for each opened connection.

        Args:
            farewell: the peer's close frame, or ours if the peer broke a rule of the protocol. It is
                NO_FAREWELL if the connection ended in another way, e.g. because the application closed it.
        """


@dataclass(frozen=True, slots=True)
class Accepted:
    """An upgrade that may be carried out.

    Attributes:
        key: the request's header Sec-WebSocket-Key.
        tail: the bytes that came after the request.
    """

    transport: asyncio.Transport
    peer: PeerAddress
    key: str
    tail: bytes
    lost: Callable[[], None]
    """Call this once when the TCP connection has ended."""
    offered: str = ""
    """The sub-protocols that the client offers (Sec-WebSocket-Protocol)."""


Attach = Callable[[Accepted], None]
"""Takes over a connection. It answers the request for the upgrade, and transports messages from then on."""


def hold_data(connections: Iterable[Connection]) -> bool:
    """Return whether at least one of these connections has unread data.

    The data may be in the system or, for a connection without a socket, in this process.
    """
    sockets: list[int] = []
    for connection in connections:
        if connection.waiting:
            return True
        descriptor = connection.fileno()
        if descriptor >= 0:
            sockets.append(descriptor)
    return has_unread(sockets)


def short_reason(reason: str) -> str:
    """Return `reason`, shortened to fit into a close frame. It is cut after a complete character."""
    return reason.encode("utf-8", "replace")[:REASON_BYTES_MAX].decode("utf-8", "ignore")


def echoed_code(payload: bytes) -> int:
    """Return the code with which we answer a close frame with this payload.

    It is the payload's own code, 1000 if it has none, or 1002 if its code is not allowed.

    Source: RFC 6455 §7.4.
    """
    if not payload:
        return 1000
    code = int.from_bytes(payload[:2], "big")
    allowed = 3000 <= code <= 4999 or (1000 <= code <= 1014 and code not in (1004, 1005, 1006))
    return code if allowed and len(payload) >= 2 else 1002
