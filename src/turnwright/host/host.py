"""A server as a pure object: (message, now_ns) → effects.

    host.connect / receive / disconnect / wake / inputs_read / pending_read / turn_sent … then host.take()

Roles are enforced here: `protocol.MAY_SEND` says what each may send, and a message of the wrong role changes
nothing. A participant's mistake is counted, logged and, for clients of ours, answered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from turnwright.errors import SetupError
from turnwright.host import effects as fx
from turnwright.host import protocol as p
from turnwright.host.battle_table import BattleTable
from turnwright.host.config import HANDSHAKE_TIMEOUT_NS, HostConfig
from turnwright.host.lobby import BotList, Client, Lobby, RefusedBot
from turnwright.host.metrics import render
from turnwright.kernel.failure import FailureReason
from turnwright.kernel.game import Seat
from turnwright.wire.faults import (
    CLOSE_EXITED,
    CLOSE_FAILED,
    CLOSE_POLICY,
    CLOSE_TOO_BIG,
    NO_FAREWELL,
    STRANGER_BYTES_MAX,
    Farewell,
    Fault,
    FaultCode,
)

STRANGER_FAULTS_MAX = 50
"""Faults of a connection before its handshake, after which it is closed."""
LOG_FAULTS_MAX = 20
"""Faults of one connection that are logged; the rest are only counted."""
_SHOWN_CHARS = 30
_STARTS_NONE = "this server starts no bots: start them yourself with SERVER_URL in their environment"
NEEDS_TOGETHER = (
    "this battle does not wait for spectators, so it cannot be paused after each turn: play with --pacing"
    " together"
)


class Host:
    """The decisions of a server. Not thread-safe; times are monotonic nanoseconds."""

    def __init__(self, config: HostConfig) -> None:
        self.config = config
        self.lobby = Lobby(
            config.bot_secrets,
            config.controller_secrets,
            open_to_spectators=config.open_to_spectators,
        )
        self._protocol = config.protocol
        self._decode = config.protocol.decode
        self._bot_list = BotList(self.lobby, config.protocol)
        self.effects: list[fx.Effect] = []
        """The pending effects, in order; always the same list."""
        self.table = BattleTable(config, self.effects, self.lobby)
        self.messages_total = 0
        self.faults_total: dict[str, int] = {}
        self._alarm_ns: int | None = None
        self._last_setup: p.BattleSetup | None = None
        self._handlers: dict[type, Callable[[Client, Any, int], None]] = {
            p.HelloMessage: self._hello,
            p.ReadyMessage: lambda c, _, now: self.table.ready(c, now),
            p.StartMessage: self._start_game,
            p.StopMessage: lambda c, _, now: self.table.stop(f"stopped by {c.name}"),
            p.PauseMessage: lambda c, _, now: self.table.operator.pause(),
            p.ResumeMessage: lambda c, _, now: self.table.operator.resume(now),
            p.StepMessage: lambda c, _, now: self.table.operator.next_turn(now),
            p.SpeedMessage: self._change_speed,
            p.PolicyMessage: self._policy,
            p.DebugMessage: self._debug_mode,
            p.DirectoriesMessage: self._list_directories,
            p.BootMessage: self._boot,
        }

    def take(self) -> list[fx.Effect]:
        """Return the pending effects, in order, and forget them."""
        effects = self.effects
        if not effects:
            return []
        taken = effects[:]
        effects.clear()
        return taken

    # ---- what happens ----------------------------------------------------------------------------------

    def connect(
        self,
        conn: int,
        peer_host: str,
        peer_port: int,
        now_ns: int,
        listener: str = "",
        *,
        bots_only: bool = False,
    ) -> None:
        """Note a new WebSocket; the server speaks first.

        listener: which one took it in, "": the first. bots_only: it can be a bot, and nothing else.
        """
        session = self.config.random_bytes(16)
        client = self.lobby.open(conn, peer_host, peer_port, now_ns, session, listener, bots_only=bots_only)
        config = self.config
        data = self._protocol.greeting(
            client.session_id,
            self._last_setup,
            debug_mode=config.debug_mode and config.pacing != "apart",
            breakpoint_mode=config.breakpoint_mode,
        )
        self._send(conn, data)
        self._set_alarm(now_ns)

    def issue_code(self, now_ns: int) -> str:
        """Return a one-time code for an operator.

        It is valid once, within CODE_LIFETIME_NS.
        """
        return self.lobby.credentials.issue_code(self.config.random_bytes, now_ns)

    def introduce(self, conn: int, hello: p.HelloMessage, now_ns: int) -> None:
        """Introduce a client of the server's own process, which needs no decoding."""
        client = self.lobby.clients[conn]
        hello.session_id = client.session_id
        self._hello(client, hello, now_ns)
        self._set_alarm(now_ns)

    def start_battle(self, setup: p.BattleSetup, bots: Sequence[p.RemoteAddress], now_ns: int) -> None:
        """Start a battle, as an operator does. bots: addresses, in order of their seats.

        Raises: SetupError when none of them is there, or a battle runs.
        """
        self._refuse_second_battle()
        self._start(setup, bots, False, now_ns)
        self._set_alarm(now_ns)

    def take_over(self, other: Host, now_ns: int) -> None:
        """Serve the connections of another host, which serves no more.

        Bots need not introduce themselves again.
        """
        self.lobby.take_over(other.lobby)
        self._set_alarm(now_ns)

    def disconnect(self, conn: int, now_ns: int, farewell: Farewell = NO_FAREWELL) -> None:
        """Handle the end of a connection."""
        client = self.lobby.close(conn)
        if client is None:
            return
        if client.role == "bot":
            self.table.leave(client, now_ns, *_why_gone(client, farewell), farewell.printed)
            self._bots_changed(now_ns)
        self._set_alarm(now_ns)

    def receive(self, conn: int, data: bytes, now_ns: int) -> None:
        """Take a text message of a connection."""
        client = self.lobby.clients.get(conn)
        if client is None or client.closing:
            return
        self.messages_total += 1
        if not client.charge(now_ns, len(data)) and not self._is_spared(client, len(data)):
            self._over_rate(client, len(data), now_ns)
            return
        if client.role is None and len(data) > STRANGER_BYTES_MAX:
            advice = f"a message of {len(data)} bytes before a handshake; {STRANGER_BYTES_MAX} at most"
            self._fault(client, Fault(FaultCode.TOO_BIG, advice, closes=CLOSE_TOO_BIG), now_ns)
            return
        notes: list[Fault] = []
        message = self._decode(data, notes)
        if notes:
            for note in notes:
                self._fault(client, note, now_ns)
        if type(message) is p.IntentMessage:
            if client.role == "bot":
                run = self.table.run
                fault = None if run is None else run.collector.intent(client, message, now_ns)
                if fault is not None:
                    self._fault(client, fault, now_ns)
            else:
                self._wrong_role(client, message, now_ns)
            return
        if isinstance(message, Fault):
            client.charge_mistake(len(data))
            if self._is_intent(message) and client.seat is not None and self.table.run is not None:
                self.table.run.collector.spoilt(client.seat, message.advice, now_ns)
            self._fault(client, message, now_ns)
        else:
            self._handle(client, message, now_ns)
        self._set_alarm(now_ns)

    def wake(self, now_ns: int) -> None:
        """Do what has become due; the alarm rang."""
        self._alarm_ns = None
        self.table.tick(now_ns)
        self._drop_silent(now_ns)
        self.effects += self._bot_list.told(now_ns)
        self._set_alarm(now_ns)

    def inputs_read(self, now_ns: int) -> None:
        """Answer to CallSettled: all input that was read is handed over."""
        self.table.check(now_ns)
        if not self.table.is_sending:  # else `turn_sent` sets it
            self._set_alarm(now_ns)

    def pending_read(self, now_ns: int) -> None:
        """Answer to ReadPending: all input of the sockets is handed over."""
        self.table.pending_read(now_ns)
        self._set_alarm(now_ns)

    def turn_sent(self, stamps_ns: Sequence[int]) -> None:
        """Answer to SendTurn: when each observation was handed to its socket."""
        self.table.turn_sent(stamps_ns)
        self._set_alarm(stamps_ns[-1] if stamps_ns else 0)

    def round_trips(self, trips_ns: Mapping[int, int]) -> None:
        """Tell spectators how long pings to connections took, there and back."""
        if self.table.run is not None:
            self.table.run.show_round_trips(trips_ns)

    @property
    def timed(self) -> Sequence[int]:
        """The connections whose round trips are measured.

        Playing bots, while there are spectators.
        """
        playing = self.table.playing and self.lobby.readers()
        return [c.conn for c in self.table.clients if c.conn in self.lobby.clients] if playing else ()

    def metrics(self, now_ns: int) -> str:
        """Return the metrics in Prometheus' text format."""
        return render(self.table, self.lobby, self.messages_total, self.faults_total)

    @property
    def at_breakpoint(self) -> bool:
        """Whether the game waits for a program in a debugger, which answers no pings."""
        return bool(self.table.operator.waited_for)

    def abort(self, why: str) -> None:
        """Stop the running game, if there is one: the server is closing."""
        if self.table.phase.value in ("waiting for ready", "running", "paused"):
            self.table.stop(why)

    def take_output(self, seat: Seat, text: str, is_error: bool) -> None:
        """Take a piece of what the process of a bot printed. is_error: it printed it to stderr."""
        self.table.prints.take(seat, text, is_error=is_error)

    # ---- messages --------------------------------------------------------------------------------------

    def _handle(self, client: Client, message: p.Incoming, now_ns: int) -> None:
        if not isinstance(message, p.HelloMessage):
            allowed: Collection[type] = p.MAY_SEND[client.role] if client.role else ()
            if type(message) not in allowed:
                self._wrong_role(client, message, now_ns)
                return
        if client.role == "operator" and not _is_operator(message):
            self._log("info", f"{client.name} says {self._protocol.name_of(message)}")
        if self._needs_together(message):
            name = self._protocol.name_of(message)
            self._fault(client, Fault(FaultCode.NOT_NOW, NEEDS_TOGETHER, refers_to=name), now_ns)
            return
        self._handlers[type(message)](client, message, now_ns)

    def _needs_together(self, message: p.Incoming) -> bool:
        """Return whether a message asks turns to wait that do not."""
        if isinstance(message, p.StartMessage):
            return message.debug_mode and self.config.pacing == "apart"
        return isinstance(message, p.DebugMessage) and message.on and self.table.apart

    def _is_intent(self, fault: Fault) -> bool:
        return fault.refers_to == self._protocol.name_of(p.IntentMessage)

    def _hello(self, client: Client, message: p.HelloMessage, now_ns: int) -> None:
        role = message.role
        if client.role not in (None, role):
            now, wanted = (self._protocol.role_name(one) for one in (client.role, role))
            advice = f"this connection has the role {now}; open another one for the role {wanted}"
            self._fault(client, Fault(FaultCode.NOT_YOUR_ROLE, advice), now_ns)
            return
        if client.seat is not None:
            advice = f"{self._protocol.name_of(message)} during a game; send a new handshake after it"
            self._fault(client, Fault(FaultCode.NOT_NOW, advice), now_ns)
            return
        again = client.role is not None
        reason, token = self.lobby.refusal(client, message, now_ns), None
        if reason is None and message.code is not None and message.role == "operator":
            token = self.lobby.credentials.redeem(message.code, self.config.random_bytes, now_ns)
            reason = None if token else "Invalid code"
        if reason is not None:
            if role == "bot":
                self.lobby.refused_bots.append(RefusedBot(message.name, client.listener, reason))
            code = FaultCode.WRONG_SESSION if "session" in reason else FaultCode.WRONG_SECRET
            self._fault(client, Fault(code, reason, closes=CLOSE_POLICY), now_ns)
            return
        full = self._no_room(client, message) if role == "bot" else self._no_seat(client, message)
        if full is not None:
            self._fault(client, Fault(FaultCode.TOO_MANY, full, closes=CLOSE_POLICY), now_ns)
            return
        self.lobby.admit(client, message)
        self._log("info", f"{client.name} joined")
        if role == "bot":
            self._bots_changed(now_ns)
            return
        if token is not None:
            self._send(client.conn, self._protocol.operator_token(token))
        if again:  # it has been told everything else, and is told all that changes
            self.effects.append(fx.Publish((client.conn,), self._bot_list.data()))
            return
        self.effects.append(fx.Send(client.conn, self._bot_list.data()))
        if client.ours:
            self._send(client.conn, self._protocol.speed(self.table.tps, self.table.pacing))
        self.table.welcome(client.conn)

    def _no_room(self, client: Client, message: p.HelloMessage) -> str | None:
        """Return why a bot cannot join beside those that are there, or None."""
        others = [bot for bot in self.lobby.bots() if bot is not client]
        most = self.config.bots_max
        if client.role is None and most is not None and len(others) >= most:
            return f"this server has room for {most} bots: try again when one has left"
        if self.config.one_bot_a_name:
            for bot in others:
                if bot.hello is None or bot.hello.name != message.name:
                    continue
                if not self._may_share_name(bot, client, message):
                    name = message.name[:_SHOWN_CHARS]
                    return (
                        f"a bot named {name} is here already: stop it, take another name, or wait 90 s if it"
                        " lost its network"
                    )
        return None

    def _no_seat(self, client: Client, message: p.HelloMessage) -> str | None:
        """Return why one more spectator cannot be admitted, or None."""
        if client.role is not None or message.role != "spectator":
            return None
        config, watchers = self.config, self.lobby.watchers
        most = config.spectators_per_address_max
        if most is not None and watchers[client.party] >= most:
            return f"{most} spectators of your address are here already: close some of their pages"
        most = config.spectators_max
        if most is not None and watchers.total() >= most:
            return f"this server has room for {most} spectators: try again when one has left"
        return None

    def _may_share_name(self, bot: Client, client: Client, message: p.HelloMessage) -> bool:
        """Return whether a bot may have the name of another one: it is no second start by mistake."""
        assert bot.hello is not None
        if {bot.secret, message.secret} <= self.config.own_bot_secrets:
            return True
        is_team = message.team is not None and message.team == bot.hello.team
        return is_team and client.peer_host == bot.peer_host

    def _start_game(self, client: Client, message: p.StartMessage, now_ns: int) -> None:
        try:
            self._refuse_second_battle()
            self._start(self._protocol.read_setup(message), message.bots, message.debug_mode, now_ns)
        except SetupError as error:
            name = self._protocol.name_of(message)
            self._log("warning", f"{name} of {client.name} is refused: {error}")
            self._reply(client, Fault(FaultCode.BAD_SETUP, f"{name} is refused: {error}", refers_to=name))

    def _refuse_second_battle(self) -> None:
        if self.table.playing or self.table.phase.value == "waiting for ready":
            raise SetupError(f"a game is running; stop it first ({self._protocol.name_of(p.StopMessage)})")

    def _start(
        self, setup: p.BattleSetup, addresses: Sequence[p.RemoteAddress], debug_mode: bool, now_ns: int
    ) -> None:
        bots = self.lobby.choose(addresses)
        if not bots:
            raise SetupError(
                "no connected bot has one of these addresses; take them from the newest list of bots"
            )
        self._last_setup = setup
        self.effects += self._bot_list.told(now_ns, early=True)
        self.table.start(setup, bots, debug_mode, now_ns)

    def _change_speed(self, client: Client, message: p.SpeedMessage, now_ns: int) -> None:
        try:
            self.table.operator.change_tps(message.tps, now_ns)
        except SetupError as error:
            name = self._protocol.name_of(message)
            self._fault(client, Fault(FaultCode.OUT_OF_BOUNDS, str(error), refers_to=name), now_ns)

    def _policy(self, client: Client, message: p.PolicyMessage, now_ns: int) -> None:
        if not 0 <= message.seat < len(self.table.clients):
            advice = self._protocol.no_such_seat(message.seat, len(self.table.clients))
            name = self._protocol.name_of(message)
            self._fault(client, Fault(FaultCode.OUT_OF_BOUNDS, advice, refers_to=name), now_ns)
            return
        self.table.operator.set_policy(message.seat, message.debugging, message.breakpoints, now_ns)

    def _debug_mode(self, client: Client, message: p.DebugMessage, now_ns: int) -> None:
        self.table.debug_mode = message.on

    def _list_directories(self, client: Client, message: p.DirectoriesMessage, now_ns: int) -> None:
        self.effects.append(fx.ShowDirectories(client.conn, self._protocol.directories(())))

    def _boot(self, client: Client, message: p.BootMessage, now_ns: int) -> None:
        name = self._protocol.name_of(message)
        refused = self._protocol.error(FaultCode.BAD_SETUP, _STARTS_NONE, name)
        self.effects.append(fx.StartBots(client.conn, message.ids, refused))

    # ---- mistakes --------------------------------------------------------------------------------------

    def _wrong_role(self, client: Client, message: p.Incoming, now_ns: int) -> None:
        kind = self._protocol.name_of(message)
        if client.role is None:
            advice = f"{kind} before a handshake; send a handshake first"
            fault = Fault(FaultCode.NO_HANDSHAKE, advice, refers_to=kind)
        else:
            advice = f"{self._protocol.role_name(client.role)}s may not send {kind}"
            fault = Fault(FaultCode.NOT_YOUR_ROLE, advice, refers_to=kind)
        self._fault(client, fault, now_ns)

    def _is_spared(self, client: Client, size: int) -> bool:
        battle = self.table.battle
        return client.seat is not None and battle is not None and client.spare(battle.turn, size)

    def _over_rate(self, client: Client, size: int, now_ns: int) -> None:
        closes = CLOSE_POLICY if client.is_flooding(now_ns) else None
        self._fault(client, Fault(FaultCode.TOO_MANY, "too many messages per second", closes=closes), now_ns)
        if client.must_pause(size):
            self.effects.append(fx.PauseReading(client.conn))

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
            client.closing, client.closed_for = True, fault.advice
            self.effects.append(fx.Close(client.conn, closes, fault.reason))

    def _reply(self, client: Client, fault: Fault) -> None:
        if client.ours:
            data = self._protocol.error(fault.code.value, fault.advice, fault.refers_to)
            self._send(client.conn, data)

    # ---- small things ----------------------------------------------------------------------------------

    def _bots_changed(self, now_ns: int) -> None:
        self._bot_list.changed(now_ns)
        self.effects += self._bot_list.told(now_ns)
        self.effects.append(fx.BotsChanged())

    def _send(self, conn: int, data: bytes) -> None:
        self.effects.append(fx.Send(conn, data))

    def _log(self, level: str, text: str) -> None:
        self.effects.append(fx.Log(level, text))  # type: ignore[arg-type]  # one of the three words

    def _drop_silent(self, now_ns: int) -> None:
        for conn, since_ns in list(self.lobby.silent.items()):
            if now_ns - since_ns >= HANDSHAKE_TIMEOUT_NS:
                self.lobby.clients[conn].closing = True
                self.effects.append(fx.Close(conn, CLOSE_POLICY, "no handshake within 5 s"))
                self.lobby.silent.pop(conn)

    def _set_alarm(self, now_ns: int) -> None:
        """Ask for an alarm if something becomes due before the one that is set rings."""
        due = self.table.next_alarm_ns(now_ns)
        if self.lobby.silent:
            impatient = next(iter(self.lobby.silent.values())) + HANDSHAKE_TIMEOUT_NS  # the oldest is first
            due = impatient if due is None else min(due, impatient)
        if (untold := self._bot_list.due_ns) is not None:
            due = untold if due is None else min(due, untold)
        if due is not None and (self._alarm_ns is None or due < self._alarm_ns):
            self._alarm_ns = due
            self.effects.append(fx.SetAlarm(due))


def _why_gone(client: Client, farewell: Farewell) -> tuple[FailureReason, str]:
    """Return why a participant's connection has ended, as far as the connection tells."""
    if client.closed_for or farewell.ours:
        return FailureReason.KICKED, client.closed_for or farewell.reason
    if farewell.code == CLOSE_FAILED:
        return FailureReason.CRASHED, farewell.reason
    if farewell.code == CLOSE_EXITED:
        return FailureReason.EXITED, farewell.reason
    return FailureReason.LEFT, ""


def _is_operator(message: p.Incoming) -> bool:
    return isinstance(message, p.HelloMessage) and message.role == "operator"
