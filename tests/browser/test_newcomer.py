"""A newcomer at the page: a script that clicks and types, and facts that must hold then.

`packages/world/tests/cli/test_newcomer.py` plays the whole first ten minutes by telnet.
"""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from packages.world.tests.cli.demo_players import Telnet, demo
from packages.world.tests.cli.newcomer import (
    ANSWER_TURNS_MAX,
    MIND,
    PHRASE,
    QUIET_LINES_MAX,
    RATS,
    achieved,
    own_errors,
    unsayable,
)
from packages.world.tests.net.demo_server import Demo
from tests.browser.conftest import NewScreen
from tests.browser.newcomer import DEATH_S, Newcomer
from turnwright_world.kit.first_lesson import LESSON
from turnwright_world.planning.net.sandbox import can_seal

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]
TURN_MS = 80
"""Real time of a turn."""
QUICK = ("--turn", f"{TURN_MS}ms", "--fast", "--seed", "7")
ANSWER_S_MAX = 3 * ANSWER_TURNS_MAX * TURN_MS / 1000
"""Time to an answer, with that of a busy browser."""
TRIES_MAX = 12
"""Attempts at a dodge."""
MISTAKES = {
    "look at": "white goose",
    "kill dragon": "white goose",
    "say": "say TEXT",
    "norht": "north",
    "re": "reactions",
    "north quickly": "type north",
    "help": "Moving",
    "help north": "west",
}
"""Lines of newcomers, and a word of each answer."""


def comes_in(new_screen: NewScreen, url: str) -> Newcomer:
    page = new_screen().page
    page.goto(url)
    page.get_by_label("Your name").fill("Maud")
    page.keyboard.press("Enter")
    page.wait_for_selector(".exit")
    return Newcomer(page)


def dodges(maud: Newcomer) -> None:
    """See the attack of the goose coming, and dodge it at the first attempt or a later one."""
    page = maud.page
    maud.sees("The square")
    for _ in range(TRIES_MAX):
        page.locator(".threat", has_text="white goose").wait_for()
        page.locator(".reaction.blocked", has_text="ward").locator(
            ".reaction-why", has_text="bite"
        ).wait_for()
        page.locator(".reaction.useful", has_text="dodge").click()
        if maud.sees("You have dodged", "hits you for") == "You have dodged":
            return
    raise AssertionError(maud.story())


def wins(maud: Newcomer) -> None:
    """Attack the goose from its menu; then react to nothing."""
    page = maud.page
    maud.chooses("attack", "white goose")
    maud.sees("the white goose is dead")
    maud.sees("8 xp")
    page.locator(".reaction", has_text="dodge").click()
    page.locator(".lock-word", has_text="nothing to dodge").wait_for()
    page.locator(".lock-word", has_text="nothing to dodge").wait_for(state="detached")


def looks_around(maud: Newcomer) -> None:
    """Go by the compass; the seen places are on the map and named at the exits."""
    page = maud.page
    maud.goes("east", "Market street")
    page.locator(".exit[data-way=west] .exit-behind", has_text="The square").wait_for()
    page.locator(".map-place.here-now title", has_text="Market street").wait_for(state="attached")
    maud.goes("west", "The square")
    assert page.locator(".map-place").count() >= 2
    maud.presses("Whole map")
    maud.presses("Help")
    page.locator("#help", has_text="Shift").wait_for()
    page.locator("#help").get_by_role("button", name="Close").click()


def dies(maud: Newcomer) -> None:
    """Attack a wolf that is too strong, and live again elsewhere."""
    for place in ("South gate", "The south road", "Crossing", "The deep wood"):
        maud.goes("south", place)
    maud.says("kill wolf")
    maud.sees("You live again", within_s=DEATH_S)
    maud.page.locator(".room-name", has_text="Temple of the bell").wait_for()


def comes_back(maud: Newcomer) -> None:
    """Reload the page; eat, and rest until health is full."""
    maud.page.reload()
    maud.page.wait_for_selector(".exit")
    maud.sees("Welcome back, Maud")
    maud.asks("eat bread", "does you good")
    if maud.asks("rest", "sit down", "rested already") == "sit down":
        maud.sees("You get up", within_s=DEATH_S)
    assert maud.quiet(120 * TURN_MS / 1000) <= QUIET_LINES_MAX


def buys_a_lamp(maud: Newcomer) -> None:
    """Talk by the menu, buy a lamp and see it in the pack."""
    maud.goes("south", "The square")
    maud.goes("in", "The Drowned Lantern")
    maud.chooses("talk", "Bram the innkeeper")
    maud.sees(RATS)
    maud.goes("out", "The square")
    maud.goes("east", "Market street")
    maud.goes("in", "The lantern shop")
    maud.asks("buy lamp", "You buy an oil lamp")
    maud.page.locator(".pack summary", has_text="coins").click()
    maud.page.locator(".pack li", has_text="oil lamp").wait_for()


def keeps(maud: Newcomer) -> None:
    maud.says("keep")
    for line in (PHRASE, PHRASE):
        maud.types(line)
    maud.sees("is saved")


def hands_over_a_mind(maud: Newcomer, server: Demo) -> None:
    """Hand over a mind, with a mistake first. Leave, come back, look what it did, and forget it."""
    page = maud.page
    friend = Telnet(server.telnet_port)
    friend.sees("or guest: ")
    friend.type("Tom")
    friend.sees("The square")
    maud.presses("Mind")
    page.locator("#mind option", has_text="yourself").wait_for(state="attached")
    page.locator("#mind-source").fill(MIND.replace("None", "None)", 1))
    maud.presses("Hand over")
    page.locator(".mind-said", has_text="Line 3").wait_for()
    page.locator("#mind-source").fill(MIND)
    maud.presses("Hand over")
    page.locator(".mind-said", has_text="The mind is taken").wait_for()
    page.locator("#mind").get_by_role("button", name="Close").click()
    maud.says("quit")
    maud.presses("Come in again")
    page.get_by_label("Your name").fill("Maud")
    page.keyboard.press("Enter")
    page.get_by_label("Passphrase").wait_for()
    time.sleep(150 * TURN_MS / 1000)
    page.get_by_label("Passphrase").fill(PHRASE)
    page.keyboard.press("Enter")
    page.wait_for_selector(".exit")
    maud.sees("Welcome back, Maud")
    maud.presses("Mind")
    page.locator(".mind-looks li", has_text="here:").first.wait_for()
    page.locator("#mind").get_by_role("button", name="Forget").click()
    page.locator(".mind-facts", has_text="no mind from you").wait_for()
    page.locator("#mind").get_by_role("button", name="Close").click()
    friend.close()


def leaves(maud: Newcomer) -> None:
    """Send `quit`, ignoring what the server says."""
    maud.says("quit")
    maud.sees("Farewell")
    maud.page.get_by_role("button", name="Come in again").wait_for()


def test_a_newcomer_plays_by_page(new_screen: NewScreen, tmp_path: Path) -> None:
    with demo(tmp_path, *QUICK) as server:
        maud = comes_in(new_screen, f"http://localhost:{server.port}/")
        dodges(maud)
        maud.asks_all(MISTAKES)
        wins(maud)
        looks_around(maud)
        dies(maud)
        comes_back(maud)
        buys_a_lamp(maud)
        keeps(maud)
        if can_seal():
            hands_over_a_mind(maud, server)
        leaves(maud)
        code, log = server.end(signal.SIGTERM)
    lines = maud.story().splitlines()
    assert code == 0
    assert own_errors(log) == []
    assert unsayable(lines) == []
    assert [(line, waited_s) for line, waited_s in maud.waits if waited_s > ANSWER_S_MAX] == []
    kept = achieved(tmp_path, "Maud")
    assert kept[LESSON] == "done"
    assert kept["xp"] >= 8
    assert kept["deaths"] >= max(1, sum("You live again" in line for line in lines))
    assert kept["seen"] >= {"square", "market", "gate", "deepwood", "tavern", "store"}
    assert kept["items"].count("lamp") == 1
