"""A server for bots that rehearse with a record: each takes a seat of a battle that was played already.

It speaks to bots alone, one for each live seat, which a secret of its own leads to its seat. They are shown
what their seats see in the rerun, turn by turn, as fast as they answer; there is no deadline but patience.
A pure object like `host.Host`, driven in the same way; `ended` says how it went.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from turnwright.errors import VoidBattleError
from turnwright.games.tank.intent import TankIntent, merge, without_messages
from turnwright.host import effects as fx
from turnwright.host.greeting import greeting, session_id
from turnwright.kernel.battle import Closed
from turnwright.kernel.game import Seat
from turnwright.kernel.rerun import Rerun
from turnwright.wire.royale import messages as m
from turnwright.wire.royale.codec import decode, encode
from turnwright.wire.royale.faults import CLOSE_POLICY, Fault
from turnwright.wire.royale.results import results_for_bots

__all__ = ["Answer", "Ended", "Rehearsal"]

TURNS_ALONE_MAX = 200
"""Turns that are played at once while no live seat is asked; then others in the process get a chance."""
ROUND_END_PATIENCE_NS = 200_000_000
"""How long survivors are waited for after a round's last turn: what they say to it counts for nothing."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a live seat said in a turn. intent: None when it did not answer in time.

    recorded: what the record has there; None: it was skipped. turn: of the round.
    """

    seat: Seat
    round: int
    turn: int
    intent: TankIntent | None
    recorded: TankIntent | None
    counted: bool
    """Whether its own intent was played, not the recorded one."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a rehearsal ended. why: empty when it came to its end."""

    why: str = ""
    error: VoidBattleError | None = None


class Rehearsal:
    """See above.

    started: what each live seat is told when the game begins; secrets: each live seat's own, none the same.
    patience_ns: how long a bot may think about one turn. on_turn: told every turn, and what was answered.
    stop_after: end after so many turns of the battle.
    """

    def __init__(
        self,
        rerun: Rerun,
        started: Mapping[Seat, m.GameStartedEventForBot],
        secrets: Mapping[Seat, str],
        *,
        random_bytes: Callable[[int], bytes],
        patience_ns: int,
        on_turn: Callable[[Closed, Sequence[Answer]], None],
        stop_after: int | None = None,
    ) -> None:
        self.rerun = rerun
        self.ended: Ended | None = None
        self.at_breakpoint = False
        self.timed = ()
        self._started = started
        self._secrets = secrets
        self._random_bytes = random_bytes
        self._patience_ns = patience_ns
        self._on_turn = on_turn
        self._stop_after = stop_after
        self._out: list[fx.Effect] = []
        self._sessions: dict[int, str] = {}
        self._seat_of: dict[int, Seat] = {}
        self._conn_of: dict[Seat, int] = {}
        self._ready: set[Seat] = set()
        self._running = False
        self._answers: dict[Seat, TankIntent] = {}
        self._waiting: set[Seat] = set()
        self._deadline_ns: int | None = None
        rerun.battle.state.debugging = rerun.battle.debugged

    @property
    def seated(self) -> frozenset[Seat]:
        """The live seats whose bots are connected."""
        return frozenset(self._conn_of)

    @property
    def running(self) -> bool:
        """Whether all bots were ready and the first turn has been shown."""
        return self._running

    # ---- what net.live drives --------------------------------------------------------------------------

    def take(self) -> list[fx.Effect]:
        """Return what is to be done now, in order, and forget it."""
        taken, self._out = self._out, []
        return taken

    def connect(self, conn: int, peer_host: str, peer_port: int, now_ns: int) -> None:
        """A WebSocket has opened: the server speaks first."""
        session = self._sessions[conn] = session_id(self._random_bytes(16))
        self._out.append(fx.Send(conn, encode(greeting(session))))

    def disconnect(self, conn: int, now_ns: int) -> None:
        """A connection is gone; a bot that leaves in the middle ends the rehearsal."""
        self._sessions.pop(conn, None)
        seat = self._seat_of.pop(conn, None)
        if seat is None:
            return
        self._conn_of.pop(seat, None)
        self._ready.discard(seat)
        if self._running:
            self._end(Ended(f"{self._name(seat)} left in turn {self.rerun.battle.turn}"))

    def receive(self, conn: int, data: bytes, now_ns: int) -> None:
        """One text message has arrived."""
        message = decode(data)
        if isinstance(message, m.BotHandshake):
            self._hello(conn, message)
        elif isinstance(message, Fault) or conn not in self._seat_of:
            if isinstance(message, Fault) and message.closes is not None:
                self._out.append(fx.Close(conn, message.closes, message.reason))
        elif isinstance(message, m.BotReady):
            self._note_ready(self._seat_of[conn], now_ns)
        elif isinstance(message, TankIntent):
            self._intent(self._seat_of[conn], message, now_ns)

    def wake(self, now_ns: int) -> None:
        """The alarm rang: who has not answered by now has missed the turn."""
        if self._running and self._deadline_ns is not None and now_ns >= self._deadline_ns:
            self._play(now_ns)

    def settled(self, now_ns: int) -> None:
        """Go on with turns in which nobody is asked."""
        if self._running and not self._waiting:
            self._play(now_ns)

    def drained(self, now_ns: int) -> None:
        """Never asked for."""

    def observed(self, stamps_ns: Sequence[int]) -> None:
        """Observations have left: patience begins."""
        if stamps_ns and self._waiting:
            over = self.rerun.battle.state.round_over
            patience_ns = min(self._patience_ns, ROUND_END_PATIENCE_NS) if over else self._patience_ns
            self._deadline_ns = stamps_ns[-1] + patience_ns
            self._out.append(fx.Wake(self._deadline_ns))

    def round_trips(self, trips_ns: Mapping[int, int]) -> None:
        """Nobody watches them."""

    def metrics(self, now_ns: int) -> str:
        """There are none."""
        return ""

    def abort(self, why: str) -> None:
        """The server is closing."""
        if self.ended is None:
            self._end(Ended(why))

    # ---- who sits where --------------------------------------------------------------------------------

    def _hello(self, conn: int, hello: m.BotHandshake) -> None:
        given = (hello.secret or "").encode("utf-8", "surrogatepass")
        matching = [s for s, secret in self._secrets.items() if hmac.compare_digest(given, secret.encode())]
        if hello.session_id != self._sessions.get(conn):
            self._out.append(fx.Close(conn, CLOSE_POLICY, "Missing session id"))
        elif not matching or matching[0] in self._conn_of:
            self._out.append(fx.Close(conn, CLOSE_POLICY, "Invalid secret"))
        elif conn not in self._seat_of:
            seat = matching[0]
            self._seat_of[conn], self._conn_of[seat] = seat, conn
            if len(self._conn_of) == len(self._secrets):
                for other in sorted(self._conn_of):
                    self._tell(other, self._started[other])

    def _note_ready(self, seat: Seat, now_ns: int) -> None:
        self._ready.add(seat)
        if not self._running and self.ended is None and len(self._ready) == len(self._secrets):
            self._running = True
            self._play(now_ns)

    def _tell(self, seat: Seat, message: object) -> None:
        conn = self._conn_of.get(seat)
        if conn is not None:
            self._out.append(fx.Send(conn, encode(message)))

    def _name(self, seat: Seat) -> str:
        return self.rerun.record.header.seats[seat].name

    # ---- turns -----------------------------------------------------------------------------------------

    def _intent(self, seat: Seat, intent: TankIntent, now_ns: int) -> None:
        if not self._running or self.ended is not None:
            return
        state = self.rerun.battle.state
        if intent.turn_number is not None and intent.turn_number != state.turn_number:
            return
        if state.teams.count(state.teams[seat]) == 1:  # as it is recorded
            intent = without_messages(intent)
        first = self._answers.get(seat)
        self._answers[seat] = intent if first is None else merge(first, intent)
        if seat in self._waiting:
            self._waiting.discard(seat)
            if not self._waiting:
                self._play(now_ns)

    def _play(self, now_ns: int) -> None:
        """Resolve the turn, and further ones until a live seat is asked again."""
        self._deadline_ns = None
        for _ in range(TURNS_ALONE_MAX):
            if self.ended is not None or self._is_over():
                return
            self._turn()
            if self._waiting:
                return
        self._out.append(fx.Soon())

    def _is_over(self) -> bool:
        rerun = self.rerun
        if rerun.over or (self._stop_after is not None and rerun.battle.turn >= self._stop_after):
            self._end(Ended())
            return True
        return False

    def _turn(self) -> None:
        rerun, battle = self.rerun, self.rerun.battle
        state = battle.state
        answers = self._answered()
        for answer in answers:
            if not rerun.is_anew and rerun.was_skipped(answer.seat):
                self._tell(answer.seat, m.SkippedTurnEvent(state.turn_number))
        try:
            closed = rerun.resolve(self._answers)
        except VoidBattleError as error:
            self._end(Ended(str(error), error))
            return
        self._answers = {}
        self._on_turn(closed, answers)
        if state.opened_round:
            for seat in sorted(self._conn_of):
                self._tell(seat, m.RoundStartedEvent(round_number=state.round_number))
        self._show({answer.seat for answer in answers})

    def _answered(self) -> list[Answer]:
        rerun, state = self.rerun, self.rerun.battle.state
        return [
            Answer(
                seat,
                state.round_number,
                state.turn_number,
                self._answers.get(seat),
                rerun.recorded(seat),
                rerun.is_anew,
            )
            for seat in rerun.asked()
            if not state.round_over
        ]

    def _show(self, asked_before: set[Seat]) -> None:
        """Show the turn to the live seats that are alive or have just died; tell of a round's end."""
        battle, state = self.rerun.battle, self.rerun.battle.state
        alive = set(state.alive) if state.opened_round else asked_before
        told = [seat for seat in sorted(self._conn_of) if seat in alive or seat in state.alive]
        if told:
            datas = [encode(battle.observe(seat)) for seat in told]
            self._out.append(fx.SendTurn([self._conn_of[seat] for seat in told], datas))
        self._waiting = set(self.rerun.asked()) & set(told)
        if state.round_over:
            self._tell_end(state.game_over)

    def _tell_end(self, game_over: bool) -> None:
        state = self.rerun.battle.state
        for seat, result in enumerate(results_for_bots(state.results)):
            self._tell(seat, m.RoundEndedEventForBot(state.round_number, state.turn_number, result))
            if game_over:
                self._tell(seat, m.GameEndedEventForBot(state.round_number, result))

    def _end(self, ended: Ended) -> None:
        self.ended = ended
        self._waiting, self._deadline_ns = set(), None
        self._out.append(fx.Wake(None))
