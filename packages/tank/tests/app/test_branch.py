"""Bots of directories and of this process rehearse with a record over real sockets."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages.core.tests.net.bot_directories import make_bot
from turnwright import run_battle
from turnwright.app.branch.choice import PlayedRecord
from turnwright.app.branch.play import BranchPlan, LiveSeats, cast_of, play_branch
from turnwright.app.game.playable import find_game
from turnwright.errors import ParticipantStartError, SetupError
from turnwright.host.summary import result_data
from turnwright.kernel.record import Record
from turnwright.net.files.reader import read_record
from turnwright_tank.game import new_game
from turnwright_tank.intent_rows import differences

SPINNING = """
import os
from turnwright_tank.bots import Bot

class Spinning(Bot):
    def on_tick(self, observation):
        self.turn_rate = 5
        if observation.turn_number == int(os.environ.get("LEAVE_AT", "0")):
            raise SystemExit("enough of this")

Spinning.main()
"""
PYTHON = {"platform": "Python", "base": "Spinning"}

TANK = find_game("tank")


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    path = tmp_path_factory.mktemp("records") / "battle.twr"
    run_battle("Crawler", "Tracker", rounds=1, seed=3, record=path)
    return read_record(path)


def play(record: Record, cast: LiveSeats, until: int | None = None):
    """Return how the branch ended, and the answers of the live bots."""
    answers = []
    played = PlayedRecord(record, new_game(tolerant=False), TANK)
    plan = BranchPlan(played, cast, lambda closed, new: answers.extend(new), until)
    return play_branch(plan), answers


def test_a_built_in_bot_repeats_its_recorded_answers(record):
    summary, answers = play(record, LiveSeats(cast_of(TANK, [0], ["Crawler"], None)))
    assert (summary.turns, summary.ending) == (len(record.turns), "over")
    assert len(answers) > 20
    assert not any(differences(answer.recorded, answer.intent) for answer in answers)


def test_a_replay_of_two_seats_with_their_bots_gives_the_same_battle(record):
    summary, _ = play(record, LiveSeats(cast_of(TANK, [0, 1], ["Crawler", "Tracker"], None)), until=10)
    assert (summary.turns, summary.ending) == (len(record.turns), "over")
    assert record.footer is not None
    assert [result_data(row) for row in summary.rows] == record.footer.results


@pytest.mark.process
def test_a_bot_directory_rehearses_and_is_gone_afterwards(record, tmp_path):
    bot = make_bot(
        tmp_path, "Spinning", {"Spinning.py": SPINNING}, {"platform": "Python", "base": "Spinning"}
    )
    summary, answers = play(record, LiveSeats(cast_of(TANK, [1], [str(bot)], None), stop_after=20))
    assert (summary.turns, summary.ending) == (20, "aborted")
    assert {answer.intent.turn_rate for answer in answers} == {5}


@pytest.mark.process
def test_a_bot_that_leaves_is_named_with_its_last_words(record, tmp_path, monkeypatch):
    monkeypatch.setenv("LEAVE_AT", "7")
    bot = make_bot(
        tmp_path, "Spinning", {"Spinning.py": SPINNING}, {"platform": "Python", "base": "Spinning"}
    )
    with pytest.raises(ParticipantStartError, match=r"(?s)Tracker left in turn .*enough of this"):
        play(record, LiveSeats(cast_of(TANK, [1], [str(bot)], None)))


@pytest.mark.process
def test_a_bot_that_never_comes_is_named(record, tmp_path):
    files = {"Silent.sh": "#!/bin/sh\nexec sleep 30\n"}
    bot = make_bot(tmp_path, "Silent", files)
    with pytest.raises(SetupError, match=r"Silent .*connect .*0\.5 s"):
        play(record, LiveSeats(cast_of(TANK, [1], [str(bot)], None), connect_timeout_s=0.5))


def test_seats_and_bots_must_match():
    with pytest.raises(SetupError, match=r"seats \(2\) and bots \(1\)"):
        cast_of(TANK, [0, 1], ["Ace"], None)
    with pytest.raises(SetupError, match=r"seat .*twice"):
        cast_of(TANK, [0, 0], ["Ace", "Ace"], None)


def test_a_team_is_refused(tmp_path: Path):
    from packages.core.tests.net.bot_directories import make_team

    make_bot(tmp_path, "One", {"One.sh": "#!/bin/sh\n"})
    team = make_team(tmp_path, "Team", ["One", "One"])
    with pytest.raises(SetupError, match=r"Team.* team: .*directory .*bots"):
        cast_of(TANK, [0], [str(team)], None)
