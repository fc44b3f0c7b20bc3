"""A new author's mistakes: the real command reports each of them with advice."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from packages.core.tests.cli.playing import answer
from packages.core.tests.messages import missing, says
from packages.core.tests.net.bot_directories import make_bot
from turnwright.net.files.reader import read_record

pytestmark = pytest.mark.process

_BOT = """
import math, os, sys, time
from turnwright_tank.bots import Bot

class Mine(Bot):
    version = "7"
    authors = ("Ann",)
    turn = 0
    def on_tick(self, observation):
        self.turn += 1
        {does}

if __name__ == "__main__":
    Mine.main()
"""
_OFFICIAL = "from robocode_tank_royale.bot_api import Bot"


@dataclass(frozen=True)
class Mistake:
    """A mistake, and the command's report of it.

    Attributes:
        does: the text in `on_tick`, or the whole program.
        code: the exit code of the command.
        reason: the reason in the JSON, "" if no battle begins.
        names: words of the description.
        do: words of the remedy.
    """

    does: str
    code: int
    reason: str
    names: tuple[str, ...]
    do: tuple[str, ...]
    words: tuple[str, ...] = ()
    is_program: bool = False


_QUICK = ("--max-skipped", "2", "--max-silence", "0s")
MISTAKES = {
    "crash": Mistake(
        "self.turn == 3 and 1 / 0",
        3,
        "crashed",
        ("crashed in turn 3 of round 1", "ZeroDivisionError", "Mine.py, line 11"),
        ("correct", "line"),
    ),
    "misspelt attribute": Mistake(
        "self.turnrate = 5",
        3,
        "crashed",
        ("turnrate", "turn_rate? (Mine.py, line 11)"),
        ("did you mean turn_rate",),
    ),
    "wrong type": Mistake(
        'self.turn_rate = "fast"', 3, "crashed", ("turn_rate", "'fast'", "Mine.py"), ("takes a number",)
    ),
    "not a number": Mistake(
        "self.turn_rate = math.nan", 3, "crashed", ("turn_rate", "nan"), ("takes a finite number",)
    ),
    "missing API": Mistake(
        _OFFICIAL,
        3,
        "",
        ("Mine", "robocode_tank_royale"),
        ("-m pip install robocode-tank-royale", "--python Mine=PATH", "turnwright doctor"),
        is_program=True,
    ),
    "syntax error": Mistake(
        "class Mine(Bot)\n    pass", 3, "", ("Mine", "line 1", "SyntaxError"), ("correct the line",), (), True
    ),
    "never answers": Mistake(
        "time.sleep(600)", 0, "silent", ("Mine", "disqualified"), ("answer every observation",), _QUICK
    ),
    "never connects": Mistake(
        "import time; time.sleep(600)",
        2,
        "",
        ("Mine", "connect within 1 s"),
        ("give it more time",),
        ("--connect-timeout", "1s"),
        True,
    ),
    "too slow": Mistake(
        "self.turn > 2 and time.sleep(0.05)",
        0,
        "slow",
        ("Mine", "disqualified", "too slow"),
        ("--turn-timeout", "do less"),
        ("--max-skipped", "15", "--max-silence", "0s"),
    ),
    "exits": Mistake(
        "self.turn == 3 and os._exit(0)",
        0,
        "exited",
        ("exited in turn 3 of round 1", "exit code 0"),
        ("connection is closed",),
    ),
    "ends the program": Mistake(
        "self.turn == 3 and sys.exit(0)",
        0,
        "exited",
        ("exited in turn 3 of round 1", "exit code 0"),
        ("connection is closed",),
    ),
    "is killed": Mistake(
        "self.turn == 3 and os.kill(os.getpid(), 9)",
        3,
        "crashed",
        ("crashed in turn 3 of round 1", "signal SIGKILL"),
        ("correct",),
    ),
    "exits at start": Mistake(
        "raise SystemExit(5)", 3, "", ("Mine", "exit code 5"), ("start it by hand",), (), True
    ),
    "wrong --python": Mistake(
        "pass", 2, "", ("--python nowhere/python",), ("give the path",), ("--python", "nowhere/python")
    ),
    "--python of nobody": Mistake(
        "pass", 2, "", ("Mien", "no bot of that name"), ("Mine",), ("--python", f"Mien={sys.executable}")
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_reported_with_advice(tmp_path: Path, name: str) -> None:
    mistake = MISTAKES[name]
    program = mistake.does if mistake.is_program else _BOT.format(does=mistake.does)
    bot = make_bot(tmp_path, "Mine", {"Mine.py": program})
    timeout = "30ms" if mistake.reason in ("silent", "slow") else "3s"  # no turn is missed on a busy machine
    words = ("--rounds", 1, "--seed", 1, "--turn-timeout", timeout, "--json", *mistake.words)
    run = answer("battle", bot, "Duck", *words, cwd=tmp_path)
    assert run.code == mistake.code, run.err
    if not mistake.reason:
        assert run.out == ""
        assert not missing(run.err, *mistake.names, *mistake.do)
        return
    result = json.loads(run.out)
    failure = result["failures"]["Mine"]
    row = next(row for row in result["results"] if row["name"] == "Mine")
    if (mistake.reason, failure["reason"]) == ("slow", "busy"):
        return  # it was slow, and the machine was busy with other tests
    assert failure["reason"] == row["reason"] == mistake.reason
    said = f"Mine {failure['text']}: {failure['error']}; {failure['advice']}"
    assert not missing(said, *mistake.names, *mistake.do)
    assert not missing(run.err, "Mine", failure["text"].removesuffix(": no answers"))
    if "Error" in failure["error"]:
        assert result["last_lines"]["Mine"][0].startswith("Traceback")


def test_a_wrong_name_is_refused_with_the_one_that_was_meant(tmp_path: Path) -> None:
    run = answer("battle", "Spiner", "Duck", cwd=tmp_path)
    assert (run.code, run.out) == (2, "")
    assert not missing(run.err, "Spiner", "did you mean Spinner")


def test_the_table_and_the_lines_below_say_why(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Mine", {"Mine.py": _BOT.format(does="self.turn == 3 and 1 / 0")})
    run = answer("battle", bot, "Duck", "--rounds", 1, "--seed", 1, "--record", "b.twr", cwd=tmp_path)
    assert run.code == 3
    assert says(run.out, "Mine (crashed … turn 3 … round 1)")
    assert not missing(run.out, "ZeroDivisionError", "Mine.py, line 11", "to do")
    trace = answer("trace", "b.twr", cwd=tmp_path)
    assert not missing(trace.out, "crashed in turn 3", "ZeroDivisionError")


def test_one_battle_mixes_pythons(tmp_path: Path) -> None:
    mine = make_bot(tmp_path, "Mine", {"Mine.py": _BOT.format(does="pass")})
    own = make_bot(tmp_path, "Own", {"Own.py": _BOT.format(does="print(sys.argv0)")})
    (own / ".venv" / "bin").mkdir(parents=True)
    script = own / ".venv" / "bin" / "python"
    script.write_text(f'#!/bin/sh\necho "own python" >&2\nexec {sys.executable} "$@"\n')
    script.chmod(0o755)
    words = ("--rounds", 1, "--seed", 1, "--json", "--python", f"Mine={sys.executable}")
    run = answer("battle", mine, own, *words, cwd=tmp_path)
    result = json.loads(run.out)
    assert result["last_lines"]["Own"][0] == "own python"
    assert list(result["failures"]) == ["Own"]


def test_attributes_of_the_class_count_without_a_json_file(tmp_path: Path) -> None:
    directory = tmp_path / "Other"
    directory.mkdir()
    (directory / "Other.py").write_text(_BOT.format(does="pass"), encoding="utf-8")
    words = ("--rounds", 1, "--seed", 1, "--json", "--record", "b.twr")
    result = json.loads(answer("battle", directory, "Duck", *words, cwd=tmp_path).out)
    row = next(row for row in result["results"] if row["seats"] == [0])
    assert (row["name"], row["version"]) == ("Other", "7")
    assert read_record(tmp_path / "b.twr").header.seats[0].authors == ("Ann",)
