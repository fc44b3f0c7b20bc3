"""Planners: answers as they come, nothing of a turn that is over."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from packages.core.tests.messages import missing
from packages.world.tests.planning.net.inline_planner import InlinePlanner
from turnwright.net.clock import now_ns
from turnwright_world.host.effects import Plan, PlanningBody
from turnwright_world.planning.limits import PlanRules
from turnwright_world.planning.net import planner as planning
from turnwright_world.planning.net.world_planner import (
    ProcessPlanner,
    WorldPlanner,
    longest_plan_us,
)
from turnwright_world.rules.view import PackedView

Answers = list[tuple[int, int, str, dict[str, Any] | None]]
SECOND = 1_000_000_000


def view(body: int) -> tuple[Any, Any]:
    return {"me": {"id": body}, "memory": {}}, {}


async def answered(
    planner: WorldPlanner, turn: int, wanted: int, bodies: int, answers: Answers, memory: Any = None
) -> None:
    """Let bodies plan and wait until there are `wanted` answers."""
    enough = asyncio.Event()

    def take(turn: int, body: int, command: str, memory: dict[str, Any] | None) -> None:
        answers.append((turn, body, command, memory))
        if len(answers) >= wanted:
            enough.set()

    asked = [PlanningBody(number, "content", "wolf") for number in range(1, bodies + 1)]
    plan = Plan(turn, now_ns() + 10 * SECOND, asked)
    planner.plan(plan, lambda body: ({**view(body)[0], "memory": memory}, memory), take)
    await asyncio.wait_for(enough.wait(), 60)


def test_minds_in_this_process_answer_and_a_failed_one_does_nothing() -> None:
    def mind(seen: Any) -> str:
        if seen["me"]["id"] == 2:
            raise ValueError
        return f"howl {seen['me']['id']}"

    answers: Answers = []

    async def main() -> None:
        planner = InlinePlanner({"wolf": mind})
        await planner.start()
        await answered(planner, 7, 3, 3, answers)
        await planner.close()

    asyncio.run(main())
    assert answers == [(7, 1, "howl 1", None), (7, 2, "", None), (7, 3, "howl 3", None)]


def test_a_finished_phase_ignores_late_results() -> None:
    answers: Answers = []

    async def main() -> None:
        planner = InlinePlanner({"wolf": lambda seen: "howl"})
        bodies = [PlanningBody(number, "content", "wolf") for number in range(100)]
        take = lambda *answer: answers.append(answer)  # noqa: E731 - one line
        planner.plan(Plan(1, now_ns() - 1, bodies), view, take)
        planner.plan(Plan(2, now_ns() + SECOND, bodies[:1]), view, take)
        for _ in range(10):
            await asyncio.sleep(0)
        planner.plan(Plan(3, now_ns() + SECOND, bodies), view, take)
        await planner.close()
        for _ in range(10):
            await asyncio.sleep(0)

    asyncio.run(main())
    assert [(turn, body) for turn, body, *_ in answers] == [(2, 0)]


SOURCE = """
class Wolf:
    times = 0

    def plan(self, view, random):
        self.times += 1
        return f"howl {self.times}"
"""


def remembered(*worlds: Any) -> list[tuple[str, Any]]:
    """Return what a mind answers, and remembers then, turn after turn.

    Args:
        worlds: what the world has of its memory before each turn, "kept": what the mind answered last.
    """

    async def main() -> list[tuple[str, Any]]:
        answers: Answers = []
        rules = PlanRules(slots=1, weights={"content": 1})
        planner = ProcessPlanner(rules, 3, {"wolf": ("minds/wolf.py", SOURCE)})
        await planner.start()
        try:
            for turn, world in enumerate(worlds, 1):
                memory = answers[-1][3] if world == "kept" else world
                await answered(planner, turn, turn, 1, answers, memory)
        finally:
            await planner.close()
        return [(command, memory) for _, _, command, memory in answers]

    return asyncio.run(main())


@pytest.mark.process
def test_minds_in_processes_answer_with_a_command_and_their_memory() -> None:
    answers = remembered({}, "kept")
    assert answers == [("howl 1", {"times": 1}), ("howl 2", {"times": 2})]
    again = remembered(answers[-1][1], "kept")
    assert [command for command, _ in again] == ["howl 3", "howl 4"]


@pytest.mark.process
def test_the_memory_that_the_world_saved_is_the_memory_of_a_mind() -> None:
    """A creature that comes back to life begins again; a plan that came too late was never made."""
    answers = remembered({}, "kept", {}, {"times": 1}, {"times": 7})
    assert [command for command, _ in answers] == ["howl 1", "howl 2", "howl 1", "howl 2", "howl 8"]


@pytest.mark.process
def test_a_longer_phase_lets_plans_wait_longer_but_not_use_more() -> None:
    async def main() -> list[tuple[int, int, int]]:
        planner = ProcessPlanner(PlanRules(slots=1, weights={"content": 1}), 3, {})
        await planner.start()
        used = []
        for budget_us in (150_000, 0, 15_000):
            planner.plan(Plan(1, now_ns() + SECOND, [], budget_us), view, lambda *answer: None)
            rules = planner.planner.schedule.rules
            used.append((rules.phase_us, rules.plan_us, rules.wall_us))
        await planner.close()
        return used

    expected = [(150_000, 20_000, 90_000), (100_000, 20_000, 60_000), (15_000, 7_500, 9_000)]
    assert asyncio.run(main()) == expected


class Pace:
    """A planner whose canaries take as long as the test says, and that never plans."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **given: Any) -> None:
        self.slowness = 1.0
        monkeypatch.setattr(planning.Planner, "slowness", property(lambda planner: self.slowness))
        monkeypatch.setattr(planning.Planner, "begin", lambda *arguments: None)
        self.planner = ProcessPlanner(PlanRules(slots=4), 3, {}, **given)

    def rules(self, budget_us: int = 0, phases: int = 1) -> PlanRules:
        for _ in range(phases):
            self.planner.plan(Plan(1, now_ns() + SECOND, [], budget_us), view, lambda *answer: None)
        return self.planner.planner.schedule.rules


def test_a_slow_processor_gives_plans_more_time_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    pace = Pace(monkeypatch, plan_bounds_us=(10_000, 80_000))
    for slowness, plan_us in ((1.0, 20_000), (0.7, 14_000), (0.1, 10_000), (1.9, 38_000)):
        pace.slowness = slowness
        assert pace.rules().plan_us == plan_us
        assert pace.rules().wall_us == 3 * plan_us
    pace.slowness = 9.0
    assert (pace.rules().plan_us, pace.rules(400_000).plan_us) == (50_000, 80_000)


def test_a_slow_processor_changes_nothing_where_plans_have_a_fixed_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pace = Pace(monkeypatch)
    pace.slowness = 3.0
    assert pace.rules().plan_us == 20_000


def test_slots_follow_the_processors_that_the_process_has_also_while_it_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    have = [2.0]
    pace = Pace(monkeypatch, processors=lambda: have[-1])
    assert pace.rules().slots == 2
    for processors, slots in ((1.0, 1), (0.5, 1), (3.9, 3), (64.0, 4)):
        have.append(processors)
        assert pace.rules(phases=40).slots == slots


@pytest.mark.process
def test_the_speed_of_the_processor_is_known_before_any_mind_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    usual_us = planning.CANARY_US
    monkeypatch.setattr(planning, "CANARY_US", 0.5)  # no measured time is that of a usual processor
    monkeypatch.setattr(planning, "_CALIBRATION_NS", 30_000_000_000)  # a busy machine needs more

    async def main() -> tuple[float, float]:
        planner = ProcessPlanner(PlanRules(slots=1), 3, {})
        before = planner.planner.slowness
        await planner.start()
        try:
            return before, planner.planner.slowness
        finally:
            await planner.close()

    before, after = asyncio.run(main())
    assert before == 1.0
    assert after >= 2.0
    assert 0.05 < after * 0.5 / usual_us < 50


def test_the_processors_are_known_before_any_mind_plans() -> None:
    planner = ProcessPlanner(PlanRules(slots=4), 3, {}, processors=lambda: 2.0)
    assert planner.figures()["slots"] == 2


@pytest.mark.parametrize(
    ("phase_us", "plan_us"), [(150_000, 20_000), (40_000, 20_000), (39_998, 19_999), (12_000, 6_000), (1, 1)]
)
def test_a_plan_has_half_of_a_short_phase(phase_us: int, plan_us: int) -> None:
    assert longest_plan_us(20_000, phase_us) == plan_us


async def told_of_wolf(
    text: str, rules: PlanRules, turns: int, bodies: int = 1, taught_in: int = 0
) -> list[str]:
    """Let wolves with this program plan, and return the reports about it.

    Args:
        taught_in: the turn in which it is taught; 0: only before.
    """
    told: list[str] = []
    planner = ProcessPlanner(rules, 3, {"wolf": ("minds/wolf.py", text)})
    planner.on_mistake = told.append
    await planner.start()
    try:
        for turn in range(1, turns + 1):
            if turn == taught_in:
                planner.teach({"wolf": ("minds/wolf.py", text)})
            wolves = [PlanningBody(number, "", "wolf") for number in range(1, bodies + 1)]
            planner.plan(Plan(turn, now_ns() + 10 * SECOND, wolves), view, lambda *answer: None)
            while planner.planner.schedule.open:
                await asyncio.sleep(0.001)
    finally:
        await planner.close()
    return told


@pytest.mark.process
def test_a_slow_mind_of_the_world_is_reported_once_a_version() -> None:
    rules = PlanRules(slots=1, wall_us=20_000_000, phase_us=60_000_000)
    hung = "def plan(view, random):\n    while True: pass\n"
    (told,) = asyncio.run(told_of_wolf(hung, rules, 6))
    assert not missing(told, "mind wolf", "all its time")


async def reasons_of_own(*steps: tuple[str, str] | None) -> list[str | None]:
    """Let a player's creature plan in each turn; return the reasons why it did not.

    Args:
        steps: the sources that it is taught before.
    """
    reasons: list[str | None] = []
    planner = ProcessPlanner(PlanRules(slots=1, wall_us=20_000_000, phase_us=60_000_000), 3, {})
    planner.on_own = lambda turn, body, owner, reason, text, printed: reasons.append(reason)
    await planner.start()
    mind = ""
    try:
        for turn, step in enumerate(steps, 1):
            if step is not None:
                mind, source = step
                planner.teach_own(mind, source, 1)
            asked = [PlanningBody(1, "account:kim", mind)]
            planner.plan(Plan(turn, now_ns() + 10 * SECOND, asked), view, lambda *answer: None)
            while planner.planner.schedule.open:
                await asyncio.sleep(0.001)
    finally:
        await planner.close()
    return reasons


HUNG, QUICK = (
    "def plan(view, random):\n    while True: pass\n",
    "def plan(view, random):\n    return 'look'\n",
)


@pytest.mark.process
def test_a_players_mind_that_sits_out_plans_again_once_it_is_started_or_replaced() -> None:
    hung, quick = ("own:1", HUNG), ("own:2", QUICK)
    sits_out = asyncio.run(reasons_of_own(hung, None, None, None))
    assert sits_out == ["slow", "benched", "slow", "benched"]
    started = asyncio.run(reasons_of_own(hung, None, None, hung, None))
    assert started == ["slow", "benched", "slow", "slow", "benched"]
    replaced = asyncio.run(reasons_of_own(hung, None, None, quick, None))
    assert replaced == ["slow", "benched", "slow", None, None]


@pytest.mark.process
def test_prints_of_the_worlds_minds_are_logged_occasionally(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    says = "def plan(view, random):\n    print('I see', view['me'])\n    print('and go')\n"
    asyncio.run(told_of_wolf(says, PlanRules(slots=1), 5, bodies=2))
    lines = [record.getMessage() for record in caplog.records if "prints" in record.getMessage()]
    assert len(lines) == 2
    assert not missing(lines[0], "turn 1", "mind wolf", "body 1", "I see {'id': 1}")
    assert "and go" in lines[0]
    assert "\n" not in lines[0]


@pytest.mark.process
def test_a_mistake_of_a_mind_of_the_world_is_reported_once_a_version() -> None:
    bad = "def plan(view, random):\n    return missing\n"
    told = asyncio.run(told_of_wolf(bad, PlanRules(slots=1), 6, taught_in=4))
    assert len(told) == 2
    assert not missing(told[0], "mind wolf", "minds/wolf.py line 2: NameError")


@pytest.mark.process
def test_a_mind_plans_from_a_packed_view() -> None:
    source = (
        "def plan(view, random):\n"
        "    here = [one.pop('name') for one in view['here']]\n"  # its own copy
        '    return f\'go {view["me"]["id"]} {view["memory"]["times"]} {here}\'\n'
    )
    shared = b'{"here": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cid"}]}'

    def packed(body: int) -> tuple[PackedView, dict[str, Any]]:
        own = b'{"me": {"id": %d}, "here": null, "memory": {"times": 4}}' % body
        if body == 3:
            own = own.replace(b"null", b"[]")
            return PackedView(own), {"times": 4}
        return PackedView(own, shared, body - 2), {"times": 4}

    async def main() -> Answers:
        answers: Answers = []
        planner = ProcessPlanner(PlanRules(slots=1), 3, {"wolf": ("minds/wolf.py", source)})
        await planner.start()
        try:
            bodies = [PlanningBody(number, "", "wolf") for number in (1, 2, 3, 4)]
            plan = Plan(1, now_ns() + 10 * SECOND, bodies)
            planner.plan(plan, packed, lambda *answer: answers.append(answer))
            while planner.planner.schedule.open:
                await asyncio.sleep(0.001)
            return answers
        finally:
            await planner.close()

    assert asyncio.run(main()) == [
        (1, 1, "go 1 4 ['Ann', 'Bob', 'Cid']", None),
        (1, 2, "go 2 4 ['Bob', 'Cid']", None),
        (1, 3, "go 3 4 []", None),
        (1, 4, "go 4 4 ['Ann', 'Bob']", None),
    ]
