"""A simulation depends only on its seed, reports its events, and names the command that repeats a failure."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from packages.tank.tests.simulation.simulate import main, simulate
from turnwright.host.collector import AnswerCollector

SEEDS = 50


def test_the_weather_is_bad_enough_to_meet_every_trouble():
    met: Counter[str] = Counter()
    endings: Counter[str] = Counter()
    for seed in range(SEEDS):
        report = simulate(seed)
        endings.update(report.endings)
        for trouble in ("skipped", "late", "left", "disqualified", "faults"):
            met[trouble] += getattr(report, trouble)
    assert all(met[trouble] for trouble in ("skipped", "late", "left", "disqualified", "faults"))
    assert endings["over"] > SEEDS / 2
    assert endings["aborted"] > 0


def test_a_failure_names_its_seed_and_the_command_that_repeats_it(monkeypatch):
    monkeypatch.setattr(AnswerCollector, "_arrived_ns", lambda self, seat, now_ns: now_ns)
    with pytest.raises(
        AssertionError, match=r"python -m packages\.tank\.tests\.simulation\.simulate --seed \d+"
    ) as caught:
        _ = [simulate(seed) for seed in range(SEEDS)]
    (seed,) = re.findall(r"--seed (\d+)", str(caught.value))
    with pytest.raises(AssertionError, match=re.escape(str(caught.value).splitlines()[0])):
        main(["--seed", seed])
