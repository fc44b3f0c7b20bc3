"""A host on a virtual clock: its effects run as in `net.server`, without sockets.

Two things have a clock here. The world runs by itself: things happen at their times, and messages come to the
server's sockets. The server has one loop, which sleeps until something is to be done, runs what was asked for
soon, reads what its sockets hold and rings its alarm. While it is busy or stalled, the world continues and
messages wait unread.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

from turnwright.host import effects as fx
from turnwright.host.host import Host
from turnwright.host.summary import BattleSummary
from turnwright.kernel.record import Record

START_NS = 1_000_000_000
DRAIN_ROUNDS_MAX = 32
"""Rounds of the loop in which sockets are drained at most, as in `net.server`."""


@dataclass(slots=True)
class Said:
    """One message of the server.

    Attributes:
        at_ns: when it was written.
        droppable: a slow spectator may miss it.
    """

    conn: int
    data: bytes
    at_ns: int
    droppable: bool = False


@dataclass(slots=True)
class Played:
    """One battle: its record, if one was asked for, and its summary when it is over."""

    number: int
    record: Record | None = None
    summary: BattleSummary | None = None


@dataclass(slots=True)
class _Arrival:
    conn: int
    data: bytes | None
    """None: the connection ends."""


@dataclass(slots=True)
class VirtualServer:
    """A host and the loop around it.

    Attributes:
        on_said(said), on_closed(conn, code, reason): called when the server sends to a client or closes it.
        on_over(battle): called at the end of a battle.
        on_left(conn): called when the host knows that a connection is gone.
        on_late(at_ns, by_ns): called when the alarm rang late.
        write_ns(): returns how long one write of an observation takes.
        alarm_late_ns(): returns by how much the next alarm rings late.
        alarm_first(): returns whether a round of the loop looks at its alarm before its sockets.
    """

    host: Host
    on_said: Callable[[Said], None] = lambda said: None
    on_closed: Callable[[int, int, str], None] = lambda conn, code, reason: None
    on_over: Callable[[Played], None] = lambda played: None
    on_left: Callable[[int], None] = lambda conn: None
    on_late: Callable[[int, int], None] = lambda at_ns, by_ns: None
    write_ns: Callable[[], int] = lambda: 0
    alarm_late_ns: Callable[[], int] = lambda: 0
    alarm_first: Callable[[], bool] = lambda: False
    now_ns: int = START_NS
    logs: list[fx.Log] = field(default_factory=list)
    boots: list[fx.ShowDirectories | fx.StartBots] = field(default_factory=list)
    """Requests of operators for bot directories; there are none."""
    battles: dict[int, Played] = field(default_factory=dict)
    """By number, also games that never began."""
    over: list[BattleSummary] = field(default_factory=list)
    alarm_ns: int | None = None
    """The time of the alarm that was asked for."""
    full: set[int] = field(default_factory=set)
    """The spectators whose connections have no room to read now; see `relieve`."""
    open: set[int] = field(default_factory=set)
    """The connections that are up, as the server knows."""
    _readers: dict[int, tuple[fx.ReadHistory, int | None]] = field(default_factory=dict)
    _rings_ns: int = 0
    _soon: list[Callable[[], None]] = field(default_factory=list)
    _world: list[tuple[int, int, Callable[[], None]]] = field(default_factory=list)
    _sockets: list[tuple[int, int, _Arrival]] = field(default_factory=list)
    _sequence: int = 0

    # ---- the world ---------------------------------------------------------------------------------------

    def at(self, when_ns: int, action: Callable[[], None]) -> None:
        """Let something happen in the world. Events of the same time happen in the order of these calls."""
        self._sequence += 1
        heapq.heappush(self._world, (when_ns, self._sequence, action))

    def arrive(self, conn: int, data: bytes | None, when_ns: int) -> None:
        """Let a message (None: the end of the connection) come to the server's sockets."""
        self._sequence += 1
        heapq.heappush(self._sockets, (when_ns, self._sequence, _Arrival(conn, data)))

    def connect(self, conn: int, address: str = "127.0.0.1", port: int | None = None) -> None:
        """Open a connection now."""
        self.open.add(conn)
        self.host.connect(conn, address, 40_000 + conn if port is None else port, self.now_ns)
        self.work()

    def receive(self, conn: int, data: bytes) -> None:
        """Let the loop read a message now, past all that wait."""
        self.host.receive(conn, data, self.now_ns)
        self.work()

    def disconnect(self, conn: int) -> None:
        """Let the loop notice now that a connection is gone."""
        if conn in self.open:
            self.open.discard(conn)
            self._readers.pop(conn, None)
            self.host.disconnect(conn, self.now_ns)
            self.on_left(conn)
            self.work()

    # ---- the loop ----------------------------------------------------------------------------------------

    def stall(self, duration_ns: int) -> None:
        """Let the loop be busy with something else: time passes, and nothing is read."""
        self.now_ns += duration_ns

    def run(self, until_ns: int, rounds_max: int = 1_000_000) -> None:
        """Let time pass until `until_ns`, or for `rounds_max` rounds. After a stall, it may be later."""
        while rounds_max and self._due_ns(until_ns + 1) <= until_ns:
            self.step()
            rounds_max -= 1
        if rounds_max:
            self.now_ns = max(self.now_ns, until_ns)

    def step(self) -> bool:
        """Sleep until something is due, and do one round of the loop. Return False if nothing will be due."""
        due_ns = self._due_ns(-1)
        if due_ns < 0:
            return False
        self.now_ns = max(self.now_ns, due_ns)
        self._live()
        soon, self._soon = self._soon, []
        for call in soon:
            call()
            self.work()
        for part in (self._ring, self._read) if self.alarm_first() else (self._read, self._ring):
            part()
        return True

    @property
    def busy(self) -> bool:
        """Whether something was asked for soon, and its round of the loop has not come."""
        return bool(self._soon)

    def _due_ns(self, otherwise_ns: int) -> int:
        if self._soon:
            return self.now_ns
        times = [heap[0][0] for heap in (self._world, self._sockets) if heap]
        if self.alarm_ns is not None:
            times.append(self._rings_ns)
        return min(times, default=otherwise_ns)

    def _live(self) -> None:
        """Let the world come up to now."""
        while self._world and self._world[0][0] <= self.now_ns:
            heapq.heappop(self._world)[2]()

    def _read(self) -> None:
        self._live()
        read: list[_Arrival] = []
        while self._sockets and self._sockets[0][0] <= self.now_ns:
            read.append(heapq.heappop(self._sockets)[2])
        if read and self.alarm_ns is not None and self.now_ns > self.alarm_ns:
            self.on_late(self.now_ns, self.now_ns - self.alarm_ns)  # they are read before it rings
        for arrival in read:
            if arrival.conn not in self.open:
                continue
            if arrival.data is None:
                self.disconnect(arrival.conn)
            else:
                self.receive(arrival.conn, arrival.data)

    def _ring(self) -> None:
        if self.alarm_ns is not None and self._rings_ns <= self.now_ns:
            self.on_late(self.now_ns, self.now_ns - self.alarm_ns)
            self.alarm_ns = None
            self.host.wake(self.now_ns)
            self.work()

    def drain(self, rounds_left: int = DRAIN_ROUNDS_MAX) -> None:
        """Read the messages in the sockets, in rounds of the loop, then report this to the host."""
        self._live()
        if rounds_left and self._sockets and self._sockets[0][0] <= self.now_ns:
            self._soon.append(lambda: self.drain(rounds_left - 1))
        else:
            self.host.pending_read(self.now_ns)

    # ---- effects -----------------------------------------------------------------------------------------

    def work(self) -> None:
        """Carry out effects until there are none."""
        while effects := self.host.take():
            for effect in effects:
                self._carry_out(effect)

    def _carry_out(self, effect: fx.Effect) -> None:
        match effect:
            case fx.Send():
                self._say(effect.conn, effect.data)
            case fx.SendTurn():
                self._send_turn(effect)
            case fx.Publish():
                for conn in effect.conns:
                    self._say(conn, effect.data, effect.droppable)
            case fx.ForgetHistory():
                self._readers.clear()
            case fx.ReadHistory():
                self._readers.update(dict.fromkeys(effect.conns, (effect, None)))
                self._let_read(*effect.conns)
            case fx.HistoryGrew():
                self._let_read(*self._readers)
            case fx.SetAlarm():
                self.alarm_ns = effect.at_ns
                self._rings_ns = (effect.at_ns or 0) + self.alarm_late_ns()
            case fx.CallSettled():
                self._soon.append(lambda: self.host.inputs_read(self.now_ns))
            case fx.ReadPending():
                self._soon.append(self.drain)
            case fx.Close():
                self.on_closed(effect.conn, effect.code, effect.reason)
            case fx.PauseReading():
                pass
            case fx.Log():
                self.logs.append(effect)
            case fx.ShowDirectories() | fx.StartBots():
                self.boots.append(effect)
            case fx.BotsChanged():
                return
            case _:
                self._keep(effect)

    def _keep(self, effect: fx.RecordOpen | fx.RecordTurn | fx.RecordClose | fx.BattleOver) -> None:
        battle = self.battles.setdefault(effect.battle, Played(effect.battle))
        if isinstance(effect, fx.BattleOver):
            battle.summary = effect.summary
            self.over.append(effect.summary)
            self.on_over(battle)
        elif isinstance(effect, fx.RecordOpen):
            battle.record = Record(effect.header)
        else:
            assert battle.record is not None, "a record begins with its header"
            if isinstance(effect, fx.RecordTurn):
                battle.record.turns.append(effect.entry)
            else:
                battle.record.footer = effect.footer

    def relieve(self, conn: int) -> None:
        """Let a connection that was full read again."""
        self.full.discard(conn)
        self._let_read(conn)

    def _let_read(self, *conns: int) -> None:
        for conn in conns:
            while conn in self._readers and conn not in self.full:
                reading, at = self._readers[conn]
                history = reading.history
                part = history.begin(reading.begin) if at is None else history.read(at)
                if part is None or part.after <= part.first:
                    break
                self._readers[conn] = reading, part.after
                self._say(conn, self.host.config.protocol.history(part), False)

    def _say(self, conn: int, data: bytes, droppable: bool = False) -> None:
        self.on_said(Said(conn, data, self.now_ns, droppable))

    def _send_turn(self, effect: fx.SendTurn) -> None:
        stamps_ns = []
        for conn, data in zip(effect.conns, effect.datas, strict=True):
            self.now_ns += self.write_ns()
            self._say(conn, data)
            stamps_ns.append(self.now_ns)
        self.host.turn_sent(stamps_ns)
