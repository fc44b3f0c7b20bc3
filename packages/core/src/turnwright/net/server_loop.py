"""The part that all servers share: connections, guarded calls of the host, and a table of effects.

    sockets, clock ──► ServerLoop.tell(connection, host.…) ──► host.take() ──► effects, in order, by the table

Each kind of server adds its own effects to the table (`open`). Every call of the host is guarded. If the call
raises an exception, this is our mistake, not the mistake of a participant. The exception is logged, the
connection that caused the call is closed, and the server continues. Every effect is guarded, too. If writing
to a connection fails, only that connection is closed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Generic, Protocol

from turnwright.host import effects as fx
from turnwright.net.clock import Alarm, create_alarm, now_ns
from turnwright.net.connections import C, Connections
from turnwright.net.files.writer import NoRecords, RecordWriter
from turnwright.net.gc_pause import GcPause
from turnwright.net.http.request import HttpResponse
from turnwright.net.logs import log_line

Executors = Mapping[type, Callable[[Any], object]]
"""The functions that carry out effects, by the class of the effect."""

_log = logging.getLogger("turnwright")


class LoopHost(Protocol):
    """The methods of a host that the loop itself calls. It is the host of a battle or of a world."""

    def wake(self, now_ns: int) -> None:
        """Carry out everything that is due, because the alarm rang."""

    def pending_read(self, now_ns: int) -> None:
        """Continue, because the sockets have been read, as `ReadPending` asked."""

    def take(self) -> list[Any]:
        """Return the effects of earlier calls, in order. Each effect is returned only once."""


class ServerLoop(Generic[C]):
    """A host on the running event loop.

    Args:
        unread: returns whether the sockets may have unread data. After a ReadPending, it is called in each
            round of the event loop until it returns False, for at most `drain_rounds` rounds.
        backlog_max: the largest number of unsent bytes of a connection (see `Connections`).
        sorry: the code and reason with which a connection is closed after our own failure.
        around: a context that is entered for each call of the host.
        archive: writes the records of battles.
        new_alarm: makes an alarm from the event loop and the function to call.
        on_failure: called after a call of the host, or an effect, failed.
        settle: called when the effects of a call have been carried out.

    Attributes:
        connections: the open connections.
        records: `archive`, or an object that drops the records.
        gc_pause: makes garbage collections rare while a battle runs.
    """

    def __init__(
        self,
        host: LoopHost,
        *,
        unread: Callable[[], bool],
        drain_rounds: int,
        backlog_max: int,
        sorry: tuple[int, str] = (1011, "the server failed"),
        around: AbstractContextManager[None] | None = None,
        archive: RecordWriter | None = None,
        on_failure: Callable[[], None] | None = None,
        settle: Callable[[], None] | None = None,
        new_alarm: Callable[[asyncio.AbstractEventLoop, Callable[[], None]], Alarm] = create_alarm,
    ) -> None:
        self.connections: Connections[C] = Connections(backlog_max)
        self.records = archive or NoRecords()
        self.gc_pause = GcPause()
        self._host = host
        self._unread = unread
        self._drain_rounds = drain_rounds
        self._sorry = sorry
        self._around = around
        self._on_failure = on_failure
        self._settle = settle
        self._new_alarm = new_alarm

    def open(self, own: Executors) -> None:
        """Start the loop's parts on the running event loop.

        Args:
            own: the functions for the effects that this kind of server adds or replaces.
        """
        event_loop = asyncio.get_running_loop()
        self.call_soon = event_loop.call_soon
        self._alarm = self._new_alarm(event_loop, self._ring)
        self._do: Executors = {**self._executors(), **own}

    def close(self) -> None:
        """Stop the alarm, and restore the garbage collector."""
        self._alarm.set(None)
        self._alarm.close()
        self.gc_pause.end()

    def change_host(self, host: LoopHost, archive: RecordWriter | None) -> None:
        """Serve another host from now on. The caller lets the new host take over the connections."""
        self._host, self.records = host, archive or NoRecords()
        self._alarm.set(None)

    # ---- calls into the host, and effects --------------------------------------------------------------

    def tell(self, connection: C | None, call: Callable[..., None], *arguments: object) -> None:
        """Call the host, then carry out its effects.

        Args:
            connection: the connection that caused the call, or None. It is closed if the call fails.
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
        """Take the effects from the host, and carry them out."""
        try:
            effects = self._host.take()
        except Exception:
            self.failed(None)
            return
        self.execute(effects)

    def execute(self, effects: list[Any]) -> None:
        """Carry out effects, and the effects that result from them. Then abort connections with too large
        backlogs.
        """
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
        if self.connections.pressed:
            self.connections.shed()

    def failed(self, connection: C | None) -> None:
        """Log the current exception, call `on_failure`, and close the connection that caused it, if any."""
        _log.exception("the server failed; this is a bug in turnwright, please report it")
        if self._on_failure is not None:
            self._on_failure()
        if connection is not None:
            connection.close(*self._sorry)

    def answer(self, make: Callable[[], HttpResponse]) -> HttpResponse:
        """Return the answer to a plain HTTP request. If `make` fails, the status is 500."""
        try:
            return make()
        except Exception:
            _log.exception("a page could not be created")
            return HttpResponse(500, b"the server failed\n")

    def attempt(self, connection: C, what: str, write: Callable[..., object], *arguments: object) -> None:
        """Call `write`. If it fails, log the error and abort this connection.

        Args:
            what: the name of the message, for the log.
        """
        try:
            write(*arguments)
        except Exception:
            _log.exception("%s could not be sent", what)
            connection.abort()

    def to_one(self, write: Callable[[C, Any], object]) -> Callable[[Any], None]:
        """Return a function that carries out an effect on one connection.

        If the connection `effect.conn` is open, the function calls write(connection, effect).
        """
        connections = self.connections

        def carry_out(effect: Any) -> None:
            connection = connections.get(effect.conn)
            if connection is not None:
                self.attempt(connection, type(effect).__name__, write, connection, effect)

        return carry_out

    def _executors(self) -> dict[type, Callable[[Any], object]]:
        alarm = self._alarm
        return {
            fx.Close: self.to_one(lambda connection, effect: connection.close(effect.code, effect.reason)),
            fx.SetAlarm: lambda effect: alarm.set(effect.at_ns),
            fx.ReadPending: lambda _: self.call_soon(self._drain, self._drain_rounds),
            fx.Log: lambda effect: log_line(effect.level, effect.text),
            fx.RecordOpen: lambda effect: self.records.open(effect.battle, effect.header, effect.line),
            fx.RecordTurn: lambda effect: self.records.turn(effect.battle, effect.entry, effect.line),
            fx.RecordClose: lambda effect: self.records.close(effect.battle, effect.footer, effect.line),
        }

    # ---- time --------------------------------------------------------------------------------------------

    def _ring(self) -> None:
        self.tell(None, self._host.wake, now_ns())

    def _drain(self, rounds_left: int) -> None:
        """Let the event loop read until the sockets are empty or no round is left, then notify the host."""
        if rounds_left and self._unread():
            self.call_soon(self._drain, rounds_left - 1)
        else:
            self.tell(None, self._host.pending_read, now_ns())
