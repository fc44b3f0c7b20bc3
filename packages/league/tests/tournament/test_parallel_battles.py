"""The number of parallel battles follows the load that the machine can carry."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable

import pytest

from turnwright_league.tournament.parallel_battles import CALM_MAX, CALM_MIN, LATE_IN_ROW, BattlesAtOnce


class Machine:
    """A machine that plays battles of 1 s. One takes longer if more than `carries(now_s)` run at that time.

    The more battles run, the longer each takes.

    Args:
        hiccups: the part of the battles that are late for no reason.
    """

    def __init__(self, most: int, carries: Callable[[float], int], hiccups: float = 0.0) -> None:
        self.number = BattlesAtOnce(most)
        self.carries = carries
        self.late = self.played = 0
        self.now_s = 0.0
        self.levels: list[int] = []
        self._hiccups = hiccups
        self._random = random.Random(1)
        self._running: list[tuple[float, int, list[bool]]] = []

    def play(self, battles: int) -> None:
        """Play this many battles, and record the number of parallel battles at each end."""
        end = self.played + battles
        while self.played < end:
            while len(self._running) < self.number.now:
                self._begin()
            self.now_s, began, late = heapq.heappop(self._running)
            self.played += 1
            self.late += late[0]
            self.number.ended(began, late=late[0])
            self.levels.append(self.number.now)

    def _begin(self) -> None:
        there = len(self._running) + 1
        room = self.carries(self.now_s)
        took_s = self._random.uniform(0.8, 1.2) * max(1.0, there / room)
        late = [self._random.random() < self._hiccups]
        heapq.heappush(self._running, (self.now_s + took_s, self.number.begin(), late))
        if there > room:
            for _, _, one in self._running:
                one[0] = True


def test_a_fast_machine_plays_as_many_battles_as_it_can() -> None:
    machine = Machine(4, lambda _: 4)
    machine.play(1_000)
    assert (set(machine.levels), machine.late) == ({4}, 0)


@pytest.mark.parametrize("carries", [1, 2, 3])
def test_the_number_falls_to_the_capacity_and_few_battles_are_late(carries: int) -> None:
    machine = Machine(4, lambda _: carries)
    machine.play(20)
    assert machine.number.now <= carries + 1
    first = machine.late
    machine.play(2_000)
    assert machine.late - first < 100
    assert sum(machine.levels) / len(machine.levels) > 0.9 * carries


def test_the_number_rises_again_once_the_machine_is_calm() -> None:
    machine = Machine(4, lambda now_s: 1 if now_s < 60 else 4)
    while machine.now_s < 60:
        machine.play(1)
    assert machine.number.now <= 2
    machine.play(200)
    assert machine.number.now == 4
    machine.play(200)
    assert set(machine.levels[-200:]) == {4}


def test_a_single_late_battle_changes_nothing() -> None:
    machine = Machine(4, lambda _: 4, hiccups=0.01)
    machine.play(1_000)
    assert machine.late > 0
    assert min(machine.levels) >= 3
    assert machine.levels.count(4) > 950


def test_battles_that_began_before_a_change_are_not_counted() -> None:
    number = BattlesAtOnce(8)
    began = [number.begin() for _ in range(8)]
    assert [number.ended(one, late=True) for one in began] == [0, -1, 0, 0, 0, 0, 0, 0]
    assert number.now == 7


def test_large_numbers_of_parallel_battles_fall_by_an_eighth() -> None:
    number = BattlesAtOnce(1_024)
    for _ in range(LATE_IN_ROW):
        by = number.ended(number.begin(), late=True)
    assert (by, number.now) == (-128, 896)


def test_one_at_a_time_stays_one_at_a_time() -> None:
    number = BattlesAtOnce(1)
    for _ in range(10):
        assert number.ended(number.begin(), late=True) == 0
    assert number.now == 1


def test_each_raise_that_was_a_mistake_doubles_the_wait_up_to_a_bound() -> None:
    number = BattlesAtOnce(2)
    for _ in range(LATE_IN_ROW):
        number.ended(number.begin(), late=True)
    waits = []
    for _ in range(12):
        waits.append(1)
        while number.ended(number.begin(), late=False) == 0:
            waits[-1] += 1
        for _ in range(LATE_IN_ROW):
            number.ended(number.begin(), late=True)
        assert number.now == 1
    assert waits[:4] == [CALM_MIN, 2 * CALM_MIN, 4 * CALM_MIN, 8 * CALM_MIN]
    assert waits[-1] == CALM_MAX
