"""A battle on a manual clock: scripted answers in, when each turn was opened, cut and published out.

It is the smallest driver that keeps every promise about time, so it tests the kernel without a socket.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.collect import Receipt
from turnwright.kernel.game import Seat
from turnwright.kernel.pace import Pace

__all__ = ["Answer", "Drive", "TurnLog"]


@dataclass(frozen=True, slots=True)
class Answer:
    """An intent that a seat sends `offset_ns` after its observation; turn: what it says it answers."""

    offset_ns: int
    intent: Any
    turn: int | None = None


@dataclass(slots=True)
class TurnLog:
    """When one turn was opened, cut and published (ns), who missed it, and its digest."""

    turn: int
    opened_ns: int
    cut_ns: int
    published_ns: int
    skipped: tuple[Seat, ...]
    digest: str
    receipts: list[tuple[Seat, Receipt]] = field(default_factory=list)


class Drive:
    """Drives one battle. answers(turn, seat) says what a seat sends for an observation.

    sequential: a seat begins to think only when its answer before has been sent, as one program does.
    controls: (ns, what to do with the pace) pairs, e.g. pauses; every one is carried out once, in order.
    """

    def __init__(
        self,
        battle: Battle,
        pace: Pace,
        answers: Callable[[int, Seat], Iterable[Answer]],
        controls: Iterable[tuple[int, Callable[[Pace], None]]] = (),
        sequential: bool = True,
    ) -> None:
        self.battle = battle
        self.pace = pace
        self.log: list[TurnLog] = []
        self.closed: list[Closed] = []
        self.now_ns = 0
        self._answers = answers
        self._controls = sorted(controls, key=lambda c: c[0])
        self._arrivals: list[tuple[int, int, Seat, Answer]] = []
        self._sequence = 0
        self._sequential = sequential
        self._busy_until_ns: dict[Seat, int] = {}
        self._receipts: list[tuple[Seat, Receipt]] = []

    def run(self, turns: int, limit_ns: int = 10**15) -> list[TurnLog]:
        """Play until `turns` are over, the battle has ended, or the clock would pass `limit_ns`."""
        while len(self.log) < turns and self.battle.outcome is None:
            if not self.battle.is_open:
                self._open()
            if not self._advance(limit_ns):
                break
        return self.log

    def _open(self) -> None:
        opened = self.battle.open_turn()
        self._opened_ns = self.now_ns
        for seat in opened.asked:
            self.battle.sent(seat, self.now_ns)
            start = max(self.now_ns, self._busy_until_ns.get(seat, 0)) if self._sequential else self.now_ns
            for answer in self._answers(opened.turn, seat):
                at_ns = start + answer.offset_ns
                self._busy_until_ns[seat] = max(self._busy_until_ns.get(seat, 0), at_ns)
                self._sequence += 1
                heapq.heappush(self._arrivals, (at_ns, self._sequence, seat, answer))

    def _advance(self, limit_ns: int) -> bool:
        """Do what is due now, or move the clock to the next thing; False when there is none in time."""
        while self._arrivals and self._arrivals[0][0] <= self.now_ns:
            at_ns, _, seat, answer = heapq.heappop(self._arrivals)
            self._receipts.append((seat, self.battle.submit(seat, answer.intent, at_ns, answer.turn)))
        while self._controls and self._controls[0][0] <= self.now_ns:
            self._controls.pop(0)[1](self.pace)
        if self.battle.cut_ns is None and self.battle.is_over(self.now_ns):
            self.battle.cut(self.now_ns)
        due = self.pace.due_ns()
        if self.battle.cut_ns is not None and due is not None and due <= self.now_ns:
            self._close()
            return True
        nexts = [a[0] for a in self._arrivals[:1]] + [c[0] for c in self._controls[:1]]
        if self.battle.cut_ns is not None:
            nexts += [] if due is None else [due]
        elif self.battle.last_deadline_ns is not None:
            nexts.append(self.battle.last_deadline_ns + 1)
        if not nexts or min(nexts) > limit_ns:
            return False
        self.now_ns = max(self.now_ns, min(nexts))
        return True

    def _close(self) -> None:
        cut_ns = self.battle.cut_ns
        assert cut_ns is not None, "a turn is closed after its cut"
        closed = self.battle.close_turn()
        self.pace.resolved(cut_ns, self.now_ns)
        entry = closed.entry
        self.closed.append(closed)
        self.log.append(
            TurnLog(
                entry.turn, self._opened_ns, cut_ns, self.now_ns, entry.skipped, entry.digest, self._receipts
            )
        )
        self._receipts = []
