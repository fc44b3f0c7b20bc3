"""Plays a battle on a manual clock. The input is scripted answers, and the output is the times of turns.

The driver follows every rule about time that a server follows. So tests of the kernel need no sockets.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.deadline import Receipt
from turnwright.kernel.game import Seat
from turnwright.kernel.pace import Pace


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """An intent that a seat sends `offset_ns` after its observation.

    Attributes:
        turn: the turn that the intent names. None means that it names no turn.
    """

    offset_ns: int
    intent: Any
    turn: int | None = None


@dataclass(slots=True)
class TurnLog:
    """The times and results of one turn.

    It has the times, in ns, at which the turn was opened, its collecting ended, and it was published. It also
    has the seats that missed the turn, and the digest.
    """

    turn: int
    opened_ns: int
    collected_ns: int
    published_ns: int
    skipped: tuple[Seat, ...]
    digest: str
    receipts: list[tuple[Seat, Receipt]] = field(default_factory=list)


GoesOn = Literal["newest", "restart", "handlers", "each", "at once"]
"""The observation that a program takes after an answer. newest: the newest observation that has arrived, at
once. restart: the next observation that arrives. Older observations are dropped, as in the official APIs if
the bot's own loop is slow. handlers: the program also handles the newest observation before it sends one
answer for both, as in the official APIs if an event handler is slow. each: all observations in order. at
once: all observations at the same time.
"""


@dataclass(frozen=True, slots=True)
class ThinkingTime:
    """The time in which a seat worked on one observation: its begin and its end, in ns."""

    turn: int
    seat: Seat
    began_ns: int
    ended_ns: int
    is_second: bool = False
    """Whether the seat sends one answer for this observation and the observation before."""


class ScriptedSeats:
    """The programs at the seats of a battle. The object knows on which observation each program works, and
    when its answers arrive.

    Args:
        answers, goes_on, numbered: as for `BattleDriver`.

    Attributes:
        thoughts: the observations that the seats worked on, in order of their answers.
    """

    def __init__(
        self, answers: Callable[[int, Seat], Iterable[ScriptedAnswer]], goes_on: GoesOn, numbered: bool
    ) -> None:
        self.thoughts: list[ThinkingTime] = []
        self._answers = answers
        self._goes_on = goes_on
        self._numbered = numbered
        self._arrivals: list[tuple[int, int, Seat, ScriptedAnswer, ThinkingTime | None]] = []
        self._sequence = 0
        self._busy_until_ns: dict[Seat, int] = {}
        self._waiting: dict[Seat, int] = {}
        """For each seat that is working, the newest observation that the seat has not taken. 0 means that
        there is none.
        """

    def observe(self, seat: Seat, turn: int, now_ns: int) -> None:
        """Send a seat the observation of a turn."""
        if seat in self._waiting:
            self._waiting[seat] = turn
        else:
            self._think(seat, turn, now_ns)

    def next_ns(self) -> int | None:
        """Return the time at which the next answer arrives. None means that no answer is on its way."""
        return self._arrivals[0][0] if self._arrivals else None

    def arrived(self, now_ns: int) -> Iterator[tuple[int, Seat, ScriptedAnswer]]:
        """Yield the answers that have arrived until `now_ns`, each with its arrival time and its seat. Remove
        them, and let their seats take further observations.
        """
        while self._arrivals and self._arrivals[0][0] <= now_ns:
            at_ns, _, seat, answer, thought = heapq.heappop(self._arrivals)
            if self._thinks_again(thought):
                continue
            yield at_ns, seat, answer
            if thought is not None:
                self._thought(thought)

    def _think(self, seat: Seat, turn: int, now_ns: int, *, is_second: bool = False) -> None:
        """Let a seat begin to work on an observation."""
        if self._goes_on == "each":
            now_ns = max(now_ns, self._busy_until_ns.get(seat, 0))
        answers = list(self._answers(turn, seat))
        if not answers:
            return
        self._busy_until_ns[seat] = ends_ns = now_ns + max(a.offset_ns for a in answers)
        if self._goes_on in ("newest", "restart", "handlers"):
            self._waiting[seat] = 0
        for answer in sorted(answers, key=lambda a: a.offset_ns):
            self._sequence += 1
            ends = None
            if now_ns + answer.offset_ns == ends_ns:
                ends = ThinkingTime(turn, seat, now_ns, ends_ns, is_second)
            numbered = replace(answer, turn=turn) if self._numbered else answer
            heapq.heappush(self._arrivals, (now_ns + answer.offset_ns, self._sequence, seat, numbered, ends))

    def _thought(self, thought: ThinkingTime) -> None:
        self.thoughts.append(thought)
        newest = self._waiting.pop(thought.seat, 0)
        if newest and self._goes_on in ("newest", "handlers"):
            self._think(thought.seat, newest, thought.ended_ns)

    def _thinks_again(self, thought: ThinkingTime | None) -> bool:
        """With "handlers", let a program take the newest observation before it answers, if there is one.
        Return whether it took an observation.
        """
        if self._goes_on != "handlers" or thought is None or thought.is_second:
            return False
        newest = self._waiting.pop(thought.seat, 0)
        if newest:
            self.thoughts.append(thought)
            self._think(thought.seat, newest, thought.ended_ns, is_second=True)
        else:
            self._waiting[thought.seat] = 0
        return bool(newest)


class BattleDriver:
    """Drives one battle.

    Args:
        answers: called with the turn and the seat. It returns the intents that the seat sends for an
            observation.
        controls: pairs of a time in ns and an action on the pace, e.g. a pause. The actions are carried out
            in order.
        goes_on: which observation a seat takes after an answer.
        numbered: whether intents name their turns.

    Attributes:
        log, closed: the times of each turn so far, and the turn itself.
        now_ns: the time of the clock, which begins at 0.
    """

    def __init__(
        self,
        battle: Battle,
        pace: Pace,
        answers: Callable[[int, Seat], Iterable[ScriptedAnswer]],
        controls: Iterable[tuple[int, Callable[[Pace], None]]] = (),
        goes_on: GoesOn = "newest",
        numbered: bool = False,
    ) -> None:
        self.battle = battle
        self.pace = pace
        self.seats = ScriptedSeats(answers, goes_on, numbered)
        self.log: list[TurnLog] = []
        self.closed: list[Closed] = []
        self.now_ns = 0
        self._controls = sorted(controls, key=lambda c: c[0])
        self._receipts: list[tuple[Seat, Receipt]] = []

    def control(self, at_ns: int, what: Callable[[Pace], None]) -> None:
        """Carry out an action on the pace at a given time."""
        self._controls.append((at_ns, what))
        self._controls.sort(key=lambda c: c[0])

    def run(self, turns: int, limit_ns: int = 10**15) -> list[TurnLog]:
        """Play until `turns` turns are over in all, or the battle has ended. Return the log of all turns.

        The method stops earlier if no more event is expected, for example because the pace is paused, and
        before the clock would pass `limit_ns`.
        """
        while len(self.log) < turns and self.battle.outcome is None:
            if not self.battle.is_open:
                self._open()
            if not self._advance(limit_ns):
                break
        return self.log

    def _open(self) -> None:
        opened = self.battle.open_turn()
        self._opened_ns = self.now_ns
        withheld = self.battle.collecting.late_rule.withheld(self.now_ns) & set(opened.asked)
        self.battle.collecting.inbox.withhold(withheld, self.now_ns)
        for seat in opened.asked:
            if seat in withheld:
                continue
            self.battle.collecting.inbox.sent(seat, self.now_ns)
            self.seats.observe(seat, opened.turn, self.now_ns)

    def _advance(self, limit_ns: int) -> bool:
        """Carry out everything that is due now. If nothing is due, move the clock to the next event. Return
        False if there is no event before `limit_ns`.
        """
        collecting = self.battle.collecting
        for at_ns, seat, answer in self.seats.arrived(self.now_ns):
            self._receipts.append((seat, collecting.submit(seat, answer.intent, at_ns, answer.turn)))
        while self._controls and self._controls[0][0] <= self.now_ns:
            self._controls.pop(0)[1](self.pace)
        inbox = collecting.inbox
        if inbox.collected_ns is None and inbox.is_over(self.now_ns):
            self.battle.end_collecting(self.now_ns)
        due = self._due_ns()
        if inbox.collected_ns is not None and due is not None and due <= self.now_ns:
            self._close()
            return True
        nexts = [c[0] for c in self._controls[:1]]
        if (arrival_ns := self.seats.next_ns()) is not None:
            nexts.append(arrival_ns)
        if inbox.collected_ns is not None:
            nexts += [] if due is None else [due]
        elif inbox.last_deadline_ns is not None:
            nexts.append(inbox.last_deadline_ns + 1)
        if not nexts or min(nexts) > limit_ns:
            return False
        self.now_ns = max(self.now_ns, min(nexts))
        return True

    def _due_ns(self) -> int | None:
        """Return the time at which the collected turn must be resolved. At this time the turn is due, and is
        not held any more. Return None if the turn is not collected, or the pace is paused.
        """
        due, collected_ns = self.pace.due_ns(), self.battle.collecting.inbox.collected_ns
        if due is None or collected_ns is None:
            return None
        return max(due, self.battle.collecting.inbox.held_until_ns(max(due, collected_ns)))

    def _close(self) -> None:
        collected_ns = self.battle.collecting.inbox.collected_ns
        assert collected_ns is not None, "a turn is closed after it is collected"
        closed = self.battle.close_turn()
        self.pace.resolved(collected_ns, self.now_ns)
        entry = closed.entry
        self.closed.append(closed)
        self.log.append(
            TurnLog(
                entry.turn,
                self._opened_ns,
                collected_ns,
                self.now_ns,
                entry.skipped,
                entry.digest,
                self._receipts,
            )
        )
        self._receipts = []
