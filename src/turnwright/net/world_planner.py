"""How the server of a world asks minds to plan: the seam, and two planners behind it.

`ProcessPlanner` lets them plan in processes that can be killed (see `planning`). `InlinePlanner` runs minds
that are ours in this process, one a round of the event loop, for tests and small worlds.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from turnwright.host.planning.rules import PhaseReport, PlanRules
from turnwright.host.world.effects import Plan
from turnwright.net import planning
from turnwright.net.clock import now_ns

__all__ = ["Answer", "InlinePlanner", "Mind", "Planner", "ProcessPlanner"]

Answer = Callable[[int, int, str, dict[str, Any] | None], None]
"""Takes a plan: turn, body, the command as a player would type it ("" = none), and what the mind remembers
from now on (None: what it did). One that comes too late is dropped."""
Mind = Callable[[Any], str]
"""Chooses a command from what a body knows (JSON values)."""
_NEVER_RUN = frozenset(("hungry", "benched", "out", "quota", "refused"))
"""Why a body had no turn to plan; nobody waits for its answer."""

_log = logging.getLogger("turnwright")


class Planner(Protocol):
    """Lets minds plan. misses: turns that were missed, by (mind, owner, reason).

    on_overload: called after a phase in which the machine, not a mind, was too slow.
    """

    on_overload: Callable[[], None]
    misses: Counter[tuple[str, str, str]]

    async def start(self) -> None:
        """Get ready."""

    def plan(self, plan: Plan, answer: Answer) -> None:
        """Begin the phase of a turn; returns at once. `answer` is called in the event loop, as plans come."""

    async def close(self) -> None:
        """Plan nothing more and let go of everything."""


class InlinePlanner:
    """Runs minds in this process. minds: by name; a body whose mind is not there does nothing."""

    def __init__(self, minds: Mapping[str, Mind] | None = None) -> None:
        self.misses: Counter[tuple[str, str, str]] = Counter()
        self.on_overload: Callable[[], None] = lambda: None
        self._minds = dict(minds or {})
        self._turn = 0

    async def start(self) -> None:
        """Do nothing."""

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

    async def close(self) -> None:
        """Plan nothing more."""
        self._turn = -1


class ProcessPlanner:
    """Plans in processes. seed: of the world; sources: by name of a mind, its file and its text."""

    def __init__(self, rules: PlanRules, seed: int, sources: Mapping[str, tuple[str, str]]) -> None:
        self._answer: Answer = lambda turn, body, command, memory: None
        self.misses: Counter[tuple[str, str, str]] = Counter()
        self._kept: dict[int, bytes] = {}
        self._known: set[int] = set()
        self.on_overload: Callable[[], None] = lambda: None
        self.planner = planning.Planner(rules, seed=seed, on_plan=self._planned, on_report=self._over)
        self.teach(sources)

    def teach(self, sources: Mapping[str, tuple[str, str]]) -> None:
        """Give the sources of minds, or other versions of them. Raises: ValueError."""
        for name, (file, text) in sources.items():
            self.planner.teach(name, text, file)

    async def start(self) -> None:
        """Start the processes."""
        await self.planner.__aenter__()

    def plan(self, plan: Plan, answer: Answer) -> None:
        """Begin the phase of a turn; what is left of the one before is cut off."""
        self._answer = answer
        for body in plan.bodies:
            if body.id not in self._known:
                self._recall(body.id, plan.view(body.id).get("memory"))
        self.planner.begin(plan.turn, plan.bodies, plan.view, plan.deadline_ns)

    async def close(self) -> None:
        """Kill the processes."""
        await self.planner.__aexit__(None, None, None)

    def _recall(self, body: int, memory: Any) -> None:
        """Give back what the world has kept of a mind's memory."""
        self._known.add(body)
        if memory:
            self._kept[body] = msgspec.json.encode(memory)
            self.planner.remember(body, self._kept[body])

    def _over(self, report: PhaseReport) -> None:
        """Tell that the machine had too much to do; that controllers were slow is no reason."""
        if report.overload:
            self.on_overload()

    def _planned(self, result: planning.PlanResult) -> None:
        """Hand a plan on, with what the mind remembers where that has changed."""
        if result.reason is not None:
            self.misses[result.mind, result.owner, result.reason] += 1
            if result.reason in _NEVER_RUN:
                return
        memory, found = None, self.planner.memory(result.body)
        if found is not None and found != self._kept.get(result.body):
            self._kept[result.body] = found
            value = msgspec.json.decode(found)
            memory = value if isinstance(value, dict) else {"value": value}
        self._answer(result.turn, result.body, result.command or "", memory)
