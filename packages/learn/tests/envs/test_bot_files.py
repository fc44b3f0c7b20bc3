"""Bot directories in an environment. Python bots with our library run in the learner's process."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright.cli.new_bot import create_bot
from turnwright.errors import SetupError
from turnwright_learn.envs import make_env


def line_of(game: str, env: str, opponents: object) -> str:
    """Return the text of an episode after some steps."""
    made = make_env(game, env, opponents=opponents, render_mode="ansi")
    made.reset(seed=3)
    for _ in range(4):
        made.step(made.action_space.sample())
    return str(made.render())


@pytest.mark.parametrize(("game", "env"), [("tank", "TankDuel-v0"), ("snake", "Snake-v0")])
def test_a_new_bot_plays_in_an_environment(game: str, env: str, tmp_path: Path) -> None:
    folder = create_bot("Newcomer", tmp_path, game)
    assert "Newcomer" in line_of(game, env, str(folder))
    assert "Newcomer" in line_of(game, env, [folder])


def test_a_bot_of_a_directory_is_as_good_as_its_class(tmp_path: Path) -> None:
    folder = create_bot("Newcomer", tmp_path)
    env = make_env("tank", "TankMelee-v0", opponents=folder)
    env.reset(seed=1)
    assert env.episode is not None
    assert [info.name for info in env.episode.seats] == ["Learner", *["Newcomer"] * 9]


def test_two_bots_with_files_of_one_name_do_not_share_them(tmp_path: Path) -> None:
    for name, speed in (("First", 3), ("Second", 7)):
        folder = create_bot(name, tmp_path)
        (folder / "speeds.py").write_text(f"SPEED = {speed}")
        file = folder / f"{name}.py"
        file.write_text(
            file.read_text().replace("class", "import speeds\n\n\nclass").replace("= 8", "= speeds.SPEED")
        )
    env = make_env("tank", "TankMelee-v0", opponents=[tmp_path / "First", *[tmp_path / "Second"] * 8])
    env.reset(seed=1)
    for _ in range(12):
        env.step(env.action_space.sample())
    assert env.episode is not None
    tanks = env.episode.game.frame(env.episode.battle.state).bot_states
    assert tanks[1].speed == 3.0
    assert max(tank.speed for tank in tanks[2:]) == 7.0, "some drive against a wall"
    assert "speeds" not in sys.modules


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("from turnwright_tank.bots import Bot", ("none", "one class")),
        ("from turnwright_tank.bots import Bot\nclass A(Bot): ...\nclass B(Bot): ...", ("A, B", "one class")),
        ("from turnwright_tank.bots import Bot\nclass A(Bot): ...\nA.main()", ("line 3", "__main__")),
        ("from turnwright_tank.bots import Bot\nimport numpi", ("ModuleNotFoundError", "numpi")),
        ("from turnwright_tank.bots import Bot\nclass A(Bot:", ("cannot be loaded", "line 2")),
    ],
)
def test_a_directory_that_cannot_be_loaded_says_why(text: str, words: tuple[str], tmp_path: Path) -> None:
    folder = tmp_path / "Odd"
    folder.mkdir()
    (folder / "Odd.py").write_text(text)
    with pytest.raises(SetupError) as error:
        make_env("tank", "TankDuel-v0", opponents=str(folder))
    assert not missing(str(error.value), "Odd", *words)


def test_teams_missing_bots_and_bots_that_cannot_start_are_refused(tmp_path: Path) -> None:
    for name in ("Rover/Rover.java", "Squad/Squad.json", "Odd/Odd.json"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    (tmp_path / "Odd/Odd.json").write_text('{"name": "Odd", "version": "1", "authors": ["A"]}')
    (tmp_path / "Squad/Squad.json").write_text(
        '{"name": "Squad", "version": "1", "authors": ["A"], "teamMembers": ["Rover"]}'
    )
    for name, words in (("Odd", ("nothing to start",)), ("Squad", ("team",)), ("Nobody", ("no bot",))):
        with pytest.raises(SetupError) as error:
            make_env("tank", "TankDuel-v0", opponents=tmp_path / name)
        assert not missing(str(error.value), name, *words)


def test_a_function_bot_without_a_function_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "Odd"
    folder.mkdir()
    (folder / "Odd.py").write_text("from turnwright.client import play\nif __name__ == '__main__': play(len)")
    with pytest.raises(SetupError) as error:
        make_env("snake", "Snake-v0", opponents=folder)
    assert not missing(str(error.value), "Odd.py", "len", "function")
