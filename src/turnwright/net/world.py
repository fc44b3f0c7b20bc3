"""The server of a world: one event loop, a telnet port, and a port for pages and WebSockets.

    sockets, clock, planner, store ──► host.line, message, wake, drained, … ──► host.take() ──► effects

Decides nothing. The clock's pings are answered here, outside of turns, with times taken at the socket.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec

from turnwright._version import __version__
from turnwright.host.gate import GateConfig, RateLimiter
from turnwright.host.world import effects as fx
from turnwright.host.world.accounts import SALT_BYTES, Account, hash_passphrase, matches
from turnwright.host.world.host import WorldConfig, WorldHost
from turnwright.host.world.metrics import render
from turnwright.host.world.own_minds import OwnMind
from turnwright.host.world.sessions import Carrier
from turnwright.kernel.record import Footer, TurnEntry
from turnwright.net.archive import Recorder
from turnwright.net.bind import bind
from turnwright.net.callers import Callers
from turnwright.net.calm import Calm
from turnwright.net.clock import Alarm, create_alarm, now_ns
from turnwright.net.front import FrontDoor
from turnwright.net.hangs import Hangs
from turnwright.net.http import HttpResponse
from turnwright.net.lines import Listing
from turnwright.net.logs import one_line
from turnwright.net.pages import Pages, answer
from turnwright.net.store import Store
from turnwright.net.store_sql import Database
from turnwright.net.telnet import TelnetDoor
from turnwright.net.world_doors import SocketHall, TelnetHall
from turnwright.net.world_founding import Founded
from turnwright.net.world_planner import InlinePlanner, Planner
from turnwright.net.world_socket import attach
from turnwright.net.world_speech import Speech
from turnwright.net.world_status import PATH as STATUS_PATH
from turnwright.net.world_status import status_of
from turnwright.wire.world.clock import TimePing

__all__ = ["WorldServer"]

_PINGS_PER_S, _PINGS_BURST = 4, 32
_HASH_THREADS = 1
"""Passphrases are compared one at a time: each takes 32 MiB."""
_MEASURE_NS = 5_000_000_000
"""How often the system is asked how long a line takes."""
_DRAIN_ROUNDS = 3
"""Rounds of the event loop that read what has come: one may have polled before, each of the others reads a
piece of at least `telnet.READ_BYTES` from everybody. Who never stops sending does not make it longer."""
_BATTLE = 1
_log = logging.getLogger("turnwright")
_SAID: Mapping[type, Callable[[Speech, Any], None]] = {
    fx.Text: lambda speech, effect: speech.text(effect.text),
    fx.Prompt: lambda speech, effect: speech.prompt(effect.text),
    fx.Package: lambda speech, effect: speech.package(effect.name, effect.data),
    fx.Secret: lambda speech, effect: speech.secret(effect.on),
    fx.Close: lambda speech, effect: speech.close(effect.reason),
}
_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class WorldServer:
    """A world on two ports (0: free ones; then `port` and `telnet_port` say which); None: no telnet.

    planner: whom minds are planned by. database: the one that `founded` came from. recorder: keeps a record.
    failed: set when the world cannot go on.
    """

    def __init__(
        self,
        founded: Founded,
        config: WorldConfig,
        *,
        host_name: str = "127.0.0.1",
        port: int = 0,
        telnet_port: int | None = 0,
        planner: Planner | None = None,
        database: Database | None = None,
        recorder: Recorder | None = None,
        pages: Pages | None = None,
        gate: GateConfig | None = None,
    ) -> None:
        self.port, self.telnet_port, self.host_name = port, telnet_port, host_name
        self.failed = asyncio.Event()
        self._founded = founded
        self._config = config
        self._planner = planner or InlinePlanner()
        self._database = database
        self._recorder = recorder
        self._pages = pages or Pages()
        self._gate = gate or GateConfig(bound_host=host_name)
        self._speeches: dict[int, Speech] = {}
        self._pings: dict[int, RateLimiter] = {}
        self._measure_ns: dict[int, int] = {}
        self._spoken: dict[int, Speech] = {}
        self._next_conn = 1
        self._store: Store | None = None
        self._due: asyncio.Handle | None = None
        """The call of `_ring` for what was due when it was asked for."""
        self._calm = Calm()
        self._hangs = Hangs()
        self._began_s = time.time()
        self._do: dict[type, Callable[[Any], object]] = self._executors()

    # ---- beginning and end ---------------------------------------------------------------------------------

    def _bind_telnet(self) -> list[socket.socket]:
        if self.telnet_port is None:
            return []
        return bind(self.host_name, self.telnet_port, option="--telnet-port")

    async def start(self) -> None:
        """Listen. Raises: SetupError when a port is taken."""
        self._loop = asyncio.get_running_loop()
        web = bind(self.host_name, self.port)
        telnet = self._bind_telnet()
        self.port = int(web[0].getsockname()[1])
        self._hashing = ThreadPoolExecutor(_HASH_THREADS, "passphrases")
        await self._planner.start()
        self._alarm: Alarm = create_alarm(self._loop, self._ring)
        if self._database is not None:
            self._store = Store(self._database, self._saved, on_trouble=self._troubled)
        battle = self._founded.battle
        if self._recorder is not None:
            self._recorder.open(_BATTLE, battle.header)
        founded = self._founded
        self.host = WorldHost(battle, self._config, now_ns(), founded.accounts, now_ns, founded.minds)
        self._planner.on_overload = self._overloaded
        self._planner.on_mistake = lambda text: self.call(lambda: self.host.builders(text))
        self._planner.on_own = self._planned_own
        self._calm.begin()
        self._hangs.begin()
        if self._founded.reload is not None:
            rules = battle.game.library[self._founded.reload]  # type: ignore[attr-defined]  # a WorldGame
            self.host.reload(rules, now_ns())
        callers = Callers()
        self._telnet = TelnetDoor(TelnetHall(self), self._gate, callers)
        self._front = FrontDoor(SocketHall(self), attach, self._gate, callers)
        await self._front.open(web)
        if telnet:
            self.telnet_port = int(telnet[0].getsockname()[1])
            await self._telnet.open(telnet)
        self.work()

    async def stop(self, reason: str = "The world is stopping; come back soon.") -> None:
        """End the open turn, keep the world, say farewell."""
        self._front.close()
        self.call(lambda: self.host.stop_all(reason, now_ns()))
        self._telnet.close(reason)
        self._wake(fx.Wake(None))
        self._alarm.close()
        self._calm.end()
        self._hangs.end()
        await self._planner.close()
        await asyncio.sleep(0)
        if self._store is not None:
            await self._loop.run_in_executor(None, self._store.close)
        self._hashing.shutdown(wait=False, cancel_futures=True)
        if self._recorder is not None:
            self._recorder.close(_BATTLE, Footer("aborted", self.host.table.battle.turn))

    # ---- what the doors tell -------------------------------------------------------------------------------

    def enter(self, carrier: Carrier, address: str, speech: Speech) -> int:
        """Take a new connection in; return its number."""
        conn, self._next_conn = self._next_conn, self._next_conn + 1
        self._speeches[conn] = speech
        self.call(lambda: self.host.connect(conn, carrier, address, now_ns()), conn)
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

    def left(self, conn: int) -> None:
        """A connection is gone."""
        self._speeches.pop(conn, None)
        self._pings.pop(conn, None)
        self._measure_ns.pop(conn, None)
        self.call(lambda: self.host.disconnect(conn, now_ns()))

    def http(self, method: str, path: str, headers: Mapping[str, str]) -> HttpResponse:
        """Answer a request."""
        trouble = None if self._store is None else self._store.trouble
        if path.partition("?")[0] == STATUS_PATH:
            status = status_of(self.host, self._planner.misses, trouble, self._planner.figures())
            return HttpResponse(200, msgspec.json.encode(status), "application/json")
        why = None if trouble is None else one_line(f"the world cannot be kept at the moment: {trouble}")
        figures = lambda: render(self.host, self._planner.misses, trouble)  # noqa: E731 - it is one line
        return answer(method, path, headers, self._pages, 0, figures, why)

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
        """Call the host; a failure is ours, is logged, and costs the connection it came from."""
        try:
            with self._hangs:
                what()
        except Exception:
            _log.exception("the world's host failed")
            if self.host.table.battle.void is not None:
                self.failed.set()
            speech = self._speeches.get(conn) if conn is not None else None
            if speech is not None:
                speech.close("Something went wrong here; it was logged.")
        self.work()

    def work(self) -> None:
        """Do what the host has asked for. What cannot be said to somebody costs that connection alone."""
        for effect in self.host.take():
            kind = type(effect)
            if kind not in _SAID:
                self._do[kind](effect)
                continue
            try:
                self._to(effect)
            except Exception:
                _log.exception("a %s could not be sent", kind.__name__.lower())
                self._speeches[effect.conn].abort()  # type: ignore[union-attr]  # _SAID has those with a conn
        spoken, self._spoken = self._spoken, {}
        for speech in spoken.values():
            speech.flush()

    def _executors(self) -> dict[type, Callable[[Any], object]]:
        return {
            fx.Wake: self._wake,
            fx.Drain: lambda _: self._loop.call_soon(self._drain, _DRAIN_ROUNDS),
            fx.Plan: self._plan,
            fx.SaveTurn: self._save,
            fx.SaveAccount: self._save_account,
            fx.CheckPassphrase: self._check,
            fx.MakeAccount: self._make_account,
            fx.CheckMind: self._check_mind,
            fx.SaveMind: lambda e: self._save_mind(e.mind.owner, e.mind.body, e.mind),
            fx.DropMind: lambda e: self._save_mind(e.owner, e.body, None),
            fx.TeachMind: lambda e: self._planner.teach_own(e.name, e.source, e.body),
            fx.ForgetMind: lambda e: self._planner.forget_own(e.name, e.owner),
            fx.Log: lambda e: _log.log(_LEVELS[e.level], "%s", one_line(e.text)),
        }

    def _to(self, effect: Any) -> None:
        speech = self._speeches.get(effect.conn)
        if speech is not None:
            self._spoken[effect.conn] = speech
            _SAID[type(effect)](speech, effect)

    def _wake(self, effect: fx.Wake) -> None:
        """Set the alarm; what is due already comes in the next round of the loop, behind what can be read."""
        if self._due is not None:
            self._due.cancel()
        overdue = effect.at_ns is not None and effect.at_ns <= now_ns()
        self._due = self._loop.call_soon(self._ring) if overdue else None
        self._alarm.set(None if overdue else effect.at_ns)

    def _ring(self) -> None:
        self._due = None
        self.call(lambda: self.host.wake(now_ns()))

    def _drain(self, rounds_left: int) -> None:
        """Let the loop read what has come, then tell the host."""
        if rounds_left > 1:
            self._loop.call_soon(self._drain, rounds_left - 1)
        else:
            self.call(lambda: self.host.drained(now_ns()))

    def _overloaded(self) -> None:
        self.host.table.overloaded = True

    def _plan(self, effect: fx.Plan) -> None:
        """Let minds plan, once what players are told has left."""
        self._loop.call_soon(self._planner.plan, effect, self._planned)

    def _planned(self, turn: int, body: int, command: str, memory: dict[str, Any] | None) -> None:
        self.host.planned(turn, body, command, now_ns(), memory)

    def _planned_own(
        self, turn: int, body: int, owner: str, reason: str | None, text: str, printed: str
    ) -> None:
        if self.host.minding.planned(turn, body, owner, reason, text, printed):
            self.work()

    def _check_mind(self, effect: fx.CheckMind) -> None:
        def done(mistake: tuple[int, str] | None) -> None:
            self.call(lambda: self.host.mind_checked(effect.ticket, effect.owner, mistake, now_ns()))

        self._planner.check(effect.source, done)

    def _saved(self, turn: int) -> None:
        """Called on the store's thread."""
        self._loop.call_soon_threadsafe(self._saved_here, turn)

    def _saved_here(self, turn: int) -> None:
        self.call(lambda: self.host.saved(turn, now_ns()))

    def _troubled(self, why: str | None) -> None:
        """Called on a thread of the store."""
        self._soon(lambda: self.host.voice.saved(self.host.sessions.players(), works=why is None))

    def _save(self, effect: fx.SaveTurn) -> None:
        entry = effect.entry
        if entry is not None and self._recorder is not None:
            self._recorder.turn(_BATTLE, entry)
        if self._store is None:
            self._loop.call_soon(self._saved_here, effect.turn)
        else:
            line = None if entry is None else self._journal_line(entry)
            self._store.turn(effect.turn, effect.changed, effect.facts, line)
        changed = effect.changed.items()
        gone = [int(key) for (kind, key), packed in changed if kind == "creature" and packed is None]
        self._planner.forget(gone)

    def _journal_line(self, entry: TurnEntry) -> bytes:
        return msgspec.json.encode(
            {"intents": entry.intents, "skipped": entry.skipped, "digest": entry.digest}
        )

    def _save_account(self, effect: fx.SaveAccount) -> None:
        if self._store is not None:
            self._store.account(effect.account)

    def _save_mind(self, owner: str, body: int, mind: OwnMind | None) -> None:
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
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.call, what)

    # ---- the clock and figures -----------------------------------------------------------------------------

    def _pong(self, conn: int, ping: TimePing, received_ns: int) -> None:
        speech, limit = self._speeches.get(conn), self._pings.get(conn)
        if limit is None:
            limit = self._pings[conn] = RateLimiter(_PINGS_PER_S, _PINGS_BURST)
        if speech is None or not limit.allow(received_ns):
            return
        session = self.host.sessions.of(conn)
        if session is not None:
            session.line.note_ping(ping)
            self._measure(conn, received_ns)
        speech.package("Time.Pong", self.host.clock.answer(ping, received_ns, now_ns()))
        speech.flush()

    def _measure(self, conn: int, at_ns: int) -> None:
        """Note what the system knows of a line, now and then."""
        if at_ns < self._measure_ns.get(conn, 0):
            return
        session, speech = self.host.sessions.of(conn), self._speeches.get(conn)
        if session is None or speech is None:
            return
        self._measure_ns[conn] = at_ns + _MEASURE_NS
        if (measured := speech.round_trip_us()) is not None:
            session.line.note_kernel(*measured)
