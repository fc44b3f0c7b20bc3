"""Bots on the official protocol that are prompt but for a hiccup, or always slow, at the real server."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.net.bot_directories import make_bot
from turnwright import run_battle
from turnwright.app.results import BattleResult

pytestmark = pytest.mark.process

PROGRAM = """
import json, os, sys, time
from websockets.sync.client import connect

HICCUPS, NEEDS_S, IN_ORDER = {hiccups!r}, {needs_s!r}, {in_order!r}
server, ticks = connect(os.environ["SERVER_URL"]), 0
hello = json.loads(server.recv())
server.send(json.dumps({{
    "type": "BotHandshake", "sessionId": hello["sessionId"], "name": "Prompt", "version": "1.0",
    "authors": ["a"], "secret": os.environ.get("SERVER_SECRET"), "debuggerAttached": False,
}}))
for message in server:
    kind = json.loads(message)["type"]
    if kind == "GameStartedEventForBot":
        server.send(json.dumps({{"type": "BotReady"}}))
    if kind != "TickEventForBot":
        continue
    ticks += 1
    time.sleep(HICCUPS.get(ticks, NEEDS_S))
    server.send(json.dumps({{"type": "BotIntent", "turnRate": 5}}))
    if ticks in HICCUPS and not IN_ORDER:
        try:
            while True:
                server.recv(timeout=0.002)  # the older observations
        except TimeoutError:
            pass
"""


def played(root: Path, tps: int, inactivity: int, **program: object) -> BattleResult:
    settings = {"hiccups": {}, "needs_s": 0.0, "in_order": False, **program}
    bot = make_bot(root, "Prompt", {"Prompt.py": PROGRAM.format(**settings)})
    arena = {"arena_width": 400, "arena_height": 400, "max_inactivity_turns": inactivity}
    return run_battle(bot, "Duck", rounds=1, seed=5, tps=tps, python=sys.executable, **arena)


@pytest.mark.parametrize("in_order", [False, True], ids=["waits for the next", "in order"])
@pytest.mark.parametrize(
    "tps", [-1, pytest.param(30, marks=pytest.mark.long), pytest.param(999, marks=pytest.mark.long)]
)
def test_a_prompt_bot_with_a_slow_first_answer_plays_on(tps: int, in_order: bool, tmp_path: Path) -> None:
    result = played(tmp_path, tps, 1, hiccups={1: 1.5}, in_order=in_order)
    assert not any(row.disqualified for row in result.results)
    assert result.latency["Prompt"].skipped <= 20, "its first answer counts; few more on a busy machine"


def test_a_bot_whose_first_answer_takes_three_seconds_misses_no_turn_by_it(tmp_path: Path) -> None:
    result = played(tmp_path, -1, 1, hiccups={1: 3.0})
    assert result.latency["Prompt"].max_us > 2_500_000
    assert result.latency["Prompt"].skipped < 20


@pytest.mark.long
@pytest.mark.parametrize("in_order", [False, True], ids=["waits for the next", "in order"])
@pytest.mark.parametrize("tps", [-1, 30, 999])
def test_hiccups_cost_few_turns_more_than_they_last(tps: int, in_order: bool, tmp_path: Path) -> None:
    hiccups = {50: 0.1, 150: 0.45, 250: 0.8}
    result = played(tmp_path, tps, 1, hiccups=hiccups, in_order=in_order)
    assert not any(row.disqualified for row in result.results)
    assert 3 <= result.latency["Prompt"].skipped <= 90


@pytest.mark.parametrize("needs_s", [0.1, pytest.param(0.045, marks=pytest.mark.long)])
@pytest.mark.parametrize("tps", [-1, pytest.param(30, marks=pytest.mark.long)])
def test_a_bot_that_always_needs_more_is_disqualified(tps: int, needs_s: float, tmp_path: Path) -> None:
    result = played(tmp_path, tps, 1, needs_s=needs_s)
    assert [row.disqualified for row in result.results if row.name == "Prompt"] == [True]
