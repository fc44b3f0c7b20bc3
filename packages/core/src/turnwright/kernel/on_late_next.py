"""The rule `--on-late next`: a late intent answers the next observation.

The official server does this.

The server assumes that a seat answers its observations in order. So the first intent after a missed
observation is the late answer to that observation. If a seat still owes an answer to an older observation, a
second intent in the same turn is its next answer, and is kept for the next turn. Otherwise a second intent is
merged into the first one. An intent that names its turn is never kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from typing import Any

from turnwright.kernel.deadline import Inbox, Opened, Receipt, SkipReason
from turnwright.kernel.game import Seat


class NextRule:
    """Passes the inbox of each turn on to the next turn. This rule never holds a turn."""

    __slots__ = ("_before", "_merge", "held_ns")
    counts_wrong_turns = True

    def __init__(self, merge: Callable[[Any, Any], Any]) -> None:
        self.held_ns: dict[Seat, int] = {}
        self._merge = merge
        self._before: NextInbox | None = None

    def open(self, opened: Opened, timeout_ns: int, *, new_round: bool) -> NextInbox:
        """Return a new inbox for a turn. At the start of a round, it has no answers from earlier turns."""
        before = None if new_round else self._before
        self._before = NextInbox(opened.asked, opened.awaited, self._merge, timeout_ns, before)
        return self._before

    def withheld(self, now_ns: int) -> Set[Seat]:
        """Return the seats that must get no observation: none."""
        return frozenset()


class NextInbox(Inbox):
    """The answers of one turn, and the answers that are kept for the next turn.

    Args:
        before: the turn before, if it is in the same round.

    Attributes:
        owed: by seat, the number of observations that the seat has not answered.
        missed: by seat, the deadline of the oldest missed observation that the seat may still answer.
        kept, kept_late_ns: the intents for the next turn, and how late they were.
    """

    __slots__ = ("kept", "kept_late_ns", "missed", "owed")

    def __init__(
        self,
        asked: Iterable[Seat],
        awaited: Iterable[Seat],
        merge: Callable[[Any, Any], Any],
        timeout_ns: int = 0,
        before: NextInbox | None = None,
    ) -> None:
        super().__init__(asked, awaited, merge, timeout_ns)
        self.owed: dict[Seat, int] = dict.fromkeys(self.asked, 1)
        self.missed: dict[Seat, int] = {}
        if before is not None:
            self.answers = {s: i for s, i in before.kept.items() if s in self.asked}
            self.late_ns = {s: n for s, n in before.kept_late_ns.items() if s in self.answers}
            self.owed = {s: before.owed.get(s, 0) + 1 for s in self.asked}
            self.missed = before.left_unanswered()
        self.kept: dict[Seat, Any] = {}
        self.kept_late_ns: dict[Seat, int] = {}
        self.missing = set(self.awaited.difference(self.answers))

    def submit(self, seat: Seat, intent: Any, now_ns: int, numbered: bool = False) -> Receipt:
        """Take an intent that arrived at `now_ns`, and return its receipt.

        An intent that names this turn (`numbered`) is never kept.
        """
        if seat not in self.asked:
            return Receipt.NOT_ASKED
        deadline = self.deadlines.get(seat)
        owes = self.owed[seat] > 0
        self.owed[seat] = 0 if numbered else max(0, self.owed[seat] - 1)
        answered = seat in self.answers
        if self._is_in_time(seat, now_ns):
            if not answered:
                self.answer(seat, intent, now_ns)
                if seat in self.missed and not numbered:
                    self.late_ns[seat] = now_ns - self.missed[seat]
                    self.note_late(self.late_ns[seat], self.timeout_ns)
                    return Receipt.LATE
                return Receipt.ACCEPTED
            if numbered or not owes:
                self.answers[seat] = self._merge(self.answers[seat], intent)
                return Receipt.MERGED
        receipt = Receipt.EARLY if answered else Receipt.LATE
        late_ns = now_ns - (deadline or now_ns)
        if not numbered:
            late_ns = now_ns - self.missed.get(seat, deadline or now_ns)
            self._keep(seat, intent, late_ns if receipt is Receipt.LATE and deadline is not None else None)
        elif receipt is Receipt.LATE and deadline is not None:
            self.late_ns.setdefault(seat, late_ns)
        if receipt is Receipt.LATE:
            self.note_late(late_ns, self.timeout_ns)
        return receipt

    def why_missed(self, seat: Seat) -> SkipReason:
        """Return why a seat has missed the turn. If an answer of the seat is kept for the next turn, this
        answer was late.
        """
        return SkipReason.LATE if seat in self.kept else super().why_missed(seat)

    def stale(self, seat: Seat, now_ns: int, answers: int) -> Receipt:
        """Drop an intent that names an earlier turn, and record its delay. The receipt is WRONG_TURN."""
        missed_ns = self.missed.pop(seat, None)
        if missed_ns is not None and now_ns > missed_ns:
            self.late_ns.setdefault(seat, now_ns - missed_ns)
        return Receipt.WRONG_TURN

    def _keep(self, seat: Seat, intent: Any, late_ns: int | None) -> None:
        if seat in self.kept:
            self.kept[seat] = self._merge(self.kept[seat], intent)
            return
        self.kept[seat] = intent
        if late_ns is not None:
            self.kept_late_ns[seat] = late_ns

    def left_unanswered(self) -> dict[Seat, int]:
        """Return, for each seat that may still answer, the deadline that it missed, in ns.

        If a seat has missed several observations in a row, this is the deadline of the first one.
        """
        if len(self.answers) == len(self.asked):
            return {}
        waiting = self.asked.difference(self.answers, self.kept)
        return {s: self.missed.get(s, self.deadlines[s]) for s in waiting if s in self.deadlines}
