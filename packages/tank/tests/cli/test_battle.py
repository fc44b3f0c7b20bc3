"""`turnwright battle` with tanks: teams, their tables, and files for official viewers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from packages.core.tests.cli.playing import answer, played, turnwright
from packages.core.tests.messages import says
from packages.core.tests.net.bot_directories import make_bot, make_team
from packages.tank.tests.bot_programs import SPINNING_BOT
from packages.tank.tests.wire.recording.official_reader import read_official

pytestmark = pytest.mark.process


def spinning(root: Path, directory: str, **config: object) -> Path:
    return make_bot(root, directory, {f"{directory}.py": SPINNING_BOT}, config)


def test_the_tables_are_on_stdout_and_the_progress_on_stderr() -> None:
    run = answer("battle", "Spinner", "Duck", "--rounds", 1, "--seed", 7)
    assert run.code == 0
    assert re.search(r"^1  Spinner +1\.0", run.out, re.MULTILINE)
    assert "classic, 1 round, " in run.out
    assert "seed 7" in run.out
    assert "\033" not in run.out + run.err


CATCHING_BOT = """
import traceback
from turnwright_tank.bots import Bot

class Catching(Bot):
    def on_tick(self, observation):
        self.turn_rate = 5
        if observation.turn_number in (5, 6):
            try:
                1 / 0
            except ZeroDivisionError:
                traceback.print_exc()  # as the official APIs do

Catching.main()
"""


def test_a_caught_error_is_reported_immediately_and_at_the_end(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "Catching", {"Catching.py": CATCHING_BOT})
    run = answer("battle", bot, "Duck", "--rounds", 1, "--tps", 999)
    told = re.compile(r"^Catching .* turn \d+ of round 1: ZeroDivisionError: division by zero$", re.MULTILINE)
    assert (run.code, len(told.findall(run.err)), len(told.findall(run.out))) == (0, 1, 1)
    result = played(turnwright("battle", bot, "Duck", "--rounds", 1, "--json"))
    (name, one), *others = result["printed_errors"].items()
    assert (name, one["round"], one["error"]) == ("Catching", 1, "ZeroDivisionError: division by zero")
    assert one["turn"] >= 5
    assert (others, result["failures"]) == ([], {})


def test_a_team_is_one_row_and_its_members_answer_one_by_one(tmp_path: Path) -> None:
    spinning(tmp_path, "Lead")
    spinning(tmp_path, "Droid")
    team = make_team(tmp_path, "Team", ["Lead", "Droid", "Droid"])
    result = played(turnwright("battle", team, team, "--rounds", 1, "--json"))
    assert sorted(row["name"] for row in result["results"]) == ["Team", "Team (2)"]
    assert sorted(result["latency"]) == ["Droid", "Droid (2)", "Droid (3)", "Droid (4)", "Lead", "Lead (2)"]


@pytest.mark.matrix
def test_two_kinds_of_records_can_be_requested_together(tmp_path: Path) -> None:
    record, recording = tmp_path / "b.twr", tmp_path / "b.battle.gz"
    words = ["-n", 1, "--json", "--record", recording, "--record", record]
    result = played(turnwright("battle", "Duck", "Spinner", *words))
    assert (result["record"], result["recording"]) == (str(record), str(recording))
    assert len(read_official(recording)) == result["turns"] + 3


def test_a_first_turn_is_never_missed(tmp_path: Path) -> None:
    slow_start = SPINNING_BOT.replace(
        "    def on_tick",
        "    def on_round_started(self, number):\n        import time; time.sleep(0.5)\n\n    def on_tick",
    )
    bot = make_bot(tmp_path, "Slow", {"Slow.py": slow_start})
    # a machine that is busy may stand still for a while: that is not what is asked here
    words = ["--rounds", 3, "--turn-timeout", "300ms", "--json"]
    result = played(turnwright("battle", bot, "Duck", *words))
    assert result["latency"]["Slow"]["skipped"] == 0


BAD_INPUT = {
    "Spinner": "1 bot",
    "Spinner Duck --game-type chess": "'chess' … classic",
    "Spinner Duck --game-type melee": "2 bots … melee … at least 10",
    "Spinner Duck --arena 60x60": "60x60 … 1 … 2",
}
"""Names and advice of the message, by the words of the command."""


@pytest.mark.parametrize("words", list(BAD_INPUT))
def test_bad_input_is_refused_in_one_line_with_exit_code_2(tmp_path: Path, words: str) -> None:
    run = answer("battle", *words.split(), cwd=tmp_path)
    assert (run.code, run.out, len(run.lines)) == (2, "", 1)
    assert says(run.err, BAD_INPUT[words])
    assert run.err.startswith("turnwright: ")
