"""A newcomer's first minutes by page: a script that clicks and types, and facts that must be true then."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import NewScreen
from tests.games.world.cli.demo_players import demo
from tests.games.world.net.demo_server import kept_world
from turnwright.games.world.kit.first_lesson import LESSON

pytestmark = pytest.mark.long
QUICK = ("--turn", "120", "--seed", "7")
WAIT_S = 60.0
DEATH_S = 180.0
POLL_S = 0.1
TRIES_MAX = 3
"""Attacks of the goose."""
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


class Newcomer:
    """A person at the page."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.read = 0
        """Characters of the story that were looked through already."""

    def story(self) -> str:
        return str(self.page.locator(".log").inner_text())

    def sees(self, *texts: str, within_s: float = WAIT_S) -> str:
        """Wait until the story, after what was looked for last, has one of these; return it."""
        end = time.monotonic() + within_s
        while not (found := {text: at for text in texts if (at := self.story().find(text, self.read)) >= 0}):
            assert time.monotonic() < end, f"none of {texts!r} in {self.story()[self.read :]!r}"
            time.sleep(POLL_S)
        first = min(found, key=lambda text: found[text])
        self.read = found[first] + len(first)
        return first

    def types(self, line: str) -> None:
        """Type a line; what is seen next comes after it."""
        self.page.locator("#line").fill(line)
        self.page.keyboard.press("Enter")

    def says(self, line: str) -> None:
        """Type a command, which the page repeats in the story."""
        self.types(line)
        self.sees(f"> {line}")

    def goes(self, way: str, place: str) -> None:
        """Go by the compass, and wait for the place."""
        self.page.locator(f".exit[data-way={way}]").click()
        self.page.locator(".room-name", has_text=place).wait_for()


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


def errs(maud: Newcomer) -> None:
    """Type what newcomers type, and be told what to do."""
    for typed, named in MISTAKES.items():
        maud.says(typed)
        maud.sees(named)


def wins(maud: Newcomer) -> None:
    """Attack the goose from its menu; then react to nothing."""
    page = maud.page
    page.locator(".one.creature", has_text="white goose").click()
    page.get_by_role("button", name="attack white goose").click()
    maud.sees("the white goose is dead")
    maud.sees("8 xp")
    page.locator(".reaction", has_text="dodge").click()
    page.locator(".lock-word", has_text="nothing to dodge").wait_for()
    page.locator(".lock-word", has_text="nothing to dodge").wait_for(state="detached")


def looks_around(maud: Newcomer) -> None:
    """Go by the compass; what was seen is on the map and behind the exits."""
    page = maud.page
    maud.goes("east", "Market street")
    page.locator(".exit[data-way=west] .exit-behind", has_text="The square").wait_for()
    page.locator(".map-place.here-now title", has_text="Market street").wait_for(state="attached")
    maud.goes("west", "The square")
    assert page.locator(".map-place").count() >= 2


def dies(maud: Newcomer) -> None:
    """Attack a wolf that is too strong, and live again elsewhere."""
    for place in ("South gate", "The south road", "Crossing", "The deep wood"):
        maud.goes("south", place)
    maud.says("kill wolf")
    maud.sees("You live again", within_s=DEATH_S)
    maud.page.locator(".room-name", has_text="Temple of the bell").wait_for()


def comes_back(maud: Newcomer) -> None:
    """Reload the page, keep the character, and leave."""
    maud.page.reload()
    maud.page.wait_for_selector(".exit")
    maud.read = 0
    maud.sees("Welcome back, Maud")
    maud.says("keep")
    for line in ("three green apples", "three green apples"):
        maud.types(line)
    maud.sees("is saved")
    maud.says("quit")
    maud.page.get_by_role("button", name="Come in again").wait_for()


def test_a_newcomer_by_page_learns_wins_errs_dies_and_comes_back(
    new_screen: NewScreen, tmp_path: Path
) -> None:
    with demo(tmp_path, *QUICK) as server:
        maud = comes_in(new_screen, f"http://localhost:{server.port}/")
        dodges(maud)
        errs(maud)
        wins(maud)
        looks_around(maud)
        dies(maud)
        comes_back(maud)
        assert server.end(signal.SIGTERM)[0] == 0
    world, _ = kept_world(str(tmp_path / "world-data" / "world.db"))
    (body,) = [one for one in world.creatures.values() if one.name == "Maud"]
    assert (body.data["deaths"], body.data[LESSON], body.data["xp"] >= 8) == (1, "done", True)
    assert {"square", "market", "gate", "deepwood"} <= set(body.data["seen"])
