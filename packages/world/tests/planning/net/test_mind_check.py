"""Players' programs are checked where they can do no harm: the reports, and the ends of hostile ones."""

from __future__ import annotations

import asyncio

import pytest

from turnwright.net import loop as loops
from turnwright_world.intent import PLAYER_SOURCE_SIZE_MAX
from turnwright_world.planning.limits import PlanRules
from turnwright_world.planning.messages import Source
from turnwright_world.planning.net import mind_check
from turnwright_world.planning.net.mind_check import CHECKS_WAITING_MAX, Mistake
from turnwright_world.planning.net.planner import Planner
from turnwright_world.planning.net.sandbox import can_seal

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not can_seal(), reason="no filter of system calls that we know on this machine"),
]

GOOD = "def plan(view, random):\n    return None\n"


def looked_at(*sources: str, sealed: bool = True) -> list[Mistake | None]:
    """Check sources that come at the same time; return the reports."""

    async def main() -> list[Mistake | None]:
        said: dict[int, Mistake | None] = {}
        planner = Planner(PlanRules(), seed=1, on_plan=lambda result: None)
        async with planner, asyncio.timeout(60):
            planner.processes.sealed &= sealed
            for number, source in enumerate(sources):
                take = lambda mistake, number=number: said.update({number: mistake})  # noqa: E731 - it is one line
                planner.checker.check(Source("", "mind.py", source), take)
            while len(said) < len(sources):
                await asyncio.sleep(0.005)
        return [said[number] for number in range(len(sources))]

    return loops.run(main())


def test_each_program_gets_its_first_mistake_with_its_line() -> None:
    good, broken, empty, other = looked_at(GOOD, "x = 1\ndef plan(:\n", "x = 1\n", GOOD)
    assert good is other is None
    assert broken is not None
    assert broken[0] == 2
    assert empty is not None
    assert "0 functions plan" in empty[1]


def test_a_program_is_not_run_when_it_is_looked_at() -> None:
    assert looked_at(GOOD + "while True: pass\n") == [None]


HOSTILE = {
    "brackets": "(" * PLAYER_SOURCE_SIZE_MAX,
    "lists": "x = " + "[" * 8_000 + "]" * 8_000,
    "minus": "x = " + "-" * 16_000 + "1",
    "calls": "x = " + "f(" * 5_000 + ")" * 5_000,
    "power": "x = 9**9**9**9**9",
    "repeat": "x = 'x' * 10**12",
    "number": "x = " + "9" * 16_000,
    "blocks": "".join(f"{' ' * k}if x:\n" for k in range(150)),
    "ternaries": "x = " + "1 if x else " * 1_300 + "1",
    "nul": "x = 1\0",
    "surrogate": "x = '\\ud800'",
    "coding": "# coding: utf-32\nx = 1",
    "comprehensions": "x = " + "[" * 90 + "1" + " for x in y]" * 90,
    "strings": "x = " + "f'{" * 140 + "1" + "}'" * 140,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_is_refused_or_harmless_and_the_next_one_is_looked_at(name: str) -> None:
    hostile, good = looked_at(HOSTILE[name] + "\n" + GOOD, GOOD)
    assert good is None
    if hostile is not None:
        assert len(hostile[1]) <= 300
        assert hostile[1].isprintable()


def test_a_program_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mind_check, "CHECK_CPU_US", -1)
    monkeypatch.setattr(mind_check, "LOOK_S", 0.0)
    slow = GOOD + "x = (" + "1 + " * 8_000 + "1)\n"
    (said,) = looked_at(slow)
    assert said is not None
    assert "too long to read" in said[1]


def test_where_processes_cannot_be_sealed_all_are_refused() -> None:
    (said,) = looked_at(GOOD, sealed=False)
    assert said is not None
    assert "seccomp" in said[1]


@pytest.mark.parametrize("more", [0, 1])
def test_a_check_beyond_the_maximum_of_waiting_checks_is_refused(
    more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mind_check, "CHECKS_WAITING_MAX", 3)
    assert CHECKS_WAITING_MAX == 100
    said = looked_at(*[GOOD] * (3 + more))
    assert sum(mistake is not None for mistake in said) == more
