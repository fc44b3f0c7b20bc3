from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from packages.core.tests.cli.playing import answer, turnwright
from packages.core.tests.dice_game import GOOD, folder
from packages.core.tests.messages import missing, says
from turnwright.cli.__main__ import main
from turnwright.cli.new_bot import create_bot
from turnwright.errors import SetupError
from turnwright.games.snake.game import MOVES
from turnwright.net.participants.config import read_config


@pytest.mark.parametrize("name", ["MyBot", "_x", "Bot2", "a" * 30])
def test_good_names_are_taken(tmp_path: Path, name: str) -> None:
    assert create_bot(name, tmp_path, "snake").name == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", ("''", "not a name for a bot")),
        ("my bot", ("'my bot'", "letters", "digits")),
        ("2bot", ("'2bot'", "digit first")),
        ("../up", ("'../up'", "letters", "digits")),
        ("a" * 31, ("a" * 31, "at most 30")),
        ("Blå", ("'Blå'", "letters", "digits")),
        ("class", ("'class'",)),
        ("None", ("'None'",)),
        ("random", ("random", "Python module")),
        ("turnwright", ("turnwright", "Python module")),
    ],
)
def test_bad_names_are_refused_and_nothing_is_written(
    tmp_path: Path, name: str, words: tuple[str, ...]
) -> None:
    with pytest.raises(SetupError) as caught:
        create_bot(name, tmp_path, "snake")
    assert not missing(str(caught.value), *words)
    assert list(tmp_path.iterdir()) == []


def test_existing_files_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "MyBot").mkdir()
    (tmp_path / "Link").symlink_to("nowhere")
    for name in ("MyBot", "Link"):
        with pytest.raises(SetupError) as caught:
            create_bot(name, tmp_path, "snake")
        assert not missing(str(caught.value), tmp_path / name, "another name")
    assert list((tmp_path / "MyBot").iterdir()) == []


def test_a_missing_place_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "bot", "--game", "snake", "MyBot", "--out", str(tmp_path / "gone")]) == 2
    assert not missing(capsys.readouterr().err, tmp_path / "gone", "create")


def test_a_place_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert main(["new", "bot", "--game", "snake", "MyBot", "--out", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert says(said.err, "MyBot … Permission denied … --out")


def test_a_bot_for_another_game_answers_with_intents_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = create_bot("MySnake", tmp_path, "snake")
    code = (directory / "MySnake.py").read_text(encoding="utf-8")
    (line,) = [line for line in code.splitlines() if line.startswith("INTENTS = ")]
    assert ast.literal_eval(line.partition(" = ")[2]) == sorted(MOVES)
    compile(code, "MySnake.py", "exec")
    assert read_config(directory / "MySnake.json").name == "MySnake"
    assert main(["new", "bot", "Other", "--game", "snake", "--out", str(tmp_path)]) == 0
    assert f"  turnwright battle --game snake {tmp_path}/Other Greedy" in capsys.readouterr().out


def test_a_bot_for_a_game_without_types_or_built_in_bots_misses_its_turns_until_it_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = folder(tmp_path / "dice", GOOD.replace("Game[State, int]", "Game"))
    assert main(["new", "bot", "Mine", "--game", where, "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert f"  turnwright battle --game {where} {tmp_path}/Mine {tmp_path}/Mine" in said
    assert "INTENTS = [None]" in (tmp_path / "Mine" / "Mine.py").read_text(encoding="utf-8")


def test_an_unknown_game_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"snake\?"):
        create_bot("Mine", tmp_path, "snak")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.process
def test_a_new_bot_for_another_game_can_be_played_watched_and_verified(
    tmp_path: Path,
) -> None:
    said = answer("new", "bot", "--game", "snake", "MySnake", cwd=tmp_path)
    words = said.out.splitlines()[1].split()
    assert words == ["turnwright", "battle", "--game", "snake", "./MySnake", "Greedy"]
    more = ["--watch", "--no-open", "--tps", "-1", "--record", "s.twr", "--json"]
    played = turnwright(*words[1:], *more, cwd=tmp_path).finish()
    assert (played.code, played.err.count("\n")) == (0, 1), played.err
    assert {row["name"] for row in json.loads(played.out)["results"]} == {"MySnake", "Greedy"}
    assert answer("verify", "s.twr", cwd=tmp_path).code == 0
    assert played.nothing_left()


def test_the_command_to_type_holds_in_a_place_with_blanks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "my bots"
    place.mkdir()
    assert main(["new", "bot", "--game", "snake", "MyBot", "--out", str(place)]) == 0
    typed = f"  turnwright battle --game snake '{place}/MyBot' Greedy"
    assert typed in capsys.readouterr().out.splitlines()
