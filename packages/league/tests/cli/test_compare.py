"""`turnwright compare` as a process: exit codes, output, Ctrl-C."""

from __future__ import annotations

import io
import json
import signal
from pathlib import Path

import pytest

from packages.core.tests.app.bots import dice_game, write_bot
from packages.core.tests.cli.playing import answer, turnwright
from packages.core.tests.messages import missing
from packages.core.tests.waiting import wait_until
from turnwright.cli.terminal import Style
from turnwright_league.app.compare import ComparisonProgress, ComparisonResult, OpponentShares
from turnwright_league.cli.compare import progress_line, result_lines
from turnwright_league.tournament.sequential import sequential_verdict

pytestmark = pytest.mark.process


MARKING = """

def marking(observation):
    Path(__file__).with_name("marked").touch()
    return 1

BOTS["Marking"] = marking
"""
"""A built-in bot that leaves a file when it plays."""


def test_a_bot_and_itself_are_refused_immediately(tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    mine = write_bot(tmp_path, "Mine")
    for pair in (("High", "High"), (mine, f"./{mine.name}")):
        run = turnwright("compare", *pair, "--game", game, cwd=tmp_path).finish()
        assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
        assert not missing(run.err, "OLD", "NEW", "two versions")


def test_the_result_is_on_stdout_and_the_exit_code_0_whatever_the_verdict(tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    words = ("compare", "High", "Low", "--game", game, "--seed", 7, "--jobs", 1)
    run = turnwright(*words, cwd=tmp_path).finish()
    assert run.code == 0, run.err
    sentence, _, _, old, new = run.out.splitlines()
    assert not missing(sentence, "Low 1.0", "worse", "High 1.0", "100 rounds")
    assert (old.split()[:3], new.split()[:3]) == (["OLD", "High", "1.0"], ["NEW", "Low", "1.0"])
    assert float(old.split()[3]) + float(new.split()[3]) == pytest.approx(100, abs=0.011)
    assert "\033" not in run.out + run.err
    assert run.nothing_left()


def test_progress_has_a_dash_as_long_as_the_interval_would_be_wider_than_the_scale() -> None:
    found = sequential_verdict([50.0, -50.0, 50.0])
    assert not missing(progress_line(ComparisonProgress(found, 30, 3, 1)), "+16.7 points", "(–)")


def test_ctrl_c_prints_the_results_so_far(tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    with (tmp_path / "dice" / "bots.py").open("a") as bots:
        bots.write(MARKING)
    words = ("compare", "Low", "Marking", "--game", game, "--points", 0.1, "--json", "--jobs", 1)
    run = turnwright(*words, cwd=tmp_path)
    wait_until((tmp_path / "dice" / "marked").exists)
    run.process.send_signal(signal.SIGINT)
    run.finish()
    assert run.code == 130, run.err
    found = json.loads(run.out)
    assert (found["verdict"], found["interrupted"], found["points"]) == ("undecided", True, 0.1)
    assert found["rounds"] == 10 * found["blocks"]
    assert run.nothing_left()


def test_shares_against_opponents_are_printed_as_a_table() -> None:
    shares = (OpponentShares("Middle 1.0", 60.0, 41.25, 4), OpponentShares("Odd\x1b[2J", 50.0, 52.0, 4))
    found = ComparisonResult(
        "worse", -8.4, -12.0, -4.8, 2.0, 200, 10, "A 1", "A 2", shares, 7, {"A 2": 3}, not_counted=2
    )
    lines = result_lines(found, Style(io.StringIO()))
    assert not missing(lines[0], "A 2", "worse", "A 1", "-8.4 points", "200 rounds")
    assert lines[2].split() == ["Against", "OLD", "NEW", "Difference"]
    assert lines[3].split() == ["Middle", "1.0", "60.00", "41.25", "-18.75"]
    assert "\x1b" not in "".join(lines)
    assert not missing(lines[-1], "A 2", "3", "2")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("--points", "1:2"), ("--points", "number")),
        (("--points", "much"), ("--points", "number")),
        (("--rounds", "3"), ("--rounds", "10 rounds", "--max-rounds")),
        (("--alpha", ".01"), ("--alpha", "5 %")),
        (("--against", "Nobody"), ("Nobody",)),
    ],
)
def test_bad_input_is_refused_in_one_line_with_exit_code_2(
    words: tuple[str, ...], wanted: tuple[str, ...]
) -> None:
    run = answer("compare", "--game", "snake", "Greedy", "Wanderer", *words)
    assert (run.code, run.out, len(run.lines)) == (2, "", 1), run.err
    assert not missing(run.err, *wanted)


def test_a_bot_that_does_not_start_is_exit_code_3(tmp_path: Path) -> None:
    game = dice_game(tmp_path / "dice")
    write_bot(tmp_path, "Broken", "raise SystemExit('no luck')")
    run = turnwright("compare", "Low", "./Broken", "--game", game, cwd=tmp_path).finish()
    assert run.code == 3, run.err
    assert not missing(run.lines[-1], "Broken 1.0")
    assert run.nothing_left()
