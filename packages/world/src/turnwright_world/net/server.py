"""WorldServer: two ports, a planner and a store around the loop of servers.

    sockets, clock, planner, store ──► host.line, message, wake, pending_read, … ──► host.take() ──► effects

Decides nothing. The loop itself, its guards and the effects of every server are `net.server_loop`. The pings
of clients' clocks are answered here, outside of turns, with times taken at the socket.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import msgspec

from turnwright._version import __version__
from turnwright.host.accounts import SALT_BYTES, hash_passphrase, matches
from turnwright.host.admission import AdmissionConfig, RateLimiter
from turnwright.kernel.record import TurnEntry
from turnwright.net.clock import now_ns
from turnwright.net.files.writer import RecordWriter
from turnwright.net.http.callers import Callers
from turnwright.net.http.listener import Listener
from turnwright.net.http.pages import Pages, answer
from turnwright.net.http.ports import bind
from turnwright.net.http.request import HttpResponse
from turnwright.net.server_loop import Executors, ServerLoop
from turnwright.net.websocket.interface import Connection
from turnwright.wire.escape import one_line
from turnwright_world.host import effects as fx
from turnwright_world.host.accounts import Account
from turnwright_world.host.host import WorldConfig, WorldHost
from turnwright_world.host.metrics import render
from turnwright_world.host.minds.player_mind import PlayerMind
from turnwright_world.host.sessions import ClientKind
from turnwright_world.net.connections import (
    BACKLOG_BYTES_MAX,
    PlayerConnection,
    ServerCalls,
    TelnetPlayers,
    WebPlayers,
    attach,
)
from turnwright_world.net.database import Database
from turnwright_world.net.open_world import OpenedWorld
from turnwright_world.net.status import PATH as STATUS_PATH
from turnwright_world.net.status import status_of
from turnwright_world.net.store import Store
from turnwright_world.net.telnet_port import Listing, TelnetPort
from turnwright_world.net.watchdog import Watchdog
from turnwright_world.planning.net.world_planner import WorldPlanner
from turnwright_world.wire.clock import TimePing

_PINGS_PER_S, _PINGS_BURST = 4, 32
_HASH_THREADS = 1
"""Passphrases are compared one at a time: each takes 32 MiB."""
_MEASURE_NS = 5_000_000_000
"""Pause between two measurements of a connection's latency."""
_DRAIN_ROUNDS = 2
"""Rounds of the event loop that read what has come, after one that may have polled before: each of them reads
a piece of at least `telnet_port.READ_BYTES` from everybody. A sender that never stops makes it no longer."""
_SORRY = fx.CLOSE_NORMAL, "Something went wrong here; it was logged."
_SAID: Mapping[type, Callable[[PlayerConnection, Any], None]] = {
    fx.ShowText: lambda player, effect: player.text(effect.text),
    fx.ShowPrompt: lambda player, effect: player.prompt(effect.text),
    fx.SendPackage: lambda player, effect: player.package(effect.message),
    fx.HideInput: lambda player, effect: player.secret(effect.on),
}


class WorldServer:
    """A world on two ports (0: free ones; then `port` and `telnet_port` say which).

    A telnet port of None means no telnet.

    Args:
        planner: plans for the minds.
        database: the database of `opened`.
        recorder: keeps a record.

    Attributes:
        failed: set when the world cannot continue.
    """

    def __init__(
        self,
        opened: OpenedWorld,
        config: WorldConfig,
        *,
        host_name: str = "127.0.0.1",
        port: int = 0,
        telnet_port: int | None = 0,
        planner: WorldPlanner | None = None,
        database: Database | None = None,
        recorder: RecordWriter | None = None,
        pages: Pages | None = None,
        gate: AdmissionConfig | None = None,
    ) -> None:
        self.port, self.telnet_port, self.host_name = port, telnet_port, host_name
        self.failed = asyncio.Event()
        self._opened = opened
        self._config = config
        self._planner = planner or WorldPlanner()
        self._database = database
        self._recorder = recorder
        self._pages = pages or Pages()
        self._gate = gate or AdmissionConfig(bound_host=host_name)
        self._pings: dict[int, RateLimiter] = {}
        self._measure_ns: dict[int, int] = {}
        self._unflushed: dict[int, PlayerConnection] = {}
        self._store: Store | None = None
        self._watchdog = Watchdog()
        self._began_s = time.time()

    # ---- beginning and end ---------------------------------------------------------------------------------

    def _bind_telnet(self) -> list[socket.socket]:
        if self.telnet_port is None:
            return []
        return bind(self.host_name, self.telnet_port, option="--telnet-port")

    async def start(self) -> None:
        """Listen.

        Raises:
            SetupError: a port is taken.
        """
        self._event_loop = asyncio.get_running_loop()
        web = bind(self.host_name, self.port)
        telnet = self._bind_telnet()
        self.port = int(web[0].getsockname()[1])
        self._hashing = ThreadPoolExecutor(_HASH_THREADS, "passphrases")
        await self._planner.start()
        if self._database is not None:
            self._store = Store(self._database, self._saved, on_trouble=self._troubled)
        opened = self._opened
        battle = opened.battle
        self.host = WorldHost(battle, self._config, now_ns(), opened.accounts, now_ns, opened.minds)
        self._planner.on_overload = self._overloaded
        self._planner.on_mistake = lambda text: self.call(lambda: self.host.builders(text))
        self._planner.on_own = self._planned_own
        self.loop: ServerLoop[PlayerConnection] = ServerLoop(
            self.host,
            unread=lambda: True,
            drain_rounds=_DRAIN_ROUNDS,
            backlog_max=BACKLOG_BYTES_MAX,
            sorry=_SORRY,
            overdue_soon=True,
            around=self._watchdog,
            archive=self._recorder,
            on_failure=self._check_void,
            settle=self._flush,
        )
        self.loop.open(self._executors())
        self.loop.gc_pause.begin()
        self._watchdog.begin()
        if self._opened.reload is not None:
            rules = battle.game.library[self._opened.reload]  # type: ignore[attr-defined]  # a WorldGame
            self.host.reload(rules, now_ns())
        callers = Callers()
        calls = ServerCalls(
            enter=self.enter,
            line=self.line,
            message=self.message,
            terminal=self.terminal,
            mistake=self.mistake,
            pressure=self.pressure,
            left=self.left,
            listing=self.listing,
        )
        self._telnet = TelnetPort(TelnetPlayers(calls), self._gate, callers)
        self._front = Listener(self.http, partial(attach, WebPlayers(calls)), self._gate, callers)
        await self._front.open(web)
        if telnet:
            self.telnet_port = int(telnet[0].getsockname()[1])
            await self._telnet.open(telnet)
        self.loop.work()

    async def stop(self, reason: str = "The world is stopping; come back soon.") -> None:
        """End the open turn, keep the world, say farewell."""
        self._front.close()
        self.call(lambda: self.host.stop_all(reason, now_ns()))
        self._telnet.close(reason)
        self.loop.close()
        self._watchdog.end()
        await self._planner.close()
        await asyncio.sleep(0)
        if self._store is not None:
            await self._event_loop.run_in_executor(None, self._store.close)
        self._hashing.shutdown(wait=False, cancel_futures=True)

    # ---- what the doors tell -------------------------------------------------------------------------------

    def enter(self, client_kind: ClientKind, address: str, player: PlayerConnection) -> int:
        """Take a new connection in; return its number."""
        conn = self.loop.add(player)
        self.call(lambda: self.host.connect(conn, client_kind, address, now_ns()), conn)
        return conn

    def line(self, conn: int, text: str) -> None:
        """A line was typed."""
        received_ns = now_ns()
        self._measure(conn, received_ns)
        self.call(lambda: self.host.line(conn, text, received_ns), conn)

    def message(self, conn: int, package: str, data: Any) -> None:
        """A message came; the clock's are answered at once."""
        received_ns = now_ns()
        if isinstance(data, TimePing):
            self._pong(conn, data, received_ns)
        else:
            self.call(lambda: self.host.message(conn, package, data, received_ns), conn)

    def terminal(self, conn: int, **known: Any) -> None:
        """More is known of a terminal."""
        self.call(lambda: self.host.terminal(conn, **known), conn)

    def mistake(self, conn: int, text: str) -> None:
        """Something that cannot be read came."""
        self.call(lambda: self.host.mistake(conn, text, now_ns()), conn)

    def pressure(self, socket: Connection, high: bool) -> None:
        """A WebSocket reads slowly, or well again."""
        (self.loop.pressed.add if high else self.loop.pressed.discard)(socket)

    def left(self, conn: int) -> None:
        """A connection is gone."""
        self.loop.connections.pop(conn, None)
        self._pings.pop(conn, None)
        self._measure_ns.pop(conn, None)
        self.call(lambda: self.host.disconnect(conn, now_ns()))

    def http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Answer a request."""
        trouble = None if self._store is None else self._store.trouble
        if path.partition("?")[0] == STATUS_PATH:
            status = status_of(self.host, self._planner.misses, trouble, self._planner.figures())
            return HttpResponse(200, msgspec.json.encode(status), "application/json")
        why = None if trouble is None else one_line(f"the world cannot be saved at the moment: {trouble}")
        figures = partial(render, self.host, self._planner.misses, trouble)
        return self.loop.answer(lambda: answer(method, path, headers, self._pages, 0, figures, why))

    def listing(self) -> Listing:
        """Return what directories of games shall know."""
        return {
            "NAME": self._config.name,
            "PLAYERS": len(self.host.sessions.players()),
            "UPTIME": int(self._began_s),
            "CODEBASE": f"turnwright {__version__}",
            "LANGUAGE": "English",
            "PORT": self.telnet_port or 0,
            "UTF-8": 1,
            "GMCP": 1,
            "ANSI": 1,
        }

    # ---- calling the host, and doing what it asks for ------------------------------------------------------

    def call(self, what: Callable[[], None], conn: int | None = None) -> None:
        """Call the host.

        A failure is ours, is logged, and costs the connection it came from.
        """
        self.loop.tell(None if conn is None else self.loop.connections.get(conn), what)

    def _check_void(self) -> None:
        if self.host.turns.battle.void is not None:
            self.failed.set()

    def _flush(self) -> None:
        """Let what was said to players leave."""
        unflushed, self._unflushed = self._unflushed, {}
        for player in unflushed.values():
            self.loop.attempt(player, "text", player.flush)

    def _executors(self) -> Executors:
        return {
            **{kind: self.loop.to_one(self._said(say)) for kind, say in _SAID.items()},
            fx.Plan: self._plan,
            fx.SaveTurn: self._save,
            fx.SaveAccount: self._save_account,
            fx.CheckPassphrase: self._check,
            fx.MakeAccount: self._make_account,
            fx.CheckMind: self._check_mind,
            fx.SaveMind: lambda e: self._save_mind(e.mind.owner, e.mind.body, e.mind),
            fx.DeleteMind: lambda e: self._save_mind(e.owner, e.body, None),
            fx.LoadMind: lambda e: self._planner.teach_own(e.name, e.source, e.body),
            fx.UnloadMind: lambda e: self._planner.forget_own(e.name, e.owner),
        }

    def _said(self, say: Callable[[PlayerConnection, Any], None]) -> Callable[[PlayerConnection, Any], None]:
        """Return `say` for a player who is then flushed."""

        def write(player: PlayerConnection, effect: Any) -> None:
            self._unflushed[effect.conn] = player
            say(player, effect)

        return write

    def _overloaded(self) -> None:
        self.host.turns.pace.overloaded = True

    def _plan(self, effect: fx.Plan) -> None:
        """Let minds plan, once the messages for players have left."""
        turns = self.host.turns
        self.loop.call_soon(
            self._planner.plan, effect, partial(turns.game.observe_packed, turns.state), self._planned
        )

    def _planned(self, turn: int, body: int, command: str, memory: dict[str, Any] | None) -> None:
        self.host.planned(turn, body, command, now_ns(), memory)

    def _planned_own(
        self, turn: int, body: int, owner: str, reason: str | None, text: str, printed: str
    ) -> None:
        if self.host.minds.planned(turn, body, owner, reason, text, printed):
            self.loop.work()

    def _check_mind(self, effect: fx.CheckMind) -> None:
        def done(mistake: tuple[int, str] | None) -> None:
            self.call(lambda: self.host.mind_checked(effect.ticket, effect.owner, mistake, now_ns()))

        self._planner.check(effect.source, done)

    def _saved(self, turn: int) -> None:
        """Called on the store's thread."""
        self._event_loop.call_soon_threadsafe(self._saved_here, turn)

    def _saved_here(self, turn: int) -> None:
        self.call(lambda: self.host.saved(turn, now_ns()))

    def _troubled(self, why: str | None) -> None:
        """Called on a thread of the store."""
        self._soon(lambda: self.host.output.saved(self.host.sessions.players(), works=why is None))

    def _save(self, effect: fx.SaveTurn) -> None:
        if self._store is None:
            self.loop.call_soon(self._saved_here, effect.turn)
        else:
            line = self._journal_line(effect.entry)
            self._store.turn(effect.turn, effect.changed, effect.facts, line)

    def _journal_line(self, entry: TurnEntry) -> bytes:
        return msgspec.json.encode(
            {"intents": entry.intents, "skipped": entry.skipped, "digest": entry.digest}
        )

    def _save_account(self, effect: fx.SaveAccount) -> None:
        if self._store is not None:
            self._store.account(effect.account)

    def _save_mind(self, owner: str, body: int, mind: PlayerMind | None) -> None:
        if self._store is not None:
            self._store.mind(owner, body, mind)

    # ---- what takes a while --------------------------------------------------------------------------------

    def _check(self, effect: fx.CheckPassphrase) -> None:
        work = self._hashing.submit(matches, effect.passphrase, effect.account.hashed)
        work.add_done_callback(
            lambda done: self._soon(lambda: self.host.checked(effect.conn, done.result(), now_ns()))
        )

    def _make_account(self, effect: fx.MakeAccount) -> None:
        work = self._hashing.submit(hash_passphrase, effect.passphrase, os.urandom(SALT_BYTES))
        work.add_done_callback(
            lambda done: self._soon(
                lambda: self.host.account_made(effect.conn, Account(effect.name, done.result()), now_ns())
            )
        )

    def _soon(self, what: Callable[[], None]) -> None:
        if not self._event_loop.is_closed():
            self._event_loop.call_soon_threadsafe(self.call, what)

    # ---- the clock and figures -----------------------------------------------------------------------------

    def _pong(self, conn: int, ping: TimePing, received_ns: int) -> None:
        player, limit = self.loop.connections.get(conn), self._pings.get(conn)
        if limit is None:
            limit = self._pings[conn] = RateLimiter(_PINGS_PER_S, _PINGS_BURST)
        if player is None or not limit.allow(received_ns):
            return
        session = self.host.sessions.of(conn)
        if session is not None:
            session.latency.note_ping(ping)
            self._measure(conn, received_ns)
        player.package(self.host.clock.answer(ping, received_ns, now_ns()))
        player.flush()

    def _measure(self, conn: int, at_ns: int) -> None:
        """Note what the system knows of a line, now and then."""
        if at_ns < self._measure_ns.get(conn, 0):
            return
        session, player = self.host.sessions.of(conn), self.loop.connections.get(conn)
        if session is None or player is None:
            return
        self._measure_ns[conn] = at_ns + _MEASURE_NS
        if (measured := player.round_trip_us()) is not None:
            session.latency.note_kernel(*measured)
