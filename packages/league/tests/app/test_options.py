"""The settings of a tournament in its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from turnwright.app.game.playable import find_game
from turnwright.errors import SetupError
from turnwright_league.app.options import (
    TournamentOptions,
    options_in_file,
    settings_in_file,
)


def written(folder: Path, text: str) -> Path:
    (folder / "tournament.toml").write_text(text)
    return folder


def read(folder: Path) -> None:
    _, game, settings = options_in_file(folder)
    settings_in_file(folder, find_game(game or "snake"), settings)


def test_a_file_gives_the_same_options_as_a_command_line(tmp_path: Path) -> None:
    text = 'format = "gauntlet"\nfor = "2h"\nkeep = "records=none"\nbots = ["Walls"]\n'
    text += "[settings]\nrounds = 5\n"
    options, game, settings = options_in_file(written(tmp_path, text))
    assert options == TournamentOptions(format="gauntlet", for_s=7200.0, keep="none", bots=("Walls",))
    assert (game, settings) == (None, {"rounds": 5})


def test_a_game_without_its_own_options_has_only_its_settings(tmp_path: Path) -> None:
    _, game, settings = options_in_file(written(tmp_path, 'game = "snake"\n[settings]\nwidth = 9\n'))
    assert game == "snake"
    assert settings_in_file(tmp_path, find_game("snake"), settings) == {"settings": (("width", 9),)}


def test_paths_in_the_file_are_relative_to_its_folder(tmp_path: Path) -> None:
    text = (
        'game = "./dice"\nstore = "../all.sqlite"\nbots = ["Walls", "house/Duck", "../mine/MyBot", "/a/B"]\n'
    )
    options, game, _ = options_in_file(written(tmp_path, text))
    assert game == str(tmp_path / "dice")
    assert options.store == str(tmp_path.parent / "all.sqlite")
    assert options.bots == ("Walls", "house/Duck", str(tmp_path.parent / "mine" / "MyBot"), "/a/B")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("batles = 3", "did you mean battles"),
        ("battles = 'x'", "battles is 'x'"),
        ("battles = 0", "give 1 to"),
        ("battles = 3\nuntil_ci = 1.0", "one of them"),
        ("for = 'soon'", "not a time"),
        ("keep = 'some'", "records=all"),
        ("bots = 'Walls'", "a list of texts"),
        ("battles = ", "TOML"),
        ("game = 3", "name of a game"),
        ("settings = 3", "give a table"),
    ],
)
def test_a_mistake_in_the_file_is_reported_in_one_line_with_its_path(
    tmp_path: Path, text: str, words: str
) -> None:
    with pytest.raises(SetupError, match=words) as error:
        read(written(tmp_path, text))
    assert "\n" not in str(error.value)
    assert str(tmp_path / "tournament.toml") in str(error.value)
