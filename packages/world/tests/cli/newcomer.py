"""Parts of a newcomer's ten minutes that telnet and the page share: lines, a wanderer, facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from packages.world.tests.net.demo_server import kept_world

TURNS = 2_400
"""Ten minutes of turns of 250 ms."""
ANSWER_TURNS_MAX = 20
"""The most turns until a line is answered, with quick turns on a busy machine."""
QUIET_LINES_MAX = 16
"""The most lines a minute in a quiet place for a player who does nothing there; seven are usual."""
RATS = "Rats under the inn"
"""The first quest that a newcomer is offered."""
PHRASE = "three green apples"
GROUPS = ("moving", "looking", "fighting", "talking", "things", "minds", "settings")
"""The groups that `help` names."""
MIND = """def plan(view, random):
    if view["action"]:
        return None
    if view["threats"]:
        return "flee"
    print("here:", view["place"]["name"])
    return "go " + random.choice(sorted(view["place"]["exits"])) if random.random() < 0.2 else None"""
"""A mind that prints where it is, flees from threats, and walks about."""
LOOKS_ABOUT = {
    "score": "Experience",
    "quests": f"Done: {RATS}",
    "map": "@",
    "exits": "Exits: ",
    "reactions": "dodge: ",
    "i": "kitchen knife",
    "time": "game time",
    "brief": "only when",
    "brief off": "whenever",
    "queue": "Nothing waits",
    "tell Oda hello": "who",
    "wear": "kitchen knife",
    "companions": "companion",
    "train": "Points to train",
    "way nowhere": "map",
    "attack": "attack NAME",
    "consider": "whom",
    "stop": "you stop",
}
"""Lines of a player who looks around in a place without a fight, and a word of each answer."""

_INTERNAL = re.compile(r"(?i:internal|traceback|something went wrong)|\bNone\b|\{\w*\}|<\w+ object")
_NO_TIME = r"(?:slow|machine|phase_ended|no_time)"
_BUSY = re.compile(
    r" (?:WARNING|ERROR) (?:"
    r"(?:\d+ turns missed their duration, the worst of them: )?"
    r"turn \d+ (?:was [\d.]+ ms late|worked for [\d.]+ ms) \("
    rf"|turn \d+: body \d+ \(mind [^)]*\) does nothing, {_NO_TIME}: "
    rf"|turns? \d+(?: to \d+)?: \d+ plans of mind .* were not finished, {_NO_TIME}; "
    r"|turn \d+: \d+ more plans? of (?:another mind was|other minds were) not finished$)"
)
"""Lines of a log that report a machine with too much to do: late turns, and plans that had no time."""
_GRAVE = re.compile(r" (ERROR|WARNING|CRITICAL) |Traceback")
_SAYS_WHO = re.compile(r"(?:An?|One|Two|Three|Four|Five|Six|Seven|Eight)? ?([A-Za-z' -]+?) (?:is|are) here\b")
_ONE_OF = {"wolves": "wolf", "geese": "goose", "deer": "deer"}


def word_of(name: str) -> str:
    """Return a newcomer's word for a creature that is here: "rat" for "Five cellar rats"."""
    last = name.lower().split()[-1]
    return _ONE_OF.get(last, last.removesuffix("s"))


@dataclass(frozen=True)
class Seen:
    """A view of a place, with the names of exits and creatures, and the player's health in percent."""

    exits: tuple[str, ...]
    creatures: tuple[str, ...]
    health: int

    @classmethod
    def told(cls, text: str, health: int) -> Seen:
        """Return the view that the text of a place describes."""
        lines = text.replace("\r", "").splitlines()
        ways = [line.removeprefix("Exits: ").rstrip(".") for line in lines if line.startswith("Exits: ")]
        here = [found[1] for line in lines if (found := _SAYS_WHO.match(line))]
        return cls(tuple(ways[-1].split(", ")) if ways else (), tuple(here), health)


@dataclass
class Wanderer:
    """Goes about as a newcomer who knows the help: rests when hurt, considers, and fights weak creatures.

    Attributes:
        weak: for each considered creature, by its word, whether it may be attacked.
        before: the way back.
        fought, tamed: the number of attacks in this place, and of attempts to tame.
    """

    random: Random
    weak: dict[str, bool] = field(default_factory=dict)
    before: str = ""
    fought: int = 0
    tamed: int = 0

    def line(self, seen: Seen) -> str:
        """Return the next line to type."""
        if seen.health < 60:
            return "rest"
        unknown = [name for name in seen.creatures if word_of(name) not in self.weak]
        if unknown:
            return f"consider {word_of(unknown[0])}"
        if any(word_of(name) == FRIEND for name in seen.creatures) and self.tamed < 3:
            self.tamed += 1
            return f"tame {FRIEND}"
        prey = [name for name in seen.creatures if self.weak[word_of(name)] and word_of(name) != FRIEND]
        if prey and self.fought < 2:
            self.fought += 1
            return f"attack {word_of(prey[0])}"
        if self.random.random() < 0.3:
            return self.random.choice(
                ("search", "map", "quests", "score", "exits", "get all", "fish", "sell all")
            )
        return f"go {self._way(seen.exits)}"

    def _way(self, exits: Sequence[str]) -> str:
        """Return a way to go, seldom the way back. In the new place, attacks are counted from 0 again."""
        self.fought = 0
        ahead = [way for way in exits if way != self.before] or list(exits)
        way = self.random.choice(ahead if self.random.random() < 0.8 else list(exits))
        self.before = _BACK.get(way, "")
        return way

    def considered(self, name: str, answer: str) -> None:
        """Remember the answer of `consider` about a creature."""
        self.weak[name] = answer in EASY


REFUSED = ("nobody", "Nobody", "cannot", "dark", "waits until", "somebody else", "of that name")
"""Words of the texts that refuse to attack or consider a creature."""
FRIEND = "cat"
"""The creature that a newcomer tames."""
EASY = ("An easy one", "Stay awake")
"""Answers to `consider` after which a newcomer attacks."""
_BACK = {"north": "south", "east": "west", "up": "down", "in": "out"}
_BACK |= {there: here for here, there in _BACK.items()}


def unsayable(lines: Iterable[str]) -> list[str]:
    """Return the lines that no player should ever read."""
    return [line for line in lines if _INTERNAL.search(line)]


def own_errors(log: str) -> list[str]:
    """Return the errors and warnings of a server's log that are not those of a busy machine."""
    return [line for line in log.splitlines() if _GRAVE.search(line) and not _BUSY.search(line)]


def achieved(folder: Path, name: str) -> dict[str, Any]:
    """Return a character's quests, level, xp, money, places and deaths from the saved world of a demo."""
    world, _ = kept_world(str(folder / "world-data" / "world.db"))
    (body,) = [one for one in world.creatures.values() if one.name == name]
    return {
        "quests": {quest for quest, entry in body.quests.items() if entry["state"] == "done"},
        "level": body.data.get("level", 1),
        "xp": body.data["xp"],
        "money": body.money,
        "seen": set(body.data["seen"]),
        "deaths": body.data.get("deaths", 0),
        "lesson": body.data["lesson"],
        "items": sorted(world.items[number].kind for number in body.items),
    }
