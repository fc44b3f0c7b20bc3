"""Decides whether a mind or the machine is slow.

A plan's own time is the elapsed time minus the time in which the plan was ready to run and waited for a
processor. The operating system measures this wait, and no mind can cause it. So an endless loop and a sleep
are both a mind's fault, but a crowded machine is not. The system counts a wait only when the wait ends, so a
plan that is ready to run is checked again later. If the system does not measure waits, the canary decides.
The canary is a plan with a known amount of work. If the canary was late in the same phase, the machine is at
fault.
"""

from __future__ import annotations

from typing import Literal

from turnwright_world.planning.limits import Usage

AtFault = Literal["controller", "machine"]
"""What made a plan late: the mind ("controller") or the machine."""
CANARY_LATE_US = 5_000
"""A canary is late if it waited longer than this and longer than twice its own work."""
CROWDED_US = 10_000
"""The total wait of all plans in a phase up to which the machine does not count as crowded."""
_WINDOW = 5
_LATE_OF_WINDOW = 3


def own_us(wall_us: int, usage: Usage) -> int:
    """Return the part of the elapsed time in which the plan did not wait for a processor."""
    if usage.wait_us is None:
        return wall_us
    return max(usage.cpu_us, wall_us - usage.wait_us)


def fault_of(
    wall_us: int, usage: Usage, plan_us: int, wall_max_us: int, *, ran_since_us: int | None, canary_late: bool
) -> AtFault | None:
    """Return what is at fault for a plan that has not ended after `wall_us`, or None if it may continue.

    Args:
        plan_us: the limit of the plan's own time.
        wall_max_us: the limit of the elapsed time.
        ran_since_us: a time span in µs, up to now, in which the plan has run at least once, or None if that
            is not known. If the plan is waiting now, it has waited for at most this time.
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
    """Decides whether the machine is overloaded: it kept plans waiting in 3 of the last 5 phases."""

    def __init__(self) -> None:
        self._late: list[bool] = []

    def note(self, late: bool) -> bool:
        """Note whether a phase was late, and return whether the machine is overloaded now."""
        self._late = [*self._late[1 - _WINDOW :], late]
        return sum(self._late) >= _LATE_OF_WINDOW

    @staticmethod
    def is_crowded(wait_us: int, ran_us: int) -> bool:
        """Return whether the plans of a phase waited longer than they ran, and longer than CROWDED_US."""
        return wait_us > max(CROWDED_US, ran_us)

    @staticmethod
    def is_late(wall_us: int, cpu_us: int) -> bool:
        """Return whether a canary came late (see CANARY_LATE_US)."""
        return wall_us - cpu_us > max(CANARY_LATE_US, 2 * cpu_us)
