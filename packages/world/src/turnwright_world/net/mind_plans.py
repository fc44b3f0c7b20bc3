"""Asks minds for plans and gives the plans to the host."""

from __future__ import annotations

from functools import partial
from typing import Any

from turnwright.net.clock import now_ns
from turnwright.net.server_loop import ServerLoop
from turnwright_world.host import effects as fx
from turnwright_world.host.host import WorldHost
from turnwright_world.net.connections import PlayerConnection
from turnwright_world.planning.net.world_planner import WorldPlanner


class MindPlans:
    """Connects the host and the planner."""

    def __init__(self, host: WorldHost, planner: WorldPlanner, loop: ServerLoop[PlayerConnection]) -> None:
        self._host = host
        self._planner = planner
        self._loop = loop
        planner.on_overload = self._overloaded
        planner.on_mistake = lambda text: loop.tell(None, host.builders, text)
        planner.on_own = self._planned_own

    def plan(self, effect: fx.Plan) -> None:
        """Ask minds to plan, after the messages for players have been sent."""
        turns = self._host.turns
        view = partial(turns.game.observe_packed, turns.state)
        self._loop.call_soon(self._planner.plan, effect, view, self._planned)

    def check(self, effect: fx.CheckMind) -> None:
        """Check the source of a player's mind, and later tell the host the result."""

        def done(mistake: tuple[int, str] | None) -> None:
            self._loop.tell(None, self._host.mind_checked, effect.ticket, effect.owner, mistake, now_ns())

        self._planner.check(effect.source, done)

    def _overloaded(self) -> None:
        self._host.turns.pace.overloaded = True

    def _planned(self, turn: int, body: int, command: str, memory: dict[str, Any] | None) -> None:
        self._host.planned(turn, body, command, now_ns(), memory)

    def _planned_own(
        self, turn: int, body: int, owner: str, reason: str | None, text: str, printed: str
    ) -> None:
        if self._host.minds.planned(turn, body, owner, reason, text, printed):
            self._loop.work()
