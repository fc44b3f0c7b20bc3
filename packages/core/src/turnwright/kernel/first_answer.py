"""The longer wait for the first answer of each seat in a battle: its program may still be starting."""

from __future__ import annotations

from collections.abc import Iterable, Set

from turnwright.kernel.deadline import Inbox
from turnwright.kernel.game import Seat


class FirstAnswers:
    """The seats that have been asked, and those that are asked in the open turn for the first time.

    Attributes:
        timeout_ns: the timeout for the first observation of a seat, where it is longer than that of the turn.
            The host sets it.
    """

    __slots__ = ("_asked", "_new", "timeout_ns")

    def __init__(self) -> None:
        self.timeout_ns = 0
        self._asked, self._new = set[Seat](), frozenset[Seat]()

    def open(self, asked: Iterable[Seat], timeout_ns: int) -> int:
        """Note the seats that a turn asks, and return its timeout.

        Args:
            timeout_ns: without first answers.
        """
        self._new = frozenset()
        if not self.timeout_ns or self._asked.issuperset(asked):
            return timeout_ns
        self._new = frozenset(asked) - self._asked
        self._asked.update(asked)
        return max(timeout_ns, self.timeout_ns)

    def awaited(self, inbox: Inbox) -> Set[Seat]:
        """Return the seats for whose first answer the open turn waits, longer than for a later one."""
        return self._new & inbox.missing if self._new and inbox.collected_ns is None else frozenset()
