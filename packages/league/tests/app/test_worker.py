"""Battles of a worker, which keeps the processes of programs between battles."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from packages.core.tests.app.bots import dice_game, write_bot
from packages.core.tests.app.kept_bots import CRASHES, SEES, SILENT, told, write_telling_bot
from packages.core.tests.messages import missing
from packages.core.tests.net.processes.alive import is_alive
from packages.core.tests.waiting import wait_until
from turnwright_league import run_tournament
from turnwright_league.app import worker
from turnwright_league.app.worker import BattleJob, JobResult, kept_server, play_job
from turnwright_league.tournament.battle_spec import BattleSpec

pytestmark = pytest.mark.process

STUCK = """\
import sys, time, traceback
from turnwright.client import play

def bid(observation):
    if observation["turn"]:
        try:
            1 / 0
        except ZeroDivisionError:
            traceback.print_exc()
            time.sleep(600)
    return 2

play(bid)
"""
"""A program that prints an exception, and hangs."""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The game of dice. Traces of a void battle are next to it."""
    monkeypatch.chdir(tmp_path)
    yield dice_game(tmp_path / "dice")
    kept_server().stop()


def play(game: str, *bots: object, seed: int = 1, keep: bool = True) -> JobResult:
    ids = tuple(str(number) for number in range(len(bots)))
    spec = BattleSpec("dice", 1, '{"turn_timeout_us":30000000}', ids, seed)
    return play_job(BattleJob(spec, game, dict(zip(ids, map(str, bots), strict=True)), keep=keep))


def starts(place: Path) -> list[int]:
    """Return, for each battle of a bot, its number among the battles of its process."""
    return [battle for _, battle, _ in told(place)]


@pytest.mark.parametrize(
    "fault",
    [pytest.param(CRASHES, id="crashes"), pytest.param(SILENT, id="is silent", marks=pytest.mark.long)],
)
def test_a_bot_that_cannot_play_a_second_battle_does_not_lose_by_it(
    fault: str, game: str, tmp_path: Path
) -> None:
    one = write_telling_bot(tmp_path, "One", fault)
    results = [play(game, one, "Low", seed=seed) for seed in range(5)]
    assert [result.kind for result in results] == ["played"] * 5
    assert [row.failure for result in results for row in result.scores] == [None] * 10
    assert starts(one) == [1, 2, 1, 2, 1, 1, 1]
    assert [result.kept for result in results] == [0] * 5


def test_a_disqualified_bot_is_called_so_also_when_its_error_is_learnt(game: str, tmp_path: Path) -> None:
    bot, rules = write_bot(tmp_path, "Stuck", STUCK), Path(game, "game.py")
    retires = rules.read_text().replace("turns: Final[int]", "retired: PerSeat[bool]\n    turns: Final[int]")
    rules.write_text(retires.replace("len(seats), settings", "len(seats), [False] * len(seats), settings"))
    settings = '{"max_skipped":2,"max_silence_us":0,"settings":{"turns":4},"turn_timeout_us":300000}'
    spec = BattleSpec("dice", 1, settings, ("0", "1"), 1)
    result = play_job(BattleJob(spec, game, {"0": str(bot), "1": "Low"}))
    assert (result.disqualified, result.no_answer) == (("0",), ())
    assert not missing(result.failures["0"].full_text, "crashed", "ZeroDivisionError")


def test_a_failure_on_a_machine_that_was_too_slow_says_nothing_about_the_bot(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "suspicions", lambda *_: ("the server was late",))
    one = write_telling_bot(tmp_path, "One", CRASHES)
    for seed in range(4):
        play(game, one, "Low", seed=seed)
    assert starts(one) == [1, 2, 1, 2, 1, 2, 1]


@pytest.mark.long
def test_processes_are_reused_only_with_keep(game: str, tmp_path: Path) -> None:
    one = write_telling_bot(tmp_path, "One", SEES)
    assert [play(game, one, "Low", keep=False).kept for _ in range(2)] == [0, 0]
    assert [play(game, one, "Low").kept for _ in range(2)] == [0, 1]
    assert starts(one) == [1, 1, 1, 2]


def test_a_tournament_reuses_processes_unless_an_option_forbids_it(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    one, two = write_telling_bot(folder, "One"), write_telling_bot(folder, "Two")
    run_tournament(folder, game=game, battles=4, jobs=1, turn_timeout_us=30_000_000)
    assert starts(one) == starts(two) == [1, 2, 3, 4]
    found = run_tournament(folder, battles=6, jobs=1, fresh=True)
    assert starts(one)[4:] == starts(two)[4:] == [1, 1]
    assert [battle.kept for battle in sorted(found.battles(), key=lambda one: one.played_us)] == [
        0,
        2,
        2,
        2,
        0,
        0,
    ]
    wait_until(lambda: not any(is_alive(pid) for place in (one, two) for pid, _, _ in told(place)))


@pytest.mark.long
def test_programs_end_when_the_tournament_is_killed(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "bots"
    one, two = write_telling_bot(folder, "One"), write_telling_bot(folder, "Two")
    words = [sys.executable, "-m", "turnwright.cli", "tournament", "run", str(folder), "--game", game]
    process = subprocess.Popen(
        [*words, "--battles", "10000", "--jobs", "2", "--turn-timeout", "30s"], stderr=subprocess.DEVNULL
    )
    wait_until(lambda: (one / ".told").exists() and (two / ".told").exists() and starts(one)[-1] > 2)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(is_alive(pid) for place in (one, two) for pid, _, _ in told(place)))
