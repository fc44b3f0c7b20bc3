"""The inbox of one turn, with intents, deadlines and receipts.

A turn collects until every awaited seat has answered, or until the last deadline has passed. The pace does
not change the deadlines. So answers that come after the same times give the same turn at every speed.

An intent is late if it arrives after the deadline of the observation that it answers. A rule of the battle
decides the effect of a late intent. With `on_late_drop` it has no effect. With `on_late_next` it answers the
next observation.

    observation sent      answer        deadline            next observation sent
          |------------------|-------------|------------------------|----------------
          open            ACCEPTED                 LATE                    LATE

Every intent gets a receipt. A receipt is a value, and no mistake of a participant raises an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Any

from turnwright.kernel.game import Seat

TIMEOUT_NS_MIN = 1_000
"""The shortest turn timeout, in ns (1 µs)."""


class Receipt(Enum):
    """What happened to an intent."""

    ACCEPTED = "accepted"
    """The intent is the seat's answer to the open observation."""
    MERGED = "merged"
    """The intent is a further answer in the same turn. `Game.merge` combines it with the first answer."""
    LATE = "late"
    """The intent came after the deadline of the observation that it answers. It is dropped, or answers the
    next observation.
    """
    EARLY = "early"
    """The seat has already answered, and its deadline has passed or collecting has ended. With
    `on_late_next`, a second intent is also EARLY if the first one answered an older observation. The intent
    is dropped, or kept for the next observation.
    """
    WRONG_TURN = "wrong turn"
    """The intent names a turn that is not open. It is dropped. With `on_late_drop`, it is LATE instead if it
    missed the deadline of that turn.
    """
    NOT_ASKED = "not asked"
    """The seat is not asked now, because it does not play, has left, is out of the round, or no turn is open.
    The intent is dropped.
    """


class SkipReason(StrEnum):
    """Why a seat missed a turn, as far as this is known when the turn is resolved."""

    NO_ANSWER = "no answer"
    """The seat sent no answer in this turn."""
    LATE = "late"
    """The seat's answer came after the deadline, and before the next turn."""
    BEHIND = "behind"
    """In this turn, the seat answered an older observation."""
    WITHHELD = "withheld"
    """The seat got no observation, because the server waited for its answers to older observations."""
    REFUSED = "refused"
    """The seat's answer could not be used."""
    LEFT = "left"
    """The seat's connection had ended."""
    RELEASED = "released"
    """An operator removed the breakpoint at which the battle waited for the seat."""


@dataclass(slots=True)  # not frozen: one is made every turn
class Opened:
    """An open turn. The seats are in order.

    Attributes:
        asked: seats that get an observation.
        awaited: seats for which the turn waits.
    """

    turn: int
    asked: tuple[Seat, ...]
    awaited: tuple[Seat, ...]


class Inbox:
    """The answers of one turn. All times are in ns, by the same clock.

    Args:
        merge: makes one intent from two intents of a seat (see `Game.merge`). `submit` raises its exceptions.
        timeout_ns: the time that each seat has.

    Attributes:
        awaited: the awaited seats, without seats that have left.
        missing: the awaited seats that have not answered.
        deadlines: the deadline of each seat whose observation was sent.
        collected_ns: the end of collecting. None means that the turn still collects.
        answers: the intent of each seat that answered.
        late_ns: how late the late answers were, by seat.
        newest_late_ns: how late the newest late intent was.
        newest_took_ns: the time from the observation to the newest late intent.
    """

    __slots__ = (
        "_merge",
        "answered_ns",
        "answers",
        "asked",
        "awaited",
        "collected_ns",
        "deadlines",
        "late_ns",
        "missing",
        "newest_late_ns",
        "newest_took_ns",
        "timeout_ns",
    )

    def __init__(
        self,
        asked: Iterable[Seat],
        awaited: Iterable[Seat],
        merge: Callable[[Any, Any], Any],
        timeout_ns: int = 0,
    ) -> None:
        self.asked = frozenset(asked)
        self.awaited = self.asked if awaited is asked else frozenset(awaited)
        self._merge = merge
        self.timeout_ns = timeout_ns
        self.deadlines: dict[Seat, int] = {}
        self.answers: dict[Seat, Any] = {}
        self.answered_ns: dict[Seat, int] = {}
        """The arrival time of each answer of this turn, by seat. An answer that was kept from the turn before
        has no entry.
        """
        self.late_ns: dict[Seat, int] = {}
        self.newest_late_ns = self.newest_took_ns = 0
        self.missing: set[Seat] = set(self.awaited)
        self.collected_ns: int | None = None

    def sent(self, seat: Seat, now_ns: int) -> None:
        """Start the timeout of `seat`, whose observation was handed to its socket at `now_ns`."""
        self.sent_all((seat,), (now_ns,))

    def sent_all(self, seats: Sequence[Seat], stamps_ns: Sequence[int]) -> None:
        """Start the timeouts of several seats. `stamps_ns` has the time of each seat's observation.

        An answer exactly at the deadline is in time.
        """
        timeout_ns = self.timeout_ns
        self.deadlines.update(zip(seats, [sent_ns + timeout_ns for sent_ns in stamps_ns], strict=True))

    def submit(self, seat: Seat, intent: Any, now_ns: int, numbered: bool = False) -> Receipt:
        """Take an intent that arrived at `now_ns`, and return its receipt.

        Args:
            numbered: whether the intent names this turn.
        """
        return Receipt.NOT_ASKED

    def spoilt(self, seat: Seat, now_ns: int) -> None:
        """Record that `seat` has sent an answer that cannot be used."""

    def stale(self, seat: Seat, now_ns: int, answers: int) -> Receipt:
        """Take an intent for an earlier turn, and return its receipt.

        Args:
            answers: the turn that the intent names.
        """
        return Receipt.WRONG_TURN

    def withhold(self, seats: Set[Seat], now_ns: int) -> None:
        """Start the timeouts of `seats`, which get no observation in this turn.

        The turn waits for these seats as long as for seats with an observation.
        """

    def held_until_ns(self, ready_ns: int) -> int:
        """Return the latest time until which the collected turn is held.

        Args:
            ready_ns: the time at which the turn is due if there is no hold.
        """
        return ready_ns

    def end_hold(self) -> None:
        """End a hold, because the turn is being resolved."""

    def why_missed(self, seat: Seat) -> SkipReason:
        """Return why a seat missed the turn, as far as its answers show."""
        return SkipReason.LATE if seat in self.late_ns else SkipReason.NO_ANSWER

    def waited_ns(self, seat: Seat) -> int | None:
        """Return how long the turn waited for a seat: the time from the seat's observation to the end of
        collecting. None means that the seat has no deadline, or collecting has not ended.
        """
        deadline = self.deadlines.get(seat)
        if deadline is None or self.collected_ns is None:
            return None
        return max(0, self.collected_ns - deadline + self.timeout_ns)

    def _is_in_time(self, seat: Seat, now_ns: int) -> bool:
        deadline = self.deadlines.get(seat)
        return self.collected_ns is None and (deadline is None or now_ns <= deadline)

    def usual(self) -> set[Seat]:
        """Return the awaited seats whose next intent is accepted if it comes in time. For such an intent,
        `answer` is enough.
        """
        return set()

    def answer(self, seat: Seat, intent: Any, now_ns: int) -> None:
        """Take an answer that came in time."""
        self.answers[seat] = intent
        self.answered_ns[seat] = now_ns
        self.missing.discard(seat)

    def note_late(self, late_ns: int, timeout_ns: int) -> None:
        """Record an intent that came `late_ns` after its deadline.

        Args:
            timeout_ns: the timeout of the observation that the intent answers.
        """
        self.newest_late_ns, self.newest_took_ns = late_ns, late_ns + timeout_ns

    def note_durations(self, slowest_ns: dict[Seat, int]) -> None:
        """Update `slowest_ns`, the longest answer time of each seat, with the answers of this turn."""
        deadlines, timeout_ns = self.deadlines, self.timeout_ns
        for seat, at_ns in self.answered_ns.items():
            if seat in deadlines:
                took_ns = at_ns - deadlines[seat] + timeout_ns
                if seat not in slowest_ns or took_ns > slowest_ns[seat]:
                    slowest_ns[seat] = took_ns if took_ns > 0 else 0

    def wait_without_deadline(self, seat: Seat) -> None:
        """Remove the deadline of `seat`. The turn then waits until the seat answers or leaves."""
        self.deadlines.pop(seat, None)

    def release(self, seat: Seat, now_ns: int) -> None:
        """End `wait_without_deadline`. The seat's deadline is just before `now_ns`."""
        self.deadlines[seat] = now_ns - 1

    def stop_waiting_for(self, seat: Seat) -> None:
        """Stop waiting for `seat`, because the seat has left. An intent that it sent in time still counts."""
        self.awaited = self.awaited - {seat}
        self.missing.discard(seat)

    @property
    def last_deadline_ns(self) -> int | None:
        """The last deadline among the seats that are still awaited.

        The result is None if one of these seats has no deadline, or if no seat is awaited.
        """
        missing = self.missing
        deadlines = [at_ns for seat, at_ns in self.deadlines.items() if seat in missing]
        return max(deadlines) if deadlines and len(deadlines) == len(missing) else None

    def next_deadline_ns(self, from_ns: int) -> int | None:
        """Return the first deadline at or after `from_ns`, or None.

        Only deadlines of seats that are still awaited count.
        """
        missing = self.missing
        ahead = (at_ns for seat, at_ns in self.deadlines.items() if at_ns >= from_ns and seat in missing)
        return min(ahead, default=None)

    def is_over(self, now_ns: int) -> bool:
        """Return whether collecting has ended.

        Collecting ends when all awaited seats have answered, or when the last deadline has passed.
        """
        if self.collected_ns is not None or not self.missing:
            return True
        last = self.last_deadline_ns
        return last is not None and now_ns > last

    def end_collecting(self, now_ns: int, *, ends_round: bool = False) -> None:
        """End collecting. Asked seats without an answer have missed the turn. A second call has no effect.

        Args:
            ends_round: whether the observation was the last one of a round. Many programs do not answer the
                last observation.
        """
        if self.collected_ns is None:
            self.collected_ns = now_ns


class _NoTurn(Inbox):
    """The inbox while no turn collects answers. It keeps nothing."""

    __slots__ = ()

    def sent_all(self, seats: Sequence[Seat], stamps_ns: Sequence[int]) -> None:
        """Do nothing."""

    def release(self, seat: Seat, now_ns: int) -> None:
        """Do nothing."""

    def stop_waiting_for(self, seat: Seat) -> None:
        """Do nothing."""

    def end_collecting(self, now_ns: int, *, ends_round: bool = False) -> None:
        """Do nothing."""


NO_TURN: Inbox = _NoTurn((), (), lambda first, second: second)
"""The inbox between two turns, and in turns whose participants are asked one after another."""
