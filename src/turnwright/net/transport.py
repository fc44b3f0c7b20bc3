"""The seam between the server and whatever carries its messages: WebSocket text messages, and plain HTTP.

Two libraries carry them alike: `transport_picows` (fast) and `transport_websockets` (pure Python, kept as the
second source). Neither is seen above this file.
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from turnwright.net.http import HttpResponse

__all__ = [
    "CLOSE_WAIT_S",
    "MESSAGE_BYTES_MAX",
    "REASON_BYTES_MAX",
    "Accepted",
    "Application",
    "Attach",
    "Connection",
    "Peer",
    "TransportName",
    "choose",
    "echoed_code",
    "hold_data",
    "short_reason",
]

MESSAGE_BYTES_MAX = 1 << 20
"""A longer message closes its connection with 1009."""
CLOSE_WAIT_S = 2.0
"""How long a peer has to answer our close frame."""
REASON_BYTES_MAX = 123
"""What a close frame has room for (RFC 6455 §5.5.1)."""

TransportName = Literal["auto", "picows", "websockets"]


@dataclass(frozen=True, slots=True)
class Peer:
    """Where a connection comes from: its IP address as text, and its port."""

    host: str
    port: int


class Connection(Protocol):
    """One WebSocket, or something in this process that behaves like one. Once closed, calls do nothing."""

    key: int
    """The application's own number for it."""
    heard: bool
    """Set with everything that arrives; whoever watches for silence unsets it."""
    trip_ns: int | None
    """How long the newest ping and its pong took, there and back; None: not known."""

    @property
    def backlog(self) -> int:
        """Bytes that were sent and are not with the operating system yet."""

    def send(self, data: bytes) -> None:
        """Send a text message (`data` is UTF-8), to the socket at once unless there is a backlog."""

    def close(self, code: int, reason: str = "") -> None:
        """Begin to close; what still arrives is not handed on. The peer has `CLOSE_WAIT_S` to agree."""

    def abort(self) -> None:
        """End the connection now; what was not sent is lost."""

    def ping(self) -> None:
        """Ask for a sign of life."""

    def rest(self) -> None:
        """Read nothing from the peer for a moment: it talks too much."""

    def fileno(self) -> int:
        """Return the socket's file descriptor; -1: nothing (more) is read from one (now)."""


class Application(Protocol):
    """What the transports tell. Only `on_pressure` is ever called from inside a call to a connection."""

    def on_open(self, connection: Connection, peer: Peer) -> None:
        """A WebSocket is ready."""

    def on_text(self, connection: Connection, data: bytes) -> None:
        """A whole text message came; its UTF-8 has not been checked. Binary messages are dropped."""

    def on_pressure(self, connection: Connection, high: bool) -> None:
        """The backlog went above a mark of the transport (64 KiB), or came down again."""

    def on_close(self, connection: Connection) -> None:
        """The peer said farewell or is gone; told once for each connection that was opened."""

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Answer a request that is not an upgrade. headers: names in lower case."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """An upgrade that may be carried out: `tail` holds bytes that came after the request."""

    transport: asyncio.Transport
    application: Application
    peer: Peer
    key: str
    tail: bytes
    lost: Callable[[], None]
    """To be called once when the TCP connection has ended."""
    offered: str = ""
    """The sub-protocols that the client offers (Sec-WebSocket-Protocol)."""


Attach = Callable[[Accepted], None]
"""Takes over a connection: answers the upgrade and carries messages from then on."""


def choose(name: TransportName) -> Attach:
    """Return the transport of that name; auto: the fastest that is installed and fits. Raises ImportError.

    To be called in a running event loop.
    """
    if name != "websockets":
        try:
            from turnwright.net import transport_picows

            transport_picows.check()
            return transport_picows.attach
        except ImportError:
            if name == "picows":
                raise
    from turnwright.net import transport_websockets

    return transport_websockets.attach


def hold_data(connections: Iterable[Connection]) -> bool:
    """Return whether the operating system holds something of one of them that was not read yet."""
    poll = select.poll()
    for connection in connections:
        descriptor = connection.fileno()
        if descriptor >= 0:
            poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))


def short_reason(reason: str) -> str:
    """Return what fits of `reason` into a close frame, cut between characters."""
    return reason.encode("utf-8", "replace")[:REASON_BYTES_MAX].decode("utf-8", "ignore")


def echoed_code(payload: bytes) -> int:
    """Return the code with which to answer a close frame that holds `payload`. Source: RFC 6455 §7.4."""
    if not payload:
        return 1000
    code = int.from_bytes(payload[:2], "big")
    allowed = 3000 <= code <= 4999 or (1000 <= code <= 1014 and code not in (1004, 1005, 1006))
    return code if allowed and len(payload) >= 2 else 1002
