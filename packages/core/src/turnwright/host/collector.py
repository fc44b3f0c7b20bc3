"""Collects a turn's answers on a server: intents, missed deadlines, holds.

When a deadline has passed, the sockets are read before a seat counts as late. So an answer is in time if it
reached this machine in time, even if the event loop was late.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from turnwright.errors import GameError
from turnwright.host import effects as fx
from turnwright.host.latency import seat_timings
from turnwright.host.lobby import Client
from turnwright.host.notices import BattleNotices
from turnwright.host.operator import OperatorControls
from turnwright.host.protocol import BattleMessages, IntentMessage
from turnwright.host.room_state import BattleRoomState
from turnwright.kernel.battle import Battle
from turnwright.kernel.deadline import Receipt
from turnwright.kernel.game import Seat
from turnwright.kernel.on_late_drop import DEADLINES_KEPT
from turnwright.kernel.printed import Prints
from turnwright.wire.faults import Fault, FaultCode

FIRST_TOLD_NS = 500_000_000
"""If a battle waits for a first answer for this time, in ns, spectators are notified."""


@dataclass(slots=True)
class SentTurn:
    """A turn whose observations are being sent or were sent, and whose answers are being collected.

    Attributes:
        seats: the seats in order of sending.
        withheld: the seats that get no observation.
        began_ns: the start of sending.
        sent_ns: the time at which the last observation was sent.
        deadlines_ns: the deadlines that the observations of `seats` promised. An operator may end the wait
            for a seat earlier.
        first_told_ns: the time at which the server reports to spectators which seats have not given their
            first answer. 0 means never.
        not_before_ns: the earliest time at which the turn is resolved.
        missed: the seats that missed the turn.
        is_held: whether the turn was held for the seats in `missed`, and these seats were notified.
    """

    seats: Sequence[Seat] = ()
    withheld: Set[Seat] = frozenset()
    began_ns: int = 0
    sent_ns: int = 0
    deadlines_ns: dict[Seat, int] = field(default_factory=dict)
    first_deadline_ns: int = 0
    first_told_ns: int = 0
    not_before_ns: int = 0
    missed: Sequence[Seat] = ()
    is_held: bool = False


class Drain:
    """The reading of the sockets after a deadline has passed, before a seat counts as late.

    Attributes:
        is_on: whether the sockets are being read.
        checked_ns: deadlines before this time were checked after the sockets were read.
        late_ns: how late the event loop was in this turn.
    """

    __slots__ = ("_began_ns", "checked_ns", "is_on", "late_ns")

    def __init__(self) -> None:
        self.is_on = False
        self.checked_ns = self.late_ns = self._began_ns = 0

    def begin(self, deadline_ns: int, now_ns: int) -> None:
        """Record that the sockets are being read, because a deadline has passed."""
        self.late_ns = max(self.late_ns, now_ns - deadline_ns)
        self.is_on, self._began_ns = True, now_ns

    def end(self) -> bool:
        """Record that the sockets have been read. Return False if no reading was requested."""
        was_on, self.is_on = self.is_on, False
        if was_on:
            self.checked_ns = self._began_ns
        return was_on


class AnswerCollector:
    """Collects the answers of a battle, turn by turn.

    Args:
        prints: collects the text that intents contain as the bot's output.
        untimed: the seats that have no deadline.

    Attributes:
        usual: the seats whose next message can be read by `take`.
        turn: the turn that is being sent, or was sent last.
        earlier_rounds: the number of turns of each earlier round that an intent may name, newest first.
        seat_timing: the answer times, by seat.
    """

    def __init__(
        self,
        room: BattleRoomState,
        operator: OperatorControls,
        battle: Battle,
        messages: BattleMessages,
        prints: Prints,
        untimed: Set[Seat],
    ) -> None:
        self._room, self._operator = room, operator
        self._battle, self._messages = battle, messages
        self._collecting = battle.collecting
        self._prints = prints
        self._untimed = untimed
        self.seat_timing = seat_timings(len(room.clients))
        self._note_answer = [timing.answers.add for timing in self.seat_timing]
        self.notices = BattleNotices(room, battle, self.seat_timing)
        self._read_intent = messages.read_intent
        self.usual: set[Seat] = set()
        self.turn = SentTurn()
        self.earlier_rounds = deque[int](maxlen=DEADLINES_KEPT)
        self.drain = Drain()

    def sent(self, stamps_ns: Sequence[int]) -> None:
        """Start the deadlines of the turn.

        Args:
            stamps_ns: the time at which each observation was sent.
        """
        turn, inbox, self.usual = self.turn, self._collecting.inbox, set()
        inbox.sent_all(turn.seats, stamps_ns)
        turn.deadlines_ns = inbox.deadlines.copy()
        turn.first_deadline_ns = turn.deadlines_ns[turn.seats[0]]
        turn.sent_ns = stamps_ns[-1]
        if turn.withheld:
            inbox.withhold(turn.withheld, turn.sent_ns)
        for seat in self._untimed:
            inbox.wait_without_deadline(seat)
        if self._collecting.first_awaited():
            turn.first_told_ns = turn.sent_ns + FIRST_TOLD_NS
        elif self._read_intent is not None and not self._untimed:
            self.usual = inbox.usual()

    def take(self, client: Client, data: bytes, now_ns: int) -> bool:
        """Take an answer of a seat in `usual`. For common messages, this method is faster than `intent`.

        Return False, without any change, if the message must be decoded in the usual way.
        """
        seat, turn, battle, read = client.seat, self.turn, self._battle, self._read_intent
        if seat is None or read is None or now_ns > turn.first_deadline_ns:
            return False
        intent = read(seat, data)
        if intent is None or not client.rate.charge_answer(battle.turn):
            return False
        self.usual.discard(seat)
        battle.referee.refusals.has_read = True
        inbox = self._collecting.inbox
        inbox.answer(seat, intent, now_ns)
        self._note_answer[seat](now_ns - turn.deadlines_ns[seat] + inbox.timeout_ns)
        if not inbox.missing:
            self._room.soon()
        return True

    def intent(self, client: Client, message: IntentMessage, now_ns: int) -> Fault | None:
        """Take an intent of a seat.

        If the intent breaks a rule of the protocol, it counts as an invalid answer. Return the Fault. If the
        game fails to read it, report this, and return None.
        """
        battle, seat = self._battle, client.seat
        if seat is None:
            return None
        if client.rate.credited_turn != battle.turn:
            client.rate.credit_turn(battle.turn)
        intent = self._messages.accept(seat, message.intent, self._prints)
        if type(intent) is Fault:
            if intent.code is FaultCode.GAME_FAILED:
                self._note_unread(seat, intent, now_ns)
                return None
            self.spoilt(seat, intent.advice, now_ns)
            return intent
        self.submit(seat, intent, message.turn, now_ns)
        return None

    def submit(self, seat: Seat, intent: Any, number: int | None, now_ns: int) -> None:
        """Take an accepted intent.

        Args:
            number: the number of the observation that the intent names, or None.
        """
        battle, sent, operator = self._battle, self.turn, self._operator
        self.usual.discard(seat)
        turn, inbox = self._room.progress.turn, self._collecting.inbox
        answers = None if number is None else battle.turn + 1 + self._in_this_round(number) - turn
        arrived_ns = now_ns if now_ns <= sent.first_deadline_ns else self._arrived_ns(seat, now_ns)
        try:
            receipt = self._collecting.submit(seat, intent, arrived_ns, answers)
        except GameError as error:  # the game failed to merge two intents of one turn
            self._note_unread(seat, Fault(FaultCode.GAME_FAILED, str(error)), now_ns)
            return
        if receipt is Receipt.ACCEPTED:
            deadline_ns = sent.deadlines_ns.get(seat)
            took_ns = 0 if deadline_ns is None else now_ns - deadline_ns + inbox.timeout_ns
            self.seat_timing[seat].answers.add(took_ns)
        elif receipt is Receipt.LATE:
            self.seat_timing[seat].add_late(inbox.newest_took_ns, inbox.newest_late_ns)
        else:
            return
        if operator.waited_for and seat not in inbox.missing:
            operator.answered(seat)
        if operator.first_awaited:
            self.tell_first_awaited()
        is_over = seat in self._untimed and inbox.is_over(now_ns)
        if inbox.collected_ns is not None or not inbox.missing or is_over:
            self._room.soon()

    def _in_this_round(self, number: int) -> int:
        """Return the number of a turn that an intent names, counted from the start of the open round.

        A number above that of the open turn names a turn of the newest earlier round that was long enough.
        """
        turns = 0
        for turns_of_round in () if number <= self._room.progress.turn else self.earlier_rounds:
            turns += turns_of_round
            if number <= turns_of_round:
                return number - turns
        return number

    def _arrived_ns(self, seat: Seat, now_ns: int) -> int:
        """Return the time at which an intent counts as arrived. An intent that waited unread while the event
        loop was late is in time.
        """
        deadline_ns = self.turn.deadlines_ns.get(seat, now_ns)
        past = deadline_ns < self.drain.checked_ns or self._collecting.inbox.collected_ns is not None
        return now_ns if past else min(now_ns, deadline_ns)

    def spoilt(self, seat: Seat, why: str, now_ns: int) -> None:
        """Record that an answer of `seat` is invalid (see `Collecting.spoilt`)."""
        self._collecting.spoilt(seat, why, now_ns)
        self._settle_spoilt(seat, now_ns)

    def _settle_spoilt(self, seat: Seat, now_ns: int) -> None:
        """Continue after an invalid answer. Do not wait any longer for a seat without a deadline."""
        inbox = self._collecting.inbox
        if seat in self._untimed:
            inbox.release(seat, now_ns)
        if self._operator.first_awaited:
            self.tell_first_awaited()
        if seat in self._untimed or inbox.collected_ns is not None or not inbox.missing:
            self._room.soon()

    def _note_unread(self, seat: Seat, fault: Fault, now_ns: int) -> None:
        """Record that the game failed to read an intent. Report this once for each seat."""
        is_first = self._collecting.note_unread(seat, GameError(fault.advice), now_ns)
        self._settle_spoilt(seat, now_ns)
        if is_first:
            self.notices.tell_unread(seat, fault)

    def tell_first_awaited(self) -> None:
        """Tell spectators which seats have not given their first answer, if this has changed."""
        self.turn.first_told_ns = 0
        self._operator.tell_first_awaited(self._collecting.first_awaited())

    def is_due(self, now_ns: int) -> bool:
        """End collecting, if it is time. Return whether the turn must be resolved now.

        The call may first request to read the sockets, wait at a breakpoint, or tell seats that they missed
        the turn.
        """
        inbox = self._collecting.inbox
        if not self._battle.is_open or self.drain.is_on:
            return False
        if inbox.collected_ns is None and not self._collected(now_ns):
            return False
        ready = self._ready_ns()
        if ready is None:
            return False
        until = inbox.held_until_ns(ready)
        if until > ready:
            self._tell_held()
            if now_ns >= until > self.drain.checked_ns:
                self._read_pending(until, now_ns)
                return False
        return now_ns >= until

    def _ready_ns(self) -> int | None:
        """Return the time from which the collected turn may be resolved. A hold is not considered. None means
        that the battle is paused.
        """
        due, inbox = self._room.pace.due_ns(), self._collecting.inbox
        return None if due is None else max(due, self.turn.not_before_ns, inbox.collected_ns or 0)

    def _tell_held(self) -> None:
        """If the turn is held, immediately tell the seats that missed it.

        Some programs continue only when they get this message.
        """
        turn, progress = self.turn, self._room.progress
        if not turn.is_held:
            turn.is_held = True
            if not progress.round_over:
                self.tell_skipped(turn.missed, progress.turn)

    def tell_skipped(self, seats: Sequence[Seat], turn: int) -> None:
        """Tell seats that they have skipped a turn."""
        for seat in seats:
            reason = self._battle.referee.skip_reason(seat)
            self._room.output.tell_skipped(seat, self._messages, turn, reason)

    def _collected(self, now_ns: int) -> bool:
        """End collecting if it is over, and return whether it is. The sockets are read before a deadline
        counts.
        """
        battle, inbox = self._battle, self._collecting.inbox
        if not inbox.missing:
            battle.end_collecting(now_ns)
            return True
        deadline = inbox.next_deadline_ns(self.drain.checked_ns)
        if deadline is not None and now_ns > deadline:
            self._read_pending(deadline, now_ns)
            return False
        if not inbox.is_over(now_ns):
            return False
        clients = self._room.clients
        waited_for = [seat for seat in sorted(inbox.missing) if clients[seat].breakpoint]
        if waited_for:
            self._operator.wait_for(waited_for)
            return False
        self.turn.missed = battle.end_collecting(now_ns)
        self.notices.note_missed(self.turn.missed)
        return True

    def _read_pending(self, deadline_ns: int, now_ns: int) -> None:
        self.drain.begin(deadline_ns, now_ns)
        self._room.output.do(fx.ReadPending())

    def alarm_ns(self, now_ns: int) -> int | None:
        """Return the time at which the battle must act even if no message arrives, or None."""
        inbox = self._collecting.inbox
        if not self._battle.is_open or self.drain.is_on:
            return None
        if inbox.collected_ns is None:
            alarm, told_ns = self._deadline_alarm_ns(now_ns), self.turn.first_told_ns
            return alarm if alarm is None or not told_ns else min(alarm, told_ns)
        if self._operator.waited_for:
            return None
        ready = self._ready_ns()
        return None if ready is None else inbox.held_until_ns(ready)

    def _deadline_alarm_ns(self, now_ns: int) -> int | None:
        """Return a time just after the next deadline, or None if the turn waits for no deadline."""
        inbox, first_ns = self._collecting.inbox, self.turn.first_deadline_ns
        if not inbox.missing:
            return None
        if now_ns <= first_ns:
            return first_ns + 1
        deadline = inbox.next_deadline_ns(self.drain.checked_ns)
        return deadline + 1 if deadline is not None else None
