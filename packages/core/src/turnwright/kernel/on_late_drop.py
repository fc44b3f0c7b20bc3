"""The rule `--on-late drop`, the default: a late intent has no effect.

An intent is late after the deadline of the observation that it answers. Intents of the official protocol do
not name that observation, and their arrival times do not reveal it. Take two bots with a timeout of 30 ms.
One always needs 34 ms. The other is fast, but waits for the next observation after a late answer. Both answer
4 ms after each new observation. So the server **asks by silence**. After a missed deadline it holds the next
observation back:

    sent 1          deadline               answer              sent 2
      |-----------------|....... hold ........|-------------------|------
                                            LATE, for 1         in step again

Nothing else was sent in the meantime, so the answer is for observation 1. A hold lasts SILENCE_NS at most,
and uses up the seat's patience. Answers in time earn it back. If the hold ends without an answer, the battle
continues. The seat gets every observation, and its answers are counted. When it has answered the newest
observation, it is in step. After any earlier answer the seat works on an older observation or waits for the
next one. It is asked by silence again: it gets no observation until it has answered all, or has been silent
for SILENCE_NS. The server assumes that a silent seat waits. While it has patience, the battle waits, too.

An intent that names its turn needs none of this.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any

from turnwright.kernel.deadline import Inbox, Opened, Receipt, SkipReason
from turnwright.kernel.game import Seat

SILENCE_NS_MIN = 300_000_000
"""After this silence, or after three timeouts if that is longer, the server assumes that a bot waits for its
next observation. No hold is longer."""
HOLDS = 3
"""The patience of a battle with a seat, in holds. The last hold is only for the time after a late answer."""
DOUBTS_MAX = 6
"""The largest number of times that a wrong guess doubles the next silence."""
DEADLINES_KEPT = 64
"""Turns whose deadlines are kept, so that the delay of an answer that names its turn can be computed."""
EARNED = 10
"""An answer in time earns the turn timeout divided by this."""


@dataclass(slots=True)
class _Behind:
    """A seat that has missed a deadline and has not answered all observations since.

    Attributes:
        sent: the number of observations that it has not answered.
        deadline_ns, timeout_ns: the deadline and timeout of the oldest of these.
        newest_ns: the deadline of the newest of these.
        quiet_ns: the start of the seat's silence: the newest deadline, or the time of its late answer.
        answered: whether it has answered since.
        until_ns: the end of its hold; 0: none.
    """

    deadline_ns: int
    timeout_ns: int
    newest_ns: int
    quiet_ns: int
    sent: int = 1
    answered: bool = False
    until_ns: int = 0


class DropRule:
    """What the rule remembers about the seats from turn to turn.

    Args:
        timeout_ns: the timeout of a turn that does not open a round.

    Attributes:
        numbered: seats whose intents name their turns.
        heard: seats that have answered.
        doubts: how often the server assumed that a silent seat waits. The count starts again when the seat is
            in time in two turns in a row.
        patience_ns: the remaining patience, for seats that have used some.
        held_ns: how long the battle has waited, by seat.
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
    """Whether an intent that names an earlier turn counts as late. It is dropped anyway."""

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
        """Begin to collect a turn.

        At the start of a round no program works on an observation of the round before.
        """
        if new_round:
            self.behind.clear()
        inbox = DropInbox(self, opened, timeout_ns)
        self._deadlines.append((opened.turn, inbox.deadlines, timeout_ns))
        return inbox

    def deadline_of(self, seat: Seat, turn: int) -> tuple[int, int] | None:
        """Return the deadline that a seat had in a turn, and that turn's timeout, ns. None: not known.

        If the seat had none in that turn, return those of its next turn.
        """
        for number, deadlines, timeout_ns in self._deadlines:
            if number >= turn > 0 and seat in deadlines:
                return deadlines[seat], timeout_ns
        return None

    def withheld(self, now_ns: int) -> Set[Seat]:
        """Return the seats that must get no observation at `now_ns`."""
        return {seat for seat, it in self.behind.items() if it.answered and now_ns < self.silent_at_ns(seat)}

    def silent_at_ns(self, seat: Seat) -> int:
        """Return the time at which the silence of a seat that is behind is long enough."""
        it = self.behind[seat]
        doubts = min(self.doubts.get(seat, 0), DOUBTS_MAX) if it.answered else 0
        return it.quiet_ns + (self.silence_ns << doubts)

    def patience(self, seat: Seat, *, settling: bool) -> int:
        """Return how long a seat may delay its battle now.

        Args:
            settling: whether it has just answered late.
        """
        if seat not in self.heard:
            return 0
        patience_ns = self.patience_ns.get(seat, HOLDS * self.silence_ns)
        return patience_ns if settling else max(0, patience_ns - self.silence_ns)

    def pay(self, seat: Seat, cost_ns: int) -> None:
        """Reduce the patience of a seat by the length of a hold."""
        self.patience_ns[seat] = max(0, self.patience(seat, settling=True) - cost_ns)
        self.held_ns[seat] = self.held_ns.get(seat, 0) + cost_ns

    def earn(self, seat: Seat) -> None:
        """Add to the patience of a seat for an answer in time."""
        self.patience_ns[seat] += self.timeout_ns // EARNED
        if self.patience_ns[seat] >= HOLDS * self.silence_ns:
            del self.patience_ns[seat]


class DropInbox(Inbox):
    """The answers of one turn.

    Attributes:
        ready_ns: the time at which the turn would be resolved without a hold.
    """

    __slots__ = ("_behind", "_guessed", "_rule", "_spoilt", "_unsent", "ready_ns")

    def __init__(self, rule: DropRule, opened: Opened, timeout_ns: int) -> None:
        super().__init__(opened.asked, opened.awaited, rule.merge, timeout_ns)
        self._rule = rule
        self._spoilt: set[Seat] = set()
        self._guessed: set[Seat] = set()
        """The seats that were silent. The server assumes that they have waited for this observation."""
        self._unsent: Set[Seat] = frozenset()
        self._behind: Set[Seat] = frozenset()
        """The seats that had older observations to answer at the end of collecting."""
        self.ready_ns = 0

    def sent_all(self, seats: Sequence[Seat], stamps_ns: Sequence[int]) -> None:
        """Start the timeouts of several seats, with one time for each."""
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
        """Take an intent that arrived at `now_ns`.

        Args:
            numbered: whether the intent names this turn.
        """
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

        Return whether it answers this turn's observation. Otherwise it is late.
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
        """Drop an intent that names an earlier turn."""
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
        """Remove the deadline of `seat`. The turn then waits until the seat answers or leaves."""
        super().wait_without_deadline(seat)
        self._rule.behind.pop(seat, None)

    def stop_waiting_for(self, seat: Seat) -> None:
        """Stop waiting for `seat`, because it left."""
        super().stop_waiting_for(seat)
        self._rule.behind.pop(seat, None)

    # ---- holds ---------------------------------------------------------------------------------------------

    def end_collecting(self, now_ns: int, *, ends_round: bool = False) -> None:
        """End collecting. Seats that have missed their deadline are behind from now on."""
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
        """Return the latest time until which the collected turn is held.

        Args:
            ready_ns: when the turn is due without a hold.
        """
        self.ready_ns, rule = ready_ns, self._rule
        for seat, it in rule.behind.items():
            patience_ns = rule.patience(seat, settling=it.answered)
            it.until_ns = min(rule.silent_at_ns(seat), ready_ns + patience_ns)
        return max((it.until_ns for it in rule.behind.values()), default=ready_ns)

    def end_hold(self) -> None:
        """Charge the seats for which the turn was held until the end."""
        for seat, it in self._rule.behind.items():
            if it.until_ns > self.ready_ns:
                self._rule.pay(seat, it.until_ns - self.ready_ns)
            it.until_ns = 0
