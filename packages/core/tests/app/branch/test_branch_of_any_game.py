"""`rerun` on records of snake, of a third-party game, and of games that do not support it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from packages.core.tests.dice_game import GOOD, folder
from packages.core.tests.messages import missing, says
from packages.core.tests.net.bot_directories import make_bot
from turnwright import run_battle
from turnwright.cli.__main__ import main

PLAYS = "from turnwright.client import play\nplay(lambda observation: {answer})\n"


@pytest.fixture(scope="module")
def snakes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "s.twr"
    run_battle("Greedy", "Wanderer", game="snake", seed=3, turns=60, record=path)
    return path


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A third-party game with two built-in bots, and a record of it."""
    root = tmp_path_factory.mktemp("strange")
    where = folder(root / "dice", GOOD.replace("points[seat] +=", "points[seat] += intents[seat] +"))
    (root / "dice" / "words.py").write_text("ENDS = 30\n")
    bots = "BOTS = {'One': lambda seen: 1, 'Two': lambda seen: 2}\n"
    (root / "dice" / "bots.py").write_text(bots)
    run_battle("One", "Two", game=where, seed=3, record=root / "d.twr")
    return where, root / "d.twr"


def said(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    assert main([*map(str, words), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(list(map(str, words))) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_the_same_built_in_bot_of_snake_does_the_same(
    snakes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = said(capsys, "rerun", snakes, "--seat", "Greedy", "--with", "Greedy", "--until", "1.20")
    assert (found["same"], found["different"], found["unanswered"]) == (20, 0, 0)
    assert found["last"]["recorded"] == found["last"]["live"] in ("up", "down", "left", "right")


def test_another_built_in_bot_of_snake_is_shown_with_both_values(
    snakes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = said(capsys, "rerun", snakes, "--seat", 1, "--with", "Wanderer", "--until", "1.20")
    assert found["different"] == len(found["differences"]) > 0
    one, two = found["differences"][0]["fields"]["intent"]
    assert one != two
    assert main(["rerun", str(snakes), "--seat", "1", "--with", "Wanderer", "--until", "1.20"]) == 0
    assert f'intent "{one}" → "{two}"' in capsys.readouterr().out


def test_the_same_built_in_bots_of_snake_give_the_recorded_battle(
    snakes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = ["--seat", 1, "--with", "Greedy", "--seat", 2, "--with", "Wanderer"]
    found = said(capsys, "rerun", snakes, "--from", "1.5", *seats)
    scores = {row["name"]: row["score"] for row in found["result"]["results"]}
    assert scores == {row["name"]: row["score"] for row in found["recorded"]}


def test_another_bot_of_snake_gives_another_battle_whose_record_verifies(
    snakes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "branch.twr"
    words = ["rerun", snakes, "--from", "1.5", "--seat", "Greedy", "--with", "Wanderer", "--record", out]
    found = said(capsys, *words)
    assert (found["seats"], found["ghosts"]) == ([1], ["Wanderer"])
    assert {row["name"] for row in found["result"]["results"]} == {"Greedy", "Wanderer"}
    assert main(["verify", str(out)]) == 0


def test_people_see_both_results_in_the_columns_of_the_game(
    snakes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rerun", str(snakes), "--from", "1.5", "--seat", "1", "--with", "Wanderer"]) == 0
    out = capsys.readouterr().out
    assert not missing(out, "Score", "Eaten", "ghosts", "Wanderer", "Greedy")


@pytest.mark.process
def test_a_directory_plays_a_seat_of_a_third_party_game(
    dice: tuple[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where, record = dice
    three = make_bot(tmp_path, "Three", {"Three.py": PLAYS.format(answer=3)})
    out = tmp_path / "branch.twr"
    words = ["rerun", record, "--game", where, "--from", "1.10", "--seat", "One", "--with", three]
    found = said(capsys, *words, "--record", out)
    scores = {row["name"]: row["score"] for row in found["result"]["results"]}
    was = {row["name"]: row["score"] for row in found["recorded"]}
    assert scores == {"One": was["One"] + 20 * 2, "Two": was["Two"]}
    assert main(["verify", str(out), "--game", where]) == 0
    capsys.readouterr()
    compared = said(capsys, "rerun", record, "--game", where, "--seat", "Two", "--with", three)
    assert (compared["same"], compared["different"]) == (0, 30)
    assert compared["differences"][-1]["fields"] == {"intent": [2, 3]}


def test_fields_of_an_intent_that_is_an_object_are_compared_one_by_one() -> None:
    from turnwright.app.game.playable import find_game

    class Rules:
        write_intent = staticmethod(dict)

    compare = find_game("snake").records.intent_differences
    assert compare(Rules(), {"a": 1, "b": 2}, {"b": 3, "c": 4}) == [  # type: ignore[arg-type]
        ("a", 1, None),
        ("b", 2, 3),
        ("c", None, 4),
    ]


def test_a_record_of_a_folder_is_refused_with_the_option_that_names_it(
    dice: tuple[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(capsys, "rerun", dice[1], "--from", "1.1", "--seat", "1", "--with", "One")
    assert says(line, "d.twr … 'dice' … --game FOLDER")
    line = refused(capsys, "rerun", dice[1], "--seat", "1", "--with", "One")
    assert says(line, "d.twr … 'dice' … --game FOLDER")


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["--from", "2.1", "--seat", "1", "--with", "Greedy"], "2.1 … last round … 1"),
        (["--from", "1.999", "--seat", "1", "--with", "Greedy"], "1.999 … last one of round 1"),
        (["--from", "1.5", "--seat", "3", "--with", "Greedy"], "'3' … 1 Greedy, 2 Wanderer"),
        (["--from", "1.5", "--seat", "1", "--with", "Spinner"], "'Spinner' … Greedy, Wanderer"),
    ],
)
def test_a_branch_that_a_record_of_snake_cannot_give_is_refused_in_one_line(
    snakes: Path, words: list[str], key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(capsys, "rerun", snakes, *words)
    assert says(line, key), line
