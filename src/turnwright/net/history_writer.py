"""Writes the battle so far to each spectator that reads it, as fast as that one takes it.

It writes in slices, and rests between them, so that bots and deadlines do not wait. A connection with a
backlog gets nothing until it has room: its place is a number, and the pieces are kept once for all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from turnwright.host import effects as fx
from turnwright.host.watching.history import BattlePieces
from turnwright.kernel.units import NS_PER_S
from turnwright.net.websocket.interface import Connection

__all__ = ["GAP_S", "REST_TIMES", "SLICE_NS", "HistoryWriter"]

SLICE_NS = 500_000
"""The longest time of writing to spectators without a pause."""
GAP_S = 0.02
"""Seconds between two writings to one spectator, at least: a battle may have a thousand turns meanwhile."""
REST_TIMES = 19
"""After a slice it rests so many times as long: it takes a twentieth of the loop's time at most."""


@dataclass(slots=True, eq=False)
class _Reader:
    reading: fx.ReadHistory
    at: int = 0


class HistoryWriter:
    """Serves the spectators that read a battle.

    connections: those that are open, by number. call_later, clock_ns: the loop's.
    """

    def __init__(
        self,
        connections: Mapping[int, Connection],
        call_later: Callable[[float, Callable[[], None]], object],
        clock_ns: Callable[[], int],
    ) -> None:
        self._connections = connections
        self._call_later = call_later
        self._clock_ns = clock_ns
        self._readers: dict[int, _Reader] = {}
        self._pressed: set[int] = set()
        self._queue: deque[int] = deque()
        self._scheduled = False
        self._more = False
        """Whether there is something to read for a reader that this round may not reach."""
        self._newest: tuple[BattlePieces | None, int, int, bytes] = None, 0, 0, b""
        """The message made last: of what, from where to where, its bytes. Others there get it, too."""

    def read(self, effect: fx.ReadHistory) -> None:
        """Let connections read a history from its beginning, in place of the one before."""
        for conn in effect.conns:
            self._readers[conn] = _Reader(effect)
        self.grew()

    def grew(self) -> None:
        """Note that there is more to read."""
        self._more = True
        if not self._scheduled:
            self._schedule(GAP_S)

    def pressure(self, connection: Connection, high: bool) -> None:
        """Note that a connection is full or has room again."""
        if high:
            self._pressed.add(connection.key)
            return
        self._pressed.discard(connection.key)
        if connection.key in self._readers:
            self.grew()

    def left(self, key: int) -> None:
        """Forget a connection."""
        self._readers.pop(key, None)
        self._pressed.discard(key)

    def flush(self) -> None:
        """Write all that there is to the connections that have room, without a rest."""
        for key in list(self._readers):
            while self._write(key):
                pass

    def forget(self) -> None:
        """Let no connection read any more: another host begins."""
        self._readers.clear()

    def _schedule(self, delay_s: float) -> None:
        self._scheduled = True
        self._call_later(delay_s, self._work)

    def _work(self) -> None:
        """Write to readers for a slice, each once, beginning with those that wait longest."""
        started = self._clock_ns()
        queue = self._queue
        if not queue:
            self._more = False
            queue.extend(self._readers)
        while queue and self._clock_ns() - started < SLICE_NS:
            self._write(queue.popleft())
        self._scheduled = False
        if queue or self._more:
            rest_s = REST_TIMES * (self._clock_ns() - started) / NS_PER_S
            self._schedule(rest_s if queue else max(GAP_S, rest_s))

    def _write(self, key: int) -> bool:
        """Write what a reader can take; return whether there was something."""
        reader, connection = self._readers.get(key), self._connections.get(key)
        if reader is None or connection is None or key in self._pressed:
            return False
        history, at = reader.reading.history, reader.at
        if at >= history.length:
            return False
        known, from_at, to_at, data = self._newest
        if known is not history or from_at != at:
            first, to_at, lines = history.read(at)
            data = reader.reading.message(first, lines)
            self._newest = history, at, to_at, data
        reader.at = to_at
        self._more = self._more or to_at < history.length
        connection.send(data)
        return True
