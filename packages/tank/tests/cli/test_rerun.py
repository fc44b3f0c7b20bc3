"""`rerun --from` plays on from a turn with another bot and leaves a record that verifies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from packages.core.tests.messages import missing, naming
from turnwright import run_battle
from turnwright.cli.__main__ import main


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "battle.twr"
    run_battle("Crawler", "Tracker", rounds=2, seed=3, record=path)
    return path


def branch(record: Path, *words: str) -> int:
    return main(["rerun", str(record), "--from", "1.20", *words])


def test_another_bot_gives_another_battle_whose_record_verifies(record, tmp_path, capsys):
    out = tmp_path / "branch.twr"
    assert branch(record, "--seat", "Crawler", "--with", "Duck", "--record", str(out), "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["seats"], said["ghosts"]) == ([1], ["Tracker"])
    assert said["result"]["results"] != said["recorded"]
    assert said["result"]["record"] == str(out)
    assert main(["verify", str(out)]) == 0


def test_the_same_bots_give_the_recorded_results(record, capsys):
    seats = ["--seat", "1", "--with", "Crawler", "--seat", "2", "--with", "Tracker"]
    assert branch(record, *seats, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    scores = {row["name"]: row["total_score"] for row in said["result"]["results"]}
    assert scores == {row["name"]: row["total_score"] for row in said["recorded"]}
    assert said["ghosts"] == []


def test_people_see_both_results(record, capsys):
    assert branch(record, "--seat", "1", "--with", "Duck") == 0
    out = capsys.readouterr().out
    assert naming(out, "ghosts", "Tracker")
    assert naming(out, "seat", "Crawler: Duck")
    assert "recorded results: " in out


def test_a_ghost_does_not_react_and_the_hint_names_the_real_opponent(record, capsys):
    assert branch(record, "--seat", "Crawler", "--with", "Duck", "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["ghosts"] == ["Tracker"]
    (line,) = err.splitlines()
    assert not missing(line, "Tracker", "ghosts", "not react")
    assert line.endswith("--seat 2 --with Tracker")
    assert branch(record, *line.split(" add ")[1].split(), "--seat", "1", "--with", "Duck", "--json") == 0
    out, err = capsys.readouterr()
    assert (json.loads(out)["ghosts"], err) == ([], "")


def test_a_record_is_not_replaced(record, capsys):
    before = record.read_bytes()
    assert branch(record, "--seat", "1", "--with", "Duck", "--record", str(record)) == 2
    assert "already exists" in capsys.readouterr().err
    assert record.read_bytes() == before


def test_as_many_bots_as_seats(record, capsys):
    assert branch(record, "--seat", "1", "--seat", "2", "--with", "Duck") == 2
    assert "seats (2) and bots (1)" in capsys.readouterr().err


@pytest.mark.parametrize("timeout", ["0", "-1s", "nan", "inf", "1e9", "soon"])
def test_a_turn_timeout_that_cannot_be_is_refused(record, timeout, capsys):
    assert branch(record, "--seat", "1", "--with", "Duck", f"--turn-timeout={timeout}") == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert not missing(said.err, "--turn-timeout", timeout)


def test_a_record_of_another_kind_cannot_be_written(record, tmp_path, capsys):
    out = tmp_path / "x.battle.gz"
    assert branch(record, "--seat", "1", "--with", "Duck", "--record", str(out)) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert not missing(line, out)
    assert ".twr" in line
    assert not out.exists()


def test_a_recording_cannot_be_played_on(tmp_path, capsys):
    out = tmp_path / "x.battle.gz"
    run_battle("Spinner", "Duck", rounds=1, seed=3, record=out)
    assert branch(out, "--seat", "1", "--with", "Duck") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert not missing(line, "Tank Royale recording")
    assert ".twr" in line
