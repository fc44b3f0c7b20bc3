"""The planner of a world's server: minds and their sources.

`ProcessPlanner` runs minds in processes that can be killed (see `planning`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from turnwright.wire.escape import one_line
from turnwright_world.host.effects import Plan
from turnwright_world.host.minds.player_mind import FILE
from turnwright_world.planning.limits import WORLD, PhaseReport, PlanRules
from turnwright_world.planning.messages import Source
from turnwright_world.planning.net import planner as planning
from turnwright_world.planning.net.mind_check import Mistake
from turnwright_world.planning.net.phase import PlanResult, View

Answer = Callable[[int, int, str, dict[str, Any] | None], None]
"""Receives a plan: turn, body, command and memory. A plan that comes too late is dropped.

The command is as a player would type it, or "" for none. The memory is None if it is unchanged.
"""
OnOwn = Callable[[int, int, str, str | None, str, str], None]
_NEVER_RUN = frozenset(("no_time", "benched", "disabled", "quota", "refused"))
"""Reasons why a body may not plan. The turn does not wait for its answer."""
_MISTAKES = frozenset(("error", "slow", "broken"))
"""Reasons for a missing plan that a change of the mind can remove."""
_PRINTED_EVERY_TURNS = 4
"""Turns between two log lines of what a mind prints."""
_LOOK_EVERY_PHASES = 40
"""The number of phases between two checks of how many processors this process has."""
_NOT_HERE = 0, "this server runs no minds of players"
_log = logging.getLogger("turnwright")


def longest_plan_us(plan_us: int, phase_us: int) -> int:
    """Return the longest time of a plan in a phase.

    It is at most half of the phase. If it were as long as the phase, a plan that never ends would always end
    with the phase, before it exceeds its limit. So it would never count as a fault.
    """
    return max(1, min(plan_us, phase_us // 2))


class WorldPlanner:
    """Base class of planners. By itself it lets no body plan.

    Attributes:
        misses: the number of missed turns by (mind, owner, reason).
        on_overload: called after a phase in which the machine, not a mind, was too slow.
        on_mistake: called with one line when one of the world's own minds fails or takes too long, once for
            each new mistake.
        on_own: called with the outcome of each plan of a player's creature. Its arguments are turn, body,
            owner, why the plan is missing (or None), one line for its owner, and what was printed.
    """

    def __init__(self) -> None:
        self.misses: Counter[tuple[str, str, str]] = Counter()
        self.on_overload: Callable[[], None] = lambda: None
        self.on_mistake: Callable[[str], None] = lambda text: None
        self.on_own: OnOwn = lambda *outcome: None

    async def start(self) -> None:
        """Start the planner's processes, if it has any."""

    def figures(self) -> Mapping[str, float]:
        """Return the current limits of plans (slots, plan_ms, slowness), or {} without limits."""
        return {}

    def plan(self, plan: Plan, view: View, answer: Answer) -> None:
        """Begin the phase of a turn, and return immediately.

        `answer` is called in the event loop for each plan that comes.
        """
        for body in plan.bodies:
            asyncio.get_running_loop().call_soon(answer, plan.turn, body.id, "", None)

    def check(self, source: str, done: Callable[[Mistake | None], None]) -> None:
        """Check a player's mind. `done` is called later with the mind's first mistake, or None."""
        asyncio.get_running_loop().call_soon(done, _NOT_HERE)

    def teach_own(self, name: str, source: str, body: int) -> None:
        """Load a player's mind for a body, and forget the body's penalties."""

    def forget_own(self, name: str, owner: str) -> None:
        """Unload a player's mind that is no longer used."""

    async def close(self) -> None:
        """Stop planning and release all resources."""


class ProcessPlanner(WorldPlanner):
    """Lets minds plan in processes.

    The time limit of a plan is scaled by the speed of this processor relative to the reference processor.

    Args:
        seed: the seed of the world.
        sources: file name and text of each mind, by the mind's name.
        rules: the limits. plan_us is for the reference processor. slots is the largest number of slots.
        plan_bounds_us: the bounds of plan_us, or None if it does not change.
        processors: returns how many processors this process has now. It is called at intervals. The number of
            plans that run at the same time is at most the number of processors.
    """

    def __init__(
        self,
        rules: PlanRules,
        seed: int,
        sources: Mapping[str, tuple[str, str]],
        *,
        plan_bounds_us: tuple[int, int] | None = None,
        processors: Callable[[], float] | None = None,
    ) -> None:
        super().__init__()
        self._answer: Answer = lambda turn, body, command, memory: None
        self._rules = rules
        self._bounds_us = plan_bounds_us or (rules.plan_us, rules.plan_us)
        self._processors = processors or (lambda: float(rules.slots))
        self._phases = 0
        self._mistakes: dict[str, str] = {}
        """The last reported mistake of each mind."""
        self._printed: dict[str, int] = {}
        """For each mind, the first turn in which its output is logged again."""
        known = replace(rules, slots=self._slots())
        self.planner = planning.Planner(known, seed=seed, on_plan=self._planned, on_report=self._over)
        self.teach(sources)

    def teach(self, sources: Mapping[str, tuple[str, str]]) -> None:
        """Load new or changed sources of minds.

        Raises:
            ValueError: a source is too long.
        """
        for name, (file, text) in sources.items():
            self._mistakes.pop(name, None)
            self.planner.teach(name, text, file)

    def check(self, source: str, done: Callable[[Mistake | None], None]) -> None:
        """Check a player's mind in a separate process."""
        self.planner.checker.check(Source("", FILE, source), done)

    def teach_own(self, name: str, source: str, body: int) -> None:
        """Load a player's mind for a body, and forget the body's penalties."""
        self.planner.teach(name, source, FILE)
        self.planner.schedule.penalties.pardon_body(body)

    def forget_own(self, name: str, owner: str) -> None:
        """Unload a player's mind, and end its owner's process if no plan runs in it."""
        self.planner.forget(name, owner)

    async def start(self) -> None:
        """Start and calibrate the processes.

        Raises:
            SetupError: no process can start.
        """
        await self.planner.__aenter__()
        await self.planner.calibrate()

    def figures(self) -> Mapping[str, float]:
        """Return the number of slots, the time limit of plans, and the slowness of the processor."""
        rules, slowness = self.planner.schedule.rules, self.planner.slowness
        return {"slots": rules.slots, "plan_ms": rules.plan_us / 1_000, "slowness": round(slowness, 2)}

    def plan(self, plan: Plan, view: View, answer: Answer) -> None:
        """Begin the phase of a turn. If the previous phase still runs, end it."""
        self.planner.cut()
        self._answer = answer
        self._allow(plan.budget_us or self._rules.phase_us)
        self.planner.begin(plan.turn, plan.bodies, view, plan.deadline_ns, plan.far)

    async def close(self) -> None:
        """Kill the processes."""
        await self.planner.__aexit__(None, None, None)

    def _slots(self) -> int:
        return max(1, min(self._rules.slots, int(self._processors())))

    def _allow(self, budget_us: int) -> None:
        """Set a phase's duration and slots, and adapt how long plans may wait for the machine.

        The time that a plan itself may use depends only on the processor's speed. If this time grew with the
        phase, a plan that never ends would get more and more time.
        """
        rules, now = self._rules, self.planner.schedule.rules
        slots = now.slots
        if self._phases % _LOOK_EVERY_PHASES == 0:
            slots = self._slots()
        self._phases += 1
        least_us, most_us = self._bounds_us
        wanted_us = min(most_us, max(least_us, int(rules.plan_us * self.planner.slowness)))
        plan_us = longest_plan_us(wanted_us, budget_us)
        usual_us = longest_plan_us(rules.plan_us, budget_us)
        wall_us = rules.wall_us * budget_us * plan_us // (rules.phase_us * usual_us)
        if (slots, plan_us, budget_us) != (now.slots, now.plan_us, now.phase_us):
            self.planner.schedule.rules = replace(
                rules, slots=slots, plan_us=plan_us, wall_us=max(plan_us, wall_us), phase_us=budget_us
            )

    def _tell_mistake(self, result: PlanResult) -> None:
        what = result.text if result.reason == "error" else str(result.reason)
        if self._mistakes.get(result.mind) != what:
            self._mistakes[result.mind] = what
            self.on_mistake(f"the mind {result.mind} does nothing: {result.text}")

    def _log_printed(self, result: PlanResult) -> None:
        """Log what one of the world's own minds printed, because its owner reads the log."""
        turn, mind = result.turn, result.mind
        if turn >= self._printed.get(mind, 0):
            self._printed[mind] = turn + _PRINTED_EVERY_TURNS
            said = one_line(result.printed.strip())
            _log.info("turn %d: the mind %s of body %d prints: %s", turn, mind, result.body, said)

    def _over(self, report: PhaseReport) -> None:
        """Report that the machine was overloaded. Slow minds do not count as overload."""
        if report.overload:
            self.on_overload()

    def _planned(self, result: PlanResult) -> None:
        """Pass on a plan, with the mind's memory if it has changed."""
        if result.printed and result.owner == WORLD:
            self._log_printed(result)
        if result.owner != WORLD:
            self.on_own(result.turn, result.body, result.owner, result.reason, result.text, result.printed)
        if result.reason is not None:
            self.misses[result.mind, result.owner, result.reason] += 1
            if result.reason in _MISTAKES and result.owner == WORLD:
                self._tell_mistake(result)
            if result.reason in _NEVER_RUN:
                return
        memory = None if result.memory is None else msgspec.json.decode(result.memory) or {}
        if memory is not None and not isinstance(memory, dict):
            memory = {"value": memory}
        self._answer(result.turn, result.body, result.command or "", memory)
