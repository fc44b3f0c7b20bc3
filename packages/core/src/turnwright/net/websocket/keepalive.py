"""Finds silent peers. It pings them, and later aborts their connections."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.net.websocket.interface import Connection

PING_AFTER_NS = 60_000_000_000
"""After this silence a peer gets a ping."""
SILENCE_NS_MAX = 90_000_000_000
"""After this silence a peer counts as gone."""


class Keepalive:
    """Checks all connections for silence.

    Its times are as precise as the interval between its calls.
    """

    def __init__(self) -> None:
        self._silent_since_ns: dict[Connection, int] = {}

    def forget(self) -> None:
        """Restart the measurement of silence.

        This is for programs that are paused in a debugger, because they cannot answer pings.
        """
        self._silent_since_ns.clear()

    def sweep(self, connections: Iterable[Connection], now_ns: int) -> None:
        """Ping silent connections. Abort those that have been silent for too long."""
        silent: dict[Connection, int] = {}
        for connection in connections:
            since_ns = now_ns if connection.heard else self._silent_since_ns.get(connection, now_ns)
            connection.heard = False
            silent[connection] = since_ns
            if now_ns - since_ns >= SILENCE_NS_MAX:
                connection.abort()
            elif now_ns - since_ns >= PING_AFTER_NS:
                connection.ping()
        self._silent_since_ns = silent
