"""The built-in bots: their names, repeatable battles, and an order of skill that holds."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations

import pytest

from packages.core.tests.messages import missing
from packages.tank.tests.bots.battles import fight
from packages.tank.tests.bots.fake_server import GAME, HELLO, ROUND, FakeServer, Line
from packages.tank.tests.bots.scenes import scene
from turnwright_tank.bots import Bot
from turnwright_tank.bots.house import HOUSE
from turnwright_tank.bots.house.__main__ import main

ROUNDS = 6
PAIRS = list(combinations(HOUSE, 2))


def test_the_house_has_seven_bots_weakest_first() -> None:
    assert list(HOUSE) == ["Duck", "Spinner", "Rammer", "Tracker", "Crawler", "Dodger", "Ace"]
    assert len(HOUSE) == 7


@pytest.mark.parametrize(("skill", "name"), list(enumerate(HOUSE)))
def test_each_bot_has_the_name_of_its_class_and_its_docstring_has_the_skill(skill: int, name: str) -> None:
    bot = HOUSE[name]
    assert issubclass(bot, Bot)
    assert bot.__name__ == bot.name == name
    assert bot.__doc__ is not None
    assert f"Skill: {skill} of 6" in bot.__doc__


@pytest.mark.parametrize("name", ["", "ace", "Walls", "__init__", "parts"])
def test_other_names_are_not_in_the_house(name: str) -> None:
    assert name not in HOUSE
    with pytest.raises(KeyError):
        HOUSE[name]


def test_a_bot_is_loaded_only_when_it_is_asked_for() -> None:
    program = (
        "import sys; from turnwright_tank.bots.house import HOUSE; list(HOUSE); 'Ace' in HOUSE;"
        "house = 'turnwright_tank.bots.house.';"
        "assert not [m for m in sys.modules if m.startswith(house)], sys.modules;"
        "HOUSE['Duck']; assert 'turnwright_tank.bots.house.ace' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30)


@pytest.mark.parametrize("name", HOUSE)
def test_the_same_seed_gives_the_same_battle(name: str) -> None:
    one, two = (fight(HOUSE[name], HOUSE["Spinner"], seed=5) for _ in range(2))
    assert one == two
    assert one.rows


def test_another_seed_gives_another_battle() -> None:
    assert fight(HOUSE["Spinner"], HOUSE["Crawler"], seed=5) != fight(
        HOUSE["Spinner"], HOUSE["Crawler"], seed=6
    )


@pytest.mark.parametrize(("weaker", "stronger"), PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_each_bot_beats_all_that_are_weaker(weaker: str, stronger: str) -> None:
    lost, won = fight(HOUSE[weaker], HOUSE[stronger], rounds=ROUNDS, seed=2).rows
    assert won.total > 1.2 * lost.total
    assert won.first_places > lost.first_places


@pytest.mark.parametrize("arguments", [[], ["Walls"], ["Ace", "Duck"]])
def test_an_unknown_name_is_answered_with_the_names(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert not missing(capsys.readouterr().err, *arguments, ", ".join(HOUSE))


@pytest.mark.process
def test_a_built_in_bot_plays_as_a_separate_program() -> None:
    def game(line: Line) -> None:
        line.say(HELLO)
        assert line.hear()["name"] == "Spinner"
        line.say(GAME)
        assert line.hear() == {"type": "BotReady"}
        line.say(ROUND, scene(1))
        assert abs(line.hear()["turnRate"]) == 6.0
        line.close()

    with FakeServer(game) as server:
        command = [sys.executable, "-m", "turnwright_tank.bots.house", "Spinner"]
        subprocess.run(command, env={**os.environ, "SERVER_URL": server.url}, check=True, timeout=30)
