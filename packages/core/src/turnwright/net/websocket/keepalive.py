"""Finds silent peers. It sends them a ping. If they stay silent, it aborts their connections."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.net.websocket.interface import Connection

PING_AFTER_NS = 60_000_000_000
"""A peer that is silent for this time, in ns, gets a ping."""
SILENCE_NS_MAX = 90_000_000_000
"""A peer that is silent for this time, in ns, counts as gone."""


class Keepalive:
    """Checks all connections for silence.

    Silence is measured only as precisely as the time between two calls of `sweep`.
    """

    def __init__(self) -> None:
        self._silent_since_ns: dict[Connection, int] = {}

    def forget(self) -> None:
        """Restart the measurement of silence.

        Call this while a program is stopped in a debugger, because such a program cannot answer pings.
        """
        self._silent_since_ns.clear()

    def sweep(self, connections: Iterable[Connection], now_ns: int) -> None:
        """Ping silent connections. Abort connections that have been silent for too long."""
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
