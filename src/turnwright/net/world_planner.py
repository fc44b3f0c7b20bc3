"""How the server of a world asks minds to plan: the seam, and the simplest planner behind it.

Plans of untrusted code run in processes that can be killed. The planner here runs minds that are ours, in
this process, one a round of the event loop, for tests and small worlds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from turnwright.games.world.intent import IDLE, WorldIntent
from turnwright.host.world.effects import Plan
from turnwright.net.clock import now_ns

__all__ = ["Answer", "InlinePlanner", "Mind", "Planner"]

Answer = Callable[[int, int, WorldIntent], None]
"""Takes a plan: (turn, body, intent); one that comes too late is dropped."""
Mind = Callable[[Any], WorldIntent]
"""Chooses from what a body knows (JSON values)."""

_log = logging.getLogger("turnwright")


class Planner(Protocol):
    """Lets minds plan."""

    def plan(self, plan: Plan, answer: Answer) -> None:
        """Begin the phase of a turn; returns at once. `answer` is called in the event loop, as plans come."""

    def close(self) -> None:
        """Plan nothing more and let go of everything."""


class InlinePlanner:
    """Runs minds in this process. minds: by name; a body whose mind is not there does nothing."""

    def __init__(self, minds: Mapping[str, Mind] | None = None) -> None:
        self._minds = dict(minds or {})
        self._turn = 0

    def plan(self, plan: Plan, answer: Answer) -> None:
        """Let all bodies plan, one a round of the event loop."""
        self._turn = plan.turn
        bodies = iter(plan.bodies)
        loop = asyncio.get_running_loop()

        def one() -> None:
            body = next(bodies, None)
            if body is None or plan.turn != self._turn or now_ns() >= plan.deadline_ns:
                return
            mind = self._minds.get(body.mind)
            intent = IDLE
            if mind is not None:
                try:
                    intent = mind(plan.view(body.id))
                except Exception:
                    _log.exception("the mind %r failed", body.mind)
            answer(plan.turn, body.id, intent)
            loop.call_soon(one)

        loop.call_soon(one)

    def close(self) -> None:
        """Plan nothing more."""
        self._turn = -1
