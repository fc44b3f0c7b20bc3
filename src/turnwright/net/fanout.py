"""Sends to many spectators in slices, so that bots and deadlines do not wait.

All spectators get their messages in order. A slice ends after SLICE_NS; the event loop then reads the bots'
messages and serves its timers before the next slice. A spectator that has lost frames gets a keyframe when
nothing else waits to be written: keyframes are large and must not add load to a busy machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from turnwright.host import effects as fx
from turnwright.host.spectators import HeldFrames, SlowSince, send_drop_or_close
from turnwright.net.websocket.interface import Connection

SLICE_NS = 500_000
"""The longest time of writing to spectators without a pause."""
WAITING_FRAMES_MAX = 16
"""The most frames of one kind that wait for their first spectator; then the oldest is dropped for all.
After a stall of the machine some deltas are much smaller than a keyframe for every spectator."""
FRAMES_BYTES_MAX = 128 << 20
"""Unsent bytes of full connections together; one with more than its equal part gets no official ticks."""
_PAUSE_AT_LEAST = 4


@dataclass(slots=True, eq=False)
class _Job:
    conns: tuple[int, ...]
    do: Callable[[Connection], None]
    kind: type
    droppable: bool
    at: int = 0


class Fanout:
    """Writes to spectators.

    connections: those that are open, by number. call_soon, clock_ns: the loop's.
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
        self._followers = HeldFrames()
        self._patience = SlowSince()
        self._newest: fx.ShowFrame | None = None
        self._behind: dict[int, None] = {}
        """Return the connections that need a keyframe and can take it, in order."""
        self._scheduled = False

    def publish(self, effect: fx.Publish) -> None:
        """Write the same bytes to all given connections."""
        data, droppable = effect.data, effect.droppable
        self._add(_Job(effect.conns, lambda one: self._publish(one, data, droppable), fx.Publish, droppable))

    def show(self, effect: fx.ShowFrame) -> None:
        """Write a frame of our stream to all given connections."""
        self._newest = effect
        self._add(_Job(effect.conns, lambda one: self._show(one, effect), fx.ShowFrame, True))

    def forget(self) -> None:
        """Forget the newest frame: another game begins."""
        self._newest = None
        self._behind.clear()

    def send_frame(self, effect: fx.SendFrame) -> None:
        """Send a connection its first keyframe now: it is in no frame that waits."""
        connection = self._connections.get(effect.conn)
        if connection is not None:
            self._followers.holds(effect.conn, effect.mark)
            connection.send(effect.data)

    def pressure(self, connection: Connection, high: bool) -> None:
        """Note that a connection is full or has room again.

        With room, it is brought to the newest frame.
        """
        key, newest = connection.key, self._newest
        if high:
            self._pressed.add(key)
            return
        self._pressed.discard(key)
        if newest is not None and key in newest.conns:
            self._behind[key] = None
            self._start()

    def left(self, key: int) -> None:
        """Forget a connection."""
        self._pressed.discard(key)
        self._behind.pop(key, None)
        self._followers.left(key)
        self._patience.caught_up(key)

    def flush(self) -> None:
        """Write all waiting messages, without a pause."""
        self._run(None)

    def _add(self, job: _Job) -> None:
        if job.droppable:
            waiting = [other for other in self._jobs if other.kind is job.kind and other.droppable]
            started = [other for other in waiting if other.at]
            if len(waiting) - len(started) >= WAITING_FRAMES_MAX:
                self._jobs.remove(next(other for other in waiting if not other.at))
        self._jobs.append(job)
        self._start()

    def _start(self) -> None:
        if not self._scheduled:
            self._run(self._clock_ns() + SLICE_NS)

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
                    job.do(connection)
                if until_ns is not None and job.at % _PAUSE_AT_LEAST == 0 and clock_ns() >= until_ns:
                    self._pause()
                    return
            jobs.popleft()
        while self._behind:
            if until_ns is not None and clock_ns() >= until_ns:
                self._pause()
                return
            key = next(iter(self._behind))
            del self._behind[key]
            self._catch_up(connections.get(key))

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
        elif decision == "close":
            self._lose(connection)
        else:
            self._missed(connection)

    def _show(self, connection: Connection, frame: fx.ShowFrame) -> None:
        key = connection.key
        if key in self._pressed:
            self._missed(connection)
            return
        needs = self._followers.needs(key, frame.mark, frame.before)
        if needs == "delta":
            self._give(connection, frame.mark, frame.data)
        elif needs == "keyframe" and frame.before is None:
            self._give(connection, *frame.keyframe())  # for all the same
        elif needs == "keyframe":
            self._behind[key] = None

    def _give(self, connection: Connection, mark: fx.Mark, data: bytes) -> None:
        self._behind.pop(connection.key, None)
        self._patience.caught_up(connection.key)
        self._followers.holds(connection.key, mark)
        connection.send(data)

    def _catch_up(self, connection: Connection | None) -> None:
        newest = self._newest
        if connection is None or newest is None or connection.key in self._pressed:
            return
        if self._followers.needs(connection.key, newest.mark, newest.before) != "nothing":
            self._give(connection, *newest.keyframe())

    def _missed(self, connection: Connection) -> None:
        if self._patience.missed(connection.key, self._clock_ns()):
            self._lose(connection)

    def _lose(self, connection: Connection) -> None:
        connection.close(1013, "too slow to follow")
