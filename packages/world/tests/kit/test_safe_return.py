"""The dead come back in peace: never where the killer waits."""

from __future__ import annotations

from packages.core.tests.messages import missing
from packages.world.tests.kit.lands import a_land, a_rules, a_world, creature, handle, play
from turnwright_world.kit.combat import strike, why_not_strike
from turnwright_world.kit.safe_return import PEACE_US
from turnwright_world.kit.schema import BlowRow, PlaceRow, Settings, Spawn

DEADLY = BlowRow("bite", 500)


def test_a_player_who_dies_at_an_unsafe_home_always_returns_away_from_killers() -> None:
    places = {
        **a_land().places,
        "yard": PlaceRow("Yard", "A yard.", "farm", {"in": "pit"}),
        "pit": PlaceRow("Pit", "A pit.", "farm", {"out": "yard"}),
    }
    spawns = (Spawn("yard", "dog"),)
    rules = a_rules(settings=Settings("yard", "yard"), places=places, spawns=spawns)
    world = a_world(rules)
    ann, dog = creature(world, "Ann"), creature(world, "dog")
    for deaths in range(1, 6):
        world.touch(ann)
        ann.data.pop("peace_until_us", None)
        world.move(dog, "yard" if deaths % 2 else "pit")
        world.move(ann, dog.place)
        strike(handle(world, rules, "dog"), ann, DEADLY)
        play(world, rules, 13)
        assert ann.data["deaths"] == deaths
        assert ann.place != dog.place


def test_a_revived_player_cannot_be_attacked_until_it_attacks_or_time_is_up() -> None:
    rules = a_rules()
    world = a_world(rules)
    ann, dog = creature(world, "Ann"), creature(world, "dog")
    strike(handle(world, rules, "dog"), ann, DEADLY)
    play(world, rules, 13)
    world.move(ann, "yard")
    act = handle(world, rules, "dog")
    assert not missing(why_not_strike(act, ann), "Ann", "life")
    died_us = world.reached_us
    world.reached_us = died_us + PEACE_US
    assert why_not_strike(act, ann) is None
    world.reached_us = died_us
    strike(handle(world, rules), dog, BlowRow("blade", 1))
    assert why_not_strike(act, ann) is None
