"""Stimuli and events reach only their listeners, in order, after all actions of the turn."""

from __future__ import annotations

import pytest

from packages.world.tests.worlds import a_world, rules_with
from turnwright_world.rules import perception
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.outbox import Stimulus, WorldEvent
from turnwright_world.rules.verbs import CreatureKind


def deliver(world, rules):
    for _ in perception.deliver(world, rules):
        pass


def delivered(world):
    return [(n, message) for n, messages in sorted(world.outbox.delivered.items()) for message in messages]


def told(world):
    return [(number, message.get("text", message.get("type"))) for number, message in delivered(world)]


def crowd(rules):
    """ann 1 (driven), bob 2 (not driven), a wolf 3 and a stone 4 in the yard, a wolf 5 in the shed."""
    world = a_world()
    for kind, place in (("wolf", "yard"), ("stone", "yard"), ("wolf", "shed")):
        rules.new_creature(world, kind, place)
    world.settle()
    return world


def test_bodies_with_the_sense_and_a_driver_perceive_a_stimulus():
    rules = rules_with()
    world = crowd(rules)
    world.outbox.stimuli.append(Stimulus("yard", 2, "sight", 1.0, "{name} waves."))
    deliver(world, rules)
    assert told(world) == [(1, "the bob waves."), (3, "the bob waves.")]
    assert world.outbox.stimuli == []


def test_the_source_and_excluded_bodies_do_not_get_a_stimulus():
    rules = rules_with()
    world = crowd(rules)
    world.outbox.stimuli.append(Stimulus("yard", 1, "sight", 1.0, "x", (3,)))
    deliver(world, rules)
    assert told(world) == []


@pytest.mark.parametrize(
    ("intensity", "how", "source"),
    [(0.24, None, None), (0.25, "badly", None), (0.9, "badly", None), (1.0, "normal", 2), (4.0, "well", 2)],
)
def test_how_well_depends_on_the_intensity(intensity, how, source):
    rules = rules_with()
    world = crowd(rules)
    world.outbox.stimuli.append(Stimulus("yard", 2, "sound", intensity, "{name} hums."))
    deliver(world, rules)
    found = [message for number, message in delivered(world) if number == 1]
    assert [(m["how"], m["from"]) for m in found] == ([] if how is None else [(how, source)])
    assert all(("bob" in m["text"]) == (source == 2) for m in found)


def test_a_better_sense_perceives_more():
    rules = rules_with()
    rules.kinds["owl"] = CreatureKind("owl", "owl", senses={"sight": 8.0}, mind="owl")
    world = crowd(rules)
    owl = rules.new_creature(world, "owl", "yard")
    world.settle()
    world.outbox.stimuli.append(Stimulus("yard", 2, "sight", 0.5, "x"))
    deliver(world, rules)
    assert {n: m["how"] for n, m in delivered(world)} == {1: "badly", 3: "badly", owl.id: "well"}


def test_events_go_to_subscribers_wherever_they_are():
    rules = rules_with()
    world = crowd(rules)
    for number in (5, 2):
        world.touch(world.creatures[number])
        world.creatures[number].subscribed = ["rain"]
    world.commit()
    world.outbox.events += [WorldEvent("rain", None, {"mm": 3}), WorldEvent("snow", None)]
    deliver(world, rules)
    assert delivered(world) == [(5, {"kind": "event", "type": "rain", "from": None, "data": {"mm": 3}})]


def test_a_listener_that_fails_perceives_nothing_and_all_others_do():
    rules = rules_with()
    rules.kinds["odd"] = CreatureKind("odd", "odd", senses={"sight": "much"}, mind="odd")
    world = crowd(rules)
    odd = Creature(world.new_id(), "odd", "odd", "yard", driver="mind")
    world.add(odd)
    world.settle()
    for medium, text in (("sight", "one"), ("sound", "two"), ("sight", "three")):
        world.outbox.stimuli.append(Stimulus("yard", 2, medium, 1.0, text))
    deliver(world, rules)
    assert told(world) == [(n, text) for n in (1, 3) for text in ("one", "two", "three")]
    noted = [(trouble.what, trouble.error) for trouble in world.outbox.troubles]
    assert noted == [(f"odd ({odd.id}): sight", "ValueError")]


def test_a_failed_stimulus_reaches_none_and_the_others_continue():
    rules = rules_with()
    world = crowd(rules)
    for text in ("one", 2, "three"):
        world.outbox.stimuli.append(Stimulus("yard", 2, "sight", 1.0, text))
    deliver(world, rules)
    assert told(world) == [(n, text) for n in (1, 3) for text in ("one", "three")]
    assert [trouble.error for trouble in world.outbox.troubles] == ["AttributeError"]
