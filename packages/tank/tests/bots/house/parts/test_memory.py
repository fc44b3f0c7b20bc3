"""The memory of an enemy's movement finds similar movement, replays it, and is bounded."""

from __future__ import annotations

import math

import pytest

from packages.tank.tests.bots.scenes import scan
from turnwright_tank.bots.house.parts.foe import Foe
from turnwright_tank.bots.house.parts.memory import TURNS_MAX, Memory

ARENA = (4000.0, 4000.0)


def swing(turns: int, memory: Memory, first: int = 1) -> tuple[Foe, list[float]]:
    """Let an enemy swing to and fro, 20 turns each way; return it and where it was in each turn."""
    x = 2000.0
    foe = Foe(scan(0, x=x, y=2000.0, direction=0.0))
    xs = [x]
    for turn in range(first, first + turns):
        speed = 8.0 if turn % 40 < 20 else -8.0
        x += speed
        xs.append(x)
        foe.see(scan(turn, x=x, y=2000.0, direction=0.0, speed=speed))
        memory.note(foe)
    return foe, xs


def test_unknown_movement_is_not_found() -> None:
    memory = Memory()
    assert memory.find() < 0
    foe, _ = swing(30, memory)
    assert memory.find() < 0
    assert memory.foresee(1800.0, 1800.0, 14.0, foe, 0, ARENA) is None


def test_a_time_that_was_like_now_is_found_a_period_ago() -> None:
    memory = Memory()
    swing(130, memory)
    found = memory.find()
    assert found >= 0
    assert (len(memory) - found) % 40 == 0


@pytest.mark.parametrize("now", [150, 157, 163, 171, 180])
def test_a_swinging_enemy_is_met_where_it_will_be(now: int) -> None:
    memory = Memory()
    foe, _ = swing(now, memory)
    _, way = swing(now + 60, Memory())
    aim = memory.foresee(2050.0, 1700.0, 14.0, foe, 0, ARENA)
    assert aim is not None
    nearest = min(
        math.hypot(
            2050.0 + math.cos(aim) * 14.0 * (turn - now - 0.5) - way[turn],
            1700.0 + math.sin(aim) * 14.0 * (turn - now - 0.5) - 2000.0,
        )
        for turn in range(now + 2, now + 60)
    )
    assert nearest < 18.0


def test_turns_that_were_not_seen_are_filled_in_and_long_gaps_break_the_memory() -> None:
    memory = Memory()
    foe = Foe(scan(1))
    memory.note(foe)
    foe.see(scan(4, x=620.0, speed=5.0))
    memory.note(foe)
    assert len(memory) == 4
    foe.see(scan(60))
    memory.note(foe)
    assert len(memory) == 6


def test_the_memory_is_bounded_and_keeps_the_newest() -> None:
    memory = Memory()
    swing(TURNS_MAX + 500, memory)
    assert len(memory) <= TURNS_MAX
    assert memory.find() >= 0
