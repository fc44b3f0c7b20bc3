"""Taming in the demo: food, three seconds, and a companion that comes along."""

from __future__ import annotations

import msgspec

from packages.core.tests.messages import naming
from packages.world.tests.demo.playing import Demo
from turnwright_world.rules.entities import Creature


def with_a_deer(*, kept: bool = True) -> tuple[Demo, Creature]:
    """Return a player next to a deer, alone with it, in a quiet place."""
    played = Demo(minds=False)
    world = played.world
    world.touch(played.body)
    played.body.owner = "account:anna" if kept else "guest:1"
    deer = next(body for body in world.creatures.values() if body.kind == "deer")
    world.move(deer, "oak")
    world.move(played.body, "oak")
    world.commit()
    return played, deer


def test_a_creature_that_is_tamed_costs_food_and_follows() -> None:
    played, deer = with_a_deer()
    before = len(played.body.items)
    played.do("tame deer")
    assert deer.owner == "account:anna"
    assert len(played.body.items) == before - 1
    assert "red deer" in " ".join(played.do("companions"))
    assert naming(played.do("release"), "whom", "red deer")
    played.do("release deer")
    assert deer.owner == ""


def test_taming_without_an_account_or_food_is_refused_with_a_reason() -> None:
    played, deer = with_a_deer(kept=False)
    assert naming(played.do("tame deer"), "companions", "type keep")
    assert naming(played.do("tame owl"), "no owl")
    played.world.touch(played.body)
    for number in list(played.body.items):
        played.world.remove(played.world.items[number])
    played.body.items = []
    played.world.commit()
    assert naming(played.do("tame deer"), "nothing to eat")
    assert deer.owner == ""


def test_a_companion_goes_where_its_master_goes() -> None:
    played = Demo()
    world = played.world
    deer = next(body for body in world.creatures.values() if body.kind == "deer")
    world.move(deer, "oak")
    world.move(played.body, "oak")
    world.touch(deer)
    world.touch(played.body)
    played.body.owner = deer.owner = "account:anna"
    deer.mind, deer.memory = "companion", {"master": played.me}
    world.commit()
    played.memories[deer.id] = msgspec.Raw(msgspec.json.encode({"master": played.me}))
    played.do("go north")
    played.wait(3)
    assert deer.place == played.body.place == "hut"
