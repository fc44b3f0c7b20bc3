"""Building a world of a land, and bringing one up to date with other content."""

from __future__ import annotations

from packages.world.tests.kit.lands import a_land, a_rules, a_world, creature
from turnwright_world.kit.schema import PlaceRow, Spawn


def test_all_is_there_that_the_land_has() -> None:
    rules = a_rules()
    world = a_world(rules)
    assert list(world.places) == ["yard", "bed", "pit"]
    assert [body.name for body in world.creatures_in("yard")] == ["dog", "dog", "Ann"]
    assert [world.items[number].kind for number in world.places["bed"].items] == ["bone"]
    dog = creature(world, "dog")
    assert (dog.memory, dog.owner, dog.driver, dog.money) == ({"a": 1}, "", "mind", 6)


def test_building_again_changes_nothing() -> None:
    rules = a_rules()
    world = a_world(rules)
    before = world.sums()
    rules.renew(world, rules)
    world.settle()
    assert world.sums() == before


def test_new_content_brings_places_texts_and_creatures_and_keeps_the_rest() -> None:
    world = a_world(a_rules())
    ann = creature(world, "Ann")
    ann.money = 77
    places = {**a_land().places, "barn": PlaceRow("Barn", "New.", "farm", {"out": "yard"})}
    places["yard"] = PlaceRow("Yard", "Swept.", "farm", {"in": "barn"})
    spawns = (Spawn("yard", "dog", count=3), Spawn("bed", item="bone"), Spawn("barn", "owl"))
    newer = a_rules(places=places, spawns=spawns)
    newer.renew(world, newer)
    world.settle()
    assert world.places["yard"].text == "Swept."
    assert world.places["yard"].exits == {"in": "barn"}
    assert [body.name for body in world.creatures_in("yard")].count("dog") == 3
    assert len(world.places["bed"].items) == 1
    assert [body.name for body in world.creatures_in("barn")] == ["owl"]
    assert ann.money == 77


def test_a_body_in_a_removed_place_is_moved() -> None:
    world = a_world(a_rules())
    ann = creature(world, "Ann")
    world.move(ann, "pit")
    places = {name: row for name, row in a_land().places.items() if name != "pit"}
    places["yard"] = PlaceRow("Yard", "A yard.", "farm", {})
    newer = a_rules(places=places)
    newer.renew(world, newer)
    assert ann.place == "yard"


def test_creatures_whose_kind_is_gone_go_too() -> None:
    world = a_world(a_rules())
    kinds = {name: row for name, row in a_land().kinds.items() if name != "dog"}
    newer = a_rules(kinds=kinds, spawns=())
    newer.renew(world, newer)
    world.settle()
    assert [body.name for body in world.creatures_in("yard")] == ["Ann"]
