"""The heartbeat of a server of battles. Once a second it checks the server's connections."""

from __future__ import annotations

import asyncio

from turnwright.host.host import Host
from turnwright.net.clock import now_ns
from turnwright.net.server_loop import ServerLoop
from turnwright.net.websocket.interface import Connection
from turnwright.net.websocket.keepalive import Keepalive

BEAT_S = 1.0
"""The time between two beats, in seconds."""
BEATS_PER_SWEEP = 5
"""The number of beats between two searches for silent connections."""
_BEATS_PER_PING = 2
"""The number of beats between two measurements of round-trip times. They are measured only while a client
shows them.
"""


class Heartbeat:
    """Closes connections with large backlogs or silent peers, and measures round trips. It begins at once.

    Attributes:
        due_ns: the time of the next beat. If the loop is blocked, the beat is late.
    """

    def __init__(self, loop: ServerLoop[Connection], host: Host) -> None:
        self._loop, self._host = loop, host
        self._keepalive = Keepalive()
        self._beats = 0
        self._beat()

    def stop(self) -> None:
        """Stop the heartbeat."""
        self._next.cancel()

    def change_host(self, host: Host) -> None:
        """Serve another host from now on."""
        self._host = host
        self._keepalive.forget()

    def _beat(self) -> None:
        loop, host = self._loop, self._host
        self.due_ns = now_ns() + round(BEAT_S * 1e9)
        self._next = asyncio.get_running_loop().call_later(BEAT_S, self._beat)
        self._beats += 1
        if loop.connections.pressed:
            loop.connections.shed()
        if self._beats % _BEATS_PER_PING == 0:
            self._time_trips()
        if self._beats % BEATS_PER_SWEEP == 0:
            if not host.at_breakpoint:
                self._keepalive.sweep(loop.connections.values(), now_ns())
            else:
                self._keepalive.forget()

    def _time_trips(self) -> None:
        """Report to the host how long the last pings took, and send new ones."""
        connections, host = self._loop.connections, self._host
        there = {key: connections[key] for key in host.timed if key in connections}
        trips = {key: one.trip_ns for key, one in there.items() if one.trip_ns is not None}
        if trips:
            self._loop.tell(None, host.round_trips, trips)
        for connection in there.values():
            connection.ping()
