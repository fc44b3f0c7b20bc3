"""The open connections of a server."""

from __future__ import annotations

import asyncio
from typing import Protocol, TypeVar

from turnwright.net.websocket.interface import CLOSE_WAIT_S, Connection

_CLOSING_POLL_S = 0.02


class LoopConnection(Protocol):
    """The server's end of a connection of any protocol. After it has closed, calls have no effect."""

    def close(self, code: int, reason: str = "") -> None:
        """Send the reason and close the connection.

        Args:
            code: a WebSocket close code.
        """

    def abort(self) -> None:
        """End the connection now. Unsent data is lost."""


C = TypeVar("C", bound=LoopConnection)


class Connections(dict[int, C]):
    """The open connections of a server by number, from 1. A number is never used again.

    Args:
        backlog_max: the largest number of unsent bytes. `shed` aborts a connection in `pressed` with more
            unsent bytes, because its peer does not read.

    Attributes:
        next_key: the number of the next connection.
        pressed: the connections whose backlog is above the mark of their transport.
    """

    def __init__(self, backlog_max: int) -> None:
        super().__init__()
        self.next_key = 1
        self.pressed: set[Connection] = set()
        self._backlog_max = backlog_max

    def add(self, connection: C) -> int:
        """Add a connection. Return its number."""
        key = self.next_key
        self.next_key = key + 1
        self[key] = connection
        return key

    def note_pressure(self, connection: Connection, high: bool) -> None:
        """Record that the backlog of `connection` rose above its mark (`high`), or fell below it."""
        if high:
            self.pressed.add(connection)
        else:
            self.pressed.discard(connection)

    def shed(self) -> None:
        """Abort the connections whose backlogs are too large."""
        for connection in [c for c in self.pressed if c.backlog > self._backlog_max]:
            self.pressed.discard(connection)
            connection.abort()

    async def close(self, code: int, reason: str) -> None:
        """Close all connections, and wait up to CLOSE_WAIT_S seconds for the peers' close frames.

        Then abort the connections that remain.
        """
        for connection in list(self.values()):
            connection.close(code, reason)
        for _ in range(round(CLOSE_WAIT_S / _CLOSING_POLL_S)):
            if not self:
                break
            await asyncio.sleep(_CLOSING_POLL_S)
        for connection in list(self.values()):
            connection.abort()
