"""Finds silent peers: pings them, then aborts their connections."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright.net.websocket.interface import Connection

PING_AFTER_NS = 60_000_000_000
"""A peer that was silent for so long is asked for a sign of life."""
SILENCE_NS_MAX = 90_000_000_000
"""A peer that was silent for so long is gone."""


class Keepalive:
    """Checks all connections for silence.

    The precision of its times is how often it is called.
    """

    def __init__(self) -> None:
        self._silent_since_ns: dict[Connection, int] = {}

    def forget(self) -> None:
        """Restart the measurement of silence.

        A program that is paused in a debugger cannot answer pings.
        """
        self._silent_since_ns.clear()

    def sweep(self, connections: Iterable[Connection], now_ns: int) -> None:
        """Ping silent connections; abort those that are silent for too long."""
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
