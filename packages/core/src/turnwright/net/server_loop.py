"""The loop of every server: connections, guarded calls, a table of effects.

    sockets, clock ──► ServerLoop.tell(connection, host.…) ──► host.take() ──► effects, in order, by the table

A server of one kind adds its effects to the table (`open`). Every call into the host is guarded: an exception
is our mistake, not a participant's. It is logged, the connection it came from is closed, and the server lives
on. Every effect is guarded, too. One that fails while it writes to a connection costs that connection alone.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Generic, Protocol, TypeVar

from turnwright.host import effects as fx
from turnwright.net.clock import Alarm, create_alarm, now_ns
from turnwright.net.files.record_lines import RecordLines
from turnwright.net.files.writer import RecordWriter
from turnwright.net.gc_pause import GcPause
from turnwright.net.http.request import HttpResponse
from turnwright.net.logs import log_line
from turnwright.net.websocket.interface import CLOSE_WAIT_S, Connection

Executors = Mapping[type, Callable[[Any], object]]
"""By the class of an effect: what carries it out."""
_CLOSING_POLL_S = 0.02

_log = logging.getLogger("turnwright")


class LoopHost(Protocol):
    """The calls of the loop itself to a host: a battle's or a world's."""

    def wake(self, now_ns: int) -> None:
        """Take the ring of the alarm."""

    def pending_read(self, now_ns: int) -> None:
        """Take the answer to ReadPending."""

    def take(self) -> list[Any]:
        """Return, once, the effects of the calls before, in order."""


class LoopConnection(Protocol):
    """The server's end of a connection of any protocol. Once closed, calls do nothing."""

    def close(self, code: int, reason: str = "") -> None:
        """Send the reason and close the connection;

        Args:
            code: the code of a WebSocket.
        """

    def abort(self) -> None:
        """End the connection now."""


C = TypeVar("C", bound=LoopConnection)


class ServerLoop(Generic[C]):
    """A host on the running event loop.

    Args:
        unread: returns whether something may lie in the sockets that was not read; asked `drain_rounds` times
            at most, once a round of the event loop.
        backlog_max: bytes; a connection in `pressed` that holds more unsent does not read, and is aborted.
        sorry: code and reason with which a connection is closed after our own failure.
        overdue_soon: an alarm that is due already when it is set rings in the next round, behind what can be
            read.
        around: entered for each call into the host.
        archive: gets records.
        on_failure: called after a call into the host failed.
        settle: called when the effects of a call are carried out.

    Attributes:
        connections: by number, from 1 on; a number is never used again.
    """

    def __init__(
        self,
        host: LoopHost,
        *,
        unread: Callable[[], bool],
        drain_rounds: int,
        backlog_max: int,
        sorry: tuple[int, str] = (1011, "the server failed"),
        overdue_soon: bool = False,
        around: AbstractContextManager[None] | None = None,
        archive: RecordWriter | None = None,
        on_failure: Callable[[], None] | None = None,
        settle: Callable[[], None] | None = None,
    ) -> None:
        self.connections: dict[int, C] = {}
        self.pressed: set[Connection] = set()
        """The connections whose backlog is above the mark of their transport."""
        self.gc_pause = GcPause()
        self._host = host
        self._unread = unread
        self._drain_rounds = drain_rounds
        self._backlog_max = backlog_max
        self._sorry = sorry
        self._overdue_soon = overdue_soon
        self._around = around
        self._archive = archive
        self._on_failure = on_failure
        self._settle = settle
        self._next_key = 1
        self._overdue: asyncio.Handle | None = None
        """The ring for what was due when it was asked for."""

    def open(self, own: Executors) -> None:
        """Start the loop's parts on the running event loop.

        Args:
            own: effects in addition to the loop's, or in place of them.
        """
        event_loop = asyncio.get_running_loop()
        self.call_soon = event_loop.call_soon
        self._alarm: Alarm = create_alarm(event_loop, self._ring)
        self._do: Executors = {**self._executors(), **own}

    def close(self) -> None:
        """Stop the alarm, and restore the garbage collector."""
        self._set_alarm(fx.SetAlarm(None))
        self._alarm.close()
        self.gc_pause.end()

    async def close_connections(self, code: int, reason: str) -> None:
        """Close all connections and wait a little for them to agree.

        Then abort those that are left.
        """
        for connection in list(self.connections.values()):
            connection.close(code, reason)
        for _ in range(round(CLOSE_WAIT_S / _CLOSING_POLL_S)):
            if not self.connections:
                break
            await asyncio.sleep(_CLOSING_POLL_S)
        for connection in list(self.connections.values()):
            connection.abort()

    def change_host(self, host: LoopHost, archive: RecordWriter | None) -> None:
        """Serve another host from now on, which knows the connections already."""
        self._host, self._archive = host, archive
        self._set_alarm(fx.SetAlarm(None))

    # ---- connections -----------------------------------------------------------------------------------

    @property
    def next_key(self) -> int:
        """The number of the next connection."""
        return self._next_key

    def add(self, connection: C) -> int:
        """Add a connection; return its number."""
        key, self._next_key = self._next_key, self._next_key + 1
        self.connections[key] = connection
        return key

    def shed(self) -> None:
        """Abort the connections with too large backlogs."""
        for connection in [c for c in self.pressed if c.backlog > self._backlog_max]:
            self.pressed.discard(connection)
            connection.abort()

    # ---- calls into the host, and effects --------------------------------------------------------------

    def tell(self, connection: C | None, call: Callable[..., None], *arguments: object) -> None:
        """Call the host, then carry out its effects.

        Args:
            connection: what the call came from, or None.
        """
        around = self._around
        try:
            if around is None:
                call(*arguments)
            else:
                with around:
                    call(*arguments)
        except Exception:
            self.failed(connection)
        self.work()

    def work(self) -> None:
        """Carry out the host's effects."""
        try:
            effects = self._host.take()
        except Exception:
            self.failed(None)
            return
        self.execute(effects)

    def execute(self, effects: list[Any]) -> None:
        """Carry out effects, and those that follow from them."""
        do = self._do
        take = self._host.take
        while effects:
            for effect in effects:
                try:
                    do[effect.__class__](effect)
                except Exception:
                    self.failed(None)
            effects = take()
        if self._settle is not None:
            self._settle()
        if self.pressed:
            self.shed()

    def failed(self, connection: C | None) -> None:
        """Log the current exception and close the connection that caused it."""
        _log.exception("the server failed; this is a bug in turnwright, please report it")
        if self._on_failure is not None:
            self._on_failure()
        if connection is not None:
            connection.close(*self._sorry)

    def answer(self, make: Callable[[], HttpResponse]) -> HttpResponse:
        """Return an answer to plain HTTP; 500 when making it fails."""
        try:
            return make()
        except Exception:
            _log.exception("a page could not be created")
            return HttpResponse(500, b"the server failed\n")

    def attempt(self, connection: C, what: str, write: Callable[..., object], *arguments: object) -> None:
        """Write to a connection; an error is logged and closes this connection only."""
        try:
            write(*arguments)
        except Exception:
            _log.exception("%s could not be sent", what)
            connection.abort()

    def to_one(self, write: Callable[[C, Any], object]) -> Callable[[Any], None]:
        """Return the handler of effects on one connection.

        It calls write(connection, effect) if `effect.conn` is open.
        """
        connections = self.connections

        def carry_out(effect: Any) -> None:
            connection = connections.get(effect.conn)
            if connection is not None:
                self.attempt(connection, type(effect).__name__, write, connection, effect)

        return carry_out

    def _executors(self) -> dict[type, Callable[[Any], object]]:
        return {
            fx.Close: self.to_one(lambda connection, effect: connection.close(effect.code, effect.reason)),
            fx.SetAlarm: self._set_alarm,
            fx.ReadPending: lambda _: self.call_soon(self._drain, self._drain_rounds),
            fx.Log: lambda effect: log_line(effect.level, effect.text),
            fx.RecordOpen: self.record_open,
            fx.RecordTurn: self._record_turn,
            fx.RecordClose: self._record_close,
        }

    def record_open(self, effect: fx.RecordOpen) -> None:
        """Begin a record."""
        if self._archive is not None:
            self._archive.open(effect.battle, effect.header, effect.line)

    def record_lines(self, battle: int) -> RecordLines | None:
        """Return the lines of the record of a battle; None: there are none to be read."""
        return None if self._archive is None else self._archive.lines(battle)

    def _record_turn(self, effect: fx.RecordTurn) -> None:
        if self._archive is not None:
            self._archive.turn(effect.battle, effect.entry, effect.line)

    def _record_close(self, effect: fx.RecordClose) -> None:
        if self._archive is not None:
            self._archive.close(effect.battle, effect.footer, effect.line)

    # ---- time --------------------------------------------------------------------------------------------

    def _set_alarm(self, effect: fx.SetAlarm) -> None:
        at_ns = effect.at_ns
        if self._overdue_soon:
            if self._overdue is not None:
                self._overdue.cancel()
                self._overdue = None
            if at_ns is not None and at_ns <= now_ns():
                self._overdue = self.call_soon(self._ring)
                at_ns = None
        self._alarm.set(at_ns)

    def _ring(self) -> None:
        self._overdue = None
        self.tell(None, self._host.wake, now_ns())

    def _drain(self, rounds_left: int) -> None:
        """Read until the sockets are empty, then notify the host."""
        if rounds_left and self._unread():
            self.call_soon(self._drain, rounds_left - 1)
        else:
            self.tell(None, self._host.pending_read, now_ns())
