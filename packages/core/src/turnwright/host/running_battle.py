"""The turns of a battle that runs on a server.

    open ──intents──▶ all answered ─┐
      └──alarm──▶ drain ──▶ missed ─┴▶ collected ──pace──▶ resolve ▶ send ▶ record, publish, open …
Every method takes the time and appends effects. No method waits. A method that can end the battle returns an
`End` if it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from turnwright.errors import GameError, VoidBattleError
from turnwright.host import effects as fx
from turnwright.host.battle_start import progress_of
from turnwright.host.collector import AnswerCollector, SentTurn
from turnwright.host.latency import TurnTiming
from turnwright.host.notices import SLOW_RULES_NS
from turnwright.host.operator import OperatorControls
from turnwright.host.protocol import BattleMessages, BattleSetup
from turnwright.host.recording import BattleRecording
from turnwright.host.room_state import BattleRoomState
from turnwright.host.summary import BattleSummary, Ending, silence, summarize
from turnwright.host.turn_output import TurnEncoder
from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.failure import FailureReason
from turnwright.kernel.game import Seat

LOOP_LATE_NS = 2_000_000
"""If the event loop wakes more than this time, in ns, after a deadline or a due turn, the turn is marked as
late.
"""
OPERATOR_GAP_NS = 1_000_000
"""The shortest time of a turn at unlimited speed, in ns, while an operator's program of another project is
connected. In this time a command that the program sends after a turn can arrive before the next turn, as on
the official server.
"""


@dataclass(frozen=True, slots=True)
class End:
    """How and why a battle ended.

    Attributes:
        error: the error if the rules failed, or None.
    """

    ending: Ending
    why: str = ""
    error: VoidBattleError | None = None


@dataclass(slots=True)
class TurnInFlight:
    """A turn that is resolved but not recorded yet, because the bots get their observations first.

    Attributes:
        sent_ns: the time at which the last observation was sent.
        collected_ns: the end of collecting.
        due_ns: the time at which the turn was due, if it waited for the pace.
        at_ns, took_ns: the time at which the turn was resolved, and how long the rules took.
    """

    closed: Closed
    sent_ns: int
    collected_ns: int
    due_ns: int | None
    at_ns: int
    took_ns: int


class RunningBattle:
    """Plays a battle, turn by turn.

    Attributes:
        timing: the times of the server.
        in_flight: the turn that was just resolved, while its new observations are being sent. `turn_sent`
            finishes the turn.
    """

    def __init__(
        self,
        room: BattleRoomState,
        operator: OperatorControls,
        battle: Battle,
        messages: BattleMessages,
        recording: BattleRecording,
        setup: BattleSetup,
    ) -> None:
        self._room, self._operator = room, operator
        self._output = room.output
        self.battle, self.messages, self.recording = battle, messages, recording
        self.timing = TurnTiming()
        self._encoder = TurnEncoder(room.config, room.output, messages, self.timing)
        self.collector = AnswerCollector(room, operator, battle, messages, recording.prints, setup.untimed)
        self._game_type = setup.game_type
        self.in_flight: TurnInFlight | None = None

    def _guard(self, step: Callable[[int], End | None], now_ns: int) -> End | None:
        """Run a step of the battle. An error in the step ends only this battle, not the server."""
        try:
            return step(now_ns)
        except VoidBattleError as error:
            return End("void", str(error), error)
        except Exception as error:
            said = str(error) if isinstance(error, GameError) else repr(error)
            void = VoidBattleError(f"a turn could not be shown: {said}")
            void.__cause__ = error
            return End("void", str(void), void)

    # ---- open, send ----------------------------------------------------------------------------------------

    def begin(self, now_ns: int) -> End | None:
        """Open the first turn, and return the end of the battle if it becomes void.

        If seats are asked before that turn, they see the state first.
        """
        return self._guard(self._begin, now_ns)

    def _begin(self, now_ns: int) -> None:
        battle = self.battle
        self.recording.begin_history(battle.header)
        if battle.game.asked(battle.state):
            self._encoder.show_start()
            self._send_observations(self._room.progress.alive, now_ns)
        else:
            self.collector.turn.sent_ns = now_ns
        self._open()

    def _open(self) -> None:
        self.battle.open_turn()
        if not self.battle.collecting.inbox.missing:
            self._room.soon()

    def _send_observations(self, seats: Sequence[Seat], now_ns: int) -> None:
        battle, withheld = self.battle, frozenset[Seat]()
        if not self._room.progress.opened_round and (behind := battle.collecting.late_rule.withheld(now_ns)):
            withheld = frozenset(behind & set(battle.game.asked(battle.state)))
            seats = [seat for seat in seats if seat not in withheld]
        order, datas = self._encoder.observations(seats, self._output.present)
        began_ns = self._room.config.stopwatch() or now_ns
        self.collector.turn = SentTurn(order, withheld, began_ns, now_ns)
        if order:
            clients = self._output.clients
            self._output.do(fx.SendTurn([clients[seat].conn for seat in order], datas))

    def turn_sent(self, stamps_ns: Sequence[int]) -> End | None:
        """Record the times at which the newest observations were sent, and finish the turn in flight."""
        now_ns = stamps_ns[-1]
        if self.in_flight is not None and (end := self._guard(self._finish_turn, now_ns)) is not None:
            return end
        self.collector.sent(stamps_ns)
        self.timing.note_sent(self.collector.turn.began_ns, stamps_ns)
        return None

    def check(self, now_ns: int) -> End | None:
        """End collecting and resolve the turn, if it is time."""
        return self._guard(self._play_turn, now_ns) if self.collector.is_due(now_ns) else None

    def leave(self, seat: Seat, reason: FailureReason, error: str, printed: Sequence[str]) -> None:
        """Record that the participant of a seat has left, and why."""
        self.battle.leave(seat)
        self.collector.notices.fail(seat, reason, error, printed)
        self.messages.left(seat)

    # ---- resolve, record, publish --------------------------------------------------------------------------

    def _play_turn(self, now_ns: int) -> End | None:
        """Resolve the collected turn and send the new observations. The turn is recorded and shown later,
        while the bots compute.
        """
        room, battle, messages, collector = self._room, self.battle, self.messages, self.collector
        collected = collector.turn
        watch, before = room.config.stopwatch, room.progress
        collected.first_told_ns = 0
        if self._operator.first_awaited:
            collector.tell_first_awaited()
        due = room.pace.due_ns()
        started = watch()
        closed = battle.resolve_turn()
        took_ns = watch() - started
        collected_ns = closed.inbox.collected_ns or 0
        waited_since = due if due and collected_ns <= due and not collected.is_held else None
        self.in_flight = TurnInFlight(closed, collected.sent_ns, collected_ns, waited_since, now_ns, took_ns)
        told = battle.game.round_progress(battle.state)
        now = room.progress = told or progress_of(battle)
        if printed := self.recording.prints.close_turn():
            self.recording.note_printed(closed.entry, printed, room.place)
        messages.resolved(closed.events, closed.entry)
        if now.opened_round:
            collector.earlier_rounds.appendleft(before.turn)
            self._announce_round(now_ns)
        if closed.entry.skipped and not collected.is_held:
            collector.tell_skipped([seat for seat in closed.entry.skipped if seat in now.alive], now.turn - 1)
        if self._output.watching:
            self._encoder.show("operator")  # first, so that commands about this turn come before the next one
        if told is None:  # seats may take turns: send to those that were asked, and those that are asked next
            self._send_observations(sorted({*before.alive, *now.alive}), now_ns)
        else:
            self._send_observations(now.alive if now.opened_round else before.alive, now_ns)
        if collector.turn.seats:
            return None
        end, sent = self._finish_turn(now_ns), collector.turn
        if end is None and sent.withheld:
            battle.collecting.inbox.withhold(sent.withheld, now_ns)
        return end

    def _announce_round(self, now_ns: int) -> None:
        """Announce a round. Spectators get the message before participants, as on Tank Royale's official
        server.
        """
        data = self.messages.round_started()
        self._output.publish_reached(data, now_ns)
        self._output.tell_all(data)

    def _announce_round_end(self, now_ns: int) -> None:
        """Announce the end of a round. Participants get the message before spectators."""
        self._output.tell_each(self.messages.round_ended_for_seats())
        self._output.publish_reached(self.messages.round_ended(), now_ns)

    def _announce_battle_end(self, now_ns: int) -> None:
        """Announce the end of the battle. Participants get the message before spectators."""
        self._output.tell_each(self.messages.battle_ended_for_seats())
        self._output.publish_reached(self.messages.battle_ended(), now_ns)

    def _note_times(self, turn: TurnInFlight) -> int:
        """Record the times of a turn. Return how late the server was, in ns. Return 0 if the lateness could
        not affect any seat.
        """
        late_ns = max(self.collector.drain.late_ns, 0 if turn.due_ns is None else turn.at_ns - turn.due_ns)
        self.collector.drain.late_ns = 0
        is_late = late_ns > LOOP_LATE_NS
        self.timing.note_turn(turn.due_ns, turn.collected_ns - turn.sent_ns, turn.at_ns, is_late)
        self.timing.phases["resolve"].add(turn.took_ns)
        if turn.took_ns >= SLOW_RULES_NS:
            self.collector.notices.tell_slow_rules(turn.took_ns)
        self._room.pace.resolved(turn.collected_ns, turn.at_ns)
        return late_ns if is_late else 0

    def _finish_turn(self, now_ns: int) -> End | None:
        """Record the turn, show it to spectators, and open the next turn. This comes after the observations
        were sent, so that bots do not wait for it.
        """
        turn, self.in_flight = self.in_flight, None
        assert turn is not None
        room, battle, output, entry = self._room, self.battle, self._output, turn.closed.entry
        battle.record_turn(turn.closed, self._note_times(turn))
        room.turns_total += 1
        self.recording.add(entry)
        if entry.faults:
            output.log_troubles(entry)
        for seat in entry.disqualified:
            self.collector.notices.tell_out(seat)
        if output.watching:
            if room.pace.tps < 0 and not room.apart and output.has_foreign_operators():
                self.collector.turn.not_before_ns = now_ns + OPERATOR_GAP_NS
            self._encoder.show_rest(now_ns)
        self._operator.turn_shown()
        if room.progress.round_over:
            self._announce_round_end(now_ns)
        if room.progress.battle_over:
            self._announce_battle_end(now_ns)
            return End("over")
        if room.config.turns_max is not None and battle.turn >= room.config.turns_max:
            return End("aborted", f"the limit of {battle.turn} turns is reached")
        if why := silence(battle, self.collector.seat_timing, room.config.unanswered_turns_max):
            return End("aborted", why)
        if room.debug_mode:
            self._operator.pause_for_debugging()
        self._open()
        return None

    # ---- spectators ----------------------------------------------------------------------------------------

    def welcome(self, conn: int) -> End | None:
        """Send a late spectator the start of the battle and the newest turn. If this turn ended a round, also
        send the end of the round. While paced frames wait, a spectator with paced frames gets only the start.
        """
        return self._guard(lambda _: self._welcome(conn), 0)

    def _welcome(self, conn: int) -> None:
        output, messages, progress = self._output, self.messages, self._room.progress
        output.send(conn, messages.started)
        if conn in output.paced_spectators() and output.paced.is_behind:
            return  # it gets the next frame together with the others
        if progress.round:
            output.send(conn, messages.round_started())
            self._encoder.welcome(conn)
            if progress.round_over:
                output.send(conn, messages.round_ended())
        self._operator.welcome(conn)

    def show_round_trips(self, trips_ns: Mapping[int, int]) -> None:
        """Send the round-trip times of pings to spectators that read our messages.

        Args:
            trips_ns: the round-trip times by connection.
        """
        seats = {seat: trips_ns[c.conn] for seat, c in enumerate(self._output.clients) if c.conn in trips_ns}
        self._output.tell_ours(self.messages.round_trips(seats) if seats else b"")

    def summary(self, end: End) -> BattleSummary:
        """Return the summary of the battle, which has ended."""
        return summarize(
            self.battle,
            end.ending,
            () if end.ending == "void" else self.messages.result_rows(),
            self.collector.seat_timing,
            game_type=self._game_type,
            rounds=self._room.progress.round,
            turn_timing=self.timing,
            why=end.why,
            error=end.error,
        )
