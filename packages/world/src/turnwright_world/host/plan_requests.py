"""Requests for plans of a turn, and the plans that came back.

begin       the host asks minds for plans for the next turn or the open turn
planned     a plan has arrived. It counts now, or waits until its turn is open
opened      the turn is open, and its waiting plans count
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from turnwright.kernel.battle import Battle
from turnwright_world.game import WorldGame
from turnwright_world.host import effects as fx
from turnwright_world.host.pace import TurnPace
from turnwright_world.intent import WorldIntent
from turnwright_world.wire.clock import GameClock

PLANNED_PERCENT = 96
"""The latest time for plans, as a share of a turn. It leaves time to read the plans before the turn ends."""


class PlanTime(NamedTuple):
    """The time from the request until the plan came, in ns."""

    took_ns: int
    body: int
    mind: str


class PlanRequests:
    """The requests to the minds of one world, and their plans.

    Args:
        battle: the battle of a `WorldGame`.

    Attributes:
        times: how long the plans for the open turn took.
    """

    def __init__(
        self,
        battle: Battle,
        clock: GameClock,
        emit: Callable[[fx.Effect], None],
        pace: TurnPace,
    ) -> None:
        assert isinstance(battle.game, WorldGame)
        self.times: list[PlanTime] = []
        self._game: WorldGame = battle.game
        self._battle = battle
        self._clock = clock
        self._emit = emit
        self._pace = pace
        self._turn = self._since_ns = 0
        self._minds: dict[int, str] = {}
        self._early: list[tuple[int, WorldIntent, int]] = []

    def begin_early(self, now_ns: int) -> None:
        """Ask the minds to plan for the next turn."""
        self._begin(self._battle.turn + 1, self._game.awaited(self._battle.state), now_ns)

    def opened(self, turn: int, awaited: tuple[int, ...], now_ns: int) -> None:
        """Ask for the plans of an open turn.

        Minds that have not been asked for a plan for this turn are asked now. Plans that have arrived earlier
        count for this turn.
        """
        self.times.clear()
        if self._turn != turn or self._minds.keys() != set(awaited):
            self._begin(turn, awaited, now_ns)
        self._battle.collecting.inbox.sent_all(awaited, [self._since_ns] * len(awaited))
        early, self._early = self._early, []
        for body, intent, came_ns in early:
            self._take(body, intent, came_ns)

    def planned(self, turn: int, body: int, intent: WorldIntent, now_ns: int, *, running: bool) -> None:
        """Accept a plan, or drop it if it is too late.

        Args:
            running: whether a turn is collecting intents.
        """
        if turn != self._turn or turn != self._battle.turn + 1 or body not in self._minds:
            return
        if running:
            self._take(body, intent, now_ns)
        elif not self._battle.is_open:
            self._early.append((body, intent, now_ns))

    def forget(self) -> None:
        """Forget all plans, because the world stops.

        When the world continues, the minds plan the next turn again.
        """
        self._turn = 0
        self._early.clear()

    def _take(self, body: int, intent: WorldIntent, now_ns: int) -> None:
        self._battle.collecting.submit(body, intent, now_ns, self._turn)
        self.times.append(PlanTime(now_ns - self._since_ns, body, self._minds[body]))

    def _begin(self, turn: int, awaited: Iterable[int], now_ns: int) -> None:
        state = self._battle.state
        creatures = state.world.creatures
        awake = sorted(awaited, key=lambda n: creatures[n].place)  # bodies with the same view together
        bodies = [fx.PlanningBody(n, creatures[n].owner, creatures[n].mind) for n in awake]
        self._turn, self._since_ns = turn, now_ns
        self._minds = {body.id: body.mind for body in bodies}
        self._early.clear()
        if bodies:
            deadline_ns = now_ns + self._pace.plan.value_us * 1000
            ends_ns = self._clock.due_ns(state.world.now_us + state.world.dt_us)
            if ends_ns is not None:
                deadline_ns = min(
                    deadline_ns, ends_ns - self._pace.turn.value_us * 10 * (100 - PLANNED_PERCENT)
                )
            far = self._game.far(state)
            self._emit(fx.Plan(turn, deadline_ns, bodies, self._pace.plan.value_us, far))
