"""Handles the mistakes of clients. All mistakes are counted. The first ones of a connection are logged and
answered. Some end the connection.
"""

from __future__ import annotations

from turnwright.host import effects as fx
from turnwright.host.battle_room import BattleRoom
from turnwright.host.lobby import Client
from turnwright.host.protocol import Incoming
from turnwright.wire.faults import CLOSE_POLICY, Fault, FaultCode

STRANGER_FAULTS_MAX = 50
"""A connection that makes this number of mistakes before its handshake is closed."""
LOG_FAULTS_MAX = 20
"""The number of mistakes of one connection that are logged. Further mistakes are only counted."""


class Mistakes:
    """Counts and answers the mistakes of clients.

    Attributes:
        total: the number of mistakes by code.
    """

    def __init__(self, room: BattleRoom) -> None:
        self.total: dict[str, int] = {}
        self._room = room
        self._output, self._protocol = room.output, room.protocol

    def note(self, client: Client, fault: Fault) -> None:
        """Count a mistake and answer it. Close the connection if the fault or the number of mistakes requires
        this.
        """
        client.malformed += 1
        self.total[fault.code.value] = self.total.get(fault.code.value, 0) + 1
        if client.seat is not None and client.seat < len(self._room.seat_timing):
            self._room.seat_timing[client.seat].malformed += 1
        if client.malformed <= LOG_FAULTS_MAX:
            self._output.log("warning", f"{client.name}: {fault.code.value}: {fault.advice}")
            self.answer(client, fault)
        closes = fault.closes
        if closes is None and client.role is None and client.malformed >= STRANGER_FAULTS_MAX:
            closes = CLOSE_POLICY
        if closes is not None:
            client.closing, client.closed_for = True, fault.advice
            self._output.do(fx.Close(client.conn, closes, fault.reason))

    def answer(self, client: Client, fault: Fault) -> None:
        """Tell a client that uses our protocol what is wrong with its message."""
        if client.ours:
            data = self._protocol.error(fault.code.value, fault.advice, fault.refers_to)
            self._output.send(client.conn, data)

    def wrong_role(self, client: Client, message: Incoming) -> None:
        """Count and answer a message that a client of this role may not send."""
        kind = self._protocol.name_of(message)
        if client.role is None:
            code, advice = FaultCode.NO_HANDSHAKE, f"{kind} before a handshake; send a handshake first"
        else:
            code = FaultCode.NOT_YOUR_ROLE
            advice = f"{self._protocol.role_name(client.role)}s may not send {kind}"
        self.note(client, Fault(code, advice, refers_to=kind))

    def over_rate(self, client: Client, size: int, now_ns: int) -> None:
        """Count a message that was dropped because the connection exceeded its rate. Pause reading or close
        the connection if there are too many.

        Args:
            size: the length of the message in bytes.
        """
        closes = CLOSE_POLICY if client.rate.is_flooding(now_ns) else None
        self.note(client, Fault(FaultCode.TOO_MANY, "too many messages per second", closes=closes))
        if client.rate.must_pause(size):
            self._output.do(fx.PauseReading(client.conn))
