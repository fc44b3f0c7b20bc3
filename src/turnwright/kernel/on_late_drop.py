"""The rule `--on-late drop`, the default: a late intent has no effect.

An intent is late after the deadline of the observation that it answers. Intents of the official protocol do
not name that observation. A program works on one observation at a time. So the next intent of a seat after a
missed deadline answers the missed observation, even if others were missed in the meantime. Then the program
continues with the newest observation, and its next intent answers that one:

    sent 1       sent 2, 1 missed     sent 3, 2 missed                    sent 4
      |-------------|---------------------|---------------------------------|----
                          LATE, for 1          LATE, for 2: begun at "LATE, for 1"

Some programs, and most on the official APIs, behave differently: after a late answer they skip the newest
observation and wait for the next one. Then the second answer above is for observation 3, and in time. The
server assumes this for a seat under two conditions: the seat was in time before, and no answer in time took
as long as this one would have taken for the older observation. The assumption holds at once for programs on
an official API, for others after ODD_MAX such turns in a row. If the seat is late again before an answer that
is certainly in time, it holds only after ODD_MAX turns, then after twice as many, and so on. It never holds
for a seat that was never in time, so a seat that always exceeds the timeout never has an answer in time.

An intent that names its turn is unambiguous.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

from turnwright.kernel.deadline import Inbox, Receipt
from turnwright.kernel.game import Seat

__all__ = ["ODD_MAX", "Behind", "DropInbox"]

ODD_MAX = 8
"""Turns in a row with answers that fit the newest observation, after which a seat without an official API
is assumed to be in step again."""


@dataclass(slots=True)
class Behind:
    """A missed observation that a seat is presumed to be still working on.

    since_ns: time of its previous late answer, when it began with this one; None: it began in time. odd:
    number of late answers in a row that would be in time if it had waited for the next observation.
    next_ns: deadline and timeout of that next observation, for a seat that is known to wait.
    """

    turn: int
    deadline_ns: int
    timeout_ns: int
    since_ns: int | None = None
    odd: int = 0
    next_ns: tuple[int, int] | None = None


class DropInbox(Inbox):
    """The answers of one turn.

    behind: the seats that are presumed to be at an older observation. usual_ns: for each seat the longest
    time of an answer in time, absent for a seat that was never in time. doubts: for a seat that is late
    again, the number of odd turns until it is assumed to be in step. The caller keeps usual_ns and doubts
    from turn to turn. restarts: the seats that wait for the next observation after a late answer.
    """

    __slots__ = (
        "_begun",
        "_done",
        "behind",
        "doubts",
        "restarts",
        "turn",
        "usual_max_ns",
        "usual_ns",
    )

    def __init__(
        self,
        asked: Iterable[Seat],
        awaited: Iterable[Seat],
        merge: Callable[[Any, Any], Any],
        timeout_ns: int = 0,
        turn: int = 1,
        behind: dict[Seat, Behind] | None = None,
        usual_ns: dict[Seat, int] | None = None,
        doubts: dict[Seat, int] | None = None,
        usual_max_ns: int | None = None,
        restarts: Collection[Seat] = (),
    ) -> None:
        """Begin to collect. usual_max_ns: a longer answer is late, even if this turn's timeout is longer."""
        super().__init__(asked, awaited, merge, timeout_ns)
        self.turn = turn
        self.behind = {s: b for s, b in behind.items() if s in self.asked} if behind else {}
        self.usual_ns = {} if usual_ns is None else usual_ns
        self.doubts = {} if doubts is None else doubts
        self.usual_max_ns = timeout_ns if usual_max_ns is None else usual_max_ns
        self.restarts = restarts
        self._done: set[Seat] = set()
        self._begun: dict[Seat, tuple[int, int]] = {}
        """By seat whose late answer came in this turn: the time of it, and its odd turns in a row."""

    def submit(self, seat: Seat, intent: Any, now_ns: int, numbered: bool = False) -> Receipt:
        """Take an intent that arrived at `now_ns`. numbered: it names this turn."""
        if seat not in self.asked:
            return Receipt.NOT_ASKED
        deadline = self.deadlines.get(seat)
        in_time = self.cut_ns is None and (deadline is None or now_ns <= deadline)
        if self.behind and (behind := self.behind.pop(seat, None)) is not None and not numbered:
            if not (in_time and deadline is not None and self._has_waited(seat, behind, now_ns)):
                return self._late(seat, now_ns, behind)
            self.doubts[seat] = max(ODD_MAX, 2 * self.doubts.get(seat, 0))
            self._answer(seat, intent, now_ns)
            return Receipt.ACCEPTED
        if seat in self.answers:
            if not in_time:
                return Receipt.EARLY
            self.answers[seat] = self._merge(self.answers[seat], intent)
            return Receipt.MERGED
        if in_time:
            self.answers[seat] = intent
            self.answered_ns[seat] = now_ns
            self.missing.discard(seat)
            if deadline is not None:
                took_ns = now_ns - deadline + self.timeout_ns
                if self.usual_ns.get(seat, -1) < took_ns <= self.usual_max_ns:
                    self.usual_ns[seat] = took_ns
            if self.doubts:
                self.doubts.pop(seat, None)
            return Receipt.ACCEPTED
        self._done.add(seat)
        late_ns = max(0, now_ns - deadline) if deadline is not None else 0
        self.late_ns.setdefault(seat, late_ns)
        self.note_late(late_ns, self.timeout_ns)
        return Receipt.LATE

    def _has_waited(self, seat: Seat, behind: Behind, now_ns: int) -> bool:
        """Return whether an intent in time counts for the open observation, not for an older one."""
        usual_ns = self.usual_ns.get(seat)
        if usual_ns is None or behind.since_ns is None or behind.turn != self.turn - 1:
            behind.odd = 0
            return False
        behind.odd = behind.odd + 1 if now_ns - behind.since_ns > usual_ns else 0
        return behind.odd >= self.doubts.get(seat, 1 if seat in self.restarts else ODD_MAX)

    def _late(self, seat: Seat, now_ns: int, behind: Behind) -> Receipt:
        """Drop the answer to an older observation; the seat now works on the open one."""
        deadline, timeout_ns = behind.next_ns or (behind.deadline_ns, behind.timeout_ns)
        self.late_ns.setdefault(seat, now_ns - deadline)
        self.note_late(now_ns - deadline, timeout_ns)
        self._begun[seat] = now_ns, behind.odd
        return Receipt.LATE

    def stale(self, seat: Seat, now_ns: int, deadline: int, timeout_ns: int) -> None:
        """Note the delay of an answer that names an earlier turn."""
        self.behind.pop(seat, None)
        self.late_ns.setdefault(seat, now_ns - deadline)
        self.note_late(now_ns - deadline, timeout_ns)

    def spoilt(self, seat: Seat) -> None:
        """Note that `seat` has sent an unusable answer."""
        if seat in self.asked and self.behind.pop(seat, None) is None:
            self._done.add(seat)

    def wait_without_deadline(self, seat: Seat) -> None:
        """Remove the deadline of `seat`: the turn waits until it answers or leaves."""
        super().wait_without_deadline(seat)
        self.behind.pop(seat, None)

    def left_behind(self, new_round: bool) -> dict[Seat, Behind]:
        """Return the seats whose answer to a missed observation may still come.

        new_round: seats that were in step until the round's last observation are left out, because programs
        no longer answer it after the end of the round.
        """
        left = self.behind
        answered = len(self.answers) == len(self.asked)
        if answered and not left:
            return left
        for seat, behind in left.items():
            waits = seat in self.restarts and behind.since_ns is not None and behind.turn == self.turn - 1
            if waits and seat in self.deadlines:
                behind.next_ns = self.deadlines[seat], self.timeout_ns
        if new_round or answered:
            return left
        cut_ns = self.cut_ns or 0
        for seat in self.asked.difference(self.answers, self._done, left):
            if (deadline := self.deadlines.get(seat)) is not None and deadline < cut_ns:
                since_ns, odd = self._begun.get(seat, (None, 0))
                left[seat] = Behind(self.turn, deadline, self.timeout_ns, since_ns, odd)
        return left
