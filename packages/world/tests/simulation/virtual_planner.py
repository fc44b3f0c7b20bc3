"""Planning phases in virtual time: a process for each slot, plans with known costs.

    simulation = Simulation(PlanRules(), costs={1: 2_000, 2: HUNG})
    outcome = simulation.play([Asked(1, "ada", "wolf"), Asked(2, "bob", "idler")])

The decisions are those of `turnwright_world.planning`; what a process would do is made up: 0.15 ms
for the way there and back, a quarter of a millisecond for the canary, and a turn each 250 ms. With fewer
processors than processes all of them run at the same part of their speed, and wait for the rest of the
time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from turnwright_world.planning.limits import (
    Accept,
    Asked,
    Effect,
    Idle,
    Kill,
    PhaseReport,
    PlanRules,
    Run,
    Usage,
)
from turnwright_world.planning.schedule import PlanSchedule

HUNG, SLEEPS = -1, -2
"""Costs of plans that never end: one that computes, one that sleeps."""
_TRIP_US = 150
_CANARY_US = 250
_TURN_NS = 250_000_000


@dataclass
class Outcome:
    """A phase.

    Attributes:
        done_us: when each body's plan was accepted, from the beginning of the phase.
        idle: the reasons of the bodies without a plan.
        report: the report of the phase, or None before its end.
    """

    done_us: dict[int, int] = field(default_factory=dict)
    idle: dict[int, Idle] = field(default_factory=dict)
    report: PhaseReport | None = None


@dataclass
class _Slot:
    """A process.

    Attributes:
        wakes_ns: when its batch arrives.
        left_ns: the time left for the plan that runs; None: no end.
        cpu_ns, wait_ns: what that plan has used, and could have.
        batch_ns: the same of the whole batch.
    """

    bodies: list[Asked]
    wakes_ns: int
    left_ns: int | None
    asleep: bool = False
    cpu_ns: int = 0
    wait_ns: int = 0
    batch_ns: tuple[int, int] = (0, 0)


class Simulation:
    """One world's planning.

    Args:
        costs: by body, CPU µs of each of its plans, or HUNG or SLEEPS.
        processors: how many all processes share, each getting the same part; None: each has its own.
        server_us: what the server itself computes from the begin of each phase on.

    Attributes:
        turn_us: real time of a turn.
    """

    def __init__(
        self, rules: PlanRules, costs: dict[int, int], *, processors: int | None = None, server_us: int = 0
    ) -> None:
        self.schedule = PlanSchedule(rules)
        self.costs = costs
        self.turn = 0
        self.now_ns = 0
        self.turn_us = _TURN_NS // 1_000
        self._processors = processors
        self._server_us = server_us
        self._server_ns = 0
        self._slots: dict[int, _Slot] = {}
        self._outcome = Outcome()

    def play(self, bodies: list[Asked]) -> Outcome:
        """Play one phase to its end, and return its outcome."""
        self._outcome = Outcome()
        self._began_ns = self.now_ns
        self._server_ns = 1_000 * self._server_us
        self._do(self.schedule.begin(self.turn, bodies, self.now_ns, self.now_ns + 1_000 * self.turn_us))
        while self.schedule.open:
            due_ns = self.schedule.due_ns()
            assert due_ns is not None
            ended = self._run(due_ns)
            if ended is not None:
                self._answer(ended)
            else:
                for slot in self.schedule.overdue(due_ns):
                    self._do(self.schedule.look(slot, self._usage(slot), due_ns))
            if self.schedule.is_over(self.now_ns):
                self._do(self.schedule.close(self.now_ns))
        self.turn += 1
        self.now_ns = self._began_ns + 1_000 * self.turn_us
        return self._outcome

    def _run(self, until_ns: int) -> int | None:
        """Let time pass until a plan ends, and return its slot. At `until_ns`, return None."""
        while self.now_ns < until_ns:
            running = [s for s in self._slots.values() if s.wakes_ns <= self.now_ns and not s.asleep]
            sharing = len(running) + (self._server_ns > 0)
            per = max(1, sharing) if self._processors is None else max(sharing, self._processors)
            whole = per if self._processors is None else self._processors
            ends = [until_ns, *(s.wakes_ns for s in self._slots.values() if s.wakes_ns > self.now_ns)]
            lefts = [s.left_ns for s in running if s.left_ns is not None]
            lefts += [self._server_ns] if self._server_ns else []
            ends += [self.now_ns + -(-left * per // whole) for left in lefts]
            step_ns = min(ends) - self.now_ns
            self._pass(running, step_ns, step_ns * whole // per)
            for slot, found in self._slots.items():
                if found.left_ns == 0 and found.wakes_ns <= self.now_ns:
                    return slot
        return None

    def _pass(self, running: list[_Slot], step_ns: int, ran_ns: int) -> None:
        self.now_ns += step_ns
        self._server_ns = max(0, self._server_ns - ran_ns)
        for slot in running:
            slot.cpu_ns += ran_ns
            slot.wait_ns += step_ns - ran_ns
            if slot.left_ns is not None:
                slot.left_ns = max(0, slot.left_ns - ran_ns)

    def _answer(self, slot: int) -> None:
        running = self._slots[slot]
        if not running.bodies:
            took_us = running.cpu_ns // 1_000, (running.cpu_ns + running.wait_ns) // 1_000
            self._over(slot)
            self._do(self.schedule.canary(slot, took_us[1], took_us[0], self.now_ns))
            return
        asked, usage = running.bodies.pop(0), self._usage(slot)
        if running.bodies:
            spent_ns = running.batch_ns[0] + running.cpu_ns, running.batch_ns[1] + running.wait_ns
            self._slots[slot] = self._begun(running.bodies, self.now_ns, spent_ns)
        else:
            self._over(slot)
        self._do(self.schedule.answered(slot, asked.id, usage, usage.cpu_us, self.now_ns))

    def _begun(self, bodies: list[Asked], wakes_ns: int, spent_ns: tuple[int, int] = (0, 0)) -> _Slot:
        cost_us = self.costs[bodies[0].id] if bodies else _CANARY_US
        left_ns = None if cost_us < 0 else 1_000 * cost_us
        return _Slot(bodies, wakes_ns, left_ns, cost_us == SLEEPS, batch_ns=spent_ns)

    def _usage(self, slot: int) -> Usage:
        running = self._slots[slot]
        return Usage(running.cpu_ns // 1_000, running.wait_ns // 1_000, not running.asleep)

    def _over(self, slot: int) -> None:
        """End a batch, and report the total time of its process."""
        gone = self._slots.pop(slot)
        cpu_ns, wait_ns = gone.batch_ns[0] + gone.cpu_ns, gone.batch_ns[1] + gone.wait_ns
        self.schedule.batch_over(Usage(cpu_ns // 1_000, wait_ns // 1_000))

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Run):
                start_ns = self.now_ns + 1_000 * _TRIP_US
                self._slots[effect.slot] = self._begun(list(effect.bodies), start_ns)
                self.schedule.started(effect.slot, start_ns)
            elif isinstance(effect, Kill):
                self._over(effect.slot)
            elif isinstance(effect, Accept):
                self._outcome.done_us[effect.body] = (self.now_ns - self._began_ns) // 1_000
            elif isinstance(effect, Idle):
                self._outcome.idle[effect.body] = effect
            else:
                self._outcome.report = effect
