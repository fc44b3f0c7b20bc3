"""The server as a pure object: what comes in and when, what is to be done about it.

    host.connect / receive / disconnect / wake / settled / drained / observed   … then execute host.take()

Roles are enforced here: who may say what is a table (`wire.royale.messages.MAY_SEND`), and a message of the
wrong role changes nothing. A participant's mistake is counted, logged and, for clients of ours, answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from turnwright.errors import SetupError
from turnwright.games.tank.intent import TankIntent
from turnwright.host import effects as fx
from turnwright.host.config import HANDSHAKE_TIMEOUT_NS, HostConfig
from turnwright.host.gate import party_of
from turnwright.host.greeting import greeting
from turnwright.host.lobby import Client, Lobby
from turnwright.host.metrics import render
from turnwright.host.roster import Roster
from turnwright.host.table import Table
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.bounds import STRANGER_BYTES_MAX
from turnwright.wire.royale.codec import decode, encode, error_reply
from turnwright.wire.royale.faults import CLOSE_POLICY, CLOSE_TOO_BIG, Fault, FaultCode
from turnwright.wire.royale.setup import validate_start

__all__ = ["LOG_FAULTS_MAX", "STRANGER_FAULTS_MAX", "Host"]

STRANGER_FAULTS_MAX = 50
"""After so many faults a connection that has not said who it is is closed."""
LOG_FAULTS_MAX = 20
"""Faults of one connection that are logged; the rest are only counted."""


class Host:
    """Everything a server decides. Not thread-safe; times are monotonic nanoseconds."""

    def __init__(self, config: HostConfig) -> None:
        self.config = config
        self.lobby = Lobby(
            config.bot_secrets,
            config.controller_secrets,
            open_to_observers=config.open_to_observers,
        )
        self._roster = Roster(self.lobby)
        self._effects: list[fx.Effect] = []
        self.table = Table(config, self._effects, self.lobby.spectators)
        self.table.voice.ours = self._our_spectators
        self.table.voice.plain, self.table.voice.framed = self.lobby.plain, self.lobby.framed
        self.table.voice.has_foreign_controllers = self.lobby.has_foreign_controllers
        self.messages_total = 0
        self.faults_total: dict[str, int] = {}
        self._alarm_ns: int | None = None
        self._last_setup: m.GameSetup | None = None
        self._handlers: dict[type, Callable[[Client, object, int], None]] = {
            m.BotHandshake: self._hello,
            m.ObserverHandshake: self._hello,
            m.ControllerHandshake: self._hello,
            m.BotReady: lambda c, _, now: self.table.ready(c, now),
            m.StartGame: self._start_game,
            m.StopGame: lambda c, _, now: self.table.stop(f"stopped by {c.name}"),
            m.PauseGame: lambda c, _, now: self.table.steering.pause(),
            m.ResumeGame: lambda c, _, now: self.table.steering.resume(now),
            m.NextTurn: lambda c, _, now: self.table.steering.next_turn(now),
            m.ChangeTps: self._change_tps,
            m.BotPolicyUpdate: self._policy,
            m.EnableDebugMode: lambda c, _, now: self._debug_mode(True),
            m.DisableDebugMode: lambda c, _, now: self._debug_mode(False),
            m.ListDirectories: lambda c, _, now: self._effects.append(fx.ListDirectories(c.conn)),
            m.BootBots: self._boot,
        }

    def take(self) -> list[fx.Effect]:
        """Return what is to be done now, in order, and forget it."""
        effects = self._effects
        if not effects:
            return []
        taken = effects[:]
        effects.clear()
        return taken

    # ---- what happens ----------------------------------------------------------------------------------

    def connect(self, conn: int, peer_host: str, peer_port: int, now_ns: int) -> None:
        """A WebSocket has opened: the server speaks first."""
        client = self.lobby.open(conn, peer_host, peer_port, now_ns, self.config.random_bytes(16))
        config = self.config
        features = m.Features(debug_mode=config.debug_mode, breakpoint_mode=config.breakpoint_mode)
        self._send(conn, greeting(client.session_id, config.game_types, self._last_setup, features))
        self._set_alarm(now_ns)

    def issue_code(self, now_ns: int) -> str:
        """Return a one-time code with which a ControllerHandshake may come, once, within CODE_LIFETIME_NS."""
        return self.lobby.keys.issue_code(self.config.random_bytes, now_ns)

    def disconnect(self, conn: int, now_ns: int) -> None:
        """A connection is gone, for whatever reason."""
        client = self.lobby.close(conn)
        if client is None:
            return
        if client.role == "bot":
            self.table.leave(client, now_ns)
            self._bots_changed(now_ns)
        self._set_alarm(now_ns)

    def receive(self, conn: int, data: bytes, now_ns: int) -> None:
        """One text message has arrived."""
        client = self.lobby.clients.get(conn)
        if client is None or client.closing:
            return
        self.messages_total += 1
        if not client.spend(now_ns, len(data)):
            self._over_rate(client, now_ns)
            return
        if client.role is None and len(data) > STRANGER_BYTES_MAX:
            advice = f"a message of {len(data)} bytes before a handshake; {STRANGER_BYTES_MAX} at most"
            self._fault(client, Fault(FaultCode.TOO_BIG, advice, closes=CLOSE_TOO_BIG), now_ns)
            return
        notes: list[Fault] = []
        message = decode(data, notes)
        if notes:
            for note in notes:
                self._fault(client, note, now_ns)
        if type(message) is TankIntent:
            if client.role == "bot":
                fault = self.table.intent(client, message, now_ns)
                if fault is not None:
                    self._fault(client, fault, now_ns)
            else:
                self._wrong_role(client, message, now_ns)
            return
        if isinstance(message, Fault):
            client.fine(len(data))
            if message.refers_to == "BotIntent" and client.seat is not None and self.table.battle is not None:
                self.table.battle.spoilt(client.seat)
            self._fault(client, message, now_ns)
        else:
            self._handle(client, message, now_ns)
        self._set_alarm(now_ns)

    def wake(self, now_ns: int) -> None:
        """The alarm rang."""
        self._alarm_ns = None
        self.table.tick(now_ns)
        self._drop_silent(now_ns)
        self._effects += self._roster.told(now_ns)
        self._set_alarm(now_ns)

    def settled(self, now_ns: int) -> None:
        """Answer to Soon: what had been read already is handed over."""
        self.table.settled(now_ns)
        self._set_alarm(now_ns)

    def drained(self, now_ns: int) -> None:
        """Answer to Drain: what the sockets held is handed over."""
        self.table.drained(now_ns)
        self._set_alarm(now_ns)

    def observed(self, stamps_ns: Sequence[int]) -> None:
        """Answer to SendTurn: when each observation was handed to its socket."""
        self.table.observed(stamps_ns)
        self._set_alarm(stamps_ns[-1] if stamps_ns else 0)

    def round_trips(self, trips_ns: Mapping[int, int]) -> None:
        """Note how long pings to connections took, there and back; spectators are shown those of bots."""
        for conn, trip_ns in trips_ns.items():
            client = self.lobby.clients.get(conn)
            if client is not None:
                client.rtt_ns = trip_ns

    @property
    def timed(self) -> Sequence[int]:
        """The connections whose round trips somebody watches: bots that play."""
        playing = self.table.playing and self.lobby.framed()
        return [c.conn for c in self.table.clients if c.conn in self.lobby.clients] if playing else ()

    def metrics(self, now_ns: int) -> str:
        """Return the metrics in Prometheus' text format."""
        return render(self)

    @property
    def at_breakpoint(self) -> bool:
        """Whether the game stands still for a program in a debugger, which answers no pings."""
        return self.table.at_breakpoint

    def abort(self, why: str) -> None:
        """Stop the running game, if there is one: the server is closing."""
        if self.table.phase.value in ("waiting for ready", "running", "paused"):
            self.table.stop(why)

    # ---- messages --------------------------------------------------------------------------------------

    def _handle(self, client: Client, message: object, now_ns: int) -> None:
        if not isinstance(message, m.BotHandshake | m.ObserverHandshake | m.ControllerHandshake):
            allowed = m.MAY_SEND[client.role] if client.role else ()
            if type(message) not in allowed:
                self._wrong_role(client, message, now_ns)
                return
        if client.role == "controller" and not isinstance(message, m.ControllerHandshake):
            self._log("info", f"{client.name} says {m.type_name(type(message))}")  # type: ignore[arg-type]
        self._handlers[type(message)](client, message, now_ns)

    def _hello(self, client: Client, message: object, now_ns: int) -> None:
        assert isinstance(message, m.BotHandshake | m.ObserverHandshake | m.ControllerHandshake)
        role: m.Role = "observer"
        if isinstance(message, m.BotHandshake):
            role = "bot"
        elif isinstance(message, m.ControllerHandshake):
            role = "controller"
        if client.role not in (None, role):
            advice = f"this connection is a {client.role} already; open another one for a {role}"
            self._fault(client, Fault(FaultCode.NOT_YOUR_ROLE, advice), now_ns)
            return
        if client.seat is not None:
            advice = f"{m.type_name(type(message))} while it plays; introduce yourself anew after the game"
            self._fault(client, Fault(FaultCode.NOT_NOW, advice), now_ns)
            return
        again = client.role is not None
        reason, token = self.lobby.refusal(client, role, message), None
        if reason is None and isinstance(message, m.ControllerHandshake) and message.code is not None:
            caller = party_of(client.peer_host)
            token = self.lobby.keys.redeem(message.code, self.config.random_bytes, now_ns, caller)
            reason = None if token else "Invalid code"
        if reason is not None:
            code = FaultCode.WRONG_SESSION if "session" in reason else FaultCode.WRONG_SECRET
            self._fault(client, Fault(code, reason, closes=CLOSE_POLICY), now_ns)
            return
        self.lobby.admit(client, role, message)
        self._log("info", f"{client.name} joined")
        if role == "bot":
            self._bots_changed(now_ns)
            return
        if token is not None:
            self._send(client.conn, m.OperatorToken(token))
        if again:  # it has been told everything else, and is told all that changes
            self._effects.append(fx.Publish((client.conn,), self._roster.data()))
            return
        self._effects.append(fx.Send(client.conn, self._roster.data()))
        if client.frames:
            self._send(client.conn, m.TpsChangedEvent(tps=self.table.tps))
        self.table.welcome(client.conn)

    def _start_game(self, client: Client, message: object, now_ns: int) -> None:
        assert isinstance(message, m.StartGame)
        problem = self._start_problem(message)
        setup = message.game_setup
        if problem is None and setup is not None:
            bots = self.lobby.choose(message.bot_addresses or ())
            if bots:
                self._last_setup = setup
                self._effects += self._roster.told(now_ns, early=True)
                self.table.start(setup, bots, bool(message.debug_mode), now_ns)
                return
            problem = "no connected bot has one of these addresses; take them from the newest BotListUpdate"
        self._log("warning", f"StartGame of {client.name} is refused: {problem}")
        fault = Fault(FaultCode.BAD_SETUP, f"StartGame is refused: {problem}", refers_to="StartGame")
        self._reply(client, fault)

    def _start_problem(self, message: m.StartGame) -> str | None:
        if self.table.playing or self.table.phase.value == "waiting for ready":
            return "a game is running; stop it first (StopGame)"
        problem = validate_start(message.game_setup, self.config.game_types)
        return problem or (
            None if message.bot_addresses else "botAddresses is empty; choose at least one bot"
        )

    def _change_tps(self, client: Client, message: object, now_ns: int) -> None:
        assert isinstance(message, m.ChangeTps)
        try:
            self.table.steering.change_tps(message.tps, now_ns)
        except SetupError as error:
            self._fault(client, Fault(FaultCode.OUT_OF_BOUNDS, str(error), refers_to="ChangeTps"), now_ns)

    def _policy(self, client: Client, message: object, now_ns: int) -> None:
        assert isinstance(message, m.BotPolicyUpdate)
        seat = message.bot_id - 1
        if not 0 <= seat < len(self.table.clients):
            advice = f"there is no bot {message.bot_id} in this game"
            self._fault(client, Fault(FaultCode.OUT_OF_BOUNDS, advice, refers_to="BotPolicyUpdate"), now_ns)
            return
        self.table.steering.set_policy(seat, message.debugging_enabled, message.breakpoint_enabled, now_ns)

    def _boot(self, client: Client, message: object, now_ns: int) -> None:
        assert isinstance(message, m.BootBots)
        self._effects.append(fx.Boot(client.conn, message.ids))

    def _debug_mode(self, on: bool) -> None:
        self.table.debug_mode = on

    # ---- mistakes --------------------------------------------------------------------------------------

    def _wrong_role(self, client: Client, message: object, now_ns: int) -> None:
        kind = m.type_name(type(message))  # type: ignore[arg-type]
        if client.role is None:
            advice = f"{kind} before a handshake; say first who you are"
            fault = Fault(FaultCode.NO_HANDSHAKE, advice, refers_to=kind)
        else:
            advice = f"a {client.role} may not send {kind}"
            fault = Fault(FaultCode.NOT_YOUR_ROLE, advice, refers_to=kind)
        self._fault(client, fault, now_ns)

    def _over_rate(self, client: Client, now_ns: int) -> None:
        closes = CLOSE_POLICY if client.is_flooding(now_ns) else None
        self._fault(client, Fault(FaultCode.TOO_MANY, "too many messages a second", closes=closes), now_ns)
        self._effects.append(fx.Rest(client.conn))

    def _fault(self, client: Client, fault: Fault, now_ns: int) -> None:
        client.malformed += 1
        self.faults_total[fault.code.value] = self.faults_total.get(fault.code.value, 0) + 1
        if client.seat is not None and client.seat < len(self.table.seat_timing):
            self.table.seat_timing[client.seat].malformed += 1
        if client.malformed <= LOG_FAULTS_MAX:
            self._log("warning", f"{client.name}: {fault.code.value}: {fault.advice}")
            self._reply(client, fault)
        closes = fault.closes
        if closes is None and client.role is None and client.malformed >= STRANGER_FAULTS_MAX:
            closes = CLOSE_POLICY
        if closes is not None:
            client.closing = True
            self._effects.append(fx.Close(client.conn, closes, fault.reason))

    def _reply(self, client: Client, fault: Fault) -> None:
        if client.ours:
            self._send(client.conn, error_reply(fault))

    # ---- small things ----------------------------------------------------------------------------------

    def _our_spectators(self, role: m.Role | None = None) -> tuple[int, ...]:
        return tuple(c for c in self.lobby.spectators(role) if self.lobby.clients[c].ours)

    def _bots_changed(self, now_ns: int) -> None:
        self._roster.changed(now_ns)
        self._effects += self._roster.told(now_ns)

    def _send(self, conn: int, message: object) -> None:
        self._effects.append(fx.Send(conn, encode(message)))

    def _log(self, level: str, text: str) -> None:
        self._effects.append(fx.Log(level, text))  # type: ignore[arg-type]  # one of the three words

    def _drop_silent(self, now_ns: int) -> None:
        for conn, since_ns in list(self.lobby.silent.items()):
            if now_ns - since_ns >= HANDSHAKE_TIMEOUT_NS:
                self.lobby.clients[conn].closing = True
                self._effects.append(fx.Close(conn, CLOSE_POLICY, "no handshake within 5 s"))
                self.lobby.silent.pop(conn)

    def _set_alarm(self, now_ns: int) -> None:
        """Ask for an alarm if something becomes due before the one that is set rings."""
        due = self.table.next_alarm_ns(now_ns)
        if self.lobby.silent:
            impatient = next(iter(self.lobby.silent.values())) + HANDSHAKE_TIMEOUT_NS  # the oldest is first
            due = impatient if due is None else min(due, impatient)
        if (untold := self._roster.due_ns) is not None:
            due = untold if due is None else min(due, untold)
        if due is not None and (self._alarm_ns is None or due < self._alarm_ns):
            self._alarm_ns = due
            self._effects.append(fx.Wake(due))
