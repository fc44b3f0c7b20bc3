"""Ten minutes of a world whose minds use all they get: its turns get no longer, on one processor or two.

The joke of document 004: a bot that finds out how long it may think, always thinks that long, and so lets the
duration rise for ever. In virtual time, with the decisions and durations of the real server. The processes
share the processors, and the server itself computes at the same time.
"""

from __future__ import annotations

import pytest

from packages.world.tests.simulation.virtual_planner import HUNG, Simulation
from turnwright_world.host.pace import Duration
from turnwright_world.planning.limits import WORLD, Asked, PlanRules

TURNS = 2_400
"""Ten minutes of 250 ms."""
JUST_UNDER_US = 19_500
TURN_US, TURN_US_MAX = 250_000, 1_000_000
PLAN_SHARE = 3, 4


def play(
    costs_us: list[int], slots: int, processors: int, *, owner: str = WORLD, server_us: int = 20_000
) -> Duration:
    """Return how long a turn takes after ten minutes in which it may follow the machine."""
    rules = PlanRules(slots=slots, phase_us=TURN_US * PLAN_SHARE[0] // PLAN_SHARE[1])
    bodies = [Asked(number, owner, f"mind{cost_us}") for number, cost_us in enumerate(costs_us, 1)]
    costs = {asked.id: cost_us for asked, cost_us in zip(bodies, costs_us, strict=True)}
    simulation = Simulation(rules, costs, processors=processors, server_us=server_us)
    pace = Duration("turn", TURN_US, low_us=TURN_US, high_us=TURN_US_MAX)
    for _ in range(TURNS):
        report = simulation.play(bodies).report
        assert report is not None
        if pace.note(report.overload) is not None:
            simulation.turn_us = pace.value_us
    return pace


@pytest.mark.parametrize("processors", [1, 2])
@pytest.mark.parametrize(
    "costs_us",
    [
        [JUST_UNDER_US] * 20,
        [JUST_UNDER_US] * 4 + [500] * 20,
        [5_000] * 30,
        [HUNG] * 20,
    ],
    ids=["20 just under the limit", "4 beside 20 quick ones", "30 that take a quarter", "20 hung"],
)
def test_no_turn_gets_longer_where_the_slots_are_the_processors(costs_us: list[int], processors: int) -> None:
    assert play(costs_us, processors, processors).raised == 0


@pytest.mark.parametrize("cost_us", [JUST_UNDER_US, HUNG], ids=["just under the limit", "hung"])
def test_nor_where_the_minds_are_a_players(cost_us: int) -> None:
    assert play([cost_us] * 20, 1, 1, owner="mallory").raised == 0


def test_two_slots_on_one_processor_would_let_them_rise() -> None:
    """The case of interest: as many slots as the machine has processors, and the process pinned to one."""
    assert play([JUST_UNDER_US] * 20, 2, 1).value_us > 400_000
