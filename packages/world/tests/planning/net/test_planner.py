"""The planner with real processes: plans, memories, seeds, new versions, limits."""

from __future__ import annotations

import asyncio
import dataclasses
import select
import socket
import time

import pytest

from packages.core.tests.messages import missing, naming
from packages.world.tests.planning.net.planner_rig import RULES, Rig, play
from packages.world.tests.planning.net.vicious_minds import climbed
from turnwright_world.intent import SOURCE_SIZE_MAX
from turnwright_world.planning.limits import WORLD, PlanRules
from turnwright_world.planning.net.planner import Planner

pytestmark = pytest.mark.process

COUNTER = """
class Counter:
    seen = 0

    def plan(self, view, random):
        self.seen += 1
        if view["turn"] == 3:
            while True:
                pass
        return f"seen {self.seen}"
"""
GO = "def plan(view, random):\n    return 'go'"
HUNG = "def plan(view, random):\n    while True: pass"
DICE = "def plan(view, random):\n    print('rolling')\n    return f'roll {random.randrange(10 ** 9)}'"


def test_each_body_gets_its_plan_or_the_reason_why_not() -> None:
    async def scene(rig: Rig) -> None:
        results = await rig.phase((1, WORLD, "go"), (2, "ada", "go"), (3, "ada", "bad"), (4, "bob", "ghost"))
        assert [results[n].command for n in (1, 2, 3, 4)] == ["go", "go", None, None]
        assert [results[n].reason for n in (1, 2, 3, 4)] == [None, None, "error", "error"]
        assert results[3].text == "minds/bad.py line 2: KeyError: 'nothing'"
        assert not missing(results[4].text, "no mind", "'ghost'")
        assert (rig.reports[0].asked, rig.reports[0].accepted) == (4, 2)

    play({"go": GO, "bad": "def plan(view, random):\n    return view['nothing']"}, scene)


def test_the_memory_of_a_mind_survives_the_death_of_its_process() -> None:
    async def scene(rig: Rig) -> None:
        said = [(await rig.phase((1, "ada", "counter")))[1].command for _ in range(2)]
        hung = (await rig.phase((1, "ada", "counter")))[1]
        benched = (await rig.phase((1, "ada", "counter")))[1]
        after = (await rig.phase((1, "ada", "counter")))[1]
        assert said == ["seen 1", "seen 2"]
        assert (hung.command, hung.reason, benched.reason) == (None, "slow", "benched")
        assert after.command == "seen 3"
        assert rig.memories == {1: {"seen": 3}}
        assert rig.planner.processes.killed == 1

    play({"counter": COUNTER}, scene)


def test_a_mind_remembers_only_the_memory_that_the_world_saved() -> None:
    async def scene(rig: Rig) -> None:
        rig.memories[1] = {"seen": 41}
        assert (await rig.phase((1, "ada", "counter")))[1].command == "seen 42"
        rig.memories.clear()
        assert (await rig.phase((1, "ada", "counter")))[1].command == "seen 1"

    play({"counter": COUNTER}, scene)


def test_a_memory_that_stays_as_it_was_is_not_sent_back() -> None:
    async def scene(rig: Rig) -> None:
        for memory in (None, {}, {"b": 1.0, "a": [1, 2]}):
            rig.memories = {1: memory}
            results = await rig.phase((1, "ada", "still"), (2, "ada", "go"))
            assert [results[n].memory for n in (1, 2)] == [None, None]

    play({"still": "class Still:\n    def plan(self, view, random): return 'go'", "go": GO}, scene)


def test_plans_are_the_same_again_for_the_same_seed_turn_and_body() -> None:
    rolls: list[list[str | None]] = []

    async def scene(rig: Rig) -> None:
        results = await rig.phase((1, WORLD, "dice"), (2, "ada", "dice"))
        rolls.append([results[1].command, results[2].command])
        assert results[1].printed == "rolling\n"

    play({"dice": DICE}, scene)
    play({"dice": DICE}, scene)
    assert rolls[0] == rolls[1]
    assert rolls[0][0] != rolls[0][1]


def test_a_new_version_of_a_mind_plans_in_the_next_phase() -> None:
    async def scene(rig: Rig) -> None:
        bodies = [(1, WORLD, "go"), (2, "ada", "go")]
        await rig.phase(*bodies)
        rig.planner.teach("go", GO.replace("'go'", "'stay'"), "minds/go.py")
        results = await rig.phase(*bodies)
        assert [results[1].command, results[2].command] == ["stay", "stay"]

    play({"go": GO}, scene)


def test_a_body_that_is_out_plans_again_with_another_version_of_its_mind() -> None:
    async def scene(rig: Rig) -> None:
        body = (1, WORLD, "go")
        assert (await rig.phase(body))[1].reason == "slow"
        assert (await rig.phase(body))[1].reason == "benched"
        rig.planner.teach("go", HUNG, "minds/go.py")
        rig.turn = 1
        assert (await rig.phase(body))[1].reason == "benched"
        rig.planner.teach("go", GO, "minds/go.py")
        rig.turn = 1
        assert (await rig.phase(body))[1].command == "go"

    play({"go": HUNG}, scene)


def test_without_a_seal_only_trusted_minds_plan() -> None:
    async def scene(rig: Rig) -> None:
        rig.planner.processes.sealed = False
        results = await rig.phase((1, WORLD, "go"), (2, "ada", "go"))
        assert (results[1].command, results[2].reason) == ("go", "refused")

    play({"go": GO}, scene)


def test_cutting_a_phase_ends_it_immediately_and_the_next_one_is_clean(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scene(rig: Rig) -> None:
        await rig.phase((2, "ada", "go"))
        rig.turn, rig.results = 5, {}
        rig.planner.begin(5, [(1, WORLD, "slow"), (2, "ada", "go")], rig.seen, time.monotonic_ns() + 10**10)
        while 2 not in rig.results:
            await asyncio.sleep(0.0005)
        rig.planner.cut()
        assert not rig.planner.schedule.open
        assert (rig.results[1].reason, rig.results[2].command) == ("phase_ended", "go")
        assert naming(caplog.text, "body 1", "mind slow", "phase_ended")
        assert (await rig.phase((2, "ada", "go")))[2].command == "go"

    rules = PlanRules(plan_us=2_000_000, wall_us=2_000_000, phase_us=5_000_000)
    play({"go": GO, "slow": "def plan(view, random):\n    while True: pass"}, scene, rules)


def test_a_phase_ends_by_the_deadline_that_it_was_given() -> None:
    async def scene(rig: Rig) -> None:
        began_ns = time.monotonic_ns()
        rig.planner.begin(1, [(1, WORLD, "slow")], rig.seen, began_ns + 250_000_000)
        while rig.planner.schedule.open:
            await asyncio.sleep(0.001)
        assert rig.results[1].reason in ("phase_ended", "slow")
        assert rig.reports[0].used_us >= 240_000

    rules = PlanRules(plan_us=250_000, wall_us=600_000_000, phase_us=600_000_000)
    asleep = climbed("_thread") + "def plan(view, random):\n    lock = _thread.allocate_lock()\n"
    play({"slow": asleep + "    while True: lock.acquire(timeout=1)"}, scene, rules)


def test_a_view_that_is_too_long_is_left_out() -> None:
    async def scene(rig: Rig) -> None:
        rig.view = lambda body: {"text": "x" * 300_000}
        assert (await rig.phase((1, WORLD, "keys")))[1].command == "0"

    rules = PlanRules(plan_us=1_000_000, wall_us=20_000_000, phase_us=60_000_000)
    play({"keys": "def plan(view, random):\n    return str(len(view))"}, scene, rules)


def test_views_longer_than_a_socket_holds_arrive_whole() -> None:
    async def scene(rig: Rig) -> None:
        rig.view = lambda body: {"text": "x" * 200_000}
        bodies = [(n, WORLD, "size") for n in range(20)]
        results = await rig.phase(*bodies)
        assert {result.command for result in results.values()} == {"200000"}

    rules = PlanRules(plan_us=1_000_000, wall_us=5_000_000, phase_us=20_000_000, batch_us=100_000)
    play({"size": "def plan(view, random):\n    return str(len(view['text']))"}, scene, rules)


def test_a_source_that_is_too_long_is_refused() -> None:
    planner = Planner(RULES, seed=1, on_plan=lambda result: None)
    with pytest.raises(ValueError, match=rf"minds/big\.py.* {SOURCE_SIZE_MAX + 1} bytes.* {SOURCE_SIZE_MAX}"):
        planner.teach("big", "#" * (SOURCE_SIZE_MAX + 1), "minds/big.py")


def test_a_waiting_batch_takes_a_process_that_is_given_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a system that forks slowly the canary's process is used again at once."""
    order, ordered = socket.send_fds, []

    def one(control: socket.socket, data: list[bytes], descriptors: list[int]) -> int:
        ordered.append(data)
        if len(ordered) > 1:
            raise BlockingIOError
        return order(control, data, descriptors)

    async def scene(rig: Rig) -> None:
        assert (await rig.phase((1, WORLD, "go")))[1].command == "go"
        assert rig.planner.processes.forked == 1
        assert len(ordered) > 1

    monkeypatch.setattr(socket, "send_fds", one)
    play({"go": GO}, scene)


def test_a_phase_without_bodies_is_over_soon() -> None:
    async def scene(rig: Rig) -> None:
        assert await rig.phase() == {}
        assert rig.reports[0].asked == 0

    play({}, scene)


def test_an_answer_in_time_counts_even_if_it_is_read_after_the_end() -> None:
    async def scene(rig: Rig) -> None:
        bodies = ((1, WORLD, "go"), (2, "ann", "go"))
        await rig.phase(*bodies)
        await rig.forked(3)  # the phase began with as many as were there, and shared them
        rig.results = {}
        deadline_ns = time.monotonic_ns() + 500_000_000
        rig.planner.begin(2, bodies, rig.seen, deadline_ns)
        processes = list(rig.planner.batches)
        assert len(processes) == 3
        for process in processes:
            select.select([process.channel], [], [])
        while time.monotonic_ns() <= deadline_ns:
            time.sleep(0.01)
        while rig.planner.schedule.open:
            await asyncio.sleep(0)
        assert [rig.results[body].reason for body in (1, 2)] == [None, None]

    play({"go": GO}, scene, dataclasses.replace(RULES, slots=3))
