"""Sends to many spectators in slices, so that bots and deadlines do not wait.

All spectators get their messages in order. A slice ends after SLICE_NS. The event loop then reads the bots'
messages and serves its timers before the next slice. A slow spectator misses frames. If it stays slow, it is
disconnected.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from turnwright.host import effects as fx
from turnwright.host.spectators import SlowSince, send_drop_or_close
from turnwright.net.websocket.interface import Connection

SLICE_NS = 500_000
"""The longest time, in ns, for which the server writes to spectators without a break."""
WAITING_FRAMES_MAX = 16
"""The largest number of frames that wait until they are sent to the first spectator. If there are more, the
oldest frame is dropped for all spectators.
"""
FRAMES_BYTES_MAX = 128 << 20
"""The largest number of unsent bytes of all slow connections together. A connection with more than its share
of these bytes gets no frames.
"""
_PAUSE_AT_LEAST = 4


@dataclass(slots=True, eq=False)
class _Job:
    conns: tuple[int, ...]
    data: bytes
    droppable: bool
    at: int = 0


class Fanout:
    """Writes to spectators.

    Args:
        connections: the open connections by number.
        call_soon, clock_ns: functions of the event loop.
    """

    def __init__(
        self,
        connections: Mapping[int, Connection],
        call_soon: Callable[[Callable[[], None]], object],
        clock_ns: Callable[[], int],
    ) -> None:
        self._connections = connections
        self._call_soon = call_soon
        self._clock_ns = clock_ns
        self._jobs: deque[_Job] = deque()
        self._pressed: set[int] = set()
        self._patience = SlowSince()
        self._scheduled = False

    def publish(self, effect: fx.Publish) -> None:
        """Write a message to its connections, now or in later slices."""
        job = _Job(effect.conns, effect.data, effect.droppable)
        if job.droppable:
            waiting = [other for other in self._jobs if other.droppable and not other.at]
            if len(waiting) >= WAITING_FRAMES_MAX:
                self._jobs.remove(waiting[0])
        self._jobs.append(job)
        if not self._scheduled:
            self._run(self._clock_ns() + SLICE_NS)

    def pressure(self, connection: Connection, high: bool) -> None:
        """Record that the backlog of `connection` rose above its mark (`high`), or fell below it."""
        (self._pressed.add if high else self._pressed.discard)(connection.key)

    def left(self, key: int) -> None:
        """Forget a connection that has ended."""
        self._pressed.discard(key)
        self._patience.caught_up(key)

    def flush(self) -> None:
        """Write all waiting messages without a break."""
        self._run(None)

    def _go_on(self) -> None:
        self._scheduled = False
        self._run(self._clock_ns() + SLICE_NS)

    def _run(self, until_ns: int | None) -> None:
        jobs, connections, clock_ns = self._jobs, self._connections, self._clock_ns
        while jobs:
            job = jobs[0]
            while job.at < len(job.conns):
                connection = connections.get(job.conns[job.at])
                job.at += 1
                if connection is not None:
                    self._publish(connection, job.data, job.droppable)
                if until_ns is not None and job.at % _PAUSE_AT_LEAST == 0 and clock_ns() >= until_ns:
                    self._pause()
                    return
            jobs.popleft()

    def _pause(self) -> None:
        self._scheduled = True
        self._call_soon(self._go_on)

    # ---- one spectator -----------------------------------------------------------------------------------

    def _publish(self, connection: Connection, data: bytes, droppable: bool) -> None:
        key = connection.key
        if key not in self._pressed:
            connection.send(data)
            return
        backlog = connection.backlog
        decision = send_drop_or_close(backlog, len(data), droppable)
        if droppable and backlog > FRAMES_BYTES_MAX // len(self._pressed):
            decision = "drop"
        if decision == "send":
            self._patience.caught_up(key)
            connection.send(data)
        elif decision == "close" or self._patience.missed(key, self._clock_ns()):
            connection.close(1013, "too slow to follow")
