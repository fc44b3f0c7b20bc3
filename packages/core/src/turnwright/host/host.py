"""A server as a pure object. It gets messages with their time (`now_ns`), and returns effects.

    host.connect / receive / disconnect / wake / inputs_read / pending_read / turn_sent … then host.take()

The host enforces roles. `protocol.MAY_SEND` lists the messages that each role may send. Any other message has
no effect. The host counts and logs the mistakes of clients. A client that uses our protocol also gets an
error message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwright.host import effects as fx
from turnwright.host import protocol as p
from turnwright.host.battle_room import BattleRoom
from turnwright.host.config import HostConfig
from turnwright.host.handshakes import Handshakes
from turnwright.host.lobby import Client, Lobby
from turnwright.host.metrics import render
from turnwright.host.mistakes import Mistakes
from turnwright.host.operator_messages import OperatorMessages
from turnwright.kernel.failure import FailureReason
from turnwright.kernel.game import Seat
from turnwright.wire.faults import (
    CLOSE_EXITED,
    CLOSE_FAILED,
    CLOSE_TOO_BIG,
    NO_FAREWELL,
    STRANGER_BYTES_MAX,
    Farewell,
    Fault,
    FaultCode,
)


class Host:
    """The decisions of a server. Not thread-safe. Times are monotonic nanoseconds."""

    def __init__(self, config: HostConfig) -> None:
        self.config = config
        self.lobby = Lobby(
            config.bot_secrets,
            config.controller_secrets,
            open_to_spectators=config.open_to_spectators,
        )
        self._protocol = config.protocol
        self._decode = config.protocol.decode
        self.effects: list[fx.Effect] = []
        """The pending effects, in order. It is always the same list."""
        self.room = BattleRoom(config, self.effects, self.lobby)
        self.messages_total = 0
        self.mistakes = Mistakes(self.room)
        self._handshakes = Handshakes(self.lobby, self.room, self.mistakes)
        self._operators = OperatorMessages(self.lobby, self.room, self._handshakes, self.mistakes)
        self._alarm_ns: int | None = None

    def take(self) -> list[fx.Effect]:
        """Return the pending effects, in order, and forget them."""
        effects = self.effects
        if not effects:
            return []
        taken = effects[:]
        effects.clear()
        return taken

    # ---- events --------------------------------------------------------------------------------------------

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
        """Take in a new WebSocket connection, and send the server's first message.

        Args:
            listener: the name of the listener that accepted the connection, "" for the first listener.
            bots_only: whether the connection may only have the role of a bot.
        """
        session = self.config.random_bytes(16)
        client = self.lobby.open(conn, peer_host, peer_port, now_ns, session, listener, bots_only=bots_only)
        config = self.config
        data = self._protocol.greeting(
            client.session_id,
            self._operators.newest_setup,
            debug_mode=config.debug_mode and config.pacing != "apart",
            breakpoint_mode=config.breakpoint_mode,
        )
        self.room.output.send(conn, data)
        self._set_alarm(now_ns)

    def issue_code(self, now_ns: int) -> str:
        """Return a one-time code for an operator.

        The code can be used once, within CODE_LIFETIME_NS.
        """
        return self.lobby.credentials.issue_code(self.config.random_bytes, now_ns)

    def introduce(self, conn: int, hello: p.HelloMessage, now_ns: int) -> None:
        """Introduce a client in the server's own process. Its handshake needs no decoding. `hello` gets the
        session id, and loses its secrets.
        """
        client = self.lobby.clients[conn]
        hello.session_id = client.session_id
        self._handshakes.take(client, hello, now_ns)
        self._set_alarm(now_ns)

    def start_battle(self, setup: p.BattleSetup, bots: Sequence[p.RemoteAddress], now_ns: int) -> None:
        """Start a battle, as an operator does.

        Args:
            bots: addresses, in order of their seats.

        Raises:
            SetupError: none of these bots is connected, two have the same address, or a battle is running or
                about to begin.
        """
        self._operators.start_battle(setup, bots, now_ns)
        self._set_alarm(now_ns)

    def take_over(self, other: Host, now_ns: int) -> None:
        """Take over the connections of the host `other`. That host must not be used any more.

        Bots need not send a new handshake.
        """
        self.lobby.take_over(other.lobby)
        self._set_alarm(now_ns)

    def disconnect(self, conn: int, now_ns: int, farewell: Farewell = NO_FAREWELL) -> None:
        """Remove a connection that has ended. If a bot was playing over it, its seat has left the battle."""
        client = self.lobby.close(conn)
        if client is None:
            return
        if client.role == "bot":
            self.room.leave(client, now_ns, *_why_gone(client, farewell), farewell.printed)
            self._handshakes.bots_changed(now_ns)
        self._set_alarm(now_ns)

    def receive(self, conn: int, data: bytes, now_ns: int) -> None:
        """Handle a text message of a connection. Mistakes in it are counted and answered, never raised."""
        client = self.lobby.clients.get(conn)
        if client is None or client.closing:
            return
        self.messages_total += 1
        run = self.room.run
        if run is not None and client.seat in run.collector.usual:
            if run.collector.take(client, data, now_ns):
                return
            run.collector.usual.discard(client.seat)
        if not client.rate.charge(now_ns, len(data)) and not self._is_spared(client, len(data)):
            self.mistakes.over_rate(client, len(data), now_ns)
            return
        if client.role is None and len(data) > STRANGER_BYTES_MAX:
            advice = f"a message of {len(data)} bytes before a handshake; {STRANGER_BYTES_MAX} at most"
            self.mistakes.note(client, Fault(FaultCode.TOO_BIG, advice, closes=CLOSE_TOO_BIG))
            return
        notes: list[Fault] = []
        message = self._decode(data, notes)
        if notes:
            for note in notes:
                self.mistakes.note(client, note)
        if type(message) is p.IntentMessage:
            if client.role == "bot":
                fault = None if run is None else run.collector.intent(client, message, now_ns)
                if fault is not None:
                    self.mistakes.note(client, fault)
            else:
                self.mistakes.wrong_role(client, message)
            return
        if isinstance(message, Fault):
            client.rate.charge_mistake(len(data))
            if self._is_intent(message) and client.seat is not None and self.room.run is not None:
                self.room.run.collector.spoilt(client.seat, message.advice, now_ns)
            self.mistakes.note(client, message)
        else:
            self._handle(client, message, now_ns)
        self._set_alarm(now_ns)

    def wake(self, now_ns: int) -> None:
        """Carry out everything that is due at `now_ns`. The server calls this when the alarm rings."""
        self._alarm_ns = None
        self.room.tick(now_ns)
        self._handshakes.tick(now_ns)
        self._set_alarm(now_ns)

    def inputs_read(self, now_ns: int) -> None:
        """Continue after CallSettled: all input that was read has been processed."""
        self.room.check(now_ns)
        if not self.room.is_sending:  # otherwise `turn_sent` sets it
            self._set_alarm(now_ns)

    def pending_read(self, now_ns: int) -> None:
        """Continue after ReadPending: all input of the sockets has been processed."""
        self.room.pending_read(now_ns)
        self._set_alarm(now_ns)

    def turn_sent(self, stamps_ns: Sequence[int]) -> None:
        """Continue after SendTurn, with the time at which each observation was sent."""
        self.room.turn_sent(stamps_ns)
        self._set_alarm(stamps_ns[-1] if stamps_ns else 0)

    def round_trips(self, trips_ns: Mapping[int, int]) -> None:
        """Tell spectators the round-trip times of pings. `trips_ns` has them by connection."""
        if self.room.run is not None:
            self.room.run.show_round_trips(trips_ns)

    @property
    def timed(self) -> Sequence[int]:
        """The connections whose round trips are measured.

        If spectators read a running battle piece by piece, these are the connections of its bots. Otherwise
        there are none.
        """
        playing = self.room.playing and self.lobby.readers()
        return [c.conn for c in self.room.clients if c.conn in self.lobby.clients] if playing else ()

    def metrics(self, now_ns: int) -> str:
        """Return the metrics in Prometheus' text format."""
        return render(self.room, self.lobby, self.messages_total, self.mistakes.total)

    @property
    def at_breakpoint(self) -> bool:
        """Whether the battle waits for a program in a debugger. A program that a debugger has stopped answers
        no pings.
        """
        return bool(self.room.operator.waited_for)

    def abort(self, why: str) -> None:
        """Stop the battle that is running or about to begin, if any, because the server is stopping."""
        if self.room.is_taken:
            self.room.stop(why)

    def take_output(self, seat: Seat, text: str, is_error: bool) -> None:
        """Take a piece of the output of a bot's process.

        Args:
            is_error: whether the process printed it to stderr.
        """
        self.room.prints.take(seat, text, is_error=is_error)

    # ---- messages --------------------------------------------------------------------------------------

    def _is_spared(self, client: Client, size: int) -> bool:
        battle = self.room.battle
        return client.seat is not None and battle is not None and client.rate.spare(battle.turn, size)

    def _is_intent(self, fault: Fault) -> bool:
        return fault.refers_to == self._protocol.name_of(p.IntentMessage)

    def _handle(self, client: Client, message: p.Incoming, now_ns: int) -> None:
        hello = message if isinstance(message, p.HelloMessage) else None
        if hello is None and (client.role is None or type(message) not in p.MAY_SEND[client.role]):
            self.mistakes.wrong_role(client, message)
            return
        if client.role == "operator" and (hello is None or hello.role != "operator"):
            self.room.output.log("info", f"{client.name} says {self._protocol.name_of(message)}")
        if hello is not None:
            self._handshakes.take(client, hello, now_ns)
        elif isinstance(message, p.ReadyMessage):
            self.room.ready(client, now_ns)
        else:
            self._operators.take(client, message, now_ns)

    def _set_alarm(self, now_ns: int) -> None:
        """Set the alarm earlier if something becomes due before it rings."""
        due = self.room.next_alarm_ns(now_ns)
        other = self._handshakes.due_ns
        if due is None or (other is not None and other < due):
            due = other
        if due is not None and (self._alarm_ns is None or due < self._alarm_ns):
            self._alarm_ns = due
            self.effects.append(fx.SetAlarm(due))


def _why_gone(client: Client, farewell: Farewell) -> tuple[FailureReason, str]:
    """Return the reason and the error for which a participant's connection ended, as far as the connection
    shows them.
    """
    if client.closed_for or farewell.ours:
        return FailureReason.KICKED, client.closed_for or farewell.reason
    if farewell.code == CLOSE_FAILED:
        return FailureReason.CRASHED, farewell.reason
    if farewell.code == CLOSE_EXITED:
        return FailureReason.EXITED, farewell.reason
    return FailureReason.LEFT, ""
