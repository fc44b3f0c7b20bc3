"""Collecting the intents of one turn: who has answered, who is late, and what becomes of what is left over.

A turn collects until *the cut*: the moment when every awaited seat has answered or the last deadline has
passed. Pace plays no part in it, so the same answers at the same offsets give the same turn at every speed.
What comes after a seat's deadline is late and counts as that seat's answer to the next observation, whether
that one has been sent already or not. Intents need not say what they answer, so they are taken to answer
observations in order: the first one after a missed observation is the late answer to it, and while a seat
owes an answer to an older one, a second intent in a turn is its next answer (kept), else it is a second
thought (merged).

    observation sent      answer        deadline            next observation sent
          |------------------|-------------|------------------------|----------------
          open            ACCEPTED         LATE: kept for the next  LATE: counts here

Every submission gets a receipt; a receipt is a value and nothing a participant sends raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from turnwright.kernel.game import Seat

__all__ = ["TIMEOUT_NS_MIN", "Inbox", "Receipt", "deadline_ns"]

TIMEOUT_NS_MIN = 1_000
"""The shortest turn timeout: 1 µs."""


class Receipt(Enum):
    """What became of an intent."""

    ACCEPTED = "accepted"
    """The seat's answer to the open observation."""
    MERGED = "merged"
    """A further answer in the same turn: merged into the first, field by field."""
    LATE = "late"
    """After the seat's deadline: its answer to the next observation (a numbered one is dropped)."""
    EARLY = "early"
    """The seat has its answer and this is the next one: kept as its answer to the next observation."""
    WRONG_TURN = "wrong turn"
    """It names a turn that is not open: dropped."""
    NOT_ASKED = "not asked"
    """The seat is not asked now (not playing, out of the round, or between rounds): dropped."""


def deadline_ns(sent_ns: int, timeout_ns: int) -> int:
    """Return the last instant at which an answer to an observation sent at `sent_ns` is in time."""
    return sent_ns + timeout_ns


class Inbox:
    """The answers of one turn. answers: one intent a seat; late_ns: how late a kept or dropped one was."""

    __slots__ = (
        "_deadlines",
        "_merge",
        "answered_ns",
        "answers",
        "asked",
        "awaited",
        "cut_ns",
        "kept",
        "kept_late_ns",
        "late_ns",
        "missed",
        "missing",
        "owed",
    )

    def __init__(
        self,
        asked: Iterable[Seat],
        awaited: Iterable[Seat],
        merge: Callable[[Any, Any], Any],
        kept: dict[Seat, Any] | None = None,
        kept_late_ns: dict[Seat, int] | None = None,
        owed: dict[Seat, int] | None = None,
        missed: dict[Seat, int] | None = None,
    ) -> None:
        """Open collecting. kept, kept_late_ns, owed, missed: what the turn before left for this one."""
        self.asked = frozenset(asked)
        self.awaited = frozenset(awaited)
        self._merge = merge
        self._deadlines: dict[Seat, int] = {}
        self.answers: dict[Seat, Any] = {}
        self.answered_ns: dict[Seat, int] = {}
        """When the answers of this turn came, by seat; a kept one has no time."""
        self.late_ns: dict[Seat, int] = {}
        if kept:
            self.answers = {s: i for s, i in kept.items() if s in self.asked}
            self.late_ns = {s: n for s, n in (kept_late_ns or {}).items() if s in self.answers}
        self.owed: dict[Seat, int] = dict.fromkeys(self.asked, 1)
        if owed:
            self.owed = {s: owed.get(s, 0) + 1 for s in self.asked}
        self.missed: dict[Seat, int] = missed or {}
        self.kept: dict[Seat, Any] = {}
        self.kept_late_ns: dict[Seat, int] = {}
        self.missing: set[Seat] = set(self.awaited.difference(self.answers))
        self.cut_ns: int | None = None

    def sent(self, seat: Seat, deadline: int) -> None:
        """Say until when (ns) `seat` may answer; until this is said it has no deadline."""
        self._deadlines[seat] = deadline

    def sent_all(self, seats: Iterable[Seat], deadlines: Iterable[int]) -> None:
        """Say it for several seats."""
        self._deadlines.update(zip(seats, deadlines, strict=True))

    def submit(self, seat: Seat, intent: Any, now_ns: int, numbered: bool = False) -> Receipt:
        """Take an intent that arrived at `now_ns`. numbered: it names this turn, so it is never kept."""
        if seat not in self.asked:
            return Receipt.NOT_ASKED
        deadline = self._deadlines.get(seat)
        owes = self.owed[seat] > 0
        self.owed[seat] = 0 if numbered else max(0, self.owed[seat] - 1)
        answered = seat in self.answers
        if self.cut_ns is None and (deadline is None or now_ns <= deadline):
            if not answered:
                self.answers[seat] = intent
                self.answered_ns[seat] = now_ns
                self.missing.discard(seat)
                if seat in self.missed and not numbered:
                    self.late_ns[seat] = now_ns - self.missed[seat]
                    return Receipt.LATE
                return Receipt.ACCEPTED
            if numbered or not owes:
                self.answers[seat] = self._merge(self.answers[seat], intent)
                return Receipt.MERGED
        receipt = Receipt.EARLY if answered else Receipt.LATE
        if not numbered:
            self._keep(seat, intent, now_ns, receipt, deadline)
        elif receipt is Receipt.LATE and deadline is not None:
            self.late_ns.setdefault(seat, now_ns - deadline)
        return receipt

    def dropped(self, seat: Seat, now_ns: int) -> None:
        """Note how late an answer is that names a turn before this one, and of which nothing counts."""
        missed_ns = self.missed.pop(seat, None)
        if missed_ns is not None and now_ns > missed_ns:
            self.late_ns.setdefault(seat, now_ns - missed_ns)

    def note_durations(self, slowest_ns: dict[Seat, int], timeout_ns: int) -> None:
        """Raise, by seat, the longest time that an answer took. timeout_ns: of this turn."""
        for seat, at_ns in self.answered_ns.items():
            deadline = self._deadlines.get(seat)
            if deadline is not None:
                slowest_ns[seat] = max(slowest_ns.get(seat, 0), at_ns - deadline + timeout_ns)

    def _keep(self, seat: Seat, intent: Any, now_ns: int, receipt: Receipt, deadline: int | None) -> None:
        if seat in self.kept:
            self.kept[seat] = self._merge(self.kept[seat], intent)
            return
        self.kept[seat] = intent
        if receipt is Receipt.LATE and deadline is not None:
            self.kept_late_ns[seat] = now_ns - self.missed.get(seat, deadline)

    def left_unanswered(self) -> dict[Seat, int]:
        """Return, for each seat whose answer may still come, the deadline (ns) that it has missed.

        Of several observations in a row that a seat has not answered, the first one counts.
        """
        if len(self.answers) == len(self.asked):
            return {}
        waiting = self.asked.difference(self.answers, self.kept)
        return {s: self.missed.get(s, self._deadlines[s]) for s in waiting if s in self._deadlines}

    def hold(self, seat: Seat) -> None:
        """Give `seat` no deadline any more: the turn waits until it answers or leaves."""
        self._deadlines.pop(seat, None)

    def forgo(self, seat: Seat) -> None:
        """Wait no longer for `seat` (it left); what it sent in time still counts."""
        self.awaited = self.awaited - {seat}
        self.missing.discard(seat)

    @property
    def last_deadline_ns(self) -> int | None:
        """The last deadline among the seats still waited for; None while one of them has none yet."""
        missing = self.missing
        deadlines = [at_ns for seat, at_ns in self._deadlines.items() if seat in missing]
        return max(deadlines) if deadlines and len(deadlines) == len(missing) else None

    def next_deadline_ns(self, from_ns: int) -> int | None:
        """Return the first deadline at or after `from_ns` among the seats still waited for, or None."""
        missing = self.missing
        ahead = (at_ns for seat, at_ns in self._deadlines.items() if at_ns >= from_ns and seat in missing)
        return min(ahead, default=None)

    def is_over(self, now_ns: int) -> bool:
        """Return whether the cut has come: all awaited seats answered, or the last deadline is past."""
        if self.cut_ns is not None or not self.missing:
            return True
        last = self.last_deadline_ns
        return last is not None and now_ns > last

    def cut(self, now_ns: int) -> None:
        """End collecting; idempotent. Whoever of the asked has no answer has missed the turn."""
        if self.cut_ns is None:
            self.cut_ns = now_ns
