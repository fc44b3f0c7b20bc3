"""Collects the answers to observations, turn by turn.

    collecting.inbox.sent(seat, now_ns)         starts the seat's deadline
    collecting.submit(seat, intent, now_ns)     returns a receipt
    collecting.inbox.is_over(now_ns)            all answered, or the last deadline is past

A battle calls `open` in every turn that has deadlines.
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
    """The answers to the open turn, and facts about the seats from earlier turns.

    Args:
        referee: the referee that counts late and refused answers.

    Attributes:
        inbox: the inbox of the open turn. Between two turns, and in turns without deadlines, it is `NO_TURN`.
        late_rule: the rule for late intents.
        first_timeout_ns: the timeout of every turn in which a seat gets its first observation, if it is
            longer than the turn's own timeout. The seat's program may still be starting. The host sets this
            timeout. 0 means that there is none.
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
        """The seats that were asked in any turn so far. The set is only kept while there is a longer first
        timeout.
        """
        self._first = frozenset[Seat]()
        """The seats that are asked in the open turn for the first time."""

    def open(self, opened: Opened, timeout_ns: int, *, new_round: bool) -> None:
        """Begin to collect the answers to a turn in a new `inbox`.

        Args:
            timeout_ns: the time for an answer, unless a longer `first_timeout_ns` applies.
            new_round: whether the turn begins a round.
        """
        self._turn, self._first = opened.turn, frozenset()
        if self.first_timeout_ns and not self._asked.issuperset(opened.asked):
            self._first = frozenset(opened.asked) - self._asked
            self._asked.update(opened.asked)
            timeout_ns = max(timeout_ns, self.first_timeout_ns)
        self.inbox = self.late_rule.open(opened, timeout_ns, new_round=new_round)

    def first_awaited(self) -> Set[Seat]:
        """Return the seats whose first answers the open turn still awaits, with a longer timeout than for
        later answers.
        """
        inbox = self.inbox
        return self._first & inbox.missing if self._first and inbox.collected_ns is None else frozenset()

    def submit(self, seat: Seat, intent: Any, now_ns: int, answers: int | None = None) -> Receipt:
        """Take an intent of `seat`, and return its receipt.

        Args:
            answers: the turn that the intent names, or None.

        Raises:
            Exception: `Game.merge` failed.
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
        """Record that a seat has sent an invalid answer. Without a valid answer, the seat misses the turn.

        The answer shows that the seat's program is running. Therefore the turn no longer waits for the first
        answer of the seat.

        Args:
            why: what was wrong with the answer, in one line.
        """
        self._referee.refusals.note(seat, why)
        if seat not in self._referee.gone:
            if seat in self.first_awaited():
                self.inbox.missing.discard(seat)
            self.inbox.spoilt(seat, now_ns)

    def note_unread(self, seat: Seat, error: GameError, now_ns: int = 0) -> bool:
        """Record that the game failed to read an intent of a seat, as an invalid answer (see `spoilt`).

        Return whether this is the first such failure for the seat. If the game has not read any intent, and
        has failed for every seat that has not left, the battle is void when the turn closes.
        """
        self.spoilt(seat, str(error), now_ns)
        unread = self._referee.refusals.unread
        return unread.setdefault(seat, error) is error
