"""Phases of planning with real processes: sources in, results out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from turnwright.net import loop as loops
from turnwright_world.planning.limits import PhaseReport, PlanRules
from turnwright_world.planning.net.phase import PlanResult
from turnwright_world.planning.net.planner import Planner

RULES = PlanRules(slots=2, seats_max=100, plan_us=20_000, wall_us=20_000_000, phase_us=60_000_000)
"""The usual limits of CPU time, and so much real time that a busy machine changes no result."""
_LONG_NS = 60_000_000_000
FIRST_FORK_FAILS = """
import os, runpy
fork, refusals = os.fork, [BlockingIOError]
def first_refused():
    if refusals:
        raise refusals.pop()
    return fork()
os.fork = first_refused
runpy.run_module("turnwright_world.planning.net.worker", run_name="__main__", alter_sys=True)
"""
"""The program that forks processes, on a system that has no room for the first of them."""


def honest(rounds: int) -> str:
    """Return a mind that computes for a while, about 50 ns a round."""
    return (
        "def plan(view, random):\n"
        "    x = 1\n"
        f"    for i in range({rounds}): x = (x * 31 + i) & 65535\n"
        "    return f'go {x}'\n"
    )


class Rig:
    """A planner, and the results of each phase."""

    def __init__(self, rules: PlanRules) -> None:
        self.results: dict[int, PlanResult] = {}
        self.done_us: dict[int, int] = {}
        self.reports: list[PhaseReport] = []
        self.turn = 0
        self.view: Callable[[int], Any] = lambda body: {"turn": self.turn, "body": body}
        self.memories: dict[int, Any] = {}
        """By body: the memory of its mind, as the world would keep it."""
        self.planner = Planner(rules, seed=7, on_plan=self._plan, on_report=self._end)
        self._began_ns = 0
        self._ended = asyncio.Event()

    def _plan(self, result: PlanResult) -> None:
        assert result.body not in self.results, "one result for each body"
        self.results[result.body] = result
        if result.memory is not None:
            self.memories[result.body] = msgspec.json.decode(result.memory)
        self.done_us[result.body] = (time.monotonic_ns() - self._began_ns) // 1_000

    def seen(self, body: int) -> tuple[Any, Any]:
        """Return the view of a body, and the memory of its mind, or None."""
        return self.view(body), self.memories.get(body)

    def _end(self, report: PhaseReport) -> None:
        self.reports.append(report)
        self._ended.set()

    async def forked(self, count: int) -> None:
        """Wait until `count` processes have been forked."""
        while self.planner.processes.forked < count:
            await asyncio.sleep(0.001)

    async def phase(self, *bodies: tuple[int, str, str]) -> dict[int, PlanResult]:
        """Play one phase to its end, and return the result of each body. Meanwhile, this thread sleeps."""
        self.turn += 1
        self._ended.clear()
        self.results, self.done_us = {}, {}
        self._began_ns = time.monotonic_ns()
        self.planner.begin(self.turn, bodies, self.seen, self._began_ns + _LONG_NS)
        await self._ended.wait()
        assert set(self.results) == {body[0] for body in bodies}
        return self.results


@asynccontextmanager
async def _rig(rules: PlanRules, sources: dict[str, str]) -> AsyncIterator[Rig]:
    rig = Rig(rules)
    async with rig.planner as planner:
        for name, text in sources.items():
            planner.teach(name, text, f"minds/{name}.py")
        yield rig


def play(sources: dict[str, str], scene: Callable[[Rig], Awaitable[None]], rules: PlanRules = RULES) -> None:
    """Start a planner that knows these minds, and play a scene with it."""

    async def main() -> None:
        async with asyncio.timeout(120):
            async with _rig(rules, sources) as rig:
                await scene(rig)

    loops.run(main())
