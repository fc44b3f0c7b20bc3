"""`rerun` compares a bot with its predecessor; seats and turns are found as people name them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.app.branch.choice import seat_of, turns_until
from turnwright.cli.__main__ import main
from turnwright.errors import SetupError
from turnwright.net.files.reader import read_record


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "battle.twr"
    run_battle("Crawler", "Tracker", rounds=2, seed=3, record=path)
    return path


def test_a_bot_that_answers_the_same_is_reported_as_the_same(record, capsys):
    assert main(["rerun", str(record), "--seat", "1", "--with", "Crawler", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["bot"], said["name"], said["with"]) == (1, "Crawler", "Crawler")
    assert said["same"] > 50
    assert (said["different"], said["unanswered"], said["differences"]) == (0, 0, [])
    assert said["last"]["recorded"] == said["last"]["live"]


def test_a_bot_that_does_otherwise_is_shown_with_both_values(record, capsys):
    assert (
        main(["rerun", str(record), "--seat", "Crawler", "--with", "Duck", "--until", "1.30", "--json"]) == 0
    )
    said = json.loads(capsys.readouterr().out)
    assert said["different"] == 29
    first = said["differences"][0]
    assert (first["round"], first["turn"]) == (1, 1)
    assert all(one != two for one, two in first["fields"].values())
    assert (said["last"]["round"], said["last"]["turn"]) == (1, 29)


def test_people_get_lines_and_a_sum(record, capsys):
    assert main(["rerun", str(record), "--seat", "2", "--with", "Duck", "--until", "1.30"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("round 1 turn 1: ")
    assert any(line.startswith("… and ") for line in lines)
    assert any(line.startswith("Tracker: 29 turns compared: ") for line in lines)


def test_seats_are_named_by_id_or_name(record):
    found = read_record(record)
    assert [seat_of(found, said) for said in ("1", "2", "Crawler", "Tracker")] == [0, 1, 0, 1]
    for said in ("0", "3", "Nobody"):
        with pytest.raises(SetupError, match=r"number or a name .*1 Crawler, 2 Tracker"):
            seat_of(found, said)


def test_turns_are_named_by_round_and_turn(record):
    found = read_record(record)
    assert turns_until(found, "1.7") == 7
    second = turns_until(found, "2.1")
    assert turns_until(found, f"1.{second - 1}") == second - 1
    for said, words in (
        ("1.99999", "last .*round 1 is"),
        ("3.1", "last round .* is 2"),
        ("7", "is not a turn"),
    ):
        with pytest.raises(SetupError, match=words):
            turns_until(found, said)


def test_an_ambiguous_name_is_refused_with_the_numbers_of_the_bots(tmp_path):
    path = tmp_path / "twins.twr"
    run_battle("Duck", "Duck", rounds=1, seed=3, record=path)
    found = read_record(path)
    with pytest.raises(SetupError, match=r"one bot .*'Duck' .*number \(1 Duck, 2"):
        seat_of(found, "Duck")


def test_everything_that_is_missing_is_listed(record, capsys):
    assert main(["rerun", str(record)]) == 2
    assert "--seat and --with are missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--until", "1.5", "--from", "1.5"], ("--until", "--from")),
        (["--record", "x.twr"], ("--record", "--from")),
        (["--seat", "2", "--with", "Duck"], ("--seat", "--with", "2 times", "--from")),
    ],
)
def test_options_of_a_new_battle_need_its_turn(record, words, said, capsys):
    assert main(["rerun", str(record), "--seat", "1", "--with", "Duck", *words]) == 2
    assert not missing(capsys.readouterr().err, *said)
