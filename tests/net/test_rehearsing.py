"""Bots of directories and of this process rehearse with a record over real sockets."""

from __future__ import annotations

from pathlib import Path

import pytest

from net.bot_directories import make_bot
from turnwright import run_battle
from turnwright.errors import ParticipantStartError, SetupError
from turnwright.games.tank.compare import differences
from turnwright.kernel.record import Record
from turnwright.kernel.rerun import Rerun
from turnwright.net.records import read_record
from turnwright.net.rehearsing import Cast, cast_of, rehearse
from turnwright.net.warmup import new_game

SPINNING = """
import os
from turnwright.bots import Bot

class Spinning(Bot):
    def on_tick(self, observation):
        self.turn_rate = 5
        if observation.turn_number == int(os.environ.get("LEAVE_AT", "0")):
            raise SystemExit("enough of this")

Spinning.main()
"""
PYTHON = {"platform": "Python", "base": "Spinning"}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    path = tmp_path_factory.mktemp("records") / "battle.twr"
    run_battle("Crawler", "Tracker", rounds=1, seed=3, record=path)
    return read_record(path)


def play(record: Record, cast: Cast, until: int | None = None):
    answers = []
    rerun = Rerun(record, new_game(False), cast.places, until)
    rehearse(rerun, cast, lambda closed, new: answers.extend(new))
    return rerun, answers


def test_a_house_bot_does_again_what_it_did(record):
    rerun, answers = play(record, Cast(cast_of([0], ["Crawler"], None)))
    assert rerun.battle.turn == len(record.turns)
    assert len(answers) > 20
    assert not any(differences(answer.recorded, answer.intent) for answer in answers)


def test_two_seats_played_anew_by_the_same_house_bots_give_the_same_battle(record):
    rerun, _ = play(record, Cast(cast_of([0, 1], ["Crawler", "Tracker"], None)), until=10)
    assert rerun.battle.turn == len(record.turns)
    assert record.footer is not None
    scores = [row.total for row in rerun.battle.state.results.seats]
    recorded = {row["name"]: row["total_score"] for row in record.footer.results}
    assert [round(score) for score in scores] == pytest.approx(
        [recorded["Crawler"], recorded["Tracker"]], abs=1
    )


@pytest.mark.process
def test_a_bot_directory_rehearses_and_is_gone_afterwards(record, tmp_path):
    bot = make_bot(
        tmp_path, "Spinning", {"Spinning.py": SPINNING}, {"platform": "Python", "base": "Spinning"}
    )
    rerun, answers = play(record, Cast(cast_of([1], [str(bot)], None), stop_after=20))
    assert rerun.battle.turn == 20
    assert {answer.intent.turn_rate for answer in answers} == {5}


@pytest.mark.process
def test_a_bot_that_leaves_is_named_with_its_last_words(record, tmp_path, monkeypatch):
    monkeypatch.setenv("LEAVE_AT", "7")
    bot = make_bot(
        tmp_path, "Spinning", {"Spinning.py": SPINNING}, {"platform": "Python", "base": "Spinning"}
    )
    with pytest.raises(ParticipantStartError, match=r"(?s)Tracker left in turn .*enough of this"):
        play(record, Cast(cast_of([1], [str(bot)], None)))


@pytest.mark.process
def test_a_bot_that_never_comes_is_named(record, tmp_path):
    files = {"Silent.sh": "#!/bin/sh\nexec sleep 30\n"}
    bot = make_bot(tmp_path, "Silent", files)
    with pytest.raises(SetupError, match=r"Silent did not connect within 0.5 s"):
        play(record, Cast(cast_of([1], [str(bot)], None), connect_timeout_s=0.5))


def test_seats_and_bots_must_match():
    with pytest.raises(SetupError, match="seats given: 2, bots: 1"):
        cast_of([0, 1], ["Ace"], None)
    with pytest.raises(SetupError, match="a seat is given twice"):
        cast_of([0, 0], ["Ace", "Ace"], None)


def test_a_team_is_refused(tmp_path: Path):
    from net.bot_directories import make_team

    make_bot(tmp_path, "One", {"One.sh": "#!/bin/sh\n"})
    team = make_team(tmp_path, "Team", ["One", "One"])
    with pytest.raises(SetupError, match="is a team: give the directory of one of its bots"):
        cast_of([0], [str(team)], None)
