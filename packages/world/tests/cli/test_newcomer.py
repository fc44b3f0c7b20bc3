"""A newcomer's first ten minutes by telnet: a script that types, and facts that must be true then."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path
from random import Random

import pytest

from packages.world.tests.cli.demo_players import demo
from packages.world.tests.cli.newcomer import (
    ANSWER_TURNS_MAX,
    EASY,
    GROUPS,
    LOOKS_ABOUT,
    MIND,
    PHRASE,
    QUIET_LINES_MAX,
    RATS,
    REFUSED,
    TURNS,
    Seen,
    Wanderer,
    achieved,
    own_errors,
    unsayable,
    word_of,
)
from packages.world.tests.cli.terminal import COLUMNS, Terminal
from packages.world.tests.net.demo_server import Demo
from turnwright_world.kit.first_lesson import LESSON
from turnwright_world.planning.net.sandbox import can_seal

pytestmark = [pytest.mark.process, pytest.mark.long, pytest.mark.timeout(900)]
TURN_MS = 60
"""Real time of a turn: ten minutes of the game are less than three."""
QUICK = ("--turn", f"{TURN_MS}ms", "--fast", "--seed", "7")
SAYS_PLACE = "Exits: "
TRIES_MAX = 12
"""Attempts at actions that may fail: a dodge, an attack on a missing rat, a search for the cat."""
DEATH_S = 180.0
PATIENCE_S = 300.0
"""For the pond to fill: it gives four catches, and another one each 90 s."""
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


def comes(server: Demo, name: str) -> Terminal:
    player = Terminal(server.telnet_port, TURN_MS / 1000)
    player.sees("or guest: ")
    player.type(name)
    return player


def goes(player: Terminal, *steps: tuple[str, str]) -> None:
    for line, place in steps:
        player.asks(line, place)


def dodges(maud: Terminal) -> None:
    """See the attack of the goose coming, and dodge it at the first attempt or a later one."""
    for _ in range(TRIES_MAX):
        maud.sees("comes at you")
        assert maud.sees("dodge?", "dodge") == "dodge?"
        if maud.asks("dodge", "You have dodged", "hits you for") == "You have dodged":
            return
    raise AssertionError(maud.whole)


def wins(maud: Terminal) -> None:
    maud.asks("kill goose", "prepare to attack")
    maud.sees("the white goose is dead")
    maud.sees("8 xp")


def looks_round(maud: Terminal) -> None:
    goes(maud, ("n", "Temple"), ("s", "The square"), ("west please", "Smiths' lane"))
    goes(maud, ("n", "House of the watch"), ("s", "Smiths' lane"))
    assert maud.asks("way square", "east", "know no way") == "east"


def dies(maud: Terminal) -> None:
    """Attack a creature that is too strong, although `consider` warns of it."""
    goes(maud, ("e", "The square"), ("s", "South gate"), ("s", "The south road"), ("s", "Crossing"))
    maud.asks("s", "The deep wood")
    maud.type("kill wolf")
    maud.sees("You live again", within_s=DEATH_S)
    maud.sees("Temple of the bell")


def heals(maud: Terminal) -> None:
    """Eat bread, and rest until health is full."""
    maud.asks("eat", "loaf of bread")
    maud.asks("eat bread", "does you good")
    if maud.asks("rest", "sit down", "rested already") == "sit down":
        maud.sees("You get up", within_s=DEATH_S)
    assert maud.quiet(120) <= QUIET_LINES_MAX


def reads_help(maud: Terminal) -> None:
    for group in GROUPS:
        maud.asks(f"help {group}", ": ")
    for command in ("consider", "dodge", "rest", "talk", "mind", "keep"):
        maud.asks(f"help {command}", f"{command}: ", f"{command} ")


def finds_work(maud: Terminal) -> None:
    """Go into the inn and be asked for help; buy a lamp and light it."""
    maud.asks("quests", "Bram the innkeeper")
    goes(maud, ("s", "The square"), ("in", "The Drowned Lantern"))
    maud.asks("talk", RATS)
    maud.asks("talk innkeeper about rats", "hatch")
    maud.asks("talk bram about the moon", "Ask about rats")
    maud.asks("quests rats", "0 of 4")
    maud.asks("list", "bowl of stew")
    goes(maud, ("out", "The square"), ("e", "Market street"), ("in", "The lantern shop"))
    maud.asks("list", "oil lamp")
    maud.asks("buy boat", "list")
    maud.asks("buy lamp", "You buy an oil lamp")
    maud.asks("light lamp", "You light")
    goes(maud, ("out", "Market street"), ("n", "Back alley"), ("down", "Under the stores"))


def kills_rats(maud: Terminal) -> None:
    """Fight as long as there are too many rats, react to bites, and rest when hurt."""
    maud.asks("consider rat", *EASY)
    told = ""
    for _ in range(TRIES_MAX):
        if maud.asks("attack rat", "prepare to attack", "nobody", "Nobody") == "prepare to attack":
            told += maud.fights(DEATH_S)
        if f"{RATS}: done" in told:
            break
        maud.type("rest")
        maud.fights(DEATH_S)
        if maud.asks("look", "Under the stores", SAYS_PLACE) == SAYS_PLACE:
            maud.asks("down", "Under the stores", "can't")
    assert f"{RATS}: done" in told
    assert re.search(r"You have (parried|dodged)", " ".join(told.split()))


def is_paid(maud: Terminal) -> None:
    """Find the way back to the innkeeper from the game's texts, and take the reward."""
    maud.asks("quests", "Bram the innkeeper")
    maud.asks("way innkeeper", "up, south, west, in", "south, west, in")
    for line, place in (("up", "Back alley"), ("s", "Market street"), ("w", "The square")):
        maud.asks(line, place, "can't")
    maud.asks("in", "The Drowned Lantern")
    maud.asks("talk", "25 coins")
    assert maud.quiet(120) <= QUIET_LINES_MAX


def learns(maud: Terminal) -> None:
    if maud.asks("train vigour", "practise", "no points") == "practise":
        maud.sees("vigour is")
    maud.asks("sell", "nothing that", "would pay")


def fishes(maud: Terminal) -> None:
    """Buy a rod, fish, and ask the fisher; give away nothing that he wants for a quest."""
    goes(maud, ("out", "The square"), ("e", "Market street"), ("in", "The lantern shop"))
    maud.asks("sell", "would pay", "nothing that")
    maud.asks("buy rod", "You buy a fishing rod")
    maud.asks("buy bread", "You buy a loaf")
    goes(maud, ("out", "Market street"), ("e", "The old pier"))
    maud.asks("talk", "Two trout")
    caught, until = "", time.monotonic() + PATIENCE_S
    while caught != "a trout":
        if maud.asks("fish", "You begin to fish", "nothing left to fish") == "You begin to fish":
            caught = maud.sees("a trout", "a wet boot", within_s=DEATH_S)
        else:  # boots alone so far: the pond fills again
            assert time.monotonic() < until
            time.sleep(1)
    maud.asks("give trout to pell", "talk pell")
    maud.asks("quests supper", "of 2")


def keeps(maud: Terminal) -> None:
    for line in ("keep", PHRASE, PHRASE):
        maud.type(line)
    maud.sees("is saved")


def tames(maud: Terminal) -> bool:
    """Look for the cat where it walks about, and offer it bread; return whether it came along."""
    maud.asks("help tame", "something to eat")
    for way in ("w", "n", "s", "w", "e", "e") * 6:  # from the pier and back
        seen = Seen.told(maud.looks(), maud.health)
        if any(word_of(name) == "cat" for name in seen.creatures):
            told = maud.asks("tame cat", "You hold something out", "You see no", "yours already")
            if (
                told == "You hold something out"
                and maud.sees("companion now", "You see no") == "companion now"
            ):
                maud.asks("companions", "cat (#")
                return True
        maud.asks(way, SAYS_PLACE, "can't")
    return False


def hands_over_a_mind(maud: Terminal, server: Demo) -> Terminal:
    """Paste a mind, leave it in the town with a friend, come back, and look at what it did."""
    tom = comes(server, "Tom")
    tom.sees("The square")
    tom.asks("in", "The Drowned Lantern")
    maud.asks("tell tom watch me", "You tell Tom")
    maud.asks("mind", "no mind of yours")
    maud.asks("mind paste", "full stop", "alone")
    for line in MIND.replace("None\n", "None)\n", 1).splitlines():
        maud.type(line)
    maud.asks(".", "Line ")
    maud.asks("mind paste", "alone")
    for line in MIND.splitlines():
        maud.type(line)
    maud.asks(".", "The mind is taken")
    maud.type("quit")
    maud.sees("Your mind acts")
    tom.reads_for(200 * tom.turn_s)
    back = comes(server, "Maud")
    back.sees("passphrase: ")
    back.type(PHRASE)
    back.sees("Welcome back, Maud")
    back.asks("mind prints", "here: ")
    back.asks("mind", "plans")
    back.asks("mind stop", "stopped")
    back.asks("mind drop", "forgotten")
    tom.asks("say bye", "You say")
    tom.type("quit")
    tom.sees("Farewell")
    return back


def wanders(maud: Terminal, until: int) -> None:
    """Go about, fight weak creatures and rest when hurt, until the time is over."""
    wanderer = Wanderer(Random(7))
    while maud.turn < until:
        told = maud.fights(DEATH_S)
        place = told if "Exits: " in told else maud.looks()
        line = wanderer.line(Seen.told(place, maud.health))
        word, _, name = line.partition(" ")
        if word == "consider":
            wanderer.considered(name, maud.asks(line, *EASY, "hard", "death", "not look for", *REFUSED))
        elif word == "attack":
            maud.asks(line, "prepare to attack", *REFUSED)
        else:
            maud.type(line)
        maud.reads_for(3 * maud.turn_s)


def leaves(maud: Terminal) -> None:
    """Send `quit`, ignoring what the server says."""
    maud.type("quit")
    maud.sees("Farewell")


def test_a_newcomer_plays_ten_minutes_by_telnet(tmp_path: Path) -> None:
    with demo(tmp_path, *QUICK) as server:
        maud = comes(server, "Maud")
        maud.sees("The square")
        dodges(maud)
        maud.asks_all(MISTAKES)
        wins(maud)
        looks_round(maud)
        dies(maud)
        maud.close()
        first, maud = maud, comes(server, "Maud")
        maud.sees("Temple of the bell")
        maud.sees("Welcome back, Maud")
        maud.sees("Last seen", "ago")
        heals(maud)
        reads_help(maud)
        finds_work(maud)
        kills_rats(maud)
        is_paid(maud)
        maud.asks_all(LOOKS_ABOUT)
        learns(maud)
        fishes(maud)
        keeps(maud)
        assert tames(maud)
        visits = [first, maud]
        if can_seal():
            visits.append(maud := hands_over_a_mind(maud, server))
        wanders(maud, TURNS)
        maud.fights(DEATH_S)
        maud.asks("score", "Experience")
        leaves(maud)
        code, log = server.end(signal.SIGTERM)
    lines = [line for one in visits for line in one.lines]
    assert code == 0
    assert own_errors(log) == []
    assert unsayable(lines) == []
    assert [line for line in lines if len(line) > COLUMNS] == []
    slow = [(line, turns) for one in visits for line, turns in one.turns if turns > ANSWER_TURNS_MAX]
    assert slow == []
    kept = achieved(tmp_path, "Maud")
    assert kept["quests"] >= {"rats"}
    assert kept[LESSON] == "done"
    assert kept["level"] >= 2
    assert kept["xp"] >= 8 + 4 * 12 + 60
    assert kept["deaths"] >= max(1, sum("You live again" in line for line in lines))
    assert kept["seen"] >= {"temple", "lane", "guardhouse", "deepwood", "tavern", "store", "cellar", "pier"}
    assert kept["items"].count("lamp") == 1
