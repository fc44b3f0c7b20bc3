"""Connections within this process, without a socket."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from turnwright.errors import trace_lines
from turnwright.kernel.failure import FailureReason, reason_of
from turnwright.net.websocket.interface import Application, PeerAddress
from turnwright.wire.faults import CLOSE_EXITED, CLOSE_FAILED, NO_FAREWELL, Farewell

LOCAL_HOST = "local"
"""The text that is shown as the IP address of a local connection. Its port is the number of the
connection.
"""

ConnectLocal = Callable[
    [Callable[[bytes], None], Callable[[int, str], None] | None],
    "LocalConnection",
]
"""Connects a client in this process to a server (see `LiveServer.connect_local`)."""

_log = logging.getLogger("turnwright")


class LocalConnection:
    """Both ends of a connection in one process.

    The event loop passes messages on, in order.

    The client calls `send` and `close`, and passes two callbacks. The callbacks are never called while `send`
    is running. If a callback raises an exception, the connection ends, as if the client had crashed.
    """

    def __init__(
        self,
        application: Application,
        peer: PeerAddress,
        on_message: Callable[[bytes], None],
        on_close: Callable[[int, str], None] | None,
    ) -> None:
        self._application = application
        self._on_message = on_message
        self._on_close = on_close
        self._loop = asyncio.get_running_loop()
        self._to_server: deque[bytes] = deque()
        self._to_client: deque[bytes] = deque()
        self._closing: tuple[int, str] | None = None
        self._farewell = NO_FAREWELL
        self.peer = peer
        self.server_end = _ServerEnd(self)

    @property
    def closed(self) -> bool:
        """Whether either side has closed the connection."""
        return self._closing is not None

    def send(self, data: bytes) -> None:
        """Send a text message, in UTF-8, to the server. After the connection has closed, do nothing."""
        if self._closing is None:
            if not self._to_server:
                self._loop.call_soon(self._serve)
            self._to_server.append(data)

    def close(self) -> None:
        """Close the connection. Messages that were sent before still reach the server."""
        self._end(1000, "")

    def _serve(self) -> None:
        for _ in range(len(self._to_server)):
            if self.server_end.deaf:
                self._to_server.clear()
                return
            self._application.on_text(self.server_end, self._to_server.popleft())
        if self._to_server:
            self._loop.call_soon(self._serve)

    def _deliver(self) -> None:
        for _ in range(len(self._to_client)):
            try:
                self._on_message(self._to_client.popleft())
            except (Exception, SystemExit) as error:
                why, text = reason_of(error)
                code = CLOSE_EXITED if why is FailureReason.EXITED else CLOSE_FAILED
                if why is FailureReason.CRASHED:
                    _log.exception("a local client failed; its connection is closed")
                self._to_client.clear()
                if self._closing is None:
                    self._farewell = Farewell(code, text, printed=tuple(trace_lines(error)))
                self._end(1011, "the client failed")
                return
        if self._to_client:
            self._loop.call_soon(self._deliver)

    def _write(self, data: bytes) -> None:
        if self._closing is None:
            if not self._to_client:
                self._loop.call_soon(self._deliver)
            self._to_client.append(data)

    def _end(self, code: int, reason: str) -> None:
        if self._closing is None:
            self._closing = (code, reason)
            self._loop.call_soon(self._ended)

    def _ended(self) -> None:
        if self._to_client or (self._to_server and not self.server_end.deaf):
            self._loop.call_soon(self._ended)
            return
        assert self._closing is not None
        self._application.on_close(self.server_end, self._farewell)
        if self._on_close is not None:
            try:
                self._on_close(*self._closing)
            except Exception:
                _log.exception("a local client failed when its connection was closed")


class _ServerEnd:
    """The server's end of a local connection (see `interface.Connection`)."""

    __slots__ = ("_link", "deaf", "heard", "key", "trip_ns")

    def __init__(self, link: LocalConnection) -> None:
        self._link = link
        self.deaf = False
        self.heard = True
        self.trip_ns: int | None = None
        self.key = 0

    @property
    def backlog(self) -> int:
        """The number of bytes that the client has not received yet."""
        return sum(map(len, self._link._to_client))

    def send(self, data: bytes) -> None:
        """Send a text message to the client."""
        self._link._write(data)

    def close(self, code: int, reason: str = "") -> None:
        """Close the connection. Unread messages of the client are dropped."""
        self.deaf = True
        self._link._end(code, reason)

    def abort(self) -> None:
        self.close(1006, "aborted")

    def ping(self) -> None:
        """Count the ping as a sign of life, because the client shares our process."""
        self.heard = True

    def pause_reading(self) -> None:
        """Do nothing, because the client shares our process."""

    def fileno(self) -> int:
        """Return -1, because the connection has no socket."""
        return -1

    @property
    def waiting(self) -> bool:
        """Whether messages in either direction have not been delivered yet."""
        return bool(self._link._to_client or (self._link._to_server and not self.deaf))
