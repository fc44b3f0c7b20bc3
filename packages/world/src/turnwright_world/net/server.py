"""WorldServer: connects two ports, a planner and a store with the server loop.

    sockets, clock, planner, store ──► host.line, message, wake, pending_read, … ──► host.take() ──► effects

This module takes no decisions. The loop, its guards and the effects that all servers have are in
`net.server_loop`.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import msgspec

from turnwright._version import __version__
from turnwright.host.admission import AdmissionConfig
from turnwright.kernel.record import TurnEntry
from turnwright.net.clock import QueuedAlarm, now_ns
from turnwright.net.files.writer import RecordWriter
from turnwright.net.http.callers import Callers
from turnwright.net.http.listener import Listener
from turnwright.net.http.pages import Pages, answer
from turnwright.net.http.ports import bind
from turnwright.net.http.request import HttpResponse
from turnwright.net.server_loop import Executors, ServerLoop
from turnwright.net.websocket.connection import WebSocketConnection
from turnwright.net.websocket.interface import Connection, PeerAddress
from turnwright.wire.escape import one_line
from turnwright.wire.faults import Farewell
from turnwright_world.host import effects as fx
from turnwright_world.host.host import WorldConfig, WorldHost
from turnwright_world.host.metrics import render
from turnwright_world.host.sessions import ClientKind
from turnwright_world.net.client_clocks import ClientClocks
from turnwright_world.net.connections import (
    BACKLOG_BYTES_MAX,
    FRAME_BYTES_MAX,
    PlayerConnection,
    TelnetPlayer,
    attach,
    player_of,
    read_object,
    read_packed,
    split_lines,
)
from turnwright_world.net.mind_plans import MindPlans
from turnwright_world.net.open_world import OpenedWorld
from turnwright_world.net.passphrases import PassphraseThread
from turnwright_world.net.status import PATH as STATUS_PATH
from turnwright_world.net.status import status_of
from turnwright_world.net.store import Store
from turnwright_world.net.telnet_port import Listing, TelnetApplication, TelnetConnection, TelnetPort
from turnwright_world.net.watchdog import Watchdog
from turnwright_world.planning.net.world_planner import WorldPlanner
from turnwright_world.wire.clock import TimePing
from turnwright_world.wire.packed import pack_message
from turnwright_world.wire.telnet import gmcp
from turnwright_world.wire.telnet.events import Gmcp, Mtts, Notice, Terminal

_DRAIN_ROUNDS = 2
"""Rounds of the event loop that read waiting input.

Each round reads a piece of at least `telnet_port.READ_BYTES` from every connection. The first round may have
polled before the input came. The number is fixed, so a client that sends without end cannot prolong it.
"""
_SORRY = fx.CLOSE_NORMAL, "Something went wrong here; it was logged."
_SAID: Mapping[type, Callable[[PlayerConnection, Any], None]] = {
    fx.ShowText: lambda player, effect: player.text(effect.text),
    fx.ShowPrompt: lambda player, effect: player.prompt(effect.text),
    fx.SendPackage: lambda player, effect: player.package(effect.message),
    fx.HideInput: lambda player, effect: player.secret(effect.on),
}

_CLIENT_KINDS: Mapping[str, ClientKind] = {
    "packed.": "packed",
    "gmcp.": "gmcp",
    "terminal.": "terminal",
    "": "program",
}


class WorldServer:
    """A world on its ports, made by `start_server`.

    Attributes:
        port, telnet_port: the ports on which it listens. telnet_port is None if there is no telnet.
        failed: set when the world cannot continue.
    """

    def __init__(
        self,
        opened: OpenedWorld,
        config: WorldConfig,
        planner: WorldPlanner,
        recorder: RecordWriter | None,
        pages: Pages,
    ) -> None:
        self.failed = asyncio.Event()
        self._pages = pages
        self._planner = planner
        self._unflushed: dict[int, PlayerConnection] = {}
        self._watchdog = Watchdog()
        self._began_s = time.time()
        self.host = WorldHost(opened.battle, config, now_ns(), opened.accounts, now_ns, opened.minds)
        self.loop: ServerLoop[PlayerConnection] = ServerLoop(
            self.host,
            unread=lambda: True,
            drain_rounds=_DRAIN_ROUNDS,
            backlog_max=BACKLOG_BYTES_MAX,
            sorry=_SORRY,
            new_alarm=QueuedAlarm,
            around=self._watchdog,
            archive=recorder,
            on_failure=self._check_void,
            settle=self._flush,
        )
        event_loop = asyncio.get_running_loop()

        def call(what: Callable[[], None]) -> None:
            """Call the host from any thread."""
            if not event_loop.is_closed():
                event_loop.call_soon_threadsafe(self.loop.tell, None, what)

        self._store = Store(
            opened.database,
            lambda turn: call(lambda: self.host.saved(turn, now_ns())),
            on_trouble=lambda why: call(
                lambda: self.host.output.saved(self.host.sessions.players(), works=why is None)
            ),
        )
        self._passphrases = PassphraseThread(self.host, call)
        self._clocks = ClientClocks(self.host, self.loop.connections)
        self.loop.open(self._executors(MindPlans(self.host, planner, self.loop)))
        self.loop.gc_pause.begin()
        self._watchdog.begin()
        if opened.reload is not None:
            self.host.reload(self.host.turns.game.library[opened.reload], now_ns())

    async def listen(
        self, web: list[socket.socket], telnet: list[socket.socket], gate: AdmissionConfig
    ) -> None:
        """Listen on bound sockets. The server owns them from now on."""
        callers = Callers()
        self.port = int(web[0].getsockname()[1])
        self.telnet_port = int(telnet[0].getsockname()[1]) if telnet else None
        self._telnet = TelnetPort(TelnetPlayers(self), gate, callers)
        self._front = Listener(self.http, partial(attach, WebPlayers(self)), gate, callers)
        await self._front.open(web)
        await self._telnet.open(telnet)
        self.loop.work()

    async def stop(self, reason: str = "The world is stopping; come back soon.") -> None:
        """End the open turn, save the world, and say farewell to the players."""
        self._front.close()
        self.loop.tell(None, self.host.stop_all, reason, now_ns())
        self._telnet.close(reason)
        self.loop.close()
        self._watchdog.end()
        await self._planner.close()
        await asyncio.sleep(0)
        await asyncio.to_thread(self._store.close)
        self._passphrases.close()

    # ---- calls of connections ------------------------------------------------------------------------------

    def enter(self, client_kind: ClientKind, address: str, player: PlayerConnection) -> int:
        """Register a new connection and return its number."""
        conn = self.loop.connections.add(player)
        self.loop.tell(player, self.host.connect, conn, client_kind, address, now_ns())
        return conn

    def line(self, conn: int, text: str) -> None:
        """Pass a typed line to the host."""
        received_ns = now_ns()
        self._clocks.measure(conn, received_ns)
        self.loop.tell(self.loop.connections.get(conn), self.host.line, conn, text, received_ns)

    def message(self, conn: int, package: str, data: Any) -> None:
        """Handle a message. Messages of the clock are answered immediately."""
        received_ns = now_ns()
        if isinstance(data, TimePing):
            self._clocks.answer(conn, data, received_ns)
        else:
            player = self.loop.connections.get(conn)
            self.loop.tell(player, self.host.message, conn, package, data, received_ns)

    def terminal(self, conn: int, **known: Any) -> None:
        """Report new facts about a terminal to the host."""
        self.loop.tell(self.loop.connections.get(conn), partial(self.host.terminal, conn, **known))

    def mistake(self, conn: int, text: str) -> None:
        """Report unreadable input to the host."""
        self.loop.tell(self.loop.connections.get(conn), self.host.mistake, conn, text, now_ns())

    def pressure(self, socket: Connection, high: bool) -> None:
        """Note that a WebSocket's client reads too slowly, or fast enough again."""
        self.loop.connections.note_pressure(socket, high)

    def left(self, conn: int) -> None:
        """Handle the end of a connection."""
        self.loop.connections.pop(conn, None)
        self._clocks.forget(conn)
        self.loop.tell(None, self.host.disconnect, conn, now_ns())

    def http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Return the response to a request: the world's status or figures, or a page."""
        trouble = self._store.trouble
        if path.partition("?")[0] == STATUS_PATH:
            status = status_of(self.host, self._planner.misses, trouble, self._planner.figures())
            return HttpResponse(200, msgspec.json.encode(status), "application/json")
        why = None if trouble is None else one_line(f"the world cannot be saved at the moment: {trouble}")
        figures = partial(render, self.host, self._planner.misses, trouble)
        return self.loop.answer(lambda: answer(method, path, headers, self._pages, 0, figures, why))

    def listing(self) -> Listing:
        """Return the facts for directories of games."""
        return {
            "NAME": self.host.config.name,
            "PLAYERS": len(self.host.sessions.players()),
            "UPTIME": int(self._began_s),
            "CODEBASE": f"turnwright {__version__}",
            "LANGUAGE": "English",
            "PORT": self.telnet_port or 0,
            "UTF-8": 1,
            "GMCP": 1,
            "ANSI": 1,
        }

    # ---- effects of the host -------------------------------------------------------------------------------

    def _check_void(self) -> None:
        if self.host.turns.battle.void is not None:
            self.failed.set()

    def _flush(self) -> None:
        """Send the collected text to the players."""
        unflushed, self._unflushed = self._unflushed, {}
        for player in unflushed.values():
            self.loop.attempt(player, "text", player.flush)

    def _executors(self, plans: MindPlans) -> Executors:
        store = self._store
        return {
            **{kind: self.loop.to_one(self._said(say)) for kind, say in _SAID.items()},
            fx.Plan: plans.plan,
            fx.CheckMind: plans.check,
            fx.LoadMind: lambda e: self._planner.teach_own(e.name, e.source, e.body),
            fx.UnloadMind: lambda e: self._planner.forget_own(e.name, e.owner),
            fx.SaveTurn: lambda e: store.turn(e.turn, e.changed, e.facts, _journal_line(e.entry)),
            fx.SaveAccount: lambda e: store.account(e.account),
            fx.SaveMind: lambda e: store.mind(e.mind.owner, e.mind.body, e.mind),
            fx.DeleteMind: lambda e: store.mind(e.owner, e.body, None),
            fx.CheckPassphrase: self._passphrases.check,
            fx.MakeAccount: self._passphrases.make_account,
        }

    def _said(self, say: Callable[[PlayerConnection, Any], None]) -> Callable[[PlayerConnection, Any], None]:
        """Return a function that calls `say`, and lets `_flush` flush the player's connection later."""

        def write(player: PlayerConnection, effect: Any) -> None:
            self._unflushed[effect.conn] = player
            say(player, effect)

        return write


class TelnetPlayers(TelnetApplication):
    """Passes the events of telnet connections to the server."""

    def __init__(self, server: WorldServer) -> None:
        self._server = server

    def on_open(self, connection: TelnetConnection, peer: PeerAddress) -> None:
        """Register a new connection with the server."""
        connection.key = self._server.enter("telnet", peer.host, TelnetPlayer(connection))

    def on_line(self, connection: TelnetConnection, text: str) -> None:
        """Pass a typed line to the server."""
        self._server.line(connection.key, text)

    def on_gmcp(self, connection: TelnetConnection, package: str, data: object) -> None:
        """Pass a GMCP message to the server."""
        self._server.message(connection.key, package, data)

    def on_size(self, connection: TelnetConnection, columns: int, rows: int) -> None:
        """Report the window's width to the server."""
        self._server.terminal(connection.key, width=columns)

    def on_terminal(self, connection: TelnetConnection, terminal: Terminal) -> None:
        """Handle new facts about the player's program."""
        mtts = terminal.mtts or Mtts(0)
        self._server.terminal(
            connection.key,
            colours=bool(mtts & Mtts.ANSI) and not mtts & Mtts.SCREEN_READER,
            screen_reader=bool(mtts & Mtts.SCREEN_READER),
            packages=connection.codec.has_gmcp,
        )

    def on_close(self, connection: TelnetConnection, reason: str) -> None:
        """Handle the end of the connection."""
        self._server.left(connection.key)

    def listing(self) -> Listing:
        """Return the facts for directories of games."""
        return self._server.listing()


class WebPlayers:
    """Passes the events of WebSockets to the server.

    An `Application` of `net.websocket.interface`.
    """

    def __init__(self, server: WorldServer) -> None:
        self._server = server

    def on_open(self, connection: Connection, peer: PeerAddress) -> None:
        """Register a new WebSocket with the server."""
        assert isinstance(connection, WebSocketConnection)
        client_kind = _CLIENT_KINDS[connection.protocol]
        connection.key = self._server.enter(client_kind, peer.host, player_of(connection))

    def on_text(self, connection: Connection, data: bytes) -> None:
        """Handle a text message: a package, a program's object, or typed lines, by the sub-protocol."""
        socket = cast(WebSocketConnection, connection)
        if len(data) > FRAME_BYTES_MAX:
            why = f"a message has at most {FRAME_BYTES_MAX} bytes; this one has {len(data)}"
            self._server.mistake(socket.key, why)
            return
        if socket.protocol in ("terminal.", "packed."):
            self._lines(socket, data)
            return
        self._deal(socket, gmcp.read(data) if socket.protocol else read_object(data))

    def _deal(self, connection: WebSocketConnection, read: Gmcp | Notice) -> None:
        if isinstance(read, Notice):
            self._server.mistake(connection.key, read.text)
        elif read.package == "Core.Ping" and connection.protocol:
            if connection.protocol == "packed.":
                connection.send_binary(pack_message("Core.Ping", {}))
            else:
                connection.send(b"Core.Ping")
        else:
            self._server.message(connection.key, read.package, read.data)

    def on_binary(self, connection: Connection, data: bytes) -> None:
        """Handle a binary message: typed lines, or a packed message."""
        socket = cast(WebSocketConnection, connection)
        if socket.protocol in ("", "packed."):
            self._deal(socket, read_packed(data))
        else:
            self._lines(socket, data)

    def _lines(self, connection: WebSocketConnection, data: bytes) -> None:
        lines, problem = split_lines(data)
        for line in lines:
            self._server.line(connection.key, line)
        if problem is not None:
            self._server.mistake(connection.key, problem)

    def on_pressure(self, connection: Connection, high: bool) -> None:
        """Note that a WebSocket's client reads too slowly, or fast enough again."""
        self._server.pressure(connection, high)

    def on_close(self, connection: Connection, farewell: Farewell) -> None:
        """Handle the end of the connection."""
        self._server.pressure(connection, False)
        self._server.left(connection.key)


async def start_server(
    opened: OpenedWorld,
    config: WorldConfig,
    *,
    host_name: str = "127.0.0.1",
    port: int = 0,
    telnet_port: int | None = 0,
    planner: WorldPlanner | None = None,
    recorder: RecordWriter | None = None,
    pages: Pages | None = None,
    gate: AdmissionConfig | None = None,
) -> WorldServer:
    """Start to serve a world on two ports, and return its server. The caller must `stop` the server.

    Port 0 means any free port, and a telnet port of None means no telnet.

    Args:
        planner: runs the minds. With None, no body plans.
        recorder: writes a record.
        gate: the limits on connections. None means the limits for `host_name`.

    Raises:
        SetupError: a port is taken, or the processes for minds cannot start.
    """
    web = bind(host_name, port)
    telnet = [] if telnet_port is None else bind(host_name, telnet_port, option="--telnet-port")
    planner = planner or WorldPlanner()
    await planner.start()
    server = WorldServer(opened, config, planner, recorder, pages or Pages())
    await server.listen(web, telnet, gate or AdmissionConfig(bound_host=host_name))
    return server


def _journal_line(entry: TurnEntry) -> bytes:
    return msgspec.json.encode({"intents": entry.intents, "skipped": entry.skipped, "digest": entry.digest})
