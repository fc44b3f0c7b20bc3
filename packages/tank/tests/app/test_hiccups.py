"""Bots on the official protocol at the real server: prompt except for a hiccup, or always slow."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from packages.core.tests.messages import says
from packages.core.tests.net.bot_directories import make_bot
from packages.tank.tests.app.hiccuping_bot import PROGRAM
from turnwright import run_battle
from turnwright.app.results import BattleResult
from turnwright.kernel.failure import FailureReason

pytestmark = pytest.mark.process


def played(root: Path, tps: int, inactivity: int, rounds: int = 1, **program: object) -> BattleResult:
    settings = {"hiccups": {}, "needs_s": 0.0, "in_order": False, **program}
    bot = make_bot(root, "Prompt", {"Prompt.py": PROGRAM.format(**settings)})
    arena = {"arena_width": 400, "arena_height": 400, "max_inactivity_turns": inactivity}
    ready_us = 1_000_000  # also the wait for a bot that never answers
    return run_battle(
        bot, "Duck", rounds=rounds, seed=5, tps=tps, python=sys.executable, ready_timeout_us=ready_us, **arena
    )


@pytest.mark.parametrize("in_order", [False, True], ids=["waits for the next", "in order"])
@pytest.mark.parametrize(
    "tps", [-1, pytest.param(100, marks=pytest.mark.quiet), pytest.param(999, marks=pytest.mark.quiet)]
)
def test_a_prompt_bot_with_a_slow_first_answer_plays_on(tps: int, in_order: bool, tmp_path: Path) -> None:
    result = played(tmp_path, tps, 1, hiccups={1: 1.5}, in_order=in_order)
    assert not any(row.disqualified for row in result.results)
    assert result.latency["Prompt"].skipped <= 20, "its first answer counts; few more on a busy machine"


def test_a_bot_whose_first_answer_takes_long_misses_no_turn_by_it(tmp_path: Path) -> None:
    result = played(tmp_path, -1, 1, hiccups={1: 0.8})
    assert result.latency["Prompt"].max_us > 700_000
    assert result.latency["Prompt"].skipped < 20


@pytest.mark.quiet
@pytest.mark.parametrize("in_order", [False, True], ids=["waits for the next", "in order"])
@pytest.mark.parametrize("tps", [-1, 100, 999])
def test_hiccups_cost_few_turns_more_than_they_last(tps: int, in_order: bool, tmp_path: Path) -> None:
    hiccups = {50: 0.1, 150: 0.45, 250: 0.8, 350: 2.0}
    result = played(tmp_path, tps, 1, hiccups=hiccups, in_order=in_order)
    assert not any(row.disqualified for row in result.results)
    assert 3 <= result.latency["Prompt"].skipped <= 160


def test_a_hiccup_of_two_seconds_puts_no_bot_out(tmp_path: Path) -> None:
    result = played(tmp_path, -1, 1, hiccups={50: 2.0})
    assert result.disqualifications == {}
    assert 30 < result.latency["Prompt"].skipped < 100, "more than --max-skipped in a row"


@pytest.mark.parametrize("needs_s", [0.1, pytest.param(0.045, marks=pytest.mark.long)])
@pytest.mark.parametrize("tps", [-1, pytest.param(30, marks=pytest.mark.long)])
def test_a_bot_that_always_needs_more_is_disqualified(tps: int, needs_s: float, tmp_path: Path) -> None:
    result = played(tmp_path, tps, 200, needs_s=needs_s)
    (row,) = (row for row in result.results if row.name == "Prompt")
    assert (row.disqualified, row.disqualified_rounds) == (True, (1,))
    in_time = result.turns - 2 - result.latency["Prompt"].skipped
    assert in_time <= 0.05 * result.turns + result.server_late_turns, "a late server takes what came"
    assert row.failure is not None
    assert row.failure.reason in (FailureReason.SLOW, FailureReason.BUSY)
    assert says(row.failure.error, "no answer in time for 5")


@pytest.mark.long
def test_a_bot_that_is_too_slow_in_three_rounds_is_out_of_the_battle(tmp_path: Path) -> None:
    result = played(tmp_path, -1, 200, rounds=5, needs_s=0.1)
    (row,) = (row for row in result.results if row.name == "Prompt")
    assert (row.disqualified, row.disqualified_rounds) == (True, (1, 2, 3))
    assert row.failure is not None
    assert (row.failure.reason in (FailureReason.SLOW, FailureReason.BUSY), row.failure.round) == (True, 3)


def test_a_bot_that_never_answers_is_called_so(tmp_path: Path) -> None:
    result = played(tmp_path, -1, 200, needs_s=600.0)
    (row,) = (row for row in result.results if row.name == "Prompt")
    assert (row.disqualified, row.never_answered) == (True, True)
    assert row.failure is not None
    assert row.failure.reason is FailureReason.SILENT


def test_a_bot_whose_program_ends_is_out_after_thirty_turns(tmp_path: Path) -> None:
    result = played(tmp_path, -1, 200, rounds=2, hiccups={30: -1.0})
    (row,) = (row for row in result.results if row.name == "Prompt")
    assert (row.disqualified, row.disqualified_rounds) == (True, (1,))
    assert result.latency["Prompt"].skipped in range(30, 33)
    assert row.failure is not None
    assert row.failure.reason is FailureReason.CRASHED, "it slept for less than no time"
