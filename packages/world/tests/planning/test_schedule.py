"""The phase of planning: order, limits and budget, also with vicious minds."""

from __future__ import annotations

import statistics

import pytest

from packages.world.tests.simulation.virtual_planner import HUNG, SLEEPS, Outcome, Simulation
from turnwright_world.planning.limits import (
    WORLD,
    Accept,
    Asked,
    Idle,
    Kill,
    PhaseReport,
    PlanRules,
    Run,
    Usage,
)
from turnwright_world.planning.schedule import PlanSchedule

MS = 1_000_000
RULES = PlanRules(slots=2, plan_us=20_000, wall_us=60_000, phase_us=100_000, seats_max=100)
HONEST_US = 2_000


def _honest(count: int) -> list[Asked]:
    return [Asked(number, f"owner{number}", "honest") for number in range(1, count + 1)]


def _vicious(count: int, owners: int = 1) -> list[Asked]:
    return [Asked(1_000 + n, f"vicious{n % owners}", "vicious") for n in range(count)]


def _play(
    honest: int, vicious: list[Asked], cost_us: int, turns: int = 400, rules: PlanRules = RULES
) -> list[Outcome]:
    bodies = _honest(honest) + vicious
    costs = {asked.id: HONEST_US for asked in bodies} | {asked.id: cost_us for asked in vicious}
    simulation = Simulation(RULES, costs)
    return [simulation.play(bodies) for _ in range(turns)]


def _median_done_us(outcomes: list[Outcome], honest: int) -> list[float]:
    """Of each honest body, the median of when it was done."""
    return [
        statistics.median(outcome.done_us.get(body, 1_000_000) for outcome in outcomes)
        for body in range(1, honest + 1)
    ]


def _missed(outcomes: list[Outcome], honest: int) -> int:
    return sum(body in outcome.idle for outcome in outcomes for body in range(1, honest + 1))


@pytest.mark.parametrize("cost_us", [19_900, HUNG, SLEEPS], ids=["maxers", "hung", "asleep"])
@pytest.mark.parametrize("count", [1, 100])
def test_vicious_bots_of_one_owner_delay_others_by_less_than_five_percent(cost_us: int, count: int) -> None:
    alone = _play(50, [], 0)
    with_them = _play(50, _vicious(count), cost_us)
    assert _missed(with_them, 50) == 0
    last_alone = statistics.median(max(o.done_us[b] for b in range(1, 51)) for o in alone)
    last_with = statistics.median(max(o.done_us[b] for b in range(1, 51)) for o in with_them)
    assert last_with <= 1.05 * last_alone
    mean_alone = statistics.mean(_median_done_us(alone, 50))
    mean_with = statistics.mean(_median_done_us(with_them, 50))
    assert mean_with <= 1.05 * mean_alone


@pytest.mark.parametrize("cost_us", [19_900, HUNG, SLEEPS], ids=["maxers", "hung", "asleep"])
def test_vicious_bots_never_look_like_an_overloaded_machine(cost_us: int) -> None:
    for outcome in _play(50, _vicious(100, owners=10), cost_us):
        assert outcome.report is not None
        assert not outcome.report.overload


def test_the_phase_ends_by_its_budget_whatever_runs() -> None:
    for outcome in _play(50, _vicious(200, owners=50), 19_900, turns=50):
        assert outcome.report is not None
        assert outcome.report.used_us <= RULES.phase_us


def test_a_hung_controller_costs_less_and_less_until_it_is_out() -> None:
    bodies = [Asked(1, "ada", "hung")]
    simulation = Simulation(RULES, {1: HUNG})
    tried = [turn for turn in range(800) if simulation.play(bodies).idle[1].reason == "slow"]
    assert tried == [0, 2, 5, 10, 19, 36, 69, 134, 263, 520]
    assert simulation.play(bodies).idle[1].reason == "disabled"
    simulation.schedule.penalties.pardon_body(1)
    assert simulation.play(bodies).idle[1].reason == "slow"


def test_a_benched_body_plans_again_in_the_turn_after_its_pardon() -> None:
    bodies = [Asked(1, "ada", "hung")]
    simulation = Simulation(RULES, {1: HUNG})
    reasons = [simulation.play(bodies).idle[1].reason for _ in range(4)]
    assert reasons == ["slow", "benched", "slow", "benched"], "and benched in the next one, too"
    simulation.schedule.penalties.pardon_body(1)
    assert simulation.play(bodies).idle[1].reason == "slow"


def test_bodies_that_got_no_time_go_first_next_turn() -> None:
    bodies = [Asked(number, WORLD, "slow") for number in range(1, 31)]
    simulation = Simulation(RULES, {asked.id: 10_000 for asked in bodies})
    for _ in range(3):
        simulation.play(bodies)
    before = simulation.play(bodies)
    hungry = {body for body, idle in before.idle.items() if idle.reason == "no_time"}
    assert len(hungry) > 5
    after = simulation.play(bodies)
    assert len(hungry & set(after.done_us)) >= min(len(hungry), len(after.done_us)) - 1


def test_all_bodies_of_a_crowd_plan_equally_often() -> None:
    bodies = [Asked(number, f"owner{number}", "slow") for number in range(1, 31)]
    simulation = Simulation(RULES, {asked.id: 15_000 for asked in bodies})
    planned = dict.fromkeys(range(1, 31), 0)
    for _ in range(120):
        for body in simulation.play(bodies).done_us:
            planned[body] += 1
    assert max(planned.values()) - min(planned.values()) <= 0.1 * max(planned.values())


def test_owners_beyond_their_quota_of_seats_plan_with_the_first_ones() -> None:
    rules = PlanRules(seats_max=3)
    simulation = Simulation(rules, dict.fromkeys(range(1, 6), 100))
    outcome = simulation.play([Asked(number, "ada", "mind") for number in (5, 4, 3, 2, 1)])
    assert sorted(outcome.done_us) == [1, 2, 3]
    assert [outcome.idle[body].reason for body in (4, 5)] == ["quota", "quota"]


def test_two_thousand_quick_plans_go_in_few_batches() -> None:
    bodies = [Asked(number, WORLD, "quick") for number in range(2_000)]
    simulation = Simulation(RULES, {asked.id: 40 for asked in bodies})
    simulation.play(bodies)
    outcome = simulation.play(bodies)
    assert len(outcome.done_us) == 2_000
    assert outcome.report is not None
    assert outcome.report.used_us < 2_000 * 40 / 2 * 1.35


def test_the_worlds_creatures_keep_their_share_despite_greedy_owners() -> None:
    world = [Asked(number, WORLD, "quick") for number in range(400)]
    greedy = _vicious(20, owners=20)
    costs = {asked.id: 200 for asked in world} | {asked.id: 19_900 for asked in greedy}
    simulation = Simulation(RULES, costs)
    strangers = 3  # turns in which the costs of all plans are still unknown
    outcomes = [simulation.play(world + greedy) for _ in range(strangers + 200)][strangers:]
    missed = sum(body in outcome.idle for outcome in outcomes for body in range(400))
    assert missed <= 0.001 * 400 * 200


def test_far_bodies_plan_after_all_near_ones_even_if_they_waited_longer() -> None:
    near = [Asked(number, WORLD, "near") for number in range(1, 6)]
    far = [Asked(number, WORLD, "far") for number in range(6, 11)]
    phase = PlanSchedule(PlanRules(slots=1, batch_max=1))
    (_, *effects) = phase.begin(0, far + near, 0, 200 * MS, frozenset(asked.id for asked in far))
    effects = effects or phase.canary(0, 250, 250, 0)
    order = []
    while runs := [effect for effect in effects if isinstance(effect, Run)]:
        (asked,) = runs[0].bodies
        order.append(asked.id)
        phase.started(0, 0)
        effects = phase.answered(0, asked.id, Usage(100, 0), 100, 0)
    assert order == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]


class PhaseByHand:
    """A phase played by hand. Times in ms from its begin."""

    def __init__(self, *bodies: Asked, rules: PlanRules = RULES) -> None:
        self.schedule = PlanSchedule(rules)
        self.effects = self.schedule.begin(0, bodies, 0, 200 * MS)
        self.runs = [e for e in self.effects if isinstance(e, Run)]
        for run in self.runs:
            self.schedule.started(run.slot, 0)


def test_the_canary_runs_first_and_then_its_slot_is_free() -> None:
    table = PhaseByHand(Asked(1, "ada", "m"), Asked(2, "bob", "m"))
    assert table.runs == [Run(0, None, ()), Run(1, "ada", (Asked(1, "ada", "m"),))]
    assert table.schedule.canary(0, 300, 250, MS) == [Run(0, "bob", (Asked(2, "bob", "m"),))]


SCANT = PlanRules(slots=2, plan_us=2_000, wall_us=60_000, phase_us=10_000)
"""The world and two players share 20 ms; a player's part is less than any plan of another player takes."""


def test_owners_beyond_their_share_run_when_none_within_theirs_does() -> None:
    world, ada, bob = Asked(1, WORLD, "m"), Asked(2, "ada", "m"), Asked(3, "bob", "m")
    table = PhaseByHand(ada, bob, world, rules=SCANT)
    assert table.runs == [Run(0, None, ()), Run(1, None, (world,))]
    assert table.schedule.canary(0, 300, 250, MS) == []
    effects = table.schedule.answered(1, 1, Usage(500, 0), 500, MS)
    assert effects == [Accept(1), Run(0, "ada", (ada,)), Run(1, "bob", (bob,))]


def test_an_owner_beyond_its_share_does_not_run_during_the_canary() -> None:
    world, ada = Asked(1, WORLD, "m"), Asked(2, "ada", "m")
    table = PhaseByHand(ada, world, rules=SCANT)
    assert table.schedule.answered(1, 1, Usage(200, 0), 200, MS) == [Accept(1)]
    assert table.schedule.canary(0, 300, 250, MS) == [Run(0, "ada", (ada,))]


def test_an_owner_that_waited_for_an_ended_process_runs_then() -> None:
    world, ada = Asked(1, WORLD, "m"), Asked(2, "ada", "m")
    table = PhaseByHand(ada, world, rules=SCANT)
    table.schedule.canary(0, 300, 250, MS)
    effects = table.schedule.lost(1, Usage(200, 0), MS)
    assert [effect for effect in effects if isinstance(effect, Run)] == [Run(0, "ada", (ada,))]


def test_planning_bodies_start_before_the_others_get_their_answer() -> None:
    table = PhaseByHand(*(Asked(number, "ada", "m") for number in range(3)), rules=PlanRules(seats_max=1))
    assert [type(effect) for effect in table.effects] == [Run, Run, Idle, Idle]


def test_a_plan_that_the_machine_kept_from_running_is_not_struck() -> None:
    table = PhaseByHand(Asked(1, "ada", "m"))
    assert table.schedule.look(1, Usage(500, 19_000), 20 * MS) == []
    effects = table.schedule.look(1, Usage(900, 59_000), 60 * MS)
    assert effects[0] == Kill(1)
    assert isinstance(effects[1], Idle)
    assert (effects[1].reason, effects[1].penalties) == ("machine", 0)


def test_an_answer_that_was_read_late_is_in_time() -> None:
    table = PhaseByHand(Asked(1, "ada", "m"))
    assert table.schedule.answered(1, 1, Usage(800, 0), 900, 45 * MS)[0] == Accept(1)


def test_an_answer_that_took_too_much_computing_does_not_count() -> None:
    table = PhaseByHand(Asked(1, "ada", "m"))
    (idle,) = table.schedule.answered(1, 1, Usage(20_000, 0), 20_000, 21 * MS)
    assert isinstance(idle, Idle)
    assert (idle.reason, idle.penalties, idle.bench) == ("slow", 1, 1)


def test_an_error_causes_no_penalty() -> None:
    table = PhaseByHand(Asked(1, "ada", "m"))
    (idle,) = table.schedule.answered(1, 1, Usage(100, 0), 100, MS, "error")
    assert isinstance(idle, Idle)
    assert (idle.reason, idle.penalties) == ("error", 0)


def test_answers_out_of_turn_are_refused() -> None:
    table = PhaseByHand(Asked(1, "ada", "m"))
    with pytest.raises(ValueError, match="does not wait"):
        table.schedule.answered(1, 7, Usage(100), 100, MS)


def test_a_canary_that_does_not_run_is_refused() -> None:
    table = PhaseByHand(Asked(1, "ada", "m"))
    with pytest.raises(ValueError, match="no canary"):
        table.schedule.canary(1, 300, 250, MS)


def test_a_process_that_ends_strikes_its_body_alone() -> None:
    rules = PlanRules(slots=2)
    bodies = [Asked(number, WORLD, "m") for number in (1, 2, 3)]
    table = PhaseByHand(*bodies, rules=rules)
    assert table.runs[1].bodies == tuple(bodies)
    effects = table.schedule.lost(1, Usage(100, 0), MS)
    assert effects[0] == Kill(1)
    assert isinstance(effects[1], Idle)
    assert (effects[1].body, effects[1].reason) == (1, "broken")
    assert effects[2] == Run(1, None, tuple(bodies[1:]))


def test_closing_early_names_running_and_waiting_plans() -> None:
    table = PhaseByHand(Asked(1, "ada", "m"), Asked(2, "ada", "m"))
    effects = table.schedule.close(5 * MS, [(1, Usage(4_000, 0))])
    reasons = {effect.body: effect.reason for effect in effects if isinstance(effect, Idle)}
    assert reasons == {1: "phase_ended", 2: "no_time"}
    report = effects[-1]
    assert isinstance(report, PhaseReport)
    assert (report.asked, report.accepted, report.used_us) == (2, 0, 5_000)


def test_plans_still_waiting_for_a_process_are_hungry_when_the_phase_ends() -> None:
    phase = PlanSchedule(RULES)
    phase.begin(0, [Asked(1, "ada", "m")], 0, 200 * MS)
    effects = phase.close(100 * MS)
    assert [e.reason for e in effects if isinstance(e, Idle)] == ["no_time"]


def test_a_late_canary_three_times_in_five_is_overload() -> None:
    phase = PlanSchedule(RULES)
    overloads = []
    for turn in range(5):
        phase.begin(turn, [], 0, 200 * MS)
        phase.started(0, 0)
        phase.canary(0, 9_000 if turn % 2 == 0 else 260, 250, 9 * MS)
        report = phase.close(9 * MS)[-1]
        assert isinstance(report, PhaseReport)
        overloads.append(report.overload)
    assert overloads == [False, False, False, False, True]


def test_plans_that_wait_longer_than_they_run_are_overload_too() -> None:
    phase = PlanSchedule(RULES)
    overloads = []
    for turn in range(4):
        phase.begin(turn, [], 0, 200 * MS)
        phase.started(0, 0)
        phase.batch_over(Usage(5_000, 30_000))
        phase.canary(0, 260, 250, MS)
        report = phase.close(9 * MS)[-1]
        assert isinstance(report, PhaseReport)
        assert (report.canary_late, report.ran_us, report.wait_us) == (False, 5_000, 30_000)
        overloads.append(report.overload)
    assert overloads == [False, False, True, True]


@pytest.mark.parametrize(("owner", "honest", "greedy"), [(WORLD, 300, 30), ("kim", 60, 6)])
@pytest.mark.parametrize("cost_us", [18_000, HUNG], ids=["greedy", "hung"])
def test_honest_minds_of_an_owner_plan_in_95_percent_of_their_turns(
    owner: str, honest: int, greedy: int, cost_us: int
) -> None:
    rules = PlanRules(slots=2, plan_us=20_000, wall_us=60_000, phase_us=187_000, seats_max=100)
    quick = [Asked(number, owner, "honest") for number in range(1, honest + 1)]
    slow = [Asked(1_000 + number, owner, "greedy") for number in range(greedy)]
    costs = {asked.id: 500 for asked in quick} | {asked.id: cost_us for asked in slow}
    simulation = Simulation(rules, costs)
    turns, planned, greedy_plans = 200, dict.fromkeys(range(1, honest + 1), 0), 0
    for _ in range(turns):
        done = simulation.play(quick + slow).done_us
        greedy_plans += sum(asked.id in done for asked in slow)
        for body in done.keys() & planned.keys():
            planned[body] += 1
    assert min(planned.values()) >= 0.95 * turns
    if cost_us != HUNG:
        assert greedy_plans >= turns * greedy // 60, "what is slow has its turn, too"
