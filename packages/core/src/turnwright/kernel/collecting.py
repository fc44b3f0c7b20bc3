"""Collecting the answers to observations, turn by turn.

    collecting.inbox.sent(seat, now_ns)         starts the seat's deadline
    collecting.submit(seat, intent, now_ns)     a receipt, never an exception
    collecting.inbox.is_over(now_ns)            all answered, or the last deadline is past

A battle opens it with every turn that has deadlines.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from turnwright.errors import GameError
from turnwright.kernel.deadline import NO_TURN, Opened, Receipt
from turnwright.kernel.game import Game, Seat
from turnwright.kernel.on_late_drop import DropRule
from turnwright.kernel.on_late_next import NextRule
from turnwright.kernel.record import TurnRules
from turnwright.kernel.referee import Referee


class Collecting:
    """The answers to the open turn, and what earlier turns have told of the seats.

    Args:
        referee: learns of late and refused answers.

    Attributes:
        inbox: the inbox of the open turn; between two turns `NO_TURN`.
        late_rule: what late intents do.
        first_timeout_ns: the timeout for the first observation of a seat, whose program may still be
            starting, where it is longer than that of the turn. The host sets it.
    """

    __slots__ = ("_asked", "_first", "_referee", "_turn", "first_timeout_ns", "inbox", "late_rule")

    def __init__(self, game: Game, rules: TurnRules, referee: Referee) -> None:
        self.inbox = NO_TURN
        self.late_rule: DropRule | NextRule = (
            DropRule(rules.timeout_ns, game.merge) if rules.on_late == "drop" else NextRule(game.merge)
        )
        self.first_timeout_ns = 0
        self._referee = referee
        self._turn = 0
        self._asked = set[Seat]()
        """The seats that were asked in any turn, while they have a longer first timeout."""
        self._first = frozenset[Seat]()
        """The seats that are asked in the open turn for the first time."""

    def open(self, opened: Opened, timeout_ns: int, *, new_round: bool) -> None:
        """Begin to collect a turn."""
        self._turn, self._first = opened.turn, frozenset()
        if self.first_timeout_ns and not self._asked.issuperset(opened.asked):
            self._first = frozenset(opened.asked) - self._asked
            self._asked.update(opened.asked)
            timeout_ns = max(timeout_ns, self.first_timeout_ns)
        self.inbox = self.late_rule.open(opened, timeout_ns, new_round=new_round)

    def first_awaited(self) -> Set[Seat]:
        """Return the seats for whose first answer the open turn waits, longer than for a later one."""
        inbox = self.inbox
        return self._first & inbox.missing if self._first and inbox.collected_ns is None else frozenset()

    def submit(self, seat: Seat, intent: Any, now_ns: int, answers: int | None = None) -> Receipt:
        """Take an intent.

        Args:
            answers: the turn that it names, or None when it names none.
        """
        referee, inbox = self._referee, self.inbox
        if inbox is NO_TURN or seat in referee.gone:
            return Receipt.NOT_ASKED
        if answers is None or answers == self._turn:
            referee.refusals.has_read = True
            receipt = inbox.submit(seat, intent, now_ns, answers is not None)
            is_late = receipt is Receipt.LATE
        elif answers < self._turn:
            receipt = inbox.stale(seat, now_ns, answers)
            is_late = receipt is Receipt.LATE or self.late_rule.counts_wrong_turns
        else:
            return Receipt.WRONG_TURN
        if is_late:
            referee.skips.note_late(seat)
        return receipt

    def spoilt(self, seat: Seat, why: str, now_ns: int = 0) -> None:
        """Note that a seat has sent an invalid answer: its turn is missed.

        The answer shows that its program runs. The longer wait for its first answer of the battle is
        therefore over.

        Args:
            why: what was wrong with the answer, in one line.
        """
        self._referee.refusals.note(seat, why)
        if seat not in self._referee.gone:
            if seat in self.first_awaited():
                self.inbox.missing.discard(seat)
            self.inbox.spoilt(seat, now_ns)

    def note_unread(self, seat: Seat, error: GameError, now_ns: int = 0) -> bool:
        """Note that the game failed to read an intent of a seat: it misses its turn.

        A battle whose game has failed over every seat, and has read no intent at all, is void when the turn
        closes: no participant can bring that about alone. Return whether this is the seat's first time.
        """
        self.spoilt(seat, str(error), now_ns)
        unread = self._referee.refusals.unread
        return unread.setdefault(seat, error) is error
