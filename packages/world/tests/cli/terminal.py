"""A newcomer's terminal of 80 columns: types, waits for answers, and counts turns."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping

from packages.world.tests.cli.demo_players import WAIT_S, Telnet

COLUMNS = 80
GAP_S = 0.13
"""Time between two lines: more than eight a second are refused."""
_MINUTE_TURNS = 240
_PROMPT = re.compile(r"\[(\d+)/(\d+) hp[^\]\n]*\] ")
_ASKED = re.compile(rf"{_PROMPT.pattern}|(?:guest|passphrase|it|cancels\)): (?=\S)")
"""Prompts and questions, after which a player types."""
_TURN = re.compile(r"turn (\d+)")
_THREAT = re.compile(r"in [\d.]+ s \[\d+\] - ([\w, ]+)\?")
_TOO_SOON = "deflect"
"""A reaction that stops only attacks that land soon. Typed immediately, it is too early."""


class Terminal(Telnet):
    """A player who reads prompts.

    Attributes:
        turn_s: the real time of a turn.
        health: the health, percent.
        busy, attacked: whether the last prompt reports an action, and attacks.
        turns: lines that were asked, with how many turns each waited for its answer.
    """

    def __init__(self, port: int, turn_s: float) -> None:
        super().__init__(port, COLUMNS)
        self.turn_s = turn_s
        self.turns: list[tuple[str, int]] = []
        self._told = ""
        self.health, self.busy, self.attacked = 100, False, False
        self._turn, self._turn_at_s, self._typed_at_s = 0, time.monotonic(), 0.0

    @property
    def lines(self) -> list[str]:
        """All received lines. After a prompt, where the player types, a new line begins."""
        return _ASKED.sub(r"\g<0>\n", self.whole.replace("\r", "")).splitlines()

    # ---- reading -------------------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The latest turn that can be running now."""
        return self._turn + int((time.monotonic() - self._turn_at_s) / self.turn_s)

    def receives(self, within_s: float) -> bool:
        """Wait for more text, and read its prompt."""
        came = super().receives(within_s)
        prompts = list(_PROMPT.finditer(self.text)) if came else []
        if prompts:
            shown = prompts[-1]
            self.health = 100 * int(shown[1]) // int(shown[2])
            self.busy, self.attacked = "ing (" in shown[0], " coming" in shown[0]
            found = _TURN.search(shown[0])
            if found and int(found[1]) > self._turn:
                self._turn, self._turn_at_s = int(found[1]), time.monotonic()
        return came

    def reads_for(self, seconds: float) -> None:
        """Read the text that comes in a time, and search nothing in it."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.receives(left)

    def prompted(self, within_s: float = WAIT_S) -> str:
        """Wait for a prompt, and return the text before it since the last search."""
        end = time.monotonic() + within_s
        while not (found := _PROMPT.search(self.text)):
            assert self.receives(end - time.monotonic()), f"no prompt in {self.text!r}"
        said = self.text[: found.start()]
        self.forgets(found.end())
        return said

    # ---- typing --------------------------------------------------------------------------------------------

    def type(self, line: str) -> None:
        """Read all text that has arrived, then type a line."""
        self.reads_for(max(0.01, self._typed_at_s + GAP_S - time.monotonic()))
        self._typed_at_s = time.monotonic()
        super().type(line)

    def asks(self, line: str, *named: str) -> str:
        """Type a line, wait for its answer, and return the first of some words in it.

        `turns` gets the number of turns until then.
        """
        self.reads_for(0.01)
        self.forgets(len(self.text))
        before = self.turn
        self.type(line)
        start = len(self.whole)
        found = self.sees(*named)
        while not _PROMPT.search(self.text):
            assert self.receives(WAIT_S), line
        self._told = self.whole[start:]
        self.turns.append((line, max(0, self._turn - before)))
        return found

    def looks(self) -> str:
        """Type `look`, and return the text of the place."""
        self.asks("look", "Exits: ")
        place, self._told = self._told, ""
        return place

    def asks_all(self, answers: Mapping[str, str]) -> None:
        """Type lines, each when the one before is answered. answers: by line, a word that it must name."""
        for line, named in answers.items():
            self.asks(line, named)

    def fights(self, within_s: float = WAIT_S, flees_at: int = 40) -> str:
        """Answer each attack with an offered reaction, flee when badly hurt, and return the fight's texts.

        The fight is over when a prompt reports no action and no attack.

        Raises:
            AssertionError: it lasts longer.
        """
        told, end, flees = "", time.monotonic() + within_s, False
        while True:
            if _ends_with_prompt(self.text):
                told, new = told + self.text, self.text
                self.forgets(len(new))
                if not (self.busy or self.attacked):
                    return _PROMPT.sub("\n", told)
                reactions = _THREAT.findall(" ".join(new.split()))
                if self.attacked and self.health < flees_at and not flees:
                    flees = True
                    self.type("flee")
                elif reactions and not flees:
                    self.type(_chosen(reactions[0]))
            assert self.receives(end - time.monotonic()), f"it is not over: {told!r}"

    def quiet(self, turns: int) -> float:
        """Do nothing for some turns, and return the number of new lines per minute of the game."""
        self.asks("time", "game time")
        self.forgets(len(self.text))
        before, start = self._turn, len(self.whole)
        self.reads_for(turns * self.turn_s)
        came = _PROMPT.sub("", self.whole[start:])
        self.asks("time", "game time")
        lines = [line for line in came.splitlines() if line.strip()]
        return len(lines) * _MINUTE_TURNS / (self._turn - before)


def _chosen(offered: str) -> str:
    """Return the reaction that is typed, of those that a line offers: "deflect, parry or dodge"."""
    names = offered.replace(" or ", ", ").split(", ")
    return next((name for name in names if name != _TOO_SOON), names[0])


def _ends_with_prompt(text: str) -> bool:
    return any(shown.end() == len(text) for shown in _PROMPT.finditer(text))
