"""A newcomer's first minutes by telnet: a script that types, and facts that must be true then."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from tests.games.world.cli.demo_players import Demo, Telnet, demo
from tests.games.world.net.demo_server import kept_world
from turnwright.games.world.kit.first_lesson import LESSON

pytestmark = [pytest.mark.process, pytest.mark.long]
QUICK = ("--turn", "120", "--seed", "7")
SAYS_PLACE = "Exits: "
MISTAKES = {
    "look at": "white goose",
    "i": "kitchen knife",
    "inventory": "kitchen knife",
    "get all": "nothing to get",
    "kill dragon": "white goose",
    "say": "say TEXT",
    "norht": "north",
    "xyzzyx": "help",
    "who": "Maud",
    "help": "Moving",
    "help parry": "parry",
    "north quickly": "type north",
}
"""Lines that newcomers type, and the word that the answer must name."""


def enter(server: Demo) -> Telnet:
    player = Telnet(server.telnet_port)
    player.sees("or guest: ")
    player.type("Maud")
    return player


def go(player: Telnet, *steps: tuple[str, str]) -> None:
    for line, place in steps:
        player.type(line)
        player.sees(place)
        player.sees(SAYS_PLACE)


def test_a_newcomer_learns_wins_gets_lost_dies_and_comes_back(tmp_path: Path) -> None:
    with demo(tmp_path, *QUICK) as server:
        maud = enter(server)
        maud.sees("The square")
        maud.sees("comes at you")
        assert "dodge" in maud.sees("dodge?", "dodge")
        maud.type("dodge")
        maud.sees("You have dodged")
        for typed, named in MISTAKES.items():
            maud.type(typed)
            maud.sees(named)
        maud.type("kill goose")
        maud.sees("the white goose is dead")
        maud.sees("8 xp")
        go(maud, ("n", "Temple"), ("s", "The square"), ("west please", "Smiths' lane"))
        go(maud, ("n", "House of the watch"), ("s", "Smiths' lane"))
        maud.type("way square")
        assert maud.sees("east", "don't know") == "east"
        go(maud, ("e", "The square"), ("s", "South gate"), ("s", "The south road"), ("s", "Crossing"))
        go(maud, ("s", "The deep wood"))
        maud.type("kill wolf")
        maud.sees("You live again", within_s=180)
        maud.sees("Temple of the bell")
        maud.close()
        maud = enter(server)
        maud.sees("Temple of the bell")
        maud.sees("Welcome back, Maud")
        assert re.search(r"ago|seen", maud.sees("Last seen", "ago"))
        for line in ("keep", "three green apples", "three green apples"):
            maud.type(line)
        maud.sees("is saved")
        maud.type("quit")
        maud.sees("Farewell")
        assert server.end(signal.SIGTERM)[0] == 0
    world, _ = kept_world(str(tmp_path / "world-data" / "world.db"))
    (body,) = [one for one in world.creatures.values() if one.name == "Maud"]
    assert (body.data["deaths"], body.data[LESSON], body.data["xp"] >= 8) == (1, "done", True)
    assert {"temple", "lane", "guardhouse", "deepwood"} <= set(body.data["seen"])
    assert [world.items[number].kind for number in body.items] == ["knife", "bread"]
