"""A running server: feeds a `host.Host` with what happens and carries out what it asks for. Decides nothing.

    sockets, clock ──► host.connect, receive, disconnect, wake … ──► host.take() ──► effects, in order

Every call into the host is guarded: an exception is ours, not a participant's; it is logged, the connection
it came from is closed with 1011, and the server lives on.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from turnwright.host import effects as fx
from turnwright.host.gate import GateConfig
from turnwright.kernel.record import Footer, Header, TurnEntry
from turnwright.net.bind import bind
from turnwright.net.booting import Answer, Booter, no_booter
from turnwright.net.calm import Calm
from turnwright.net.clock import Alarm, create_alarm, now_ns
from turnwright.net.fanout import Fanout
from turnwright.net.front import FrontDoor
from turnwright.net.http import HttpResponse
from turnwright.net.keepalive import Keepalive
from turnwright.net.local_link import LOCAL_HOST, LocalConnection
from turnwright.net.logs import one_line
from turnwright.net.pages import Pages, answer
from turnwright.net.transport import CLOSE_WAIT_S, Connection, Peer, TransportName, choose, hold_data
from turnwright.wire.royale.codec import encode
from turnwright.wire.royale.messages import Directories

__all__ = ["BACKLOG_BYTES_MAX", "Archive", "LiveHost", "LiveServer"]

BACKLOG_BYTES_MAX = 4 << 20
"""What any connection may hold unsent; one that holds more does not read, and is aborted."""
_BEAT_S = 1.0
_BEATS_PER_SWEEP = 5
_BEATS_PER_PING = 2
"""How often round trips are measured, while somebody watches them."""
_DRAIN_ROUNDS_MAX = 32
"""Rounds of the event loop in which what the sockets hold is read; who never stops sending ends it."""

_log = logging.getLogger("turnwright")
_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class LiveHost(Protocol):
    """What a host looks like from here; `host.Host` is one."""

    @property
    def at_breakpoint(self) -> bool:
        """Whether the game stands still for a program in a debugger, which answers no pings."""

    @property
    def timed(self) -> Sequence[int]:
        """The connections whose round trips it wants to know."""

    def abort(self, why: str) -> None: ...
    def connect(self, conn: int, peer_host: str, peer_port: int, now_ns: int) -> None: ...
    def receive(self, conn: int, data: bytes, now_ns: int) -> None: ...
    def disconnect(self, conn: int, now_ns: int) -> None: ...
    def wake(self, now_ns: int) -> None: ...
    def settled(self, now_ns: int) -> None: ...
    def drained(self, now_ns: int) -> None: ...
    def observed(self, stamps_ns: list[int]) -> None: ...
    def round_trips(self, trips_ns: Mapping[int, int]) -> None: ...
    def take(self) -> list[fx.Effect]: ...
    def metrics(self, now_ns: int) -> str: ...


class Archive(Protocol):
    """Where records go; see `archive.Recorder`. It raises nothing."""

    def open(self, battle: int, header: Header) -> None: ...
    def turn(self, battle: int, entry: TurnEntry) -> None: ...
    def close(self, battle: int, footer: Footer) -> object: ...


class LiveServer:
    """A server on a port (0: a free one; then `port` says which). One event loop, one thread.

    transport: which WebSocket library carries it. archive: gets records; None: they are dropped.
    on_battle_over(battle, summary): called when one ended. gate: who may come in. pages: what browsers get.
    booter: starts bots for operators; None: nobody does. sockets: bound already; then host_name says where.
    """

    def __init__(
        self,
        host: LiveHost,
        *,
        host_name: str = "localhost",
        port: int = 0,
        transport: TransportName = "auto",
        archive: Archive | None = None,
        on_battle_over: Callable[[int, Any], None] | None = None,
        gate: GateConfig | None = None,
        pages: Pages | None = None,
        booter: Booter | None = None,
        sockets: list[socket.socket] | None = None,
    ) -> None:
        self._host = host
        self.host_name = host_name
        self.port = port
        self._transport: TransportName = transport
        self._archive = archive
        self._on_battle_over = on_battle_over
        self._gate = gate or GateConfig(bound_host=host_name)
        self._pages = pages or Pages()
        self._booter = booter
        self._sockets = sockets
        self._connections: dict[int, Connection] = {}
        self._pressed: set[Connection] = set()
        self._next_key = 1
        self._keepalive = Keepalive()
        self._calm = Calm()
        self._do = self._executors()

    # ---- beginning and end -----------------------------------------------------------------------------

    async def start(self) -> None:
        """Listen. Raises SetupError when the port is taken or the host name is not ours."""
        self._loop = asyncio.get_running_loop()
        self._call_soon = self._loop.call_soon
        self._fanout = Fanout(self._connections, self._call_soon, lambda: now_ns())
        sockets = self._sockets or bind(self.host_name, self.port)
        self.port = int(sockets[0].getsockname()[1])
        self._door = FrontDoor(self, choose(self._transport), self._gate)
        self._alarm: Alarm = create_alarm(self._loop, self._ring)
        self._beats = 0
        self._beat_due_ns = now_ns()
        self._beat()
        await self._door.open(sockets)

    async def stop(self, code: int = 1001, reason: str = "the server is stopping") -> None:
        """Abort the game, close every connection with `code` and wait a little for them to agree."""
        self._door.close()
        self._tell(None, self._host.abort, reason)
        self._fanout.flush()
        for connection in list(self._connections.values()):
            connection.close(code, reason)
        for _ in range(round(CLOSE_WAIT_S / 0.02)):
            if not self._connections:
                break
            await asyncio.sleep(0.02)
        for connection in list(self._connections.values()):
            connection.abort()
        self._heart.cancel()
        self._alarm.close()
        self._calm.end()
        await asyncio.sleep(0)

    def connect_local(
        self,
        on_message: Callable[[bytes], None],
        on_close: Callable[[int, str], None] | None = None,
    ) -> LocalConnection:
        """Connect a client of this process, without a socket; callbacks come from the event loop.

        on_close(code, reason) is called once, whoever closes.
        """
        link = LocalConnection(self, Peer(LOCAL_HOST, self._next_key), on_message, on_close)
        self.on_open(link.server_end, link.peer)
        return link

    # ---- what the transports tell ----------------------------------------------------------------------

    def on_open(self, connection: Connection, peer: Peer) -> None:
        """A client is connected."""
        key = connection.key = self._next_key
        self._next_key += 1
        self._connections[key] = connection
        self._tell(connection, self._host.connect, key, peer.host, peer.port, now_ns())

    def on_text(self, connection: Connection, data: bytes) -> None:
        """A message came."""
        host = self._host
        try:
            host.receive(connection.key, data, now_ns())
            effects = host.take()
        except Exception:
            self._failed(connection)
            return
        if effects:
            self._execute(effects)

    def on_pressure(self, connection: Connection, high: bool) -> None:
        """A client reads slowly, or well again."""
        (self._pressed.add if high else self._pressed.discard)(connection)
        self._fanout.pressure(connection, high)

    def on_close(self, connection: Connection) -> None:
        """A client is gone."""
        key = connection.key
        if self._connections.pop(key, None) is not None:
            self._pressed.discard(connection)
            self._fanout.left(key)
            self._tell(None, self._host.disconnect, key, now_ns())

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Answer plain HTTP."""
        now = now_ns()
        try:
            late_ns = now - self._beat_due_ns
            return answer(method, path, headers, self._pages, late_ns, lambda: self._host.metrics(now))
        except Exception:
            _log.exception("a page could not be made")
            return HttpResponse(500, b"the server failed\n")

    # ---- the host --------------------------------------------------------------------------------------

    def _tell(self, connection: Connection | None, call: Callable[..., None], *arguments: object) -> None:
        try:
            call(*arguments)
            effects = self._host.take()
        except Exception:
            self._failed(connection)
            return
        self._execute(effects)

    def _failed(self, connection: Connection | None) -> None:
        _log.exception("the server failed; this is a defect of turnwright")
        if connection is not None:
            connection.close(1011, "the server failed")

    def _execute(self, effects: list[fx.Effect]) -> None:
        do = self._do
        take = self._host.take
        while effects:
            for effect in effects:
                try:
                    do[effect.__class__](effect)
                except Exception:
                    self._failed(None)
            effects = take()
        if self._pressed:
            self._shed()

    def _executors(self) -> dict[type, Callable[[Any], object]]:
        return {
            fx.Send: self._send,
            fx.SendTurn: self._send_turn,
            fx.Publish: lambda effect: self._fanout.publish(effect),
            fx.ShowFrame: lambda effect: self._fanout.show(effect),
            fx.SendFrame: lambda effect: self._fanout.send_frame(effect),
            fx.ForgetFrames: lambda _: self._fanout.forget(),
            fx.Close: self._close,
            fx.Rest: self._rest,
            fx.Wake: lambda effect: self._alarm.set(effect.at_ns),
            fx.Soon: lambda _: self._call_soon(self._settle),
            fx.Drain: lambda _: self._call_soon(self._drain, _DRAIN_ROUNDS_MAX),
            fx.Log: lambda effect: _log.log(_LEVELS[effect.level], "%s", one_line(effect.text)),
            fx.RecordOpen: self._record_open,
            fx.RecordTurn: self._record_turn,
            fx.RecordClose: self._record_close,
            fx.BattleOver: self._battle_over,
            fx.ListDirectories: self._list_directories,
            fx.Boot: self._boot,
        }

    # ---- effects ---------------------------------------------------------------------------------------

    def _send(self, effect: fx.Send) -> None:
        connection = self._connections.get(effect.conn)
        if connection is not None:
            connection.send(effect.data)

    def _send_turn(self, effect: fx.SendTurn) -> None:
        if not self._calm.on:
            self._calm.begin()
        connections = self._connections
        stamps_ns: list[int] = []
        for key, data in zip(effect.conns, effect.datas, strict=True):
            connection = connections.get(key)
            if connection is not None:
                try:
                    connection.send(data)
                except Exception:
                    self._failed(connection)
            stamps_ns.append(now_ns())
        self._host.observed(stamps_ns)

    def _close(self, effect: fx.Close) -> None:
        connection = self._connections.get(effect.conn)
        if connection is not None:
            connection.close(effect.code, effect.reason)

    def _rest(self, effect: fx.Rest) -> None:
        connection = self._connections.get(effect.conn)
        if connection is not None:
            connection.rest()

    def _record_open(self, effect: fx.RecordOpen) -> None:
        if self._booter is not None:
            self._booter.battle_began(effect.header.seats)
        if self._archive is not None:
            self._archive.open(effect.battle, effect.header)

    def _record_turn(self, effect: fx.RecordTurn) -> None:
        if self._archive is not None:
            self._archive.turn(effect.battle, effect.entry)

    def _record_close(self, effect: fx.RecordClose) -> None:
        if self._archive is not None:
            self._archive.close(effect.battle, effect.footer)

    def _battle_over(self, effect: fx.BattleOver) -> None:
        self._calm.end()
        if self._on_battle_over is not None:
            self._on_battle_over(effect.battle, effect.summary)

    def _list_directories(self, effect: fx.ListDirectories) -> None:
        if self._booter is not None:
            self._booter.show(self._answer_to(effect.conn))
        else:
            self._send(fx.Send(effect.conn, encode(Directories(entries=()))))

    def _boot(self, effect: fx.Boot) -> None:
        answer = self._answer_to(effect.conn)
        if self._booter is not None:
            self._booter.boot(effect.ids, answer)
        else:
            no_booter(answer)

    def _answer_to(self, conn: int) -> Answer:
        return lambda data: self._send(fx.Send(conn, data))

    def _settle(self) -> None:
        self._tell(None, self._host.settled, now_ns())

    def _drain(self, rounds_left: int) -> None:
        """Let the loop read until the kernel holds nothing, then tell the host."""
        if rounds_left and hold_data(self._connections.values()):
            self._call_soon(self._drain, rounds_left - 1)
        else:
            self._tell(None, self._host.drained, now_ns())

    def _ring(self) -> None:
        self._tell(None, self._host.wake, now_ns())

    # ---- looking after connections -----------------------------------------------------------------------

    def _shed(self) -> None:
        for connection in [c for c in self._pressed if c.backlog > BACKLOG_BYTES_MAX]:
            self._pressed.discard(connection)
            connection.abort()

    def _time_trips(self) -> None:
        """Tell the host how long the last pings took, and send new ones."""
        there = {key: self._connections[key] for key in self._host.timed if key in self._connections}
        trips = {key: one.trip_ns for key, one in there.items() if one.trip_ns is not None}
        if trips:
            self._tell(None, self._host.round_trips, trips)
        for connection in there.values():
            connection.ping()

    def _beat(self) -> None:
        self._beat_due_ns = now_ns() + round(_BEAT_S * 1e9)
        self._heart = self._loop.call_later(_BEAT_S, self._beat)
        self._beats += 1
        if self._pressed:
            self._shed()
        if self._beats % _BEATS_PER_PING == 0:
            self._time_trips()
        if self._beats % _BEATS_PER_SWEEP == 0:
            if not self._host.at_breakpoint:
                self._keepalive.sweep(self._connections.values(), now_ns())
            else:
                self._keepalive.forget()
