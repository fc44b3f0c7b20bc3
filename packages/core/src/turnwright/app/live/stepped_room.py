"""A battle on a server in this process. The caller plays the battle turn by turn.

    step(intents) ──▶ the seats' intents, one turn is released ──▶ all have answered ──▶ resolved ──▶ on_turn

Programs answer as in any battle. Their answers to a turn may arrive before the caller releases the turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Set
from typing import Any

from turnwright.host.host import Host
from turnwright.host.protocol import HelloMessage
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Seat
from turnwright.kernel.record import Footer, Header, TurnEntry
from turnwright.net.files.record_lines import RecordLines
from turnwright.net.files.writer import RecordWriter
from turnwright.net.participants.given_seat import GivenSeat
from turnwright.net.server import LiveServer

_OWED_S = 1.0
"""When a battle is stopped, the time in which programs can still send missing answers, in seconds."""
_POLL_S = 0.002


class SteppedRoom:
    """The turns of one battle. Use it only in the thread of the battle's event loop.

    Args:
        given: by seat, the handshakes of the seats whose intents the caller gives.
        on_begun: called with the battle when it has begun.
        on_turn: called when a turn is resolved and recorded.

    Attributes:
        stopped: whether the caller has ended the battle.
        owing: the seats that had not answered when the caller ended the battle.
    """

    def __init__(
        self,
        given: Mapping[Seat, HelloMessage],
        on_begun: Callable[[Battle], None],
        on_turn: Callable[[], None],
    ) -> None:
        self.given = given
        self.stopped = False
        self.owing: Set[Seat] = frozenset()
        self._on_begun, self._on_turn = on_begun, on_turn
        self._seats: dict[Seat, GivenSeat] = {}

    def enter(self, server: LiveServer, host: Host, seat: Seat, secret: str) -> GivenSeat:
        """Connect a seat whose intents the caller gives, and return its connection.

        Args:
            secret: the secret of bots.
        """
        hello = self.given[seat]
        hello.secret = secret
        self._seats[seat] = entered = GivenSeat(server, host, hello)
        return entered

    def announced(self, recorder: RecordWriter) -> RecordWriter:
        """Return a writer that writes the record of the battle and reports its turns."""
        return _AnnouncedRecord(recorder, self._on_turn)

    def begin(self, server: LiveServer, host: Host) -> None:
        """Take over the battle that has just begun, and call `on_begun`. The battle's first turn is open."""
        self._server, self._host = server, host
        battle = host.room.battle
        assert battle is not None
        self._battle = battle
        self._on_begun(battle)

    def step(self, intents: Mapping[Seat, Any]) -> None:
        """Pass on the intents of seats, and let the battle play one turn. An intent None is not passed on.

        `on_turn` is called when the turn is over.
        """
        for seat, intent in intents.items():
            if intent is not None:
                self._seats[seat].give(intent)
        self._server.command(self._host.room.operator.next_turn)

    async def stop(self, why: str, wait_s: float = _OWED_S) -> None:
        """Wait until programs have answered their newest observations, and end the battle without results.

        If the battle is already over, the call has no effect.

        Args:
            wait_s: the longest time to wait for the answers, in seconds.
        """
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + wait_s
        while (owing := self._owing()) and loop.time() < deadline_s:
            await asyncio.sleep(_POLL_S)
        if self._host.room.battle is self._battle:
            self.stopped, self.owing = True, owing
            self._server.command(lambda _: self._host.room.stop(why))

    def _owing(self) -> Set[Seat]:
        battle = self._battle
        if battle.outcome is not None or battle.void is not None:
            return frozenset()
        asked = set(battle.game.asked(battle.state))
        return asked - battle.collecting.inbox.answers.keys() - battle.referee.gone - self._seats.keys()


class _AnnouncedRecord(RecordWriter):
    """Passes a record on to another writer.

    Args:
        on_turn: called for each turn.
    """

    def __init__(self, record: RecordWriter, on_turn: Callable[[], None]) -> None:
        self.paths, self.newest = record.paths, record.newest
        self._record, self._on_turn = record, on_turn

    def open(self, battle: int, header: Header, line: bytes = b"") -> None:
        self._record.open(battle, header, line)

    def turn(self, battle: int, entry: TurnEntry, line: bytes = b"") -> None:
        """Write a turn and report it."""
        self._record.turn(battle, entry, line)
        self._on_turn()

    def lines(self, battle: int) -> RecordLines | None:
        return self._record.lines(battle)

    def close(self, battle: int, footer: Footer, line: bytes = b"") -> None:
        self._record.close(battle, footer, line)
