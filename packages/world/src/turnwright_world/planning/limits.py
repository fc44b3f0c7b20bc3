"""Limits on planning, and its effects as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from turnwright.errors import SetupError

WORLD = ""
"""The owner of creatures of the world's own content. Players' owners always have a name."""
Reason = Literal[
    "slow", "machine", "error", "broken", "benched", "disabled", "quota", "no_time", "phase_ended", "refused"
]
"""Why a body does nothing this turn.

* slow: its mind used all its time.
* error: it raised, or its answer was invalid.
* broken: its process died or answered out of turn.
* machine: it was kept from running.
* benched, disabled: it has penalties, for some turns or until its owner acts.
* quota: see `seats_max`.
* no_time: the phase was over before it began, so it goes first next time.
* phase_ended: the turn ended while it ran.
* refused: this machine cannot run such minds safely.
"""


@dataclass(frozen=True, slots=True)
class PlanRules:
    """Numbers of the planning phase; times in µs of real time.

    Owners in `weights` are trusted: their controllers share processes. Each other owner has its own process,
    and seats_max bodies that may plan.

    Attributes:
        slots: the number of plans that run at the same time.
        plan_us: the time that a plan may use, of the machine or asleep.
        wall_us: the time after which a plan ends for any reason.
        phase_us: the time of the whole phase.
        batch_us: the work that is handed to a process in one go, of controllers known to be quick.
        batch_max: the most plans in a batch.
        weights: the weights of owners that are not one player, as shares of the whole, e.g. {WORLD: 64}.
            Every other owner has 1.

    Raises:
        SetupError: the numbers do not fit together.
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
            SetupError: the numbers do not fit together.
        """
        least = min(self.slots, self.plan_us, self.batch_us, self.batch_max, self.seats_max)
        if least < 1 or any(weight < 1 for weight in self.weights.values()):
            raise SetupError("planning: slots, plan, batch, seats and weights are 1 or more")
        if not self.plan_us <= self.wall_us or not self.plan_us <= self.phase_us:
            raise SetupError(
                f"planning: a plan may use {self.plan_us} µs, which is more than its wall time"
                f" ({self.wall_us}) or the whole phase ({self.phase_us}): give it less, or these more"
            )

    def is_trusted(self, owner: str) -> bool:
        """Return whether an owner's controllers may share processes."""
        return owner in self.weights


class Asked(NamedTuple):
    """A body that shall plan.

    Its id, who answers for its controller, and that controller's name.
    """

    id: int
    owner: str
    mind: str


class Usage(NamedTuple):
    """Time used by a plan so far, µs.

    Attributes:
        cpu_us: the time of a processor.
        wait_us: the time in which the plan could have run and had to wait. None: unknown here.
        runnable: whether it runs, or would if it had a processor. A wait that has not ended is then not in
            `wait_us` yet.
    """

    cpu_us: int
    wait_us: int | None = None
    runnable: bool = False

    def since(self, then: Usage) -> Usage:
        """Return what was used after `then`."""
        waited_us = None if self.wait_us is None or then.wait_us is None else self.wait_us - then.wait_us
        return Usage(max(0, self.cpu_us - then.cpu_us), waited_us)


@dataclass(frozen=True, slots=True)
class Run:
    """Let these bodies plan in this slot, one after the other, then call `started`.

    Without bodies it runs the canary, a plan of known work.

    Attributes:
        home: the owner whose process it must be, or None for one that trusted controllers share.
    """

    slot: int
    home: str | None
    bodies: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Kill:
    """Kill the process of this slot; what it says from now on is not heard."""

    slot: int


class Accept(NamedTuple):
    """The body's answer counts."""

    body: int


class Idle(NamedTuple):
    """The body does nothing this turn, and why.

    Attributes:
        bench: turns it now sits out, -1 until its owner acts.
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
    """What comes of a phase of planning, counted while it runs; times in µs.

    Attributes:
        idle: bodies that did not plan, by reason.
        ran, wait: what the processes ran, and waited for the machine with something to do.
        overload: the machine was too busy, as `kernel` durations want to know it. No controller can make it
            so.
        canary_late: the plan of known work came late, too.
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
