"""Helpers of the tests of lands: a small land, its world, a body's handle."""

from __future__ import annotations

from typing import Any

from turnwright.kernel.rng import Streams
from turnwright_world.kit.build import land_rules
from turnwright_world.kit.ruleset import LandRules
from turnwright_world.kit.schema import (
    BlowRow,
    DoorRow,
    ItemRow,
    KindRow,
    Land,
    PlaceRow,
    Quest,
    ReactionRow,
    Settings,
    Spawn,
)
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.state import World
from turnwright_world.rules.turn import play_turn
from turnwright_world.rules.verbs import Act

STREAMS = Streams(7)


def a_land(**changes: Any) -> Land:
    rows: dict[str, Any] = {
        "settings": Settings("yard", "bed", items=("knife",), money=50, carry_max=4, arrival="Here you are."),
        "places": {
            "yard": PlaceRow("Yard", "A yard.", "farm", {"in": "pit"}, {"in": DoorRow("hatch", "key")}),
            "bed": PlaceRow("Bed", "A bed.", "farm", {"out": "yard"}, tags=("safe",)),
            "pit": PlaceRow("Pit", "A pit.", "farm", {"out": "yard"}, tags=("dark",)),
        },
        "kinds": {
            "person": KindRow("person"),
            "dog": KindRow(
                "dog",
                blows=(BlowRow("bite", 10), BlowRow("blow", 20)),
                xp=60,
                money=(4, 8),
                drops={"bone": 100},
                respawn_s=5,
                mind="dog",
            ),
            "shop": KindRow("shop", sells={"lamp": 7, "key": 3}, buys=("junk",)),
            "owl": KindRow("owl", tags=("nightsighted",)),
        },
        "items": {
            "knife": ItemRow("knife", slot="hand", blow=BlowRow("blade", 9), gives={"might": 5}),
            "club": ItemRow("club", slot="hand", blow=BlowRow("blow", 12)),
            "lamp": ItemRow("lamp", slot="light", shines=True),
            "bone": ItemRow("bone", price=20, tags=("junk",)),
            "key": ItemRow("key"),
        },
        "spawns": (Spawn("yard", "dog", count=2, memory={"a": 1}), Spawn("bed", item="bone")),
        "quests": {
            "bones": Quest("Bones", "shop", "Bring two.", "Good.", bring="bone", count=2, xp=10, money=5),
            "dogs": Quest("Dogs", "shop", "One dog.", "Good.", slay="dog", after="bones", item="lamp"),
            "look": Quest("Look", "owl", "Go.", "Seen.", visit="pit", gift="lamp"),
        },
        "reactions": {"duck": ReactionRow("all", stamina=5, kinds=("bite",), why="ducked")},
    }
    return Land(**{**rows, **changes})


def a_rules(**changes: Any) -> LandRules:
    return land_rules(a_land(**changes), {}, "hash")


def a_world(rules: LandRules) -> World:
    """Return a built world with ann, who is driven, in the yard."""
    world = World(250_000)
    rules.build(world, rules)
    world.commit()
    ann = rules.new_creature(world, "person", "yard", name="Ann")
    ann.driver = "player"
    world.settle()
    return world


def creature(world: World, name: str) -> Creature:
    return next(body for body in world.creatures.values() if body.name == name)


def handle(world: World, rules: LandRules, name: str = "Ann", text: str = "") -> Act:
    return Act(world, rules, STREAMS, creature(world, name), ("test", world.turn), text)


def told(world: World, name: str = "Ann") -> list[str]:
    number = creature(world, name).id
    return [
        str(message.get("text", message["kind"])) for body, message in world.outbox.told if body == number
    ]


def play(world: World, rules: LandRules, turns: int) -> None:
    """Play turns in which nothing goes wrong."""
    for _ in range(turns):
        for _ in play_turn(world, rules, Streams(1), {}, lambda _: rules):
            pass
    assert world.outbox.troubles == []
