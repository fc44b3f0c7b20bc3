"""Answers the pings of clients' clocks, and measures the latency of connections.

The server answers pings outside of turns, with times measured at the socket.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.host.admission import RateLimiter
from turnwright.net.clock import now_ns
from turnwright_world.host.host import WorldHost
from turnwright_world.net.connections import PlayerConnection
from turnwright_world.wire.clock import TimePing

_PINGS_PER_S, _PINGS_BURST = 4, 32
_MEASURE_NS = 5_000_000_000
"""The time between two measurements of a connection's latency."""


class ClientClocks:
    """The clocks of all clients.

    Args:
        connections: the current connections by number. The server updates the mapping.
    """

    def __init__(self, host: WorldHost, connections: Mapping[int, PlayerConnection]) -> None:
        self._host = host
        self._connections = connections
        self._pings: dict[int, RateLimiter] = {}
        self._measure_ns: dict[int, int] = {}

    def answer(self, conn: int, ping: TimePing, received_ns: int) -> None:
        """Answer a ping, and store the lead in it, unless the connection sends too many."""
        player, limit = self._connections.get(conn), self._pings.get(conn)
        if limit is None:
            limit = self._pings[conn] = RateLimiter(_PINGS_PER_S, _PINGS_BURST)
        if player is None or not limit.allow(received_ns):
            return
        session = self._host.sessions.of(conn)
        if session is not None:
            session.latency.note_ping(ping)
            self.measure(conn, received_ns)
        player.package(self._host.clock.answer(ping, received_ns, now_ns()))
        player.flush()

    def measure(self, conn: int, at_ns: int) -> None:
        """Store the latency that the operating system reports for a connection, at intervals."""
        if at_ns < self._measure_ns.get(conn, 0):
            return
        session, player = self._host.sessions.of(conn), self._connections.get(conn)
        if session is None or player is None:
            return
        self._measure_ns[conn] = at_ns + _MEASURE_NS
        if (measured := player.round_trip_us()) is not None:
            session.latency.note_kernel(*measured)

    def forget(self, conn: int) -> None:
        """Forget a connection that is gone."""
        self._pings.pop(conn, None)
        self._measure_ns.pop(conn, None)
