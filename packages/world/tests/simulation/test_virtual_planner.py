"""The simulation of planning keeps to its own clock."""

from __future__ import annotations

from packages.world.tests.simulation.virtual_planner import HUNG, SLEEPS, Simulation
from turnwright_world.planning.limits import Asked, PlanRules


def test_a_plan_is_done_after_its_cost_and_the_way() -> None:
    simulation = Simulation(PlanRules(slots=2), {1: 2_000})
    outcome = simulation.play([Asked(1, "ada", "wolf")])
    assert 2_000 < outcome.done_us[1] < 2_500
    assert outcome.report is not None
    assert (outcome.report.asked, outcome.report.accepted) == (1, 1)


def test_plans_that_never_end_are_killed_whether_they_compute_or_sleep() -> None:
    simulation = Simulation(PlanRules(slots=2), {1: HUNG, 2: SLEEPS})
    outcome = simulation.play([Asked(1, "ada", "wolf"), Asked(2, "bob", "idler")])
    assert {idle.reason for idle in outcome.idle.values()} == {"slow"}


def test_the_next_phase_begins_a_turn_later() -> None:
    simulation = Simulation(PlanRules(), {})
    simulation.play([])
    assert (simulation.turn, simulation.now_ns) == (1, 250_000_000)
