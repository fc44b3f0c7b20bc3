"""Rows reach the core: light, senses, reactions."""

from __future__ import annotations

from packages.world.tests.demo.playing import demo
from packages.world.tests.kit.lands import a_land, a_rules, a_world, creature, handle
from turnwright_world.kit.items import give_item, wear
from turnwright_world.kit.ruleset import blind, core_kind, kind_of, lit, reactions_of


def test_a_lit_lamp_lights_a_dark_place() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    world.move(act.actor, "pit")
    assert blind(act) is not None
    lamp = give_item(act, "lamp")
    assert not lit(world, rules.land, "pit")
    wear(act, act.actor, lamp)
    assert lit(world, rules.land, "pit")
    assert blind(act) is None


def test_a_kind_with_night_vision_needs_no_lamp() -> None:
    rules = a_rules()
    world = a_world(rules)
    owl = rules.new_creature(world, "owl", "pit")
    assert rules.sees(world, owl)
    world.move(creature(world, "Ann"), "pit")
    assert not rules.sees(world, creature(world, "Ann"))


def test_a_kind_that_no_longer_exists_becomes_a_plain_one() -> None:
    rules = a_rules()
    world = a_world(rules)
    creature(world, "Ann").kind = "ghoul"
    assert kind_of(handle(world, rules), creature(world, "Ann")).name == "ghoul"


def test_reactions_come_from_the_files() -> None:
    duck = reactions_of(a_land())["duck"]
    assert (duck.clears, duck.stamina, duck.kinds, duck.why) == ("all", 5, ("bite",), "ducked")
    assert duck.lockout_us == 500_000


def test_the_core_gets_the_needed_fields_of_a_kind() -> None:
    kind = core_kind("dog", a_land().kinds["dog"])
    assert (kind.id, kind.mind, kind.health) == ("dog", "dog", 100)


def test_scenery_is_found_by_the_start_of_any_of_its_words() -> None:
    rules = demo().rules
    for wanted in ("board", "notice", "Notice board", "boa"):
        assert "THE WATCH PAYS" in rules.scenery_text("gate", wanted)
    assert rules.scenery_text("gate", "oard") == rules.scenery_text("nowhere", "board") == ""
