"""Deaths: counted after all blows of a moment; no body lives on because something failed."""

from __future__ import annotations

from packages.world.tests.worlds import STREAMS, a_world, rules_with
from turnwright_world.rules.deaths import count_deaths, revive
from turnwright_world.rules.entities import Action, Item


def struck(*numbers):
    world = a_world()
    for number in numbers:
        world.touch(world.creatures[number])
        world.creatures[number].health = -3
    return world


def test_two_die_in_the_same_moment():
    world = struck(1, 2)
    died = []
    count_deaths(world, rules_with(on_death=lambda act: died.append(act.actor.id)), STREAMS)
    assert died == [1, 2]
    assert all(body.died_us == 0 and body.health == 0 for body in world.creatures.values())
    assert [event.type for event in world.outbox.events] == ["death", "death"]
    count_deaths(world, rules_with(), STREAMS)
    assert died == [1, 2]


def test_a_dead_body_has_no_action_and_no_threats():
    world = struck(1)
    world.creatures[1].action = Action("dig", "", 1, 4)
    count_deaths(world, rules_with(on_death=lambda act: None), STREAMS)
    assert (world.creatures[1].action, world.creatures_in("yard")) == (None, [world.creatures[2]])


def test_without_rules_for_death_driven_bodies_revive_and_others_vanish():
    world = struck(1, 2)
    world.add(Item(world.new_id(), "hat", "hat"))
    world.creatures[2].items.append(3)
    count_deaths(world, rules_with(), STREAMS)
    ann = world.creatures[1]
    assert (ann.health, ann.died_us, ann.place) == (100, None, "yard")
    assert 2 not in world.creatures
    assert world.places["yard"].items == [3]


def test_a_death_stays_even_if_its_handler_fails():
    world = struck(2)
    count_deaths(world, rules_with(on_death=lambda act: 1 / 0), STREAMS)
    assert world.creatures[2].died_us == 0
    assert [trouble.error for trouble in world.outbox.troubles] == ["ZeroDivisionError"]


def test_a_player_is_not_dead_for_ever_because_the_content_failed():
    world = struck(1)
    count_deaths(world, rules_with(on_death=lambda act: 1 / 0), STREAMS)
    ann = world.creatures[1]
    assert (ann.died_us, ann.health, ann.place) == (None, 100, "yard")
    assert [trouble.error for trouble in world.outbox.troubles] == ["ZeroDivisionError"]


def test_revived_is_whole_again():
    world = struck(1)
    revive(world, world.creatures[1], "shed")
    assert (world.creatures[1].health, world.creatures[1].place) == (100, "shed")
