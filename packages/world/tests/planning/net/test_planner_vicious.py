"""The vicious minds of document 004 and worse, with real processes: no other mind notices.

How much the others' plans are delayed is measured by bench/planning.py, and held to 5 % in virtual time by
packages/world/tests/planning/test_schedule.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

import pytest

from packages.world.tests.planning.net.planner_rig import RULES, Rig, play
from packages.world.tests.planning.net.vicious_minds import NASTY, climbed
from turnwright_world.planning.limits import WORLD, PlanRules
from turnwright_world.planning.net.sandbox import can_seal

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not can_seal(), reason="no filter of system calls that we know on this machine"),
]


def _family(pid: int) -> int:
    """Count the processes below a process that are alive."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            number, _, rest = stat.read_text().partition(" ")
            state, parent = rest.rpartition(")")[2].split()[:2]
            if state not in "ZX":
                parents[int(number)] = int(parent)
    below = {pid}
    while more := {child for child, parent in parents.items() if parent in below} - below:
        below |= more
    return len(below) - 1


PATIENT = PlanRules(slots=2, seats_max=100, plan_us=5_000_000, wall_us=20_000_000, phase_us=60_000_000)
"""Rules for minds that end before their time is used up, so that a busy machine changes nothing."""


@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_mind_harms_only_itself(name: str) -> None:
    text, reasons = NASTY[name]
    others = _family(os.getpid())

    async def scene(rig: Rig) -> None:
        bodies = [(1, "ada", "good"), (2, WORLD, "good"), (3, "mallory", "nasty"), (4, "mallory", "good")]
        await rig.phase(*bodies)
        assert rig.results[3].reason in reasons
        assert len(rig.results[3].printed) <= 2_000
        assert len(rig.results[3].text) <= 400
        for _ in range(4):
            await rig.phase(*bodies)
            assert [rig.results[n].command for n in (1, 2, 4)] == ["go", "go", "go"]
        for _ in range(1_000):  # a process is there a little before its server has heard of it
            if _family(os.getpid()) - others <= rig.planner.processes.forked + 1:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("there are processes that the server did not ask for")

    rules = RULES if "slow" in reasons else PATIENT
    play({"good": "def plan(view, random):\n    return 'go'", "nasty": text}, scene, rules)


_STEALS_NUMBER = f"""
{climbed("os", "sys", "time", "turnwright_world.planning.messages")}
PlanAnswer, frame_of = messages.PlanAnswer, messages.frame_of

def number():
    frame = sys._getframe()
    while type(frame.f_locals.get("batch")).__name__ != "PlanBatch":
        frame = frame.f_back
    return frame.f_locals["batch"].number
"""
"""A mind that takes the number of its batch from the frames of its process, at once and in any process."""
SURPLUS = f"""{_STEALS_NUMBER}
def say(text):
    os.write(3, frame_of(PlanAnswer(3, text, batch=number())))

def plan(view, random):
    last = time.perf_counter_ns()
    say("first")
    while (now := time.perf_counter_ns()) - last < 50_000_000:  # until it was stopped, and may go on
        last = now
    say("left over")
    while True:
        pass
"""


def test_a_surplus_answer_of_one_turn_does_not_count_in_a_later_one() -> None:
    """The mind answers, is stopped between its turns, and answers again before it reads what it is asked."""

    async def scene(rig: Rig) -> None:
        bodies = [(1, "ada", "good"), (3, "mallory", "surplus")]
        await rig.phase(*bodies)
        assert rig.results[3].command == "first"
        await asyncio.sleep(0.1)
        await rig.phase(*bodies)
        assert (rig.results[1].command, rig.results[3].command) == ("go", None)
        assert rig.results[3].reason == "broken"

    play({"good": "def plan(view, random):\n    return 'go'", "surplus": SURPLUS}, scene, PATIENT)


LIES = f"""{_STEALS_NUMBER}
def plan(view, random):
    os.write(3, frame_of(PlanAnswer(3, "now", batch=number(), TOLD)))
"""


@pytest.mark.parametrize("told", ["wall_ns=300 * 10**9", "cpu_ns=300 * 10**9", "wall_ns=-1", "cpu_ns=10**30"])
def test_a_mind_that_says_it_took_longer_than_it_has_had_is_not_believed(told: str) -> None:
    async def scene(rig: Rig) -> None:
        await rig.phase((3, "mallory", "lies"))
        assert (rig.results[3].reason, rig.results[3].cpu_us < 1_000_000) == ("broken", True)
        await rig.phase((3, WORLD, "lies"))
        assert (rig.results[3].reason, rig.results[3].cpu_us < 1_000_000) == ("broken", True)

    play({"lies": LIES.replace("TOLD", told)}, scene)


def test_a_process_that_works_on_after_its_answer_is_stopped() -> None:
    spins = (
        climbed("sys") + "class Late:\n"
        "    def __del__(self):\n"
        "        while True: pass\n"
        "def plan(view, random):\n"
        "    sys.stdout.late = Late()\n"
        "    return 'ok'\n"
    )

    async def scene(rig: Rig) -> None:
        bodies = [(1, "ada", "good"), (3, "mallory", "spins")]
        await rig.phase(*bodies)
        assert rig.results[3].command == "ok"
        spent = rig.planner.processes.resting("mallory")
        assert spent is not None
        before = spent.usage().cpu_us
        for _ in range(3):
            await rig.phase((1, "ada", "good"))
        assert spent.usage().cpu_us - before < 5_000
        await rig.phase(*bodies)
        assert (rig.results[1].command, rig.results[3].reason) == ("go", "slow")

    play({"good": "def plan(view, random):\n    return 'go'", "spins": spins}, scene)


def test_a_mind_that_hoards_memory_loses_its_process_and_its_data() -> None:
    hoarder = (
        "kept = []\n"
        "def plan(view, random):\n"
        "    if not kept: kept.append(bytearray(b'x' * (24 << 20)))\n"
        "    kept.append(1)\n"
        "    return f'keep {len(kept)}'\n"
    )

    async def scene(rig: Rig) -> None:
        said = [(await rig.phase((3, "mallory", "hoarder")))[3].command for _ in range(3)]
        assert said == ["keep 2"] * 3
        assert rig.planner.processes.resting("mallory") is None

    play({"hoarder": hoarder}, scene, PlanRules(plan_us=500_000, wall_us=20_000_000, phase_us=60_000_000))
