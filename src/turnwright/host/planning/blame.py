"""Whose fault it is that a plan has not ended: its controller's, or the machine's.

A plan's own time is the time that has passed less the time in which it could have run and the machine did not
let it. The kernel of the system counts that wait; no controller can make its own. So a loop and a sleep are
both a controller's fault, and a crowded machine is not. Where the system does not count, the canary decides:
a plan of known work in the same phase that came late, too.
"""

from __future__ import annotations

from typing import Literal

from turnwright.host.planning.rules import Usage

__all__ = ["CANARY_LATE_US", "Blame", "OverloadMeter", "blame", "own_us"]

Blame = Literal["controller", "machine"]
CANARY_LATE_US = 5_000
"""A canary from which more than this and twice its own work was withheld is late."""
_WINDOW = 5
_LATE_OF_WINDOW = 3


def own_us(wall_us: int, usage: Usage) -> int:
    """Return how much of the time that has passed was the plan's own."""
    if usage.wait_us is None:
        return wall_us
    return max(usage.cpu_us, wall_us - usage.wait_us)


def blame(wall_us: int, usage: Usage, plan_us: int, wall_max_us: int, *, canary_late: bool) -> Blame | None:
    """Return who is to blame for a plan that has not ended after `wall_us`; None: it may go on.

    plan_us: its own time's limit; wall_max_us: the limit of time that passes.
    """
    if usage.cpu_us >= plan_us:
        return "controller"
    if own_us(wall_us, usage) >= plan_us and (usage.wait_us is not None or not canary_late):
        return "controller"
    return "machine" if wall_us >= wall_max_us else None


class OverloadMeter:
    """Whether the machine is overloaded: 3 of the last 5 phases were late by the canary or by its misses."""

    def __init__(self) -> None:
        self._late: list[bool] = []

    def note(self, late: bool) -> bool:
        """Note a phase; return whether there is overload now."""
        self._late = [*self._late[1 - _WINDOW :], late]
        return sum(self._late) >= _LATE_OF_WINDOW

    @staticmethod
    def is_late(wall_us: int, cpu_us: int) -> bool:
        """Return whether a canary came late."""
        return wall_us - cpu_us > max(CANARY_LATE_US, 2 * cpu_us)
