"""Playing the demo world in the process: a battle, minds, and a player who types commands."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from typing import Any

import msgspec

from turnwright.kernel.battle import Battle
from turnwright.kernel.record import Record, TurnEntry
from turnwright.kernel.rng import Streams
from turnwright_world.content.read import Content, read_content
from turnwright_world.game import WorldGame
from turnwright_world.intent import GATE, GateEvent, ReactionInput, WorldIntent
from turnwright_world.kit.items import give_item, wear
from turnwright_world.net.content_files import DEMO, read_folder
from turnwright_world.planning.messages import BodyToPlan, Source
from turnwright_world.planning.net.minds import Minds
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Act

WAYS = ("north", "east", "south", "west", "up", "down", "in", "out")


@cache
def demo() -> Content:
    return read_content(read_folder(DEMO))


class Demo:
    """The demo world with a player.

    Args:
        minds: whether the minds of the demo are awake.
    """

    def __init__(
        self, seed: int = 7, *, minds: bool = True, content: Content | None = None, **more: Any
    ) -> None:
        self.content = content or demo()
        self.game = WorldGame(self.content.rules, more.pop("library", None))
        setup = {"open": True, "dt_us": 250_000, "content": self.content.hash}
        self.battle = Battle(self.game, setup, (), seed, **more)
        self.entries: list[TurnEntry] = []
        self.troubles: list[Any] = []
        self.heard: list[dict[str, Any]] = []
        self.kinds: set[str] = set()
        """The kinds of messages that the player has received."""
        self.memories: dict[int, msgspec.Raw] = {}
        self.minds = Minds()
        self.sources = dict(self.content.minds) if minds else {}
        for name, source in self.sources.items():
            self.minds.learn(Source(name, f"minds/{name}.py", source))
        self.streams = Streams(seed)
        self.turn({GATE: WorldIntent(gate=(GateEvent("join", None, "Anna", {"driver": "player"}),))})
        (self.me,) = [c.id for c in self.world.creatures.values() if c.driver == "player"]

    @property
    def world(self) -> World:
        world: World = self.battle.state.world
        return world

    @property
    def body(self) -> Creature:
        return self.world.creatures[self.me]

    @property
    def record(self) -> Record:
        return Record(self.battle.header, self.entries)

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.battle.observe(self.me)
        return view

    def turn(self, intents: Mapping[int, WorldIntent] | None = None) -> None:
        """Play one turn: the minds that are awake plan, the others follow their orders."""
        opened = self.battle.open_turn()
        for number in opened.awaited:
            self.battle.collecting.submit(number, self._planned(number, opened.turn), 0)
        for number, intent in (intents or {}).items():
            self.battle.collecting.submit(number, intent, 0)
        self.battle.end_collecting(0)
        closed = self.battle.close_turn()
        self.entries.append(closed.entry)
        self.troubles += self.battle.state.troubles
        if hasattr(self, "me"):
            self.heard = self.view()["heard"]

    def _planned(self, number: int, turn: int) -> WorldIntent:
        body = self.world.creatures[number]
        if body.mind not in self.sources:
            return WorldIntent()
        return intent_of(self.ask(number, self.battle.observe(number), turn))

    def ask(self, number: int, view: Any, turn: int) -> str:
        """Let the mind of a creature plan, and return its command, or "". Fail if the mind fails."""
        body = self.world.creatures[number]
        seed = self.streams.stream("mind", turn, number).bits64()
        memory = self.memories.get(number, msgspec.Raw(b"null"))
        with redirect_stdout(None), redirect_stderr(None):  # a mind's process has no others
            encoded = msgspec.Raw(msgspec.json.encode(view))
            answer = self.minds.ask(BodyToPlan(number, body.mind, seed, encoded, memory))
        assert not answer.error, f"{body.name}: {answer.error}"
        self.memories[number] = answer.memory
        return answer.command or ""

    def do(self, line: str, *more: ReactionInput) -> list[str]:
        """Play the turns that a command takes, and return all texts to the player."""
        texts = self._turn_of(intent_of(line, more))
        while self.body.action is not None and self.body.action.verb != "attack":
            texts += self._turn_of(WorldIntent())
        return texts

    def _turn_of(self, intent: WorldIntent) -> list[str]:
        self.turn({self.me: intent})
        return [str(m["text"]) for m in self.heard if isinstance(m.get("text"), str)]

    def do_one(self, line: str) -> list[str]:
        """Play the one turn in which a command begins, and return its texts."""
        return self._turn_of(intent_of(line))

    def wait(self, turns: int) -> list[str]:
        """Play turns without doing anything, and return all texts."""
        return [text for _ in range(turns) for text in self._turn_of(WorldIntent())]

    def walk(self, *ways: str) -> None:
        """Go these ways. Fail if one is not open."""
        for way in ways:
            before = self.body.place
            texts = self.do("go " + way)
            assert self.body.place == self.world.places[before].exits[way], (way, texts)

    def path(self, target: str) -> list[str]:
        """Return the shortest ways to a place."""
        paths: dict[str, list[str]] = {self.body.place: []}
        waiting = [self.body.place]
        while waiting:
            here = waiting.pop(0)
            for way, there in self.world.places[here].exits.items():
                if there not in paths:
                    paths[there] = [*paths[here], way]
                    waiting.append(there)
        return paths[target]

    def hand(self, kind: str) -> None:
        """Give the player an item, worn if it can be."""
        act = Act(self.world, self.content.rules, self.battle.streams, self.body, ("test", 0))
        item = give_item(act, kind)
        if self.content.rules.land.items[kind].slot:
            wear(act, self.body, item)
        self.world.commit()

    def creature(self, kind: str) -> Creature:
        return next(c for c in self.world.creatures.values() if c.kind == kind)


def intent_of(line: str, presses: tuple[ReactionInput, ...] = ()) -> WorldIntent:
    """Return the intent that a line means: a verb and its arguments, or stop."""
    word, _, rest = line.partition(" ")
    if word in WAYS:
        word, rest = "go", word
    if word == "stop":
        return WorldIntent(stop=True)
    return WorldIntent(word, rest, stop=word == "flee", presses=presses)


def has(demo: Demo, kind: str) -> bool:
    return any(demo.world.items[number].kind == kind for number in demo.body.items)
