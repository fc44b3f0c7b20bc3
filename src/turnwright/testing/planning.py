"""Phases of planning played in virtual time: as many processes as slots, each plan with a known cost.

    simulation = Simulation(PlanRules(), costs={1: 2_000, 2: HUNG})
    outcome = simulation.play([Asked(1, "ada", "wolf"), Asked(2, "bob", "idler")])

The decisions are those of `turnwright.host.planning`; what a process would do is made up: 0.15 ms for the
way there and back, a quarter of a millisecond for the canary, and a turn each 250 ms.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from turnwright.host.planning.phase import PlanPhase
from turnwright.host.planning.rules import (
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

__all__ = ["HUNG", "SLEEPS", "Outcome", "Simulation"]

HUNG, SLEEPS = -1, -2
"""Costs of plans that never end: one that computes, one that sleeps."""
_TRIP_US = 150
_CANARY_US = 250
_TURN_NS = 250_000_000


@dataclass
class Outcome:
    """A phase. done_us: when each body's plan was accepted, from the begin; idle: what the others met."""

    done_us: dict[int, int] = field(default_factory=dict)
    idle: dict[int, Idle] = field(default_factory=dict)
    report: PhaseReport | None = None


@dataclass
class _Slot:
    bodies: list[Asked]
    since_ns: int
    ends_ns: int | None


class Simulation:
    """One world's planning. costs: by body, CPU µs of each of its plans, or HUNG or SLEEPS."""

    def __init__(self, rules: PlanRules, costs: dict[int, int]) -> None:
        self.phase = PlanPhase(rules)
        self.costs = costs
        self.turn = 0
        self.now_ns = 0
        self._slots: dict[int, _Slot] = {}
        self._outcome = Outcome()

    def play(self, bodies: list[Asked]) -> Outcome:
        """Play one phase to its end."""
        self._outcome = Outcome()
        self._began_ns = self.now_ns
        self._do(self.phase.begin(self.turn, bodies, self.now_ns, self.now_ns + _TURN_NS))
        while self.phase.open:
            due_ns = self.phase.due_ns()
            assert due_ns is not None
            ends = [(s.ends_ns, slot) for slot, s in self._slots.items() if s.ends_ns is not None]
            if ends and min(ends)[0] <= due_ns:
                self.now_ns, slot = min(ends)
                self._answer(slot)
            else:
                self.now_ns = due_ns
                for slot in self.phase.overdue(due_ns):
                    self._do(self.phase.look(slot, self._usage(slot), due_ns))
            if self.phase.is_over(self.now_ns):
                self._do(self.phase.close(self.now_ns))
        self.turn += 1
        self.now_ns = self._began_ns + _TURN_NS
        return self._outcome

    def _answer(self, slot: int) -> None:
        running = self._slots[slot]
        if not running.bodies:
            del self._slots[slot]
            self._do(self.phase.canary(slot, _CANARY_US, _CANARY_US, self.now_ns))
            return
        asked = running.bodies.pop(0)
        cost_us = self.costs[asked.id]
        if running.bodies:
            running.since_ns, running.ends_ns = self.now_ns, self._end_of(running.bodies[0])
        else:
            del self._slots[slot]
        self._do(self.phase.answered(slot, asked.id, Usage(cost_us, 0), cost_us, self.now_ns))

    def _end_of(self, asked: Asked) -> int | None:
        cost_us = self.costs[asked.id]
        return None if cost_us < 0 else self.now_ns + 1_000 * cost_us

    def _usage(self, slot: int) -> Usage:
        running = self._slots[slot]
        asleep = bool(running.bodies) and self.costs[running.bodies[0].id] == SLEEPS
        return Usage(0 if asleep else (self.now_ns - running.since_ns) // 1_000, 0, not asleep)

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Run):
                start_ns = self.now_ns + 1_000 * _TRIP_US
                slot = self._slots[effect.slot] = _Slot(
                    list(effect.bodies), start_ns, start_ns + 1_000 * _CANARY_US
                )
                if effect.bodies:
                    end_ns = self._end_of(effect.bodies[0])
                    slot.ends_ns = None if end_ns is None else end_ns + 1_000 * _TRIP_US
                self.phase.started(effect.slot, start_ns)
            elif isinstance(effect, Kill):
                del self._slots[effect.slot]
            elif isinstance(effect, Accept):
                self._outcome.done_us[effect.body] = (self.now_ns - self._began_ns) // 1_000
            elif isinstance(effect, Idle):
                self._outcome.idle[effect.body] = effect
            else:
                self._outcome.report = effect
