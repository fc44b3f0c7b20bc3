"""Doors are shut, open, and shut again by themselves."""

from __future__ import annotations

from packages.world.tests.kit.lands import a_rules, a_world, handle
from turnwright_world.kit.doors import OPEN_US, door_of, is_shut, open_door, shut_door


def test_a_door_is_shut_until_it_is_opened_and_again_after_a_minute() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    door = door_of(act, "in")
    assert door is not None
    assert door.key == "key"
    assert is_shut(act, "in")
    open_door(act, "in")
    assert not is_shut(act, "in")
    world.reached_us = OPEN_US - 1
    assert not is_shut(act, "in")
    world.reached_us = OPEN_US
    assert is_shut(act, "in")
    assert not world.timers


def test_a_door_can_be_shut() -> None:
    rules = a_rules()
    act = handle(a_world(rules), rules)
    open_door(act, "in")
    shut_door(act, "in")
    assert is_shut(act, "in")


def test_an_exit_without_a_door_is_open() -> None:
    rules = a_rules()
    act = handle(a_world(rules), rules)
    assert not is_shut(act, "out")
