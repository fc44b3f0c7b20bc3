"""A planner without processes: runs minds, as functions, in the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from turnwright.net.clock import now_ns
from turnwright_world.host.effects import Plan
from turnwright_world.planning.net.world_planner import Answer, View, WorldPlanner

MindFunction = Callable[[Any], str]
"""Returns a command for a body's view (JSON values)."""
_log = logging.getLogger("turnwright")


class InlinePlanner(WorldPlanner):
    """Runs minds in this process.

    Args:
        minds: the minds by name. A body without one of these minds does nothing.
    """

    def __init__(self, minds: Mapping[str, MindFunction] | None = None) -> None:
        super().__init__()
        self._minds = dict(minds or {})
        self._turn = 0

    def plan(self, plan: Plan, view: View, answer: Answer) -> None:
        """Let all bodies plan until the deadline, one in each round of the event loop."""
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
                    command = mind(view(body.id)[0])
                except Exception:
                    _log.exception("the mind %r failed", body.mind)
            answer(plan.turn, body.id, command, None)
            loop.call_soon(one)

        loop.call_soon(one)

    async def close(self) -> None:
        """Plan nothing more."""
        self._turn = -1
