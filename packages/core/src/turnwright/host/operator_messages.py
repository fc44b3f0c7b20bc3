"""Carries out the requests of operators about battles, pauses, speeds and bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from turnwright.errors import SetupError
from turnwright.host import effects as fx
from turnwright.host import protocol as p
from turnwright.host.battle_room import BattleRoom
from turnwright.host.handshakes import Handshakes
from turnwright.host.lobby import Client, Lobby
from turnwright.host.mistakes import Mistakes
from turnwright.wire.faults import Fault, FaultCode

_STARTS_NONE = "this server starts no bots: start them yourself with SERVER_URL in their environment"
NEEDS_TOGETHER = (
    "this battle does not wait for spectators, so it cannot be paused after each turn: play with --pacing"
    " together"
)


class OperatorMessages:
    """Carries out messages of operators.

    Attributes:
        newest_setup: the setup of the battle that was started last.
    """

    def __init__(self, lobby: Lobby, room: BattleRoom, handshakes: Handshakes, mistakes: Mistakes) -> None:
        self.newest_setup: p.BattleSetup | None = None
        self._lobby, self._room, self._handshakes, self._mistakes = lobby, room, handshakes, mistakes
        self._protocol, self._output = room.protocol, room.output
        self._handlers: Mapping[type, Callable[[Client, Any, int], None]] = {
            p.StartMessage: self._start,
            p.StopMessage: lambda c, _, now: room.stop(f"stopped by {c.name}"),
            p.PauseMessage: lambda c, _, now: room.operator.pause(),
            p.ResumeMessage: lambda c, _, now: room.operator.resume(now),
            p.StepMessage: lambda c, _, now: room.operator.next_turn(now),
            p.SpeedMessage: self._change_speed,
            p.PolicyMessage: self._policy,
            p.DebugMessage: self._debug_mode,
            p.DirectoriesMessage: self._list_directories,
            p.BootMessage: self._boot,
        }

    def take(self, client: Client, message: p.Incoming, now_ns: int) -> None:
        """Carry out a message of an operator, or refuse it. Some refusals count as mistakes."""
        if self._needs_together(message):
            self._refuse(client, message, FaultCode.NOT_NOW, NEEDS_TOGETHER)
        else:
            self._handlers[type(message)](client, message, now_ns)

    def _needs_together(self, message: p.Incoming) -> bool:
        """Return whether an operator asks for something that needs `together`, while the battle's pacing is
        `apart`.
        """
        if isinstance(message, p.StartMessage):
            return message.debug_mode and self._room.config.pacing == "apart"
        return isinstance(message, p.DebugMessage) and message.on and self._room.apart

    def _refuse(self, client: Client, message: p.Incoming, code: FaultCode, advice: str) -> None:
        self._mistakes.note(client, Fault(code, advice, refers_to=self._protocol.name_of(message)))

    def _start(self, client: Client, message: p.StartMessage, now_ns: int) -> None:
        try:
            self._refuse_second_battle()
            setup = self._protocol.read_setup(message)
            self._begin(setup, message.bots, message.debug_mode, now_ns)
        except SetupError as error:
            name = self._protocol.name_of(message)
            self._output.log("warning", f"{name} of {client.name} is refused: {error}")
            fault = Fault(FaultCode.BAD_SETUP, f"{name} is refused: {error}", refers_to=name)
            self._mistakes.answer(client, fault)

    def start_battle(self, setup: p.BattleSetup, bots: Sequence[p.RemoteAddress], now_ns: int) -> None:
        """Start a battle (see `Host.start_battle`)."""
        self._refuse_second_battle()
        self._begin(setup, bots, False, now_ns)

    def _refuse_second_battle(self) -> None:
        if self._room.is_taken:
            raise SetupError(f"a game is running; stop it first ({self._protocol.name_of(p.StopMessage)})")

    def _begin(
        self, setup: p.BattleSetup, addresses: Sequence[p.RemoteAddress], debug_mode: bool, now_ns: int
    ) -> None:
        bots = self._lobby.choose(addresses)
        if not bots:
            raise SetupError(
                "no connected bot has one of these addresses; take them from the newest list of bots"
            )
        self.newest_setup = setup
        self._handshakes.tell_bots(now_ns, early=True)
        self._room.start(setup, bots, debug_mode, now_ns)

    def _change_speed(self, client: Client, message: p.SpeedMessage, now_ns: int) -> None:
        try:
            self._room.operator.change_tps(message.tps, now_ns)
        except SetupError as error:
            self._refuse(client, message, FaultCode.OUT_OF_BOUNDS, str(error))

    def _policy(self, client: Client, message: p.PolicyMessage, now_ns: int) -> None:
        seats = len(self._room.clients)
        if not 0 <= message.seat < seats:
            advice = self._protocol.no_such_seat(message.seat, seats)
            self._refuse(client, message, FaultCode.OUT_OF_BOUNDS, advice)
            return
        self._room.operator.set_policy(message.seat, message.debugging, message.breakpoints, now_ns)

    def _debug_mode(self, client: Client, message: p.DebugMessage, now_ns: int) -> None:
        self._room.debug_mode = message.on

    def _list_directories(self, client: Client, message: p.DirectoriesMessage, now_ns: int) -> None:
        self._output.do(fx.ShowDirectories(client.conn, self._protocol.directories(())))

    def _boot(self, client: Client, message: p.BootMessage, now_ns: int) -> None:
        name = self._protocol.name_of(message)
        refused = self._protocol.error(FaultCode.BAD_SETUP, _STARTS_NONE, name)
        self._output.do(fx.StartBots(client.conn, message.ids, refused))
