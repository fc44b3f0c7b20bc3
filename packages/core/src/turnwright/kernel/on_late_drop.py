"""The rule `--on-late drop`, the default: a late intent has no effect.

An intent is late if it arrives after the deadline of the observation that it answers. In the official
protocol, an intent does not name its observation, and its arrival time does not show which observation it
answers. For example, take two bots with a timeout of 30 ms. The first bot needs 34 ms for each answer. The
second bot needs only 4 ms, but it has missed one deadline, and its messages do not show that it has caught
up. The server gets the answers of both bots 4 ms after it has sent a new observation. Therefore the server
**asks by silence**. After a missed deadline, it holds the next observation back:

    sent 1          deadline               answer              sent 2
      |-----------------|....... hold ........|-------------------|------
                                            LATE, for 1         in step again

The seat got no other observation in the meantime, so the answer is for observation 1. Now the seat is in
step, which means that it has answered all its observations.

A hold ends at the latest when the seat has been silent for three timeouts, or for SILENCE_NS_MIN if that is
longer. Each hold uses up a part of the seat's patience. Patience is the time for which the battle still waits
for the seat. Answers in time earn patience back.

If a hold ends without an answer, the battle continues. The seat gets every observation, and the server counts
its answers. If the seat answers the newest observation, it is in step again. After an answer to an older
observation, the server does not know whether the seat works on another observation or waits for a new one. So
the server asks by silence again. The seat gets no observation until it has answered all observations, or has
been silent for the time above. The server assumes that a silent seat waits. As long as the seat has patience
left, the battle waits for it, too.

All this is not needed for an intent that names its turn.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from turnwright.kernel.deadline import Inbox, Opened, Receipt, SkipReason
from turnwright.kernel.game import Seat

SILENCE_NS_MIN = 300_000_000
"""The time of silence, in ns, after which the server assumes that a bot waits for its next observation. Three
timeouts count instead if they are longer. Wrong guesses lengthen this time (see DOUBTS_MAX).
"""
HOLDS = 3
"""The number of holds for which a battle has patience with a seat. The last hold is reserved for the time
after a late answer.
"""
DOUBTS_MAX = 6
"""Each wrong guess doubles the next time of silence. This is the largest number of doublings."""
DEADLINES_KEPT = 64
"""The number of turns whose deadlines are kept. With them, the delay of an answer that names its turn can be
computed.
"""
EARNED = 10
"""An answer in time adds the turn timeout, divided by this number, to the seat's patience."""


@dataclass(slots=True)
class _Behind:
    """A seat that has missed a deadline and has not answered all observations since.

    Attributes:
        sent: the number of observations that the seat has not answered.
        deadline_ns, timeout_ns: the deadline and the timeout of the oldest unanswered observation.
        newest_ns: the deadline of the newest unanswered observation.
        quiet_ns: the start of the seat's silence. It is the newest deadline, or the time of the seat's late
            answer.
        answered: whether the seat has sent an answer since it missed the deadline.
        until_ns: the end of the hold for the seat. 0 means that there is no hold.
    """

    deadline_ns: int
    timeout_ns: int
    newest_ns: int
    quiet_ns: int
    sent: int = 1
    answered: bool = False
    until_ns: int = 0


class DropRule:
    """The facts about the seats that the rule keeps from turn to turn.

    Args:
        timeout_ns: the timeout of a turn that does not open a round.

    Attributes:
        silence_ns: the time of silence after which the server assumes that a seat waits.
        behind: by seat, the unanswered observations of each seat that is not in step.
        numbered: seats whose intents name their turns.
        heard: seats that have sent an answer.
        doubts: by seat, how often the server assumed that the silent seat waits. An answer in time
            sets the count to 0, unless it is in the turn right after such an assumption.
        patience_ns: the remaining patience of the seats that have used some of it.
        held_ns: how long the battle has waited in holds for each seat.
    """

    __slots__ = (
        "_deadlines",
        "behind",
        "doubts",
        "heard",
        "held_ns",
        "merge",
        "numbered",
        "patience_ns",
        "silence_ns",
        "timeout_ns",
    )

    counts_wrong_turns = False
    """Whether every intent that names an earlier turn counts as late. If not, only an intent that missed the
    deadline of that turn does. In any case the intent is dropped.
    """

    def __init__(self, timeout_ns: int, merge: Callable[[Any, Any], Any]) -> None:
        self.timeout_ns, self.merge = timeout_ns, merge
        self._deadlines: deque[tuple[int, dict[Seat, int], int]] = deque(maxlen=DEADLINES_KEPT)
        self.silence_ns = max(SILENCE_NS_MIN, 3 * timeout_ns)
        self.behind: dict[Seat, _Behind] = {}
        self.heard: set[Seat] = set()
        self.numbered: set[Seat] = set()
        self.doubts: dict[Seat, int] = {}
        self.patience_ns: dict[Seat, int] = {}
        self.held_ns: dict[Seat, int] = {}

    def open(self, opened: Opened, timeout_ns: int, *, new_round: bool) -> DropInbox:
        """Return a new inbox for a turn.

        At the start of a round, the rule assumes that no program works on an observation of the round before.
        """
        if new_round:
            self.behind.clear()
        inbox = DropInbox(self, opened, timeout_ns)
        self._deadlines.append((opened.turn, inbox.deadlines, timeout_ns))
        return inbox

    def deadline_of(self, seat: Seat, turn: int) -> tuple[int, int] | None:
        """Return the deadline of a seat in a turn, and the timeout of that turn, in ns. None means not known.

        If the seat had no deadline in that turn, return the values of its next turn with a deadline.
        """
        for number, deadlines, timeout_ns in self._deadlines:
            if number >= turn > 0 and seat in deadlines:
                return deadlines[seat], timeout_ns
        return None

    def withheld(self, now_ns: int) -> Set[Seat]:
        """Return the seats that must get no observation at `now_ns`."""
        return {seat for seat, it in self.behind.items() if it.answered and now_ns < self.silent_at_ns(seat)}

    def silent_at_ns(self, seat: Seat) -> int:
        """Return the time from which the server assumes that a seat that is behind waits, if the seat stays
        silent until then.
        """
        it = self.behind[seat]
        doubts = min(self.doubts.get(seat, 0), DOUBTS_MAX) if it.answered else 0
        return it.quiet_ns + (self.silence_ns << doubts)

    def patience(self, seat: Seat, *, settling: bool) -> int:
        """Return how long a seat may delay its battle now, in ns. For a seat that never answered, return 0.

        Args:
            settling: whether the seat has just answered late.
        """
        if seat not in self.heard:
            return 0
        patience_ns = self.patience_ns.get(seat, HOLDS * self.silence_ns)
        return patience_ns if settling else max(0, patience_ns - self.silence_ns)

    def pay(self, seat: Seat, cost_ns: int) -> None:
        """Reduce the patience of a seat by the length of a hold, and add this length to `held_ns`."""
        self.patience_ns[seat] = max(0, self.patience(seat, settling=True) - cost_ns)
        self.held_ns[seat] = self.held_ns.get(seat, 0) + cost_ns

    def earn(self, seat: Seat) -> None:
        """Add to the patience of a seat that has used some of it, for an answer in time."""
        self.patience_ns[seat] += self.timeout_ns // EARNED
        if self.patience_ns[seat] >= HOLDS * self.silence_ns:
            del self.patience_ns[seat]


class DropInbox(Inbox):
    """The answers of one turn.

    Attributes:
        ready_ns: the time at which the turn would be resolved if nothing held it back.
    """

    __slots__ = ("_behind", "_guessed", "_rule", "_spoilt", "_unsent", "ready_ns")

    def __init__(self, rule: DropRule, opened: Opened, timeout_ns: int) -> None:
        super().__init__(opened.asked, opened.awaited, rule.merge, timeout_ns)
        self._rule = rule
        self._spoilt: set[Seat] = set()
        self._guessed: set[Seat] = set()
        """The seats that were silent. The server assumes that each of them has waited for this
        observation.
        """
        self._unsent: Set[Seat] = frozenset()
        self._behind: Set[Seat] = frozenset()
        """The seats that still had older observations to answer at the end of collecting."""
        self.ready_ns = 0

    def sent_all(self, seats: Sequence[Seat], stamps_ns: Sequence[int]) -> None:
        """Start the timeouts of several seats, and record which of them are behind or silent."""
        super().sent_all(seats, stamps_ns)
        behind = self._rule.behind
        for seat in behind.keys() & seats if behind else ():
            it = behind[seat]
            if it.answered:  # it was silent for long enough, so it waits for this observation
                del behind[seat]
                self._guessed.add(seat)
                self._rule.doubts[seat] = self._rule.doubts.get(seat, 0) + 1
            else:
                it.sent += 1
                it.newest_ns = it.quiet_ns = self.deadlines[seat]

    def withhold(self, seats: Set[Seat], now_ns: int) -> None:
        """Start the timeouts of seats that get no observation in this turn."""
        if seats:
            self._unsent = seats
            super().sent_all([*seats], [now_ns] * len(seats))

    def usual(self) -> set[Seat]:
        """Return the awaited seats that have answered before and have not missed a turn lately."""
        rule = self._rule
        return self.missing.intersection(rule.heard).difference(rule.behind, rule.doubts, rule.patience_ns)

    def submit(self, seat: Seat, intent: Any, now_ns: int, numbered: bool = False) -> Receipt:
        """Take an intent that arrived at `now_ns`, and return its receipt."""
        if seat not in self.asked:
            return Receipt.NOT_ASKED
        rule = self._rule
        if numbered:
            self._names_turns(seat)
        elif seat in rule.behind and not self._answers_newest(seat, now_ns):
            return Receipt.LATE
        in_time = self._is_in_time(seat, now_ns)
        if seat in self.answers:
            if not in_time:
                return Receipt.EARLY
            self.answers[seat] = self._merge(self.answers[seat], intent)
            return Receipt.MERGED
        if in_time:
            self.answer(seat, intent, now_ns)
            rule.heard.add(seat)
            if rule.doubts and seat not in self._guessed:
                rule.doubts.pop(seat, None)
            if seat in rule.patience_ns:
                rule.earn(seat)
            return Receipt.ACCEPTED
        self._spoilt.add(seat)
        deadline = self.deadlines.get(seat, now_ns)
        self._note_lateness(seat, now_ns, deadline, self.timeout_ns)
        return Receipt.LATE

    def _names_turns(self, seat: Seat) -> None:
        self._rule.numbered.add(seat)
        self._rule.behind.pop(seat, None)

    def _answers_newest(self, seat: Seat, now_ns: int) -> bool:
        """Count an answer of a seat that is behind.

        Return whether the answer is for this turn's observation. Otherwise the answer is late.
        """
        it = self._rule.behind[seat]
        self._rule.heard.add(seat)
        it.sent -= 1
        if it.sent == 0 and self.collected_ns is None and seat not in self._unsent:
            del self._rule.behind[seat]
            return True
        self._note_lateness(seat, now_ns, it.deadline_ns, it.timeout_ns)
        it.deadline_ns, it.quiet_ns, it.answered = it.newest_ns, now_ns, True
        if it.sent == 0:
            self._settle(seat, now_ns)
        if seat in self._unsent:
            self.missing.discard(seat)
        return False

    def _settle(self, seat: Seat, now_ns: int) -> None:
        """Record that `seat` answers the newest turn again, and charge the seat for its hold so far."""
        until_ns = min(now_ns, self._rule.behind.pop(seat).until_ns)
        if until_ns > self.ready_ns:
            self._rule.pay(seat, until_ns - self.ready_ns)

    def _note_lateness(self, seat: Seat, now_ns: int, deadline: int, timeout_ns: int) -> None:
        self.late_ns.setdefault(seat, max(0, now_ns - deadline))
        self.note_late(max(0, now_ns - deadline), timeout_ns)

    def stale(self, seat: Seat, now_ns: int, answers: int) -> Receipt:
        """Drop an intent for an earlier turn. The receipt is LATE if it missed the deadline of that turn, and
        otherwise WRONG_TURN.

        Args:
            answers: the turn that the intent names.
        """
        self._names_turns(seat)
        known = self._rule.deadline_of(seat, answers)
        if known is None or now_ns <= known[0]:
            return Receipt.WRONG_TURN
        self._note_lateness(seat, now_ns, *known)
        return Receipt.LATE

    def spoilt(self, seat: Seat, now_ns: int) -> None:
        """Record that `seat` has sent an answer that cannot be used."""
        if seat in self.asked and (seat not in self._rule.behind or self._answers_newest(seat, now_ns)):
            self._spoilt.add(seat)

    def wait_without_deadline(self, seat: Seat) -> None:
        """Remove the deadline of `seat`. The seat no longer counts as behind."""
        super().wait_without_deadline(seat)
        self._rule.behind.pop(seat, None)

    def stop_waiting_for(self, seat: Seat) -> None:
        """Stop waiting for `seat`, because it left."""
        super().stop_waiting_for(seat)
        self._rule.behind.pop(seat, None)

    # ---- holds ---------------------------------------------------------------------------------------------

    def end_collecting(self, now_ns: int, *, ends_round: bool = False) -> None:
        """End collecting.

        Unless `ends_round` is set, a seat that has missed its deadline counts as behind from now on. A seat
        whose intents name their turns, or whose answer could not be used, does not count as behind.
        """
        if self.collected_ns is not None:
            return
        super().end_collecting(now_ns)
        rule = self._rule
        self._behind = frozenset(rule.behind)
        if ends_round:
            return
        for seat in self.missing.difference(self._spoilt, rule.behind, rule.numbered):
            if (deadline := self.deadlines.get(seat)) is not None and deadline < now_ns:
                rule.behind[seat] = _Behind(deadline, self.timeout_ns, deadline, deadline)

    def why_missed(self, seat: Seat) -> SkipReason:
        """Return why a seat has missed the turn."""
        if seat in self._unsent:
            return SkipReason.WITHHELD
        why = super().why_missed(seat)
        return SkipReason.BEHIND if why is SkipReason.LATE and seat in self._behind else why

    def held_until_ns(self, ready_ns: int) -> int:
        """Store the end of the hold for each seat. Return the latest of these times, `ready_ns` or later."""
        self.ready_ns, rule = ready_ns, self._rule
        for seat, it in rule.behind.items():
            patience_ns = rule.patience(seat, settling=it.answered)
            it.until_ns = min(rule.silent_at_ns(seat), ready_ns + patience_ns)
        return max((it.until_ns for it in rule.behind.values()), default=ready_ns)

    def end_hold(self) -> None:
        """Charge the seats for which the turn was held until now."""
        for seat, it in self._rule.behind.items():
            if it.until_ns > self.ready_ns:
                self._rule.pay(seat, it.until_ns - self.ready_ns)
            it.until_ns = 0
