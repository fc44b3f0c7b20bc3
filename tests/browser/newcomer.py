"""A person who plays the text world at its page: reads the story, types, clicks, counts turns."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from typing import Any

WAIT_S = 60.0
DEATH_S = 180.0
POLL_S = 0.05
_MINUTE_TURNS = 240
_TURN = re.compile(r"Turn (\d+), game time")
_READ = """() => [...document.querySelectorAll(".log > .line:not([data-read])")].map(line => {
  line.dataset.read = "";
  return line.textContent;
})"""
"""Takes the lines of the story that were not taken before; the page drops the oldest ones in time."""


class Newcomer:
    """A person at the page.

    Attributes:
        told: the story so far.
        waits: typed lines, with the seconds until the answer.
    """

    def __init__(self, page: Any) -> None:
        self.page = page
        self.told = ""
        self.read = 0
        """Characters of the story that were looked through already."""
        self.waits: list[tuple[str, float]] = []

    # ---- reading -------------------------------------------------------------------------------------------

    def story(self) -> str:
        """Return the whole story so far."""
        self.told += "".join(f"{line}\n" for line in self.page.evaluate(_READ))
        return self.told

    def sees(self, *texts: str, within_s: float = WAIT_S) -> str:
        """Wait until one of these texts is in the story after the last search, and return it."""
        end = time.monotonic() + within_s
        while not (found := {text: at for text in texts if (at := self.story().find(text, self.read)) >= 0}):
            assert time.monotonic() < end, f"none of {texts!r} in {self.told[self.read :]!r}"
            time.sleep(POLL_S)
        first = min(found, key=lambda text: found[text])
        self.read = found[first] + len(first)
        return first

    def forgets(self) -> None:
        """Forget the texts so far."""
        self.read = len(self.story())

    def turn(self) -> int:
        """Ask for the turn, and return it."""
        self.asks("time", "game time")
        return int(_TURN.findall(self.told)[-1])

    # ---- doing ---------------------------------------------------------------------------------------------

    def types(self, line: str) -> None:
        """Type a line, and press Enter."""
        self.page.locator("#line").fill(line)
        self.page.keyboard.press("Enter")

    def says(self, line: str) -> None:
        """Type a command, which the page repeats in the story."""
        self.forgets()
        self.types(line)
        self.sees(f"> {line}\n")

    def asks(self, line: str, *named: str) -> str:
        """Type a command, wait for its answer, and return the first of some words in it."""
        self.says(line)
        start_s = time.monotonic()
        found = self.sees(*named)
        self.waits.append((line, time.monotonic() - start_s))
        return found

    def asks_all(self, answers: Mapping[str, str]) -> None:
        """Type lines, each when the one before is answered.

        Args:
            answers: by line, a word that it must name.
        """
        for line, named in answers.items():
            self.asks(line, named)

    def goes(self, way: str, place: str) -> None:
        """Go by the compass, and wait for the place."""
        self.page.locator(f".exit[data-way={way}]").click()
        self.page.locator(".room-name", has_text=place).wait_for()

    def chooses(self, verb: str, name: str) -> None:
        """Choose from the menu of a creature that is here."""
        self.page.locator(".one.creature", has_text=name).first.click()
        self.page.get_by_role("button", name=f"{verb} {name}").first.click()

    def presses(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def quiet(self, seconds: float) -> float:
        """Do nothing for a time, and return the number of new lines per minute of the game."""
        before, start = self.turn(), len(self.told)
        time.sleep(seconds)
        lines = self.story()[start:].splitlines()
        return len([line for line in lines if line.strip()]) * _MINUTE_TURNS / (self.turn() - before)
