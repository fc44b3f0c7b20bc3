"""Health comes back by itself, and a whole body has no timer."""

from __future__ import annotations

from packages.world.tests.kit.lands import a_rules, a_world, creature, handle, play
from turnwright_world.kit.healing import mend_soon, refresh
from turnwright_world.rules.entities import Action


def test_health_and_stamina_return_and_then_no_timer_runs() -> None:
    rules = a_rules()
    world = a_world(rules)
    ann = creature(world, "Ann")
    ann.health, ann.stamina = 98, 80
    mend_soon(handle(world, rules), ann)
    mend_soon(handle(world, rules), ann)
    assert len(world.timers) == 1
    play(world, rules, 9)
    assert (ann.health, ann.stamina) == (99, 86)
    play(world, rules, 80)
    assert (ann.health, ann.stamina) == (100, 100)
    assert not world.timers


def test_resting_heals_faster() -> None:
    rules = a_rules()
    world = a_world(rules)
    ann = creature(world, "Ann")
    ann.health, ann.action = 50, Action("rest", "", 0, 100)
    mend_soon(handle(world, rules), ann)
    play(world, rules, 9)
    assert ann.health == 55


def test_a_timer_that_was_lost_does_not_keep_a_body_from_mending() -> None:
    rules = a_rules()
    world = a_world(rules)
    ann = creature(world, "Ann")
    ann.data["mends_us"] = 1
    world.reached_us = 2
    mend_soon(handle(world, rules), ann)
    assert len(world.timers) == 1


def test_health_and_stamina_never_exceed_their_maximum() -> None:
    rules = a_rules()
    world = a_world(rules)
    ann = creature(world, "Ann")
    ann.health = 95
    refresh(handle(world, rules), ann, 30, 30)
    assert (ann.health, ann.stamina) == (100, 100)
