"""Logs faults of minds, at limited rates."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from turnwright.kernel.units import NS_PER_S
from turnwright.wire.escape import one_line
from turnwright_world.planning.limits import Idle, Reason

UNFINISHED: frozenset[Reason] = frozenset(("slow", "broken", "machine", "phase_ended", "no_time"))
"""Reasons for missing plans that are logged as errors."""
PER_SECOND = 5
"""The most lines on unfinished plans per second. One further line has the number of other unfinished plans.
"""
MISTAKES_PER_TURN = 5
"""The most lines on mistakes in one turn."""
SAID_AGAIN_TURNS = 40
"""The same mistake of a mind is logged again after this number of turns."""
MISTAKES_KEPT = 1_000
"""The most mistakes that are remembered. Then the oldest is forgotten."""
_log = logging.getLogger("turnwright")


@dataclass(slots=True)
class _Unfinished:
    """Plans of one mind that failed for one reason.

    Attributes:
        turn, idle, text: values of the last failed plan.
    """

    count: int
    first_turn: int
    turn: int
    idle: Idle
    text: str


class FaultLog:
    """Logs faults, and remembers what it logged in which turn."""

    def __init__(self) -> None:
        self._mistakes: dict[tuple[str, str, str], tuple[int, int]] = {}
        """By mind, owner and reason, the turn of the last log line and the number of faults since."""
        self._turn = self._lines = 0
        self._unfinished: dict[tuple[str, str, str], _Unfinished] = {}
        self._next_ns = 0

    def note(self, turn: int, idle: Idle, text: str) -> None:
        """Note that a body does nothing, and why.

        A mistake is logged immediately, unless it was logged recently or the turn has many. `flush` logs
        other reasons.
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
        """Log the plans that were not finished, once per second.

        Args:
            last: log what remains, even if the last lines are less than a second old.
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
        """Log a mistake of a mind, unless the same mistake was logged recently."""
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
