"""A bot that is always late, in a separate process with real sockets. Skips are counted, not times."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from packages.core.tests.net.bot_directories import make_bot
from turnwright import run_battle

pytestmark = pytest.mark.process

NEEDS_S = 0.5
"""So much longer than the timeout that a busy machine does not excuse it: a late server waits longer."""
TIMEOUT_US = 30_000
MOST = 40
PROGRAM = f"""
import time
from turnwright.client import play


def slow(observation):
    time.sleep({NEEDS_S})
    return 1


play(slow)
"""


@pytest.mark.parametrize("tps", [-1, 30, 20])
def test_a_bot_that_always_needs_more_than_the_timeout_misses_every_turn(tps: int, tmp_path: Path) -> None:
    """Its first answer has a second; every later one is too late."""
    result = run_battle(
        make_bot(tmp_path, "Slow", {"Slow.py": PROGRAM}),
        lambda observation: 1,
        game="countdown",
        pile=1_000_000,
        turns=1_000,
        tps=tps,
        turn_timeout_us=TIMEOUT_US,
        max_skipped=MOST,
        max_silence_us=0,
        python=sys.executable,
    )
    row = result.latency["Slow"]
    assert [r.disqualified for r in result.results if r.name == "Slow"] == [True]
    assert row.skipped == MOST + 1, "and in the turn in which it is taken out"
    assert result.turns == MOST + 3
    assert 1 <= row.late <= MOST + 1
    assert row.p50_us > TIMEOUT_US
