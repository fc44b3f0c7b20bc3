"""The log of minds' faults: each kind of fault of a mind now and then, with how often it came since."""

from __future__ import annotations

import logging

from turnwright.host.planning.rules import Idle
from turnwright.net.logs import one_line

__all__ = ["PER_TURN", "SAID_AGAIN_TURNS", "FaultLog"]

PER_TURN = 5
"""Lines of one turn."""
SAID_AGAIN_TURNS = 40
"""Turns after which the same fault of a mind is logged again."""
_FAULTS_MAX = 1_000
_log = logging.getLogger("turnwright")


class FaultLog:
    """Remembers what was logged when."""

    def __init__(self) -> None:
        self._faults: dict[tuple[str, str, str], tuple[int, int]] = {}
        """By mind, owner and reason: the turn in which it was logged last, and how often it came since."""
        self._turn = self._lines = 0

    def note(self, turn: int, idle: Idle, text: str) -> None:
        """Log that a body does nothing, and why, unless the same was logged a moment ago."""
        if turn != self._turn:
            self._turn, self._lines = turn, 0
        fault = idle.mind, idle.owner, idle.reason
        last_turn, untold = self._faults.pop(fault, (turn - SAID_AGAIN_TURNS, 0))
        if len(self._faults) >= _FAULTS_MAX:
            del self._faults[next(iter(self._faults))]
        if turn - last_turn < SAID_AGAIN_TURNS or self._lines >= PER_TURN:
            self._faults[fault] = last_turn, untold + 1
            return
        self._faults[fault] = turn, 0
        self._lines += 1
        owner = one_line(idle.owner) or "the world"
        more = f" ({untold} more like it before)" if untold else ""
        said = f"{idle.reason}: {one_line(text)}{more}"
        _log.warning(
            "turn %d: body %d (mind %s of %s) does nothing, %s",
            turn,
            idle.body,
            one_line(idle.mind),
            owner,
            said,
        )
