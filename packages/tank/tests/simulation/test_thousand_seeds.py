"""The whole server on a virtual clock, over a bad network, with a thousand seeds; see `invariants`."""

from __future__ import annotations

import pytest

from packages.tank.tests.simulation.simulate import Weather, simulate
from tests.parts import few

SEEDS = 1_000
CHUNK = 25

CALM = Weather(
    delay_ns=(50_000, 300_000),
    spike_chance=0,
    slow_write_chance=0,
    alarm_late_ns=(0, 100_000),
    stall_chance=0,
)
STORM = Weather(
    delay_ns=(50_000, 20_000_000),
    spike_chance=0.1,
    spike_ns=200_000_000,
    slow_write_chance=0.1,
    alarm_late_ns=(0, 5_000_000),
    stall_chance=0.05,
    stall_ns=(1_000_000, 300_000_000),
)


@pytest.mark.parametrize("first", few(range(0, SEEDS, CHUNK), 4, 4))
def test_every_promise_holds_for_every_seed(first):
    for seed in range(first, first + CHUNK):
        simulate(seed)


@pytest.mark.parametrize("weather", [CALM, STORM], ids=["calm", "storm"])
def test_every_promise_holds_in_other_weather(weather):
    for seed in range(SEEDS, SEEDS + CHUNK):
        simulate(seed, weather)


def test_an_answer_that_is_late_by_a_round_counts_for_the_turn_of_its_number():
    simulate(1_075, STORM)


def test_a_record_has_the_reason_of_a_seats_end_once():
    simulate(1_081, STORM)
