"""What a resolved turn looks like, in bytes: an observation for each seat, one frame for all who watch.

Spectators get official ticks, or our stream (`wire.spectate`) if their handshake asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from turnwright.games.tank.results import points_so_far
from turnwright.games.tank.view import Frame
from turnwright.host import effects as fx
from turnwright.host.config import HostConfig
from turnwright.host.latency import SeatTiming, TurnTiming
from turnwright.host.voice import Voice
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import Seat
from turnwright.kernel.record import TurnEntry
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import encode
from turnwright.wire.royale.ticks import NO_EVENTS, tick_encoder
from turnwright.wire.spectate.messages import Delta, RulesStatus
from turnwright.wire.spectate.write import FrameWriter, Times

__all__ = ["Showing"]


class Showing:
    """Encodes a turn once for everybody, and times it.

    battle: the one that runs, number `number` of the server; timing: its times; seats: those of each seat.
    """

    def __init__(
        self,
        config: HostConfig,
        voice: Voice,
        battle: Battle,
        timing: TurnTiming,
        seats: Sequence[SeatTiming] = (),
        number: int = 1,
    ) -> None:
        self._watch = config.stopwatch
        self._is_preparing = config.preparing
        self._preparing = False
        """As spectators were told."""
        self._voice = voice
        self._battle = battle
        self._timing = timing
        self._seats = seats
        self._number = number
        self._seen: Frame | None = None
        self._frame: bytes | None = None
        self._stream = FrameWriter(battle.seats)
        self._key: tuple[fx.Mark, bytes] = (number, 0), b""
        self._times = Times()
        self._encode_ticks = tick_encoder(battle)

    def new_turn(self) -> None:
        """Forget the turn before."""
        self._frame = self._seen = None

    def observations(self, seats: Sequence[Seat], listening: Set[Seat]) -> tuple[list[Seat], list[bytes]]:
        """Return which of `seats` are told of the turn, and what; a seat that died only if it has events."""
        started = self._watch()
        state = self._battle.state
        order = [seat for seat in seats if seat in listening]
        datas = self._encode_ticks(order)
        if len(seats) > len(state.alive):
            both = zip(order, datas, strict=True)
            told = [(s, d) for s, d in both if s in state.alive or not d.endswith(NO_EVENTS)]
            order, datas = [s for s, _ in told], [d for _, d in told]
        self._timing.phases["events"].add(self._watch() - started)
        return order, datas

    def frame(self) -> bytes:
        """Return what spectators see of the turn."""
        if self._frame is None:
            self._frame = encode(self._look())
        return self._frame

    def _look(self) -> Frame:
        if self._seen is None:
            self._seen = self._battle.game.frame(self._battle.state)
        return self._seen

    def welcome(self, conn: int) -> None:
        """Tell a late spectator of the round: its start, the newest turn, perhaps its end."""
        state, do = self._battle.state, self._voice.do
        if not state.turn_number:
            return
        do(fx.Send(conn, encode(m.RoundStartedEvent(round_number=state.round_number))))
        if conn in self._voice.framed():
            do(fx.SendFrame(conn, *self.keyframe()))
            if self._preparing:
                do(fx.Send(conn, encode(RulesStatus(preparing=True))))
        else:
            do(fx.Send(conn, self.frame()))
        if state.round_over:
            do(fx.Send(conn, encode(self._voice.round_over(state))))

    def keyframe(self) -> tuple[fx.Mark, bytes]:
        """Return the newest turn in our stream as a whole, and which one it is."""
        number = self._battle.turn
        if self._stream.number != number:
            self._stream.begin(number, self._look(), self._times)
        mark = self._number, number
        if self._key[0] != mark:
            self._key = mark, encode(self._stream.key(self._so_far(), self._duels()))
        return self._key

    def _so_far(self) -> list[tuple[float, float, int]]:
        """Return each seat's points in the rounds that are over and in this one, and its missed turns."""
        state = self._battle.state
        before = [row.total for row in state.scores]
        now = [0.0] * len(before) if state.round_over else points_so_far(*state.tables.score_rows())
        missed = [faults.skipped for faults in self._battle.ledger.seats]
        return list(zip(before, now, missed, strict=True))

    def _duels(self) -> Iterator[tuple[int, int, float, int, int]]:
        """Yield what was done in this round to those who live: of the others nothing can come any more."""
        state = self._battle.state
        if state.round_over:
            return
        living = set(state.tables.alive())
        for duel in state.tables.score_rows()[1]:
            if duel.victim in living:
                kills = (duel.bullet_kill != 0) + 2 * (duel.ram_kill != 0)
                yield duel.attacker + 1, duel.victim + 1, duel.bullet_damage, duel.ram_hits, kills

    def show_rest(self, entry: TurnEntry) -> None:
        """Show the turn, of which `entry` is the record, to those who may wait until the bots are served."""
        self.show("observer")
        preparing, self._preparing = self._preparing, self._is_preparing()
        conns = self._voice.framed()
        if not conns:
            return
        if self._preparing != preparing:
            self._voice.do(fx.Publish(conns, encode(RulesStatus(preparing=self._preparing))))
        started = self._watch()
        number, before, data = self._battle.turn, None, b""
        self._times = self._taken(entry)
        if self._stream.number != number:
            message = self._stream.write(number, self._look(), self._times)
            if isinstance(message, Delta):
                before, data = (self._number, number - 1), encode(message)
        self._voice.do(fx.ShowFrame(conns, (self._number, number), before, data, self.keyframe))
        self._timing.phases["observers"].add(self._watch() - started)

    def _taken(self, entry: TurnEntry) -> Times:
        """Return what the turn took, by bot id; each answer is told once."""
        answers = {
            seat + 1: timing.newest_ns
            for seat, timing in enumerate(self._seats)
            if timing.newest_ns is not None
        }
        for timing in self._seats:
            timing.newest_ns = None
        trips = {s + 1: c.rtt_ns for s, c in enumerate(self._voice.clients) if c.rtt_ns is not None}
        late = {seat + 1: late_ns for seat, late_ns in entry.late_ns.items()}
        skipped = [seat + 1 for seat in entry.skipped]
        return Times(skipped, late, answers, trips, self._timing.late_ns, *self._out())

    def _out(self) -> tuple[set[int], set[int]]:
        """Return which bots are disconnected, and which are disqualified."""
        faults = self._battle.ledger.seats
        out = {seat + 1 for seat, fault in enumerate(faults) if fault.disqualified}
        return {seat + 1 for seat in self._battle.gone}, out

    def show(self, role: m.Role) -> None:
        """Show the turn to those who watch in this role."""
        if self._voice.plain(role):
            started = self._watch()
            self._voice.show(self.frame(), role)
            self._timing.phases["observers"].add(self._watch() - started)
