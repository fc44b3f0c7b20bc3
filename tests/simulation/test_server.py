"""The whole server on a virtual clock, over a bad network, with a thousand seeds; see `testing.witness`."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from turnwright.host.table import Table
from turnwright.testing.simulate import Weather, main, simulate

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


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_every_promise_is_kept_whatever_the_seed(first):
    for seed in range(first, first + CHUNK):
        simulate(seed)


@pytest.mark.parametrize("weather", [CALM, STORM], ids=["calm", "storm"])
def test_every_promise_is_kept_in_other_weather(weather):
    for seed in range(SEEDS, SEEDS + CHUNK):
        simulate(seed, weather)


def test_the_weather_is_bad_enough_to_meet_every_trouble():
    met: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    for seed in range(2 * CHUNK):
        report = simulate(seed)
        endings.update(report.endings)
        for trouble in ("skipped", "late", "left", "disqualified", "faults"):
            met[trouble] += getattr(report, trouble)
    assert min(met.values()) > 0
    assert set(met) == {"skipped", "late", "left", "disqualified", "faults"}
    assert endings["over"] > CHUNK
    assert endings["aborted"] > 0


def test_a_seed_always_gives_the_same_battle():
    assert simulate(31) == simulate(31)
    assert simulate(31) != simulate(32)


def test_a_failure_names_its_seed_and_the_command_that_repeats_it(monkeypatch):
    monkeypatch.setattr(Table, "_arrived", lambda self, seat, now_ns: now_ns)
    with pytest.raises(AssertionError, match=r"python -m turnwright\.testing\.simulate --seed \d+") as caught:
        _ = [simulate(seed) for seed in range(CHUNK)]
    (seed,) = re.findall(r"--seed (\d+)", str(caught.value))
    with pytest.raises(AssertionError, match=re.escape(str(caught.value).splitlines()[0])):
        main(["--seed", seed])


def test_the_command_plays_and_reports(capsys):
    main(["--seed", "5", "--count", "2"])
    lines = capsys.readouterr().out.splitlines()
    assert [re.findall(r"seed=(\d+)", line) for line in lines] == [["5"], ["6"]]
