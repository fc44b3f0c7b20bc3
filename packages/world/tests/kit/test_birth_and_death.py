"""Beginning, dying, coming back."""

from __future__ import annotations

from packages.core.tests.messages import naming
from packages.world.tests.kit.lands import a_rules, a_world, creature, handle, play, told
from turnwright_world.intent import ReactionInput
from turnwright_world.kit.birth_and_death import begin_life
from turnwright_world.kit.combat import strike
from turnwright_world.kit.schema import BlowRow, ReactionRow
from turnwright_world.rules.fight import react
from turnwright_world.rules.joining import KIT


def test_a_new_player_gets_things_once() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    begin_life(act)
    begin_life(act)
    assert act.actor.money == 50
    assert [world.items[number].kind for number in act.actor.items] == ["knife"]
    assert all(world.items[number].data == {KIT: True} for number in act.actor.items)
    assert list(act.actor.worn) == ["hand"]
    assert told(world) == ["Here you are."]


def test_a_player_who_dies_wakes_at_home_with_less_money() -> None:
    rules = a_rules()
    world = a_world(rules)
    ann = creature(world, "Ann")
    ann.money = 40
    strike(handle(world, rules, "dog"), ann, BlowRow("bite", 500))
    play(world, rules, 13)
    assert (ann.place, ann.health, ann.money, ann.died_us) == ("bed", 100, 36, None)
    assert ann.data["deaths"] == 1
    assert naming(told(world), "4 of your coins", "you live again")


def test_killers_get_xp_coins_and_loot_and_the_creature_returns() -> None:
    rules = a_rules()
    world = a_world(rules)
    act, dog = handle(world, rules), creature(world, "dog")
    strike(act, dog, BlowRow("blade", 500))
    play(world, rules, 13)
    assert dog.died_us is not None
    assert act.actor.data["xp"] == 60
    assert act.actor.money == 6
    assert [world.items[number].kind for number in world.places["yard"].items] == ["bone"]
    play(world, rules, 20)
    assert (dog.died_us, dog.health, dog.place, dog.memory) == (None, 100, "yard", {"a": 1})
    assert 4 <= dog.money <= 8


def test_a_killer_who_has_left_gets_nothing() -> None:
    rules = a_rules()
    world = a_world(rules)
    act, dog = handle(world, rules), creature(world, "dog")
    strike(act, dog, BlowRow("blade", 500))
    world.move(act.actor, "bed")
    play(world, rules, 13)
    assert dog.died_us is not None
    assert "xp" not in act.actor.data


def test_a_counter_counts_as_a_part_in_the_death() -> None:
    rules = a_rules(reactions={"counter": ReactionRow("first", returned=100)})
    world = a_world(rules)
    ann, dog = creature(world, "Ann"), creature(world, "dog")
    strike(handle(world, rules, "dog"), ann, BlowRow("bite", 500))
    world.reached_us += 1
    assert react(world, rules, ann, ReactionInput(world.reached_us, "counter")) is None
    play(world, rules, 13)
    assert dog.died_us is not None
    assert ann.data["xp"] == 60
