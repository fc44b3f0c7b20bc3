"""How the server of a world asks minds to plan: the seam, and two planners behind it.

`ProcessPlanner` lets them plan in processes that can be killed (see `planning`). `InlinePlanner` runs minds
that are ours in this process, one a round of the event loop, for tests and small worlds.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Protocol

import msgspec

from turnwright.host.planning.rules import WORLD, PhaseReport, PlanRules
from turnwright.host.world.effects import Plan
from turnwright.host.world.own_minds import FILE
from turnwright.net import planning
from turnwright.net.clock import now_ns
from turnwright.net.logs import one_line
from turnwright.net.mind_check import Mistake
from turnwright.wire.planning import Source

__all__ = ["Answer", "InlinePlanner", "Mind", "Planner", "ProcessPlanner", "longest_plan_us"]

Answer = Callable[[int, int, str, dict[str, Any] | None], None]
"""Takes a plan: turn, body, the command as a player would type it ("" = none), and what the mind remembers
from now on (None: what it did). One that comes too late is dropped."""
OnOwn = Callable[[int, int, str, str | None, str, str], None]
Mind = Callable[[Any], str]
"""Chooses a command from what a body knows (JSON values)."""
_NEVER_RUN = frozenset(("hungry", "benched", "out", "quota", "refused"))
"""Why a body had no turn to plan; nobody waits for its answer."""
_MISTAKES = frozenset(("error", "slow", "broken"))
"""Why a body did nothing that its mind can be changed for."""
_PRINTED_EVERY_TURNS = 4
"""What a mind prints is logged once in so many turns."""
_LOOK_EVERY_PHASES = 40
"""Phases after which this process is asked again how many processors it has."""
_NOT_HERE = 0, "this server runs no minds of players"
_log = logging.getLogger("turnwright")


def _nobody_cares(turn: int, body: int, owner: str, reason: str | None, text: str, printed: str) -> None:
    """Do nothing."""


def longest_plan_us(plan_us: int, phase_us: int) -> int:
    """Return what a plan may use of a phase: half at most, so that one of it can always begin, and overrun.

    Else a plan that takes the whole phase is cut off with it, which nobody is to blame for, every turn anew.
    """
    return max(1, min(plan_us, phase_us // 2))


class Planner(Protocol):
    """Lets minds plan. misses: turns that were missed, by (mind, owner, reason).

    on_overload: called after a phase in which the machine, not a mind, was too slow. on_mistake: called with
    one line when one of the world's own minds fails or takes too long, once for each new mistake.

    on_own: called with what became of each plan of a player's creature: turn, body, owner, why there is none
    (None: there is one), one line for its owner, what was printed.
    """

    on_overload: Callable[[], None]
    on_mistake: Callable[[str], None]
    on_own: OnOwn
    misses: Counter[tuple[str, str, str]]

    async def start(self) -> None:
        """Get ready."""

    def figures(self) -> Mapping[str, float]:
        """Return what minds may use now: slots, plan_ms, slowness of the processor; {} without limits."""

    def plan(self, plan: Plan, answer: Answer) -> None:
        """Begin the phase of a turn; returns at once. `answer` is called in the event loop, as plans come."""

    def check(self, source: str, done: Callable[[Mistake | None], None]) -> None:
        """Look at a player's mind; `done` is called later with its first mistake, or None."""

    def teach_own(self, name: str, source: str, body: int) -> None:
        """Learn a player's mind, for a body against which nothing is held any more."""

    def forget_own(self, name: str, owner: str) -> None:
        """Nobody uses a player's mind any more."""

    def forget(self, bodies: Iterable[int]) -> None:
        """These bodies are gone, and with them what they remembered."""

    async def close(self) -> None:
        """Plan nothing more and let go of everything."""


class InlinePlanner:
    """Runs minds in this process. minds: by name; a body whose mind is not there does nothing."""

    def __init__(self, minds: Mapping[str, Mind] | None = None) -> None:
        self.misses: Counter[tuple[str, str, str]] = Counter()
        self.on_overload: Callable[[], None] = lambda: None
        self.on_mistake: Callable[[str], None] = lambda text: None
        self.on_own: OnOwn = _nobody_cares
        self._minds = dict(minds or {})
        self._turn = 0

    async def start(self) -> None:
        """Do nothing."""

    def figures(self) -> Mapping[str, float]:
        """Return nothing: these minds have no limits."""
        return {}

    def plan(self, plan: Plan, answer: Answer) -> None:
        """Let all bodies plan, one a round of the event loop."""
        self._turn = plan.turn
        bodies = iter(plan.bodies)
        loop = asyncio.get_running_loop()

        def one() -> None:
            body = next(bodies, None)
            if body is None or plan.turn != self._turn or now_ns() >= plan.deadline_ns:
                return
            command, mind = "", self._minds.get(body.mind)
            if mind is not None:
                try:
                    command = mind(plan.view(body.id))
                except Exception:
                    _log.exception("the mind %r failed", body.mind)
            answer(plan.turn, body.id, command, None)
            loop.call_soon(one)

        loop.call_soon(one)

    def check(self, source: str, done: Callable[[Mistake | None], None]) -> None:
        """Refuse it: players' minds run in processes only."""
        asyncio.get_running_loop().call_soon(done, _NOT_HERE)

    def teach_own(self, name: str, source: str, body: int) -> None:
        """Do nothing: see `check`."""

    def forget_own(self, name: str, owner: str) -> None:
        """Do nothing: see `check`."""

    def forget(self, bodies: Iterable[int]) -> None:
        """Do nothing: these minds remember nothing."""

    async def close(self) -> None:
        """Plan nothing more."""
        self._turn = -1


class ProcessPlanner:
    """Plans in processes. seed: of the world; sources: by name of a mind, its file and its text.

    rules: its plan_us is for a usual processor; on a slower or quicker one a plan may use as much more or
    less, within plan_bounds_us (None: it stays). Its slots are the most there are; processors: how many this
    process has now, asked now and then: never more plans run at once.
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
        self._answer: Answer = lambda turn, body, command, memory: None
        self.misses: Counter[tuple[str, str, str]] = Counter()
        self._rules = rules
        self._bounds_us = plan_bounds_us or (rules.plan_us, rules.plan_us)
        self._processors = processors or (lambda: float(rules.slots))
        self._phases = 0
        self._kept: dict[int, Any] = {}
        """By body, what the world has of its memory."""
        self._mistakes: dict[str, str] = {}
        """By mind, what was told last of it."""
        self._printed: dict[str, int] = {}
        """By mind, the turn from which on what it prints is logged again."""
        self.on_overload: Callable[[], None] = lambda: None
        self.on_mistake: Callable[[str], None] = lambda text: None
        self.on_own: OnOwn = _nobody_cares
        self.planner = planning.Planner(rules, seed=seed, on_plan=self._planned, on_report=self._over)
        self.teach(sources)

    def teach(self, sources: Mapping[str, tuple[str, str]]) -> None:
        """Give the sources of minds, or other versions of them. Raises: ValueError."""
        for name, (file, text) in sources.items():
            self._mistakes.pop(name, None)
            self.planner.teach(name, text, file)

    def check(self, source: str, done: Callable[[Mistake | None], None]) -> None:
        """Look at a player's mind in a process of its own."""
        self.planner.checker.check(Source("", FILE, source), done)

    def teach_own(self, name: str, source: str, body: int) -> None:
        """Learn a player's mind, for a body against which nothing is held any more."""
        self.planner.teach(name, source, FILE)
        self.planner.pardon_body(body)

    def forget_own(self, name: str, owner: str) -> None:
        """Forget a player's mind, and end the process that ran it."""
        self.planner.forget(name, owner)

    async def start(self) -> None:
        """Start the processes."""
        await self.planner.__aenter__()
        await self.planner.calibrate()

    def figures(self) -> Mapping[str, float]:
        """Return how many plans run at once, what each may use, and how slow the processor is."""
        rules, slowness = self.planner.phase.rules, self.planner.slowness
        return {"slots": rules.slots, "plan_ms": rules.plan_us / 1_000, "slowness": round(slowness, 2)}

    def plan(self, plan: Plan, answer: Answer) -> None:
        """Begin the phase of a turn; what is left of the one before is cut off."""
        self.planner.cut()
        self._answer = answer
        self._allow(plan.budget_us or self._rules.phase_us)

        def view(body: int) -> Any:
            seen: Any
            if plan.packed is not None:
                seen, memory = plan.packed(body)
            else:
                seen = plan.view(body)
                memory = seen.get("memory") or {}
            self._recall(body, memory)
            return seen

        self.planner.begin(plan.turn, plan.bodies, view, plan.deadline_ns, plan.far)

    def forget(self, bodies: Iterable[int]) -> None:
        """Forget bodies that are gone."""
        for body in bodies:
            if self._kept.pop(body, None) is not None:
                self.planner.remember(body, None)

    async def close(self) -> None:
        """Kill the processes."""
        await self.planner.__aexit__(None, None, None)

    def _allow(self, budget_us: int) -> None:
        """Let a phase take so long, and let plans wait for the machine as much more or less.

        What a plan may use itself does not grow with it: else one that never ends would be given more and
        more. It goes with the speed of the processor alone.
        """
        rules, now = self._rules, self.planner.phase.rules
        slots = now.slots
        if self._phases % _LOOK_EVERY_PHASES == 0:
            slots = max(1, min(rules.slots, int(self._processors())))
        self._phases += 1
        least_us, most_us = self._bounds_us
        wanted_us = min(most_us, max(least_us, int(rules.plan_us * self.planner.slowness)))
        plan_us = longest_plan_us(wanted_us, budget_us)
        usual_us = longest_plan_us(rules.plan_us, budget_us)
        wall_us = rules.wall_us * budget_us * plan_us // (rules.phase_us * usual_us)
        if (slots, plan_us, budget_us) != (now.slots, now.plan_us, now.phase_us):
            self.planner.phase.rules = replace(
                rules, slots=slots, plan_us=plan_us, wall_us=max(plan_us, wall_us), phase_us=budget_us
            )

    def _recall(self, body: int, memory: Any) -> None:
        """Let a mind remember what the world has: after a restart, or when the world has changed it."""
        if self._kept.get(body, {}) != memory:
            self._kept[body] = memory
            self.planner.remember(body, msgspec.json.encode(memory) if memory else None)

    def _tell_mistake(self, result: planning.PlanResult) -> None:
        what = result.text if result.reason == "error" else str(result.reason)
        if self._mistakes.get(result.mind) != what:
            self._mistakes[result.mind] = what
            self.on_mistake(f"the mind {result.mind} does nothing: {result.text}")

    def _log_printed(self, result: planning.PlanResult) -> None:
        """Log what one of the world's own minds printed: its owner is who reads the log."""
        turn, mind = result.turn, result.mind
        if turn >= self._printed.get(mind, 0):
            self._printed[mind] = turn + _PRINTED_EVERY_TURNS
            said = one_line(result.printed.strip())
            _log.info("turn %d: the mind %s of body %d prints: %s", turn, mind, result.body, said)

    def _over(self, report: PhaseReport) -> None:
        """Tell that the machine had too much to do; that controllers were slow is no reason."""
        if report.overload:
            self.on_overload()

    def _planned(self, result: planning.PlanResult) -> None:
        """Hand a plan on, with what the mind remembers where that has changed."""
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
        memory, found = None, self.planner.memory(result.body)
        if found is not None or result.body in self._kept:
            value = {} if found is None else msgspec.json.decode(found)
            value = value if isinstance(value, dict) else {"value": value}
            if value != self._kept.get(result.body, {}):
                self._kept[result.body] = memory = value
        self._answer(result.turn, result.body, result.command or "", memory)
