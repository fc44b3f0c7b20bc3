"""Helpers of the world's tests: worlds of the yard, played turn by turn."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from turnwright.kernel.battle import Battle, Closed
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.record import Record, TurnEntry
from turnwright.kernel.rng import Streams
from turnwright_world.example import yard
from turnwright_world.game import WorldGame
from turnwright_world.intent import GATE, GateEvent, ReactionInput, WorldIntent
from turnwright_world.rules.entities import Creature, Place
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Act, CreatureKind, Rules, Verb

DT = 250_000
STREAMS = Streams(7)
IDLE = WorldIntent()


def rules_with(*verbs: Verb, **changes: Any) -> Rules:
    """Return the rules of the yard with more verbs, and kinds "wolf" (a mind) and "stone" (without a
    mind).
    """
    rules = yard()
    for verb in verbs:
        rules.verbs[verb.name] = verb
    rules.kinds["wolf"] = CreatureKind("wolf", "wolf", attributes={"reaction": 20}, mind="wolf")
    rules.kinds["stone"] = CreatureKind("stone", "stone", senses={})
    for name, value in changes.items():
        setattr(rules, name, value)
    return rules


def a_world() -> World:
    """Return a world of two places and two creatures, ann (driven) and bob (not), committed."""
    world = World(DT)
    world.add(Place("yard", "Yard", "A yard.", area="farm", exits={"in": "shed"}))
    world.add(Place("shed", "Shed", "A shed.", area="farm", exits={"out": "yard"}))
    for name, driver in (("ann", "program"), ("bob", "none")):
        world.add(Creature(world.new_id(), "person", name, "yard", driver=driver))
    world.settle()
    return world


def handle(world: World, rules: Rules, body: int = 1, **more: Any) -> Act:
    """Return the handle of a body."""
    return Act(world, rules, STREAMS, world.creatures[body], ("test", world.turn), **more)


def lively_intent(rng: random.Random) -> WorldIntent:
    """Return any intent that a participant may send."""
    words = [("", ""), ("go", "in"), ("go", "out"), ("say", "ho"), ("hit", "on"), ("hit", "t"), ("dig", "")]
    verb, text = rng.choice([*words, ("write", str(rng.randrange(100))), ("nonsense", "\x00")])
    reactions = ("parry", "dodge", "counter", "nonsense")
    presses = [
        ReactionInput(rng.randrange(-9, 9_000_000), rng.choice(reactions))
        for _ in range(rng.choice((0, 0, 1, 2)))
    ]
    presses.sort(key=lambda press: press.at_us)
    return WorldIntent(verb, text, stop=rng.random() < 0.1, presses=tuple(presses))


class Play:
    """A battle of the world, with its record. Open: seats 1 … are the names. Closed: seats 0 …"""

    def __init__(
        self,
        rules: Rules | None = None,
        names: Sequence[str] = ("ann", "bob"),
        *,
        is_open: bool = True,
        seed: int = 7,
        **more: Any,
    ) -> None:
        self.game = WorldGame(rules, more.pop("library", None))
        seats = [SeatInfo(name) for name in ((["gate"] if is_open else []) + list(names))]
        self.battle = Battle(self.game, {"open": is_open}, seats, seed, **more)
        self.entries: list[TurnEntry] = []

    @property
    def world(self) -> World:
        world: World = self.battle.state.world
        return world

    @property
    def record(self) -> Record:
        return Record(self.battle.header, self.entries)

    def turn(self, intents: Mapping[int, WorldIntent] | None = None) -> Closed:
        """Play one turn. A body without an intent is silent."""
        self.battle.open_turn()
        for seat, intent in (intents or {}).items():
            self.battle.collecting.submit(seat, intent, 0, self.battle.turn + 1)
        self.battle.end_collecting(0)
        closed = self.battle.close_turn()
        self.entries.append(closed.entry)
        return closed

    def do(self, body: int, verb: str, text: str = "") -> Closed:
        """Play one turn in which one body does something."""
        return self.turn({body: WorldIntent(verb, text)})

    def gate(self, kind_: Any, body: int | None = None, name: str = "", **data: Any) -> Closed:
        """Play one turn in which events come through the gate."""
        return self.turn({GATE: WorldIntent(gate=(GateEvent(kind_, body, name, data),))})

    def heard(self, body: int) -> list[dict[str, Any]]:
        """Return the messages of a body in the last turn."""
        heard: list[dict[str, Any]] = self.battle.observe(body)["heard"]
        return heard

    def texts(self, body: int) -> list[Any]:
        """Return the texts of a body's messages in the last turn, with None for a message without text."""
        return [message.get("text") for message in self.heard(body)]


def unpacked(packed):
    """Return the view that a packed view contains, as the process of a mind does."""
    seen = json.loads(packed.own)
    if packed.shared:
        shared = json.loads(packed.shared)
        seen.update({key: value for key, value in shared.items() if seen.get(key) is None})
        if packed.mine >= 0:
            del seen["here"][packed.mine]
    return seen
