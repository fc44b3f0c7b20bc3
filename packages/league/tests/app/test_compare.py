"""Comparisons: verdicts, equal seeds, battles that do not count, and refused input."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import dice_game, write_bot
from packages.core.tests.messages import missing
from packages.league.tests.app.inline_workers import work_here
from turnwright.app.game.playable import find_game
from turnwright.errors import ParticipantStartError, SetupError, VoidBattleError
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league import compare
from turnwright_league.app import compare as comparing
from turnwright_league.app.compare import play_comparison
from turnwright_league.app.compare_options import NEW, OLD, CompareOptions, compared_bots
from turnwright_league.app.worker import BattleJob, JobResult
from turnwright_league.tournament.played_battle import EntryScore


def bid(amount: int) -> Callable[[Any], int]:
    def bot(observation: Any) -> int:
        return amount

    bot.__name__ = f"Bid{amount}"
    return bot


@pytest.fixture
def dice(tmp_path: Path) -> str:
    return dice_game(tmp_path / "dice")


def simulated(job: BattleJob) -> JobResult:
    """Play no battle: a bot's score is its bid plus noise."""
    noise = random.Random(job.spec.seed)
    bots: dict[str, Any] = dict(job.bots)
    rows = []
    for seat, entry in enumerate(job.spec.seats):
        bid = bots[entry]({}) if callable(bots[entry]) else {"Low": 1, "High": 5}[bots[entry]]
        rows.append(EntryScore(seat, entry, 3 + bid + noise.random()))
    return JobResult("played", "ok", tuple(rows))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "play_job", simulated)


def test_a_better_bot_is_called_better(dice: str) -> None:
    found = compare(bid(2), bid(6), game=dice)
    assert (found.verdict, found.rounds, found.old, found.new) == ("better", 100, "Bid2", "Bid6")
    assert found.low is not None
    assert found.high is not None
    assert found.difference is not None
    assert 0 < found.low < found.difference < found.high
    assert found.shares[0].new - 50 == pytest.approx(found.difference)
    assert not missing(found.to_line(), "Bid6", "Bid2", "100 rounds", f"{found.difference:+.1f}")


@pytest.mark.usefixtures("quick")
def test_a_worse_one_is_called_worse(dice: str) -> None:
    other = compare(bid(6), bid(2), game=dice)
    assert other.verdict == "worse"
    assert other.high is not None
    assert other.high < 0


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("seed", range(5))
def test_a_bot_is_not_distinguished_from_itself(dice: str, seed: int) -> None:
    found = compare(bid(3), bid(3), game=dice, seed=seed)
    assert found.verdict == "no difference"
    assert (found.old, found.new) == ("Bid3 (OLD)", "Bid3 (NEW)")


@pytest.mark.usefixtures("quick")
def test_both_meet_opponents_with_equal_seeds(dice: str) -> None:
    found = compare(bid(3), bid(3), against=["Low", "High"], game=dice)
    assert (found.verdict, found.difference) == ("no difference", 0.0)
    assert [one.opponent for one in found.shares] == ["Low 1.0", "High 1.0"]
    assert all(one.old == one.new for one in found.shares)
    assert found.rounds == found.blocks * 10 * 2
    better = compare(bid(3), bid(5), against=["Low", "High"], game=dice)
    assert better.verdict == "better"
    assert better.difference == pytest.approx(
        math.fsum(one.new - one.old for one in better.shares) / len(better.shares)
    )


@pytest.mark.usefixtures("quick")
def test_a_comparison_of_equal_bots_is_undecided_after_the_most_rounds(dice: str) -> None:
    found = compare(bid(3), bid(3), game=dice, rounds_max=109)
    assert (found.verdict, found.rounds, found.interrupted) == ("undecided", 100, False)


def test_a_late_battle_is_played_again_and_its_block_is_not_used(
    dice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[BattleJob] = []

    def late(job: BattleJob) -> JobResult:
        played.append(job)
        found = simulated(job)
        first = job.spec.id == played[0].spec.id
        return replace(found, suspect=("the server was late in 9 of 9 turns",)) if first else found

    monkeypatch.setattr(comparing, "play_job", late)
    told: list[str] = []
    options = CompareOptions(old=bid(2), new=bid(4))
    found = play_comparison(options, dice, on_notice=told.append)
    assert (found.verdict, found.rounds, found.not_counted) == ("better", 100, 1)
    assert len(played) == 110 + 2
    assert len([text for text in told if "9 of 9 turns" in text]) == 3


def at_once(
    dice: str, monkeypatch: pytest.MonkeyPatch, answer: Callable[[int, JobResult], JobResult]
) -> tuple[list[int], list[str]]:
    """Compare with three workers; return the reported numbers of parallel battles, and the notices.

    Args:
        answer: makes the result of the n-th battle that is played, from 0.
    """
    played: list[BattleJob] = []

    def work(task: Callable[[BattleJob], JobResult], job: BattleJob) -> JobResult:
        played.append(job)
        return answer(len(played) - 1, simulated(job))

    work_here(monkeypatch, work)
    jobs: list[int] = []
    told: list[str] = []
    options = CompareOptions(old="Low", new="High", jobs=3)
    found = play_comparison(options, dice, {}, lambda one: jobs.append(one.jobs), told.append)
    assert (found.verdict, found.not_counted) == ("better", 0)
    return jobs, told


def late_at(*numbers: int) -> Callable[[int, JobResult], JobResult]:
    late = ("the server was late in 9 of 9 turns",)
    return lambda number, result: replace(result, suspect=late) if number in numbers else result


def test_late_battles_that_are_not_in_a_row_do_not_slow_a_comparison_down(
    dice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs, told = at_once(dice, monkeypatch, late_at(0, 7, 14))
    assert set(jobs) == {3}
    assert len(told) == 3, "each of them is played again"


def test_a_comparison_plays_more_battles_again_when_the_machine_keeps_up(
    dice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs, told = at_once(dice, monkeypatch, late_at(0, 1))
    assert jobs[-1] == 3
    assert [text for text in told if "2 at once" in text]
    assert [text for text in told if "3 battles at once" in text]


def test_an_internal_error_of_a_worker_voids_its_battle_alone(
    dice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_once(number: int, result: JobResult) -> JobResult:
        if number == 4:
            raise RuntimeError("boom")
        return result

    _, told = at_once(dice, monkeypatch, fail_once)
    assert len(told) == 1
    assert not missing(told[0], "Low 1.0", "High 1.0", "RuntimeError: boom", "played again")


def test_a_comparison_of_void_battles_is_given_up(dice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "play_job", lambda job: JobResult("void", why="the rules failed"))
    with pytest.raises(VoidBattleError, match="the rules failed"):
        compare(bid(2), bid(4), game=dice)


def test_ctrl_c_in_python_is_raised(dice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(job: BattleJob) -> JobResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(comparing, "play_job", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compare(bid(2), bid(4), game=dice)


@pytest.mark.long
@pytest.mark.process
def test_the_number_of_workers_changes_nothing(dice: str) -> None:
    one, two = (compare("Low", "Middle", game=dice, jobs=jobs) for jobs in (1, 3))
    assert one == two
    assert one.verdict == "better"
    assert (one.old, one.new) == ("Low 1.0", "Middle 1.0")


@pytest.mark.process
def test_a_bot_that_does_not_start_ends_it(dice: str, tmp_path: Path) -> None:
    broken = write_bot(tmp_path, "Broken", "raise SystemExit('no luck')")
    with pytest.raises(ParticipantStartError) as error:
        compare("Low", str(broken), game=dice)
    assert not missing(str(error.value), "Broken 1.0", "before the battle began")


CRASHES = """\
from turnwright.client import play

def bid(observation):
    if observation["turn"] >= TURN:
        raise ZeroDivisionError("no luck")
    return 2

play(bid)
"""


@pytest.mark.process
@pytest.mark.parametrize("turn", [0, 1])
def test_two_bots_that_crash_in_their_first_battle_end_it(dice: str, tmp_path: Path, turn: int) -> None:
    program = CRASHES.replace("TURN", str(turn))
    old, new = (str(write_bot(tmp_path, name, program)) for name in ("Older", "Newer"))
    with pytest.raises(ParticipantStartError) as error:
        compare(old, new, game=dice, jobs=1)
    assert not missing(str(error.value), "Older 1.0", "Newer 1.0", "ZeroDivisionError: no luck")


@pytest.mark.parametrize(
    ("failing", "verdict"), [((OLD, NEW), "no difference"), ((NEW,), "worse"), ((OLD,), "better")]
)
def test_battles_in_which_both_failed_tell_nothing(
    dice: str, monkeypatch: pytest.MonkeyPatch, failing: tuple[str, ...], verdict: str
) -> None:
    played: list[BattleJob] = []

    def failed(job: BattleJob) -> JobResult:
        played.append(job)
        crashed = Failure(FailureReason.CRASHED, 1, 1)
        failures = [crashed if one in failing and len(played) > 1 else None for one in job.spec.seats]
        rows = [EntryScore(i, one, 0.0, failure=failures[i]) for i, one in enumerate(job.spec.seats)]
        return JobResult("played", "forfeit" if any(failures) else "ok", tuple(rows))

    monkeypatch.setattr(comparing, "play_job", failed)
    found = compare(bid(2), bid(4), game=dice)
    assert found.verdict == verdict
    assert found.failures.keys() == {{OLD: "Bid2", NEW: "Bid4"}[one] for one in failing}
    if failing == (OLD, NEW):
        assert (found.difference, found.shares[0].old, found.shares[0].new) == (0.0, 50.0, 50.0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"points": 0.0}, ("--points", "0.1 to 50")),
        ({"points": math.nan}, ("--points", "0.1 to 50")),
        ({"rounds_max": 99}, ("--max-rounds", "100 to 10,000")),
        ({"rounds_max": 10_001}, ("--max-rounds", "100 to 10,000")),
        ({"jobs": 0}, ("--jobs", "1 to")),
        ({"seed": -1}, ("seed", "-1")),
        ({"against": ["Nobody"]}, ("Nobody", "Low, High, Middle")),
        ({"old": "Nobody"}, ("Nobody", "Low, High, Middle")),
    ],
)
def test_bad_settings_are_one_line(dice: str, options: dict[str, Any], words: tuple[str, ...]) -> None:
    given = {"old": "Low", "new": "High", "game": dice, **options}
    with pytest.raises(SetupError) as error:
        compare(given.pop("old"), given.pop("new"), **given)
    assert not missing(str(error.value), *words)
    assert "\n" not in str(error.value)


def test_two_directories_that_a_server_cannot_tell_apart_are_refused(dice: str, tmp_path: Path) -> None:
    old = write_bot(tmp_path / "old", "Mine")
    new = write_bot(tmp_path / "new", "Mine", "import turnwright.client as c\nc.play(lambda o: 3)\n")
    with pytest.raises(SetupError) as error:
        compare(str(old), str(new), game=dice)
    assert not missing(str(error.value), "Mine 1.0", str(old), str(new), "version")


def test_two_opponents_of_one_name_are_named_with_their_directories(dice: str, tmp_path: Path) -> None:
    one, two = write_bot(tmp_path / "one", "Foe"), write_bot(tmp_path / "two", "Foe")
    with pytest.raises(SetupError) as error:
        compare("Low", "High", game=dice, against=[str(one), str(two)])
    assert not missing(str(error.value), "Foe 1.0", str(one), str(two), "version")


def test_a_directory_without_other_bots_is_refused_as_opponents(dice: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SetupError) as error:
        compare("Low", "High", game=dice, against=[str(tmp_path / "empty")])
    assert not missing(str(error.value), str(tmp_path / "empty"))
    mine = write_bot(tmp_path / "bots", "Mine")
    write_bot(tmp_path / "bots", "Mine2")
    options = {"game": dice, "against": [str(tmp_path / "bots")]}
    with pytest.raises(SetupError) as error:
        compare(str(mine), str(tmp_path / "bots" / "Mine2"), **options)
    assert not missing(str(error.value), str(tmp_path / "bots"))


def test_a_python_for_one_of_the_compared_bots_is_taken_and_for_another_is_refused(
    dice: str, tmp_path: Path
) -> None:
    bots = [write_bot(tmp_path, name) for name in ("Old", "New")]
    game = find_game(dice)
    options = CompareOptions(old=str(bots[0]), new=str(bots[1]))
    assert set(compared_bots(options, game.bots, f"New={sys.executable}")) == {OLD, NEW}
    with pytest.raises(SetupError) as refused:
        compared_bots(options, game.bots, f"Other={sys.executable}")
    assert not missing(str(refused.value), "--python Other", "Old", "New")
