"""The server of battles. It connects a host with WebSockets, spectators, records and pages.

    sockets, clock ──► host.connect, receive, disconnect, wake … ──► host.take() ──► effects, in order

`net.server_loop` has the loop itself, its guards and the effects of every server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from turnwright.host import effects as fx
from turnwright.host.admission import AdmissionConfig
from turnwright.host.host import Host
from turnwright.net.clock import now_ns
from turnwright.net.fanout import Fanout
from turnwright.net.files.writer import RecordWriter
from turnwright.net.heartbeat import Heartbeat
from turnwright.net.history_writer import HistoryWriter
from turnwright.net.http.listener import Listener
from turnwright.net.http.pages import Pages, answer
from turnwright.net.http.ports import ListenAddress
from turnwright.net.http.request import HttpResponse
from turnwright.net.participants.start_for_operator import Answer, Booter
from turnwright.net.server_loop import Executors, ServerLoop
from turnwright.net.websocket import connection as websocket
from turnwright.net.websocket.interface import Connection, PeerAddress, hold_data
from turnwright.net.websocket.local import LOCAL_HOST, LocalConnection
from turnwright.wire.faults import Farewell

BACKLOG_BYTES_MAX = 4 << 20
"""The largest number of unsent bytes of a connection. A connection with more unsent bytes is aborted, because
its peer does not read.
"""
_DRAIN_ROUNDS_MAX = 32
"""The largest number of rounds of the event loop in which waiting input is read. There is a limit, because
clients may never stop sending.
"""

ANYWHERE = ListenAddress()
"""A free port that only this machine can reach."""


class LiveServer:
    """A server on a port. When the server has started, `port` has the number of the port.

    The server uses one event loop in one thread.

    Args:
        archive: writes the records of battles. None means that there are no records.
        on_battle_over: called with a battle's number and summary when the battle has ended.
        gate: the limits and names by which requests are admitted.
        pages: the pages for browsers.
        booter: starts bots for operators, or None.
        pauses_gc: whether to make garbage collection in the whole process rare during a battle.
    """

    def __init__(
        self,
        host: Host,
        address: ListenAddress = ANYWHERE,
        *,
        archive: RecordWriter | None = None,
        on_battle_over: Callable[[int, Any], None] | None = None,
        gate: AdmissionConfig | None = None,
        pages: Pages | None = None,
        booter: Booter | None = None,
        pauses_gc: bool = True,
    ) -> None:
        self._host = host
        self._pauses_gc = pauses_gc
        self._address = address
        self._on_battle_over = on_battle_over
        self._gate = gate or AdmissionConfig(bound_host=address.host_name)
        self._pages = pages or Pages()
        self._booter = booter
        self.watchers: list[Callable[[fx.Effect], None]] = []
        """Functions in this process that are called with each BotsChanged, RecordOpen and BattleOver."""
        self.loop: ServerLoop[Connection] = ServerLoop(
            host,
            unread=lambda: hold_data(self._connections.values()),
            drain_rounds=_DRAIN_ROUNDS_MAX,
            backlog_max=BACKLOG_BYTES_MAX,
            archive=archive,
        )
        self._connections = self.loop.connections

    # ---- beginning and end -----------------------------------------------------------------------------

    async def start(self) -> None:
        """Start to listen.

        Raises:
            SetupError: the port is taken, or the host name does not belong to this machine.
        """
        event_loop = asyncio.get_running_loop()
        self._fanout = Fanout(self._connections, event_loop.call_soon, lambda: now_ns())
        self._histories = HistoryWriter(
            self._connections,
            event_loop.call_later,
            lambda: now_ns(),
            self._on_thread,
            lambda battle: self.loop.records.lines(battle),
            lambda part: self._host.config.protocol.history(part),
        )
        sockets = self._address.bound()
        self.port = int(sockets[0].getsockname()[1]) if sockets else self._address.port
        self.listener = Listener(self.on_http, partial(websocket.attach, self), self._gate)
        self.loop.open(self._executors())
        self._heartbeat = Heartbeat(self.loop, self._host)
        await self.listener.open(sockets, self._address.listeners)

    async def stop(self, code: int = 1001, reason: str = "the server is stopping") -> None:
        """Abort the battle and close every connection with the WebSocket close code `code`.

        Wait a short time for the clients' close frames.
        """
        self.listener.close()
        self._pages.close()
        self.loop.tell(None, self._host.abort, reason)
        self._fanout.flush()
        self._histories.flush()
        await self._connections.close(code, reason)
        self._heartbeat.stop()
        self.loop.close()
        await asyncio.sleep(0)

    def connect_local(
        self,
        on_message: Callable[[bytes], None],
        on_close: Callable[[int, str], None] | None = None,
    ) -> LocalConnection:
        """Return a new connection for a client in this process, without a socket.

        The event loop calls the callbacks. on_close(code, reason) is called once, whichever side closes the
        connection.
        """
        link = LocalConnection(
            self, PeerAddress(LOCAL_HOST, self._connections.next_key), on_message, on_close
        )
        self.on_open(link.server_end, link.peer)
        return link

    def command(self, call: Callable[[int], None]) -> None:
        """Call the host from this process, and carry out its effects.

        Args:
            call: called with the time, ns (`net.clock.now_ns`).

        Raises:
            Exception: `call` raised it.
        """
        call(now_ns())
        self.loop.work()

    def change_host(
        self,
        host: Host,
        archive: RecordWriter | None = None,
        on_battle_over: Callable[[int, Any], None] | None = None,
    ) -> None:
        """Serve another host from now on.

        The connections stay open, but none of them is in a battle any more. All `watchers` are removed.
        """
        before, self._host = self._host, host
        self._on_battle_over = on_battle_over
        self.watchers.clear()
        self.loop.change_host(host, archive)
        self._histories.forget()
        self._heartbeat.change_host(host)
        self.command(lambda now_ns: host.take_over(before, now_ns))

    # ---- events of connections -------------------------------------------------------------------------

    def on_open(self, connection: Connection, peer: PeerAddress) -> None:
        """Register a new client with the host."""
        key = connection.key = self._connections.add(connection)
        connect = partial(self._host.connect, listener=peer.listener, bots_only=peer.is_sandboxed)
        self.loop.tell(connection, connect, key, peer.host, peer.port, now_ns())

    def on_text(self, connection: Connection, data: bytes) -> None:
        """Pass a text message to the host, and carry out the effects."""
        host = self._host
        try:
            host.receive(connection.key, data, now_ns())
            effects = host.take() if host.effects else None  # most intents have none
        except Exception:
            self.loop.failed(connection)
            return
        if effects:
            self.loop.execute(effects)

    def on_binary(self, connection: Connection, data: bytes) -> None:
        """Drop a binary message, because messages of this server are text."""

    def on_pressure(self, connection: Connection, high: bool) -> None:
        """Send less to a client that reads too slowly (`high`), and as before when it no longer does."""
        self._connections.note_pressure(connection, high)
        self._fanout.pressure(connection, high)
        self._histories.pressure(connection, high)

    def on_close(self, connection: Connection, farewell: Farewell) -> None:
        """Remove a connection that has ended."""
        key = connection.key
        if self._connections.pop(key, None) is not None:
            self._connections.pressed.discard(connection)
            self._fanout.left(key)
            self._histories.left(key)
            self.loop.tell(None, self._host.disconnect, key, now_ns(), farewell)

    def on_http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Return the answer to a plain HTTP request.

        Args:
            headers: the headers, with names in lower case.
        """
        now = now_ns()
        late_ns = now - self._heartbeat.due_ns
        return self.loop.answer(
            lambda: answer(method, path, headers, self._pages, late_ns, lambda: self._host.metrics(now))
        )

    # ---- effects ---------------------------------------------------------------------------------------

    def _executors(self) -> Executors:
        return {
            fx.Send: self._send,
            fx.SendTurn: self._send_turn,
            fx.Publish: lambda effect: self._fanout.publish(effect),
            fx.ForgetHistory: lambda _: self._histories.forget(),
            fx.ReadHistory: lambda effect: self._histories.read(effect),
            fx.HistoryGrew: lambda _: self._histories.grew(),
            fx.PauseReading: self.loop.to_one(lambda connection, _: connection.pause_reading()),
            fx.CallSettled: lambda _: self.loop.call_soon(self._settle),
            fx.RecordOpen: self._record_open,
            fx.BattleOver: self._battle_over,
            fx.BotsChanged: self._tell_watchers,
            fx.ShowDirectories: self._list_directories,
            fx.StartBots: self._boot,
        }

    def _send(self, effect: fx.Send) -> None:
        connection = self._connections.get(effect.conn)
        if connection is not None:
            connection.send(effect.data)

    def _send_turn(self, effect: fx.SendTurn) -> None:
        if self._pauses_gc and not self.loop.gc_pause.on:
            self.loop.gc_pause.begin()
        connections = self._connections
        stamps_ns: list[int] = []
        for key, data in zip(effect.conns, effect.datas, strict=True):
            connection = connections.get(key)
            if connection is not None:
                try:
                    connection.send(data)
                except Exception:
                    self.loop.failed(connection)
            stamps_ns.append(now_ns())
        self._host.turn_sent(stamps_ns)

    def _record_open(self, effect: fx.RecordOpen) -> None:
        if self._booter is not None:
            secrets = [client.secret for client in self._host.room.clients]
            self._booter.battle_began(effect.header.seats, secrets, self._host.take_output)
        self.loop.records.open(effect.battle, effect.header, effect.line)
        self._tell_watchers(effect)

    def _battle_over(self, effect: fx.BattleOver) -> None:
        self.loop.gc_pause.end()
        if self._booter is not None:
            self._booter.battle_over()
        if self._on_battle_over is not None:
            self._on_battle_over(effect.battle, effect.summary)
        self._tell_watchers(effect)

    def _tell_watchers(self, effect: fx.Effect) -> None:
        for tell in self.watchers:
            tell(effect)

    def _list_directories(self, effect: fx.ShowDirectories) -> None:
        if self._booter is not None:
            self._booter.show(self._answer_to(effect.conn))
        else:
            self._send(fx.Send(effect.conn, effect.none))

    def _boot(self, effect: fx.StartBots) -> None:
        answer = self._answer_to(effect.conn)
        if self._booter is not None:
            self._booter.boot(effect.ids, answer)
        else:
            answer(effect.refused)

    def _answer_to(self, conn: int) -> Answer:
        return lambda data: self._send(fx.Send(conn, data))

    def _on_thread(self, call: Callable[[], bytes | None], done: Callable[[bytes | None], None]) -> None:
        """Call a function on a thread. When it has returned, pass its result to `done` in the event loop. If
        it raises an exception, the exception is logged, and the result is None.
        """

        def take(future: asyncio.Future[bytes | None]) -> None:
            if not future.cancelled():
                try:
                    lines = future.result()
                except Exception:
                    self.loop.failed(None)
                    lines = None
                done(lines)

        asyncio.get_running_loop().run_in_executor(None, call).add_done_callback(take)

    def _settle(self) -> None:
        self.loop.tell(None, self._host.inputs_read, now_ns())
