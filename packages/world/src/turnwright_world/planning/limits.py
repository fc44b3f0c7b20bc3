"""Limits of planning, and the effects that planning returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from turnwright.errors import SetupError

WORLD = ""
"""The owner of the creatures in the world's own content. Owners that are players have a name."""
Reason = Literal[
    "slow", "machine", "error", "broken", "benched", "disabled", "quota", "no_time", "phase_ended", "refused"
]
"""Why a body does nothing this turn.

* slow: the mind used all its time.
* error: the mind raised an exception, or its answer was invalid.
* broken: the mind's process died or answered out of turn.
* machine: the machine was too busy to run the mind.
* benched: the mind is suspended for some turns.
* disabled: the mind is suspended until its owner acts.
* quota: the owner has more bodies than `seats_max`.
* no_time: the phase ended before the plan began. The body plans first in the next turn.
* phase_ended: the turn ended while the mind ran.
* refused: this machine cannot run such minds safely.
"""


@dataclass(frozen=True, slots=True)
class PlanRules:
    """Numbers of the planning phase. Times are in µs of real time.

    Owners in `weights` are trusted, and their minds share processes. Every other owner has its own process,
    and at most seats_max bodies that may plan.

    Attributes:
        slots: the number of plans that run at the same time.
        plan_us: the time that a plan may use, computing or sleeping.
        wall_us: the time after which a plan ends in any case.
        phase_us: the time of the whole phase.
        batch_us: the expected work in one batch for a process. Only minds known to be quick share a batch.
        batch_max: the most plans in a batch.
        weights: the weights of owners that are not players, e.g. {WORLD: 64}. Every other owner has weight 1.

    Raises:
        SetupError: the numbers contradict each other.
    """

    slots: int = 2
    plan_us: int = 20_000
    wall_us: int = 60_000
    phase_us: int = 100_000
    batch_us: int = 4_000
    batch_max: int = 128
    seats_max: int = 20
    weights: Mapping[str, int] = field(default_factory=lambda: {WORLD: 64})

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            SetupError: a number is below 1, or two numbers contradict each other.
        """
        least = min(self.slots, self.plan_us, self.batch_us, self.batch_max, self.seats_max)
        if least < 1 or any(weight < 1 for weight in self.weights.values()):
            raise SetupError("planning: slots, plan, batch, seats and weights must be 1 or more")
        if not self.plan_us <= self.wall_us or not self.plan_us <= self.phase_us:
            raise SetupError(
                f"planning: a plan may use {self.plan_us} µs, which is more than its wall time"
                f" ({self.wall_us}) or the whole phase ({self.phase_us}): give it less, or these more"
            )

    def is_trusted(self, owner: str) -> bool:
        """Return whether an owner's minds may share processes."""
        return owner in self.weights


class Asked(NamedTuple):
    """A body that is asked for a plan: its id, the owner of its mind, and the mind's name."""

    id: int
    owner: str
    mind: str


class Usage(NamedTuple):
    """The time that a plan has used so far, in µs.

    Attributes:
        cpu_us: the processor time.
        wait_us: the time in which the plan was ready to run and waited for a processor. None if this system
            does not report it.
        runnable: whether the plan runs or waits for a processor. `wait_us` does not include an unfinished
            wait.
    """

    cpu_us: int
    wait_us: int | None = None
    runnable: bool = False

    def since(self, then: Usage) -> Usage:
        """Return the usage since `then`."""
        waited_us = None if self.wait_us is None or then.wait_us is None else self.wait_us - then.wait_us
        return Usage(max(0, self.cpu_us - then.cpu_us), waited_us)


@dataclass(frozen=True, slots=True)
class Run:
    """Run the minds of these bodies in a slot, one after the other, then call `started`.

    Without bodies, run the canary, a plan with a known amount of work.

    Attributes:
        home: the owner whose process must be used, or None for a process that trusted minds share.
    """

    slot: int
    home: str | None
    bodies: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Kill:
    """Kill the process of this slot and ignore its further output."""

    slot: int


class Accept(NamedTuple):
    """The body's answer counts."""

    body: int


class Idle(NamedTuple):
    """The body does nothing this turn, for a reason.

    Attributes:
        bench: the number of turns for which the mind is suspended. -1 means that it is suspended until its
            owner acts.
    """

    body: int
    owner: str
    mind: str
    reason: Reason
    wall_us: int = 0
    usage: Usage | None = None
    penalties: int = 0
    bench: int = 0

    @property
    def text(self) -> str:
        """One line for the body's owner."""
        if self.usage is None and not self.bench:
            return _TEXTS[self.reason]
        return " ".join((_TEXTS[self.reason], *self._figures(), *self._bench()))

    def _figures(self) -> list[str]:
        if self.usage is None:
            return []
        return [f"({self.wall_us / 1000:.1f} ms, of them {self.usage.cpu_us / 1000:.1f} ms running)"]

    def _bench(self) -> list[str]:
        if self.bench < 0:
            return ["- out, until you give it a new program or let it back in"]
        return [f"- strike {self.penalties}: it sits out {self.bench} turn(s)"] if self.bench else []


_TEXTS: dict[Reason, str] = {
    "slow": "it used all its time",
    "machine": "the machine was too busy to let it plan; this is no fault of yours",
    "error": "its program failed",
    "broken": "its process ended or answered out of turn",
    "benched": "it sits this turn out",
    "disabled": "it is out, until you give it a new program or let it back in",
    "quota": "you have more creatures than may plan",
    "no_time": "no turn came for it before the time for plans was over; it goes first next turn",
    "phase_ended": "the turn ended while it planned",
    "refused": "this machine cannot run players' programs safely (it needs Linux with seccomp)",
}


@dataclass(slots=True)
class PhaseReport:
    """The outcome of a planning phase, updated while it runs. Times are in µs.

    Attributes:
        asked, accepted: the number of bodies that were asked, and of those whose plans count.
        used_us: the real time of the whole phase.
        idle: the number of bodies that did not plan, by reason.
        ran_us, wait_us: how long the processes ran, and how long they were ready and waited for a processor.
        overload: whether the machine was too busy. No mind can cause this.
        canary_late: whether the canary, a plan with a known amount of work, was late.
    """

    turn: int
    asked: int
    used_us: int = 0
    accepted: int = 0
    idle: Counter[Reason] = field(default_factory=Counter)
    canary_late: bool = False
    overload: bool = False
    ran_us: int = 0
    wait_us: int = 0


Effect = Run | Kill | Accept | Idle | PhaseReport
