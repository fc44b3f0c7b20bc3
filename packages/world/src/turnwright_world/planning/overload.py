"""Tells a slow mind from a slow machine.

A plan's own time is the time that has passed less the time in which it could have run and the machine did not
let it. The kernel of the system counts that wait. No controller can make its own. So a loop and a sleep are
both a controller's fault, and a crowded machine is not. A wait is counted when it ends: who would run at this
moment is looked at again. Where the system does not count, the canary decides: a plan of known work in the
same phase that came late, too.
"""

from __future__ import annotations

from typing import Literal

from turnwright_world.planning.limits import Usage

AtFault = Literal["controller", "machine"]
CANARY_LATE_US = 5_000
"""A canary from which more than this and twice its own work was withheld is late."""
CROWDED_US = 10_000
"""Waiting, summed up over the plans of a phase, that is nothing yet."""
_WINDOW = 5
_LATE_OF_WINDOW = 3


def own_us(wall_us: int, usage: Usage) -> int:
    """Return how much of the time that has passed was the plan's own."""
    if usage.wait_us is None:
        return wall_us
    return max(usage.cpu_us, wall_us - usage.wait_us)


def fault_of(
    wall_us: int, usage: Usage, plan_us: int, wall_max_us: int, *, ran_since_us: int | None, canary_late: bool
) -> AtFault | None:
    """Return the cause of a plan that has not ended after `wall_us`, or None if it may continue.

    A wait that has not ended took at most `ran_since_us`.

    Args:
        plan_us: the limit of the plan's own time.
        wall_max_us: the limit of time that passes.
        ran_since_us: a time within which it has run, or None if not known.
    """
    if usage.cpu_us >= plan_us:
        return "controller"
    last = wall_us >= wall_max_us
    own = own_us(wall_us, usage)
    if usage.wait_us is None:
        fault = own >= plan_us and not canary_late
    elif not usage.runnable:
        fault = own >= plan_us
    else:
        fault = last and ran_since_us is not None and own - ran_since_us >= plan_us
    return "controller" if fault else "machine" if last else None


class OverloadMeter:
    """Whether the machine is overloaded.

    In 3 of the last 5 phases it kept plans waiting.
    """

    def __init__(self) -> None:
        self._late: list[bool] = []

    def note(self, late: bool) -> bool:
        """Note a phase; return whether there is overload now."""
        self._late = [*self._late[1 - _WINDOW :], late]
        return sum(self._late) >= _LATE_OF_WINDOW

    @staticmethod
    def is_crowded(wait_us: int, ran_us: int) -> bool:
        """Return whether the plans of a phase waited for the machine longer than they ran."""
        return wait_us > max(CROWDED_US, ran_us)

    @staticmethod
    def is_late(wall_us: int, cpu_us: int) -> bool:
        """Return whether a canary came late."""
        return wall_us - cpu_us > max(CANARY_LATE_US, 2 * cpu_us)
