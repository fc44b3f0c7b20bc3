"""Sends the battle so far to each spectator that reads it, as fast as the spectator's connection allows.

The writer works in short slices with breaks between them, so that bots and deadlines do not wait. A
connection with a backlog gets nothing until its backlog is gone. All readers share the pieces in memory, and
each reader has only its position as a number.

Pieces that are no longer in memory are read from the record on the disk. A thread reads them, for one
spectator at a time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from turnwright.host import effects as fx
from turnwright.host.watching.history import BattlePieces, Excerpt
from turnwright.kernel.units import NS_PER_S
from turnwright.net.files.record_lines import RecordLines
from turnwright.net.websocket.interface import Connection

SLICE_NS = 500_000
"""The longest time, in ns, for which the writer works without a break."""
GAP_S = 0.02
"""The shortest time between two messages to the same spectator, in seconds. A fast battle plays many turns in
this time.
"""
REST_TIMES = 39
"""The break after a slice takes this number of times the length of the slice. So the writer uses a fortieth
of the event loop's time.
"""
HURRIED_REST_TIMES = 1
"""The same factor for battles whose turns wait for the pace. There a page shows a turn late if its line comes
late, so the breaks are short. A thousand pages at 30 turns per second need a third of the event loop's time.
"""
DISK_GAP_S = 0.01
"""The time between two readings from the disk, in seconds. A reading takes about 0.2 ms of processor time,
which is 2 % of this time.
"""

OnThread = Callable[[Callable[[], bytes | None], Callable[[bytes | None], None]], None]
"""Calls the first function on a thread. Then calls the second function, in the event loop, with the result of
the first.
"""


@dataclass(slots=True, eq=False)
class _Reader:
    reading: fx.ReadHistory
    record: RecordLines | None
    """The record on the disk. None means that there is no record, or it cannot be read any more."""
    at: int
    begun: bool
    """Whether the reader has the earlier pieces, or the data from them that it needs."""


class HistoryWriter:
    """Serves the spectators that read a battle.

    Args:
        connections: the open connections by number.
        call_later, clock_ns: functions of the event loop.
        on_thread: calls the functions that read from the disk.
        record_of: returns the lines of the record of a battle, or None if there are none to read.
        message: makes a message that contains pieces.
    """

    def __init__(
        self,
        connections: Mapping[int, Connection],
        call_later: Callable[[float, Callable[[], None]], object],
        clock_ns: Callable[[], int],
        on_thread: OnThread,
        record_of: Callable[[int], RecordLines | None],
        message: Callable[[Excerpt], bytes],
    ) -> None:
        self._make = message
        self._connections = connections
        self._call_later = call_later
        self._clock_ns = clock_ns
        self._record_of = record_of
        self._disk = _Disk(call_later, on_thread, self._take_lines)
        self._readers: dict[int, _Reader] = {}
        self._pressed: set[int] = set()
        self._awake: dict[int, None] = {}
        """The readers whose connections have no backlog, in order of arrival."""
        self._queue: deque[int] = deque()
        self._scheduled = False
        self._rest_times = REST_TIMES
        self._more = False
        """Whether a reader may still have pieces to get after this slice."""
        self._newest: tuple[BattlePieces | None, int, Excerpt | None, bytes] = None, 0, None, b""
        """The newest message, for other readers that need the same one: its history, the number of its first
        piece, its pieces, and its bytes.
        """

    def read(self, effect: fx.ReadHistory) -> None:
        """Let connections read a history. They stop reading the previous one."""
        self._rest_times = HURRIED_REST_TIMES if effect.hurry else REST_TIMES
        for conn in effect.conns:
            record = None if effect.recorded is None else self._record_of(effect.recorded)
            self._readers[conn] = _Reader(effect, record, effect.begin, effect.begin == 0)
            if conn not in self._pressed:
                self._awake[conn] = None
        self.grew()

    def grew(self) -> None:
        """Send new pieces to the readers within a short time."""
        self._more = True
        if not self._scheduled:
            self._schedule(GAP_S)

    def pressure(self, connection: Connection, high: bool) -> None:
        """Record that the backlog of `connection` rose above its mark (`high`), or fell below it."""
        if high:
            self._pressed.add(connection.key)
            self._awake.pop(connection.key, None)
            return
        self._pressed.discard(connection.key)
        if connection.key in self._readers:
            self._awake[connection.key] = None
            self.grew()

    def left(self, key: int) -> None:
        """Forget a connection that has ended."""
        self._readers.pop(key, None)
        self._awake.pop(key, None)
        self._pressed.discard(key)

    def flush(self) -> None:
        """Send all pieces in memory to the connections without a backlog, without a break."""
        for key in list(self._awake):
            while self._write(key):
                pass

    def forget(self) -> None:
        """Stop all readers, because another host begins."""
        self._readers.clear()
        self._awake.clear()

    def _schedule(self, delay_s: float) -> None:
        self._scheduled = True
        self._call_later(delay_s, self._work)

    def _work(self) -> None:
        """Send messages to readers for one slice, at most one to each reader. The reader that has waited
        longest is first. If there is more to send, schedule another slice.
        """
        started = self._clock_ns()
        queue = self._queue
        if not queue:
            self._more = False
            queue.extend(self._awake)
        while queue and self._clock_ns() - started < SLICE_NS:
            self._write(queue.popleft())
        self._scheduled = False
        if queue or self._more:
            rest_s = self._rest_times * (self._clock_ns() - started) / NS_PER_S
            self._schedule(rest_s if queue else max(GAP_S, rest_s))

    def _write(self, key: int) -> bool:
        """Send a reader the next pieces in memory. Return whether there were any. If the pieces are no longer
        in memory, begin to read them from the disk.
        """
        reader, connection = self._readers.get(key), self._connections.get(key)
        if reader is None or connection is None or key not in self._awake:
            return False
        history = reader.reading.history
        if reader.at >= history.length:
            return False
        if reader.begun and reader.at < history.first and reader.record is not None:
            self._disk.read(key, reader.record, reader.at)
            return False
        part, data = self._message(reader)
        if part is None:
            return False
        reader.at, reader.begun = part.after, True
        self._more = self._more or part.after < history.length
        connection.send(data)
        return True

    def _message(self, reader: _Reader) -> tuple[Excerpt | None, bytes]:
        """Return the next pieces for a reader, and their message. None means that memory has none."""
        history = reader.reading.history
        if not reader.begun:
            part = history.begin(reader.at)
            return part, b"" if part is None else self._make(part)
        known, from_at, part, data = self._newest
        if known is not history or from_at != reader.at or part is None or part.after < history.first:
            part = history.read(reader.at)
            if part is not None:
                data = self._make(part)
                self._newest = history, reader.at, part, data
        return part, data

    def _take_lines(self, key: int, record: RecordLines, lines: bytes | None) -> None:
        """Send a reader the lines that were read from the disk. None means that the disk has no more."""
        reader, connection = self._readers.get(key), self._connections.get(key)
        if reader is None or reader.record is not record or connection is None:
            return
        if lines:
            first, reader.at = reader.at, reader.at + lines.count(b"\n")
            connection.send(self._make(Excerpt(first, reader.at, lines)))
            self._write(key)
        elif lines is None:
            reader.record = None
        self.grew()


class _Disk:
    """Reads from the disk for one reader at a time.

    Args:
        take: called with the reader's number, its record, and the lines as from `RecordLines.read`.
    """

    def __init__(
        self,
        call_later: Callable[[float, Callable[[], None]], object],
        on_thread: OnThread,
        take: Callable[[int, RecordLines, bytes | None], None],
    ) -> None:
        self._call_later = call_later
        self._on_thread = on_thread
        self._take = take
        self._waiting: dict[int, tuple[RecordLines, int]] = {}
        self._busy = False

    def read(self, key: int, record: RecordLines, at: int) -> None:
        """Read the next lines for the reader `key`, from number `at` on. If this reader is already waiting
        for lines, do nothing.
        """
        self._waiting.setdefault(key, (record, at))
        if not self._busy:
            self._busy = True
            self._next()

    def _next(self) -> None:
        key = next(iter(self._waiting), None)
        if key is None:
            self._busy = False
            return
        record, at = self._waiting[key]
        self._on_thread(lambda: record.read(at), lambda lines: self._done(key, record, lines))

    def _done(self, key: int, record: RecordLines, lines: bytes | None) -> None:
        self._waiting.pop(key, None)
        self._call_later(DISK_GAP_S, self._next)
        self._take(key, record, lines)
