"""Items: made, moved, worn, used up."""

from __future__ import annotations

from packages.core.tests.messages import missing
from packages.world.tests.kit.lands import a_rules, a_world, handle, told
from turnwright_world.kit.items import (
    count_of,
    give_item,
    make,
    move_item,
    put_down,
    spend,
    take_off,
    use_up,
    weapon_of,
    wear,
)
from turnwright_world.rules.joining import LITTER_MAX


def test_an_item_in_hand_strikes_and_gives_attributes_while_it_is_held() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    assert weapon_of(act, act.actor) == rules.land.settings.fist
    knife = give_item(act, "knife")
    wear(act, act.actor, knife)
    assert weapon_of(act, act.actor).kind == "blade"
    assert act.actor.attributes["might"] == 5
    wear(act, act.actor, give_item(act, "club"))
    assert weapon_of(act, act.actor).damage == 12
    assert act.actor.attributes["might"] == 0
    assert not take_off(act, act.actor, knife)


def test_a_dropped_item_is_not_worn() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    knife = give_item(act, "knife")
    wear(act, act.actor, knife)
    move_item(act, knife, act.actor, act.place)
    assert act.actor.worn == {}
    assert knife.id in act.place.items
    assert act.actor.attributes["might"] == 0


def test_a_full_pack_lets_things_fall() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    for _ in range(5):
        give_item(act, "bone")
    assert count_of(act, "bone") == 4
    assert len(act.place.items) == 1
    assert not missing(told(world)[-1], "pack is full", "ground")


def test_items_are_used_up() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    bones = [give_item(act, "bone") for _ in range(3)]
    spend(act, "bone", 2)
    assert act.actor.items == [bones[2].id]
    assert bones[0].id not in world.items
    use_up(act, bones[2], act.actor)
    assert act.actor.items == []


def test_the_number_of_items_in_a_place_is_bounded() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    first = make(world, rules.land, "bone", act.place)
    for _ in range(LITTER_MAX - 1):
        make(world, rules.land, "bone", act.place)
    move_item(act, give_item(act, "key"), act.actor, act.place)
    assert len(act.place.items) == LITTER_MAX
    assert first.id not in world.items
    world.commit()


def test_all_can_be_put_down() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    items = [give_item(act, "bone").id, give_item(act, "key").id]
    put_down(act, act.actor)
    assert act.place.items == items
