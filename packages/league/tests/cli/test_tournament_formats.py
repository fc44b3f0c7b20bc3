"""`turnwright tournament run` as a command: formats, teams, ways to end and sandboxes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.app.bots import PLAYS, dice_game, write_bot, write_team
from packages.core.tests.cli.playing import Answer, answer
from packages.core.tests.messages import missing
from turnwright.net.sandbox.level import ability

pytestmark = [pytest.mark.process, pytest.mark.long]

ALL = ("Low", "High", "Middle", "Mortal")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the game of dice."""
    dice_game(tmp_path / "dice")
    return tmp_path


def ask(place: Path, *words: object, code: int = 0) -> Answer:
    run = answer("tournament", *words, cwd=place)
    assert run.code == code, run.err
    return run


def run_json(place: Path, *words: object) -> Any:
    return json.loads(ask(place, "run", "cup", *words, "--jobs", 2, "--json").out)


def met(shown: Any) -> list[tuple[str, ...]]:
    """The names of each battle's bots, sorted."""
    return sorted(tuple(sorted(row["name"] for row in battle["scores"])) for battle in shown["battles"])


def checked(place: Path) -> int:
    """The number of battles whose record was played again with the same result."""
    return int(json.loads(ask(place, "verify", "cup", "--all", "--json").out)["checked"])


def test_a_swiss_tournament_has_the_requested_rounds_and_resumes_from_results(
    place: Path,
) -> None:
    words = ("--format", "swiss", "--tournament-rounds", 2, "--battles", 1)
    shown = run_json(place, *ALL, "--game", "./dice", *words)
    assert shown["format"] == "swiss"
    assert Counter(name for pair in met(shown) for name in pair) == dict.fromkeys(ALL, 2), "two rounds"
    assert max(Counter(met(shown)).values()) == 1, "nobody meets the same opponent again"
    again = run_json(place, *words)
    assert (again["played"], again["standings"]) == (0, shown["standings"])
    other = ask(place, "run", "cup", "--format", "ladder", code=2)
    assert not missing(other.err, "swiss", "ladder")
    assert checked(place) == 4


def test_in_a_ladder_neighbours_meet_in_every_round(place: Path) -> None:
    words = ("--format", "ladder", "--tournament-rounds", 3, "--battles", 1, "--set", "turns=60")
    shown = run_json(place, *ALL, "--game", "./dice", *words)
    assert shown["format"] == "ladder"
    assert len(shown["battles"]) > len(ALL), "of several rounds"
    assert {row["name"] for row in shown["standings"]} == set(ALL)
    assert shown["standings"][0]["name"] == "High", "who bids most climbs to the top"
    assert run_json(place, *words)["played"] == 0
    assert checked(place) == len(shown["battles"])


def test_until_ci_plays_until_every_interval_is_narrow_and_more_for_narrower_ones(place: Path) -> None:
    counts = []
    for points in (20, 3):
        shown = run_json(place, "Low", "High", "Middle", "--game", "./dice", "--until-ci", points)
        assert all((row["aps_high"] - row["aps_low"]) / 2 <= points for row in shown["standings"])
        counts.append(len(shown["battles"]))
    assert counts[0] < counts[1]
    assert checked(place) == counts[1]


def test_for_ends_a_run_in_time_and_the_next_one_resumes(place: Path) -> None:
    one = run_json(place, "Low", "High", "--game", "./dice", "--for", "1s")
    other = run_json(place, "--for", "1s")
    assert not one["interrupted"]
    assert (len(one["battles"]), len(other["battles"])) == (one["played"], one["played"] + other["played"])
    assert min(one["played"], other["played"]) > 0
    assert run_json(place, "--for", "1s", "--battles", 1)["played"] == 0, "all that was asked for is played"


def test_a_team_is_one_row_and_its_members_are_no_entries(place: Path) -> None:
    (place / "cup").mkdir()
    write_team(place / "cup", "Pair", members=2)
    shown = run_json(place, "Duck", "--battles", 2, "--rounds", 1)
    assert {row["name"] for row in shown["standings"]} == {"Pair", "Duck"}, "its member is no entry"
    assert met(shown) == [("Duck", "Pair")] * 2
    assert shown["failed"] == []
    assert checked(place) == 2
    listed = ask(place, "show", "cup", "--battles").out
    assert "Pair" in listed
    assert "PairMember" not in listed


def test_the_sandbox_is_remembered_and_named_with_each_battle(place: Path) -> None:
    if ability().level != "full":
        pytest.skip(f"no sandboxes here: {ability().cause}")
    write_bot(place / "cup", "Mine", PLAYS)
    levels = []
    for words in (("Low", "--game", "./dice", "--sandbox", "full"), (), ("--sandbox", "none")):
        run = ask(place, "run", "cup", *words, "--battles", 1 + len(levels), "--jobs", 2, "--json")
        battles = json.loads(run.out)["battles"]
        levels.append(sorted(battle["sandbox"] for battle in battles))
    assert levels == [["full"], ["full"] * 2, ["full", "full", "none"]]
    assert not missing(run.err, "without the sandbox")
    assert checked(place) == 3
