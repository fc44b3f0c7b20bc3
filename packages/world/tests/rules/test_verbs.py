"""Verbs: names are found as players type them, and all a verb does goes through its handle."""

from __future__ import annotations

import pytest

from packages.world.tests.worlds import a_world, handle, rules_with
from turnwright_world.rules.entities import Action, Creature, Item
from turnwright_world.rules.verbs import Act, CreatureKind, Verb


def crowd():
    world = a_world()
    for name in ("wolf", "grey wolf", "wolf", "Woodcutter"):
        world.add(Creature(world.new_id(), "wolf", name, "yard"))
    return world


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("wolf", 3), ("2.wolf", 5), ("3.wolf", 4), ("4.wolf", None), ("grey", 4), ("WOOD", 6), ("wo", 3),
        ("0.wolf", None), ("bear", None), ("", None), (" wolf ", 3), ("²", None), ("999999999999.wolf", None),
    ],
)  # fmt: skip
def test_a_name_selects_the_expected_creature(typed, number):
    found = handle(crowd(), rules_with()).find_creature(typed)
    assert (found.id if found else None) == number


def test_items_in_the_place_and_carried_items_are_found_separately():
    world = a_world()
    for holder in (world.places["yard"], world.creatures[1]):
        stone = Item(world.new_id(), "stone", "stone")
        world.add(stone)
        holder.items.append(stone.id)
    act = handle(world, rules_with())
    assert (act.find_item("stone").id, act.find_own("stone").id) == (3, 4)
    assert act.find_own("hat") is None


def test_random_numbers_are_of_the_body_and_the_purpose():
    world, rules = a_world(), rules_with()
    one, same, other = handle(world, rules, 1), handle(world, rules, 1), handle(world, rules, 2)
    assert one.random.bits64() == same.random.bits64() != other.random.bits64()
    assert one.random.bits64() == same.random.bits64()


def test_interrupting_only_marks_the_action():
    world = a_world()
    act: Act = handle(world, rules_with())
    act.interrupt(world.creatures[2])
    world.creatures[2].action = Action("dig", "", 1, 4)
    act.interrupt(world.creatures[2])
    assert world.creatures[2].action.broken


@pytest.mark.parametrize(
    "emit",
    [
        lambda act: act.say(5),
        lambda act: act.tell(act.here()[0], None),
        lambda act: act.say("half \ud800"),
        lambda act: act.stimulus("sight", 1.0, 5),
        lambda act: act.stimulus("sight", 1.0, "half \ud800"),
        lambda act: act.stimulus(None, 1.0, "x"),
        lambda act: act.stimulus("sight", float("nan"), "x"),
        lambda act: act.stimulus("sight", -1.0, "x"),
        lambda act: act.event(7),
    ],
)
def test_an_invalid_message_raises_in_the_verb_that_sends_it(emit):
    act = handle(a_world(), rules_with())
    with pytest.raises((TypeError, ValueError)):
        emit(act)
    outbox = act.world.outbox
    assert (outbox.told, outbox.stimuli, outbox.events) == ([], [], [])


def test_emitted_messages_wait_in_the_outbox():
    world = a_world()
    act = handle(world, rules_with())
    act.stimulus("sight", 2, "{name} waves.", apart=[world.creatures[2]], hand="left")
    act.event("wave", hand="left")
    act.say("You wave.")
    (stimulus,), (event,) = world.outbox.stimuli, world.outbox.events
    assert (stimulus.place, stimulus.source, stimulus.apart, stimulus.data) == (
        "yard",
        1,
        (2,),
        {"hand": "left"},
    )
    assert (event.type, event.source, event.data) == ("wave", 1, {"hand": "left"})
    assert world.outbox.told == [(1, {"kind": "text", "text": "You wave."})]


def test_a_plain_verb_takes_one_turn_and_does_nothing():
    act = handle(a_world(), rules_with())
    verb = Verb()
    assert (verb.turns(act), verb.check(act)) == (1, None)


class Dive(Verb):
    name, aliases = "dive", ("jump",)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("dig", "dig"),
        ("DIG", "dig"),
        ("jump", "dive"),
        ("sa", "say"),
        ("di", None),
        ("div", "dive"),
        ("", None),
    ],
)
def test_a_word_means_a_verb(typed, name):
    verb = rules_with(Dive()).verb(typed)
    assert (verb.name if verb else None) == name


def test_a_creature_is_made_of_its_kind():
    world, rules = a_world(), rules_with()
    rules.kinds["elk"] = CreatureKind(
        "elk", "elk", attributes={"might": 3}, health=40, events=("rain",), mind="m"
    )
    elk = rules.new_creature(world, "elk", "shed")
    elk.attributes["might"] += 1
    world.settle()
    assert (elk.health, elk.health_max, elk.driver, elk.mind) == (40, 40, "mind", "m")
    assert rules.kinds["elk"].attributes["might"] == 3
    assert world.index.subscribers("rain") == [elk.id]
    with pytest.raises(KeyError):
        rules.new_creature(world, "dragon", "shed")
    with pytest.raises(AssertionError):
        rules.new_creature(world, "elk", "moon")


@pytest.mark.parametrize(
    ("driver", "wants", "hears"),
    [
        *[("player", (), True), ("program", (), True), ("none", ("*",), False)],
        *[("mind", ("*",), True), ("mind", ("smell",), False), ("mind", ("sound",), True)],
    ],
)
def test_listening_depends_on_driver_and_wants(driver, wants, hears):
    rules = rules_with()
    rules.kinds["x"] = CreatureKind("x", "x", wants=wants)
    assert rules.listens(Creature(1, "x", "x", "yard", driver=driver), "sound") == hears


def test_a_kind_that_is_gone_is_a_plain_one():
    assert rules_with().kind(Creature(1, "unicorn", "u", "yard")).name == "unicorn"


def test_the_start_of_an_alias_will_do_where_no_name_begins_so() -> None:
    class Go(Verb):
        name, aliases = "go", ("walk", "run")

    class Wave(Verb):
        name, aliases = "wave", ("greet",)

    rules = rules_with(Go(), Wave())
    assert rules.verb("ru") is rules.verbs["go"]
    assert rules.verb("wa") is rules.verbs["wave"], "names come first"
    assert rules.verb("r") is rules.verbs["go"]
    assert rules.verb("") is None
