"""Logs faults of minds, at limited rates."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from turnwright.kernel.units import NS_PER_S
from turnwright.wire.escape import one_line
from turnwright_world.planning.limits import Idle, Reason

UNFINISHED: frozenset[Reason] = frozenset(("slow", "broken", "machine", "phase_ended", "no_time"))
"""Reasons of missing plans that are errors, of any cause."""
PER_SECOND = 5
"""Lines of unfinished plans in a second; what does not fit is added up in one more."""
MISTAKES_PER_TURN = 5
"""Lines of mistakes in one turn."""
SAID_AGAIN_TURNS = 40
"""Turns after which the same mistake of a mind is logged again."""
MISTAKES_KEPT = 1_000
"""Mistakes that are remembered; beyond it the one that came longest ago is forgotten."""
_log = logging.getLogger("turnwright")


@dataclass(slots=True)
class _Unfinished:
    """Plans of one mind that failed for one reason.

    Attributes:
        turn, idle, text: of the last one.
    """

    count: int
    first_turn: int
    turn: int
    idle: Idle
    text: str


class FaultLog:
    """Remembers what was logged when."""

    def __init__(self) -> None:
        self._mistakes: dict[tuple[str, str, str], tuple[int, int]] = {}
        """By mind, owner and reason: the turn in which it was logged last, and how often it came since."""
        self._turn = self._lines = 0
        self._unfinished: dict[tuple[str, str, str], _Unfinished] = {}
        self._next_ns = 0

    def note(self, turn: int, idle: Idle, text: str) -> None:
        """Note that a body does nothing, and why.

        A mistake is logged at once, other things by `flush`.
        """
        if idle.reason not in UNFINISHED:
            self._mistake(turn, idle, text)
            return
        key = idle.mind, idle.owner, idle.reason
        found = self._unfinished.get(key)
        if found is None:
            self._unfinished[key] = _Unfinished(1, turn, turn, idle, text)
        else:
            found.count += 1
            found.turn, found.idle, found.text = turn, idle, text

    def flush(self, now_ns: int, *, last: bool = False) -> None:
        """Log the plans that were not finished, once a second.

        Args:
            last: in any case.
        """
        if not self._unfinished or (now_ns < self._next_ns and not last):
            return
        self._next_ns = now_ns + NS_PER_S
        told = sorted(self._unfinished.values(), key=lambda one: -one.count)
        self._unfinished = {}
        for one in told[:PER_SECOND]:
            _log.error("%s", _line(one))
        rest = told[PER_SECOND:]
        if rest:
            count = sum(one.count for one in rest)
            more = (
                "1 more plan of another mind was" if count == 1 else f"{count} more plans of other minds were"
            )
            _log.error("turn %d: %s not finished", rest[-1].turn, more)

    def _mistake(self, turn: int, idle: Idle, text: str) -> None:
        """Log a mistake of a mind, unless the same was logged a moment ago."""
        if turn != self._turn:
            self._turn, self._lines = turn, 0
        fault = idle.mind, idle.owner, idle.reason
        last_turn, untold = self._mistakes.pop(fault, (turn - SAID_AGAIN_TURNS, 0))
        if len(self._mistakes) >= MISTAKES_KEPT:
            del self._mistakes[next(iter(self._mistakes))]
        if turn - last_turn < SAID_AGAIN_TURNS or self._lines >= MISTAKES_PER_TURN:
            self._mistakes[fault] = last_turn, untold + 1
            return
        self._mistakes[fault] = turn, 0
        self._lines += 1
        more = f" ({untold} more like it before)" if untold else ""
        _log.warning("turn %d: %s%s", turn, _does_nothing(idle, text), more)


def _line(one: _Unfinished) -> str:
    if one.count == 1:
        return f"turn {one.turn}: {_does_nothing(one.idle, one.text)}"
    turns = f"turn {one.turn}" if one.first_turn == one.turn else f"turns {one.first_turn} to {one.turn}"
    many = f"{one.count} plans of mind {one_line(one.idle.mind)} of {_owner(one.idle)} were not finished"
    return f"{turns}: {many}, {one.idle.reason}; the last, of body {one.idle.body}: {one_line(one.text)}"


def _does_nothing(idle: Idle, text: str) -> str:
    who = f"body {idle.body} (mind {one_line(idle.mind)} of {_owner(idle)})"
    return f"{who} does nothing, {idle.reason}: {one_line(text)}"


def _owner(idle: Idle) -> str:
    return one_line(idle.owner) or "the world"
