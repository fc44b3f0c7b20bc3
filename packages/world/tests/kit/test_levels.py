"""Experience and levels."""

from __future__ import annotations

from itertools import pairwise

from packages.world.tests.kit.lands import a_rules, a_world, handle, told
from turnwright_world.kit.levels import LEVEL_MAX, earn, level_of, xp_for


def test_a_level_brings_health_stamina_and_points() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    act.actor.health = 10
    earn(act, act.actor, 59)
    assert level_of(act.actor) == 1
    earn(act, act.actor, 1)
    assert level_of(act.actor) == 2
    assert (act.actor.health, act.actor.health_max, act.actor.stamina_max) == (112, 112, 106)
    assert act.actor.data["points"] == 3
    assert any("level 2" in text for text in told(world))


def test_each_level_needs_more_than_the_one_before() -> None:
    rules = a_rules()
    act = handle(a_world(rules), rules)
    needs = [xp_for(act, level) for level in range(1, 8)]
    steps = [b - a for a, b in pairwise(needs)]
    assert needs[0] == 0
    assert steps == sorted(set(steps))


def test_many_levels_gained_together_end_at_the_last_one() -> None:
    rules = a_rules()
    act = handle(a_world(rules), rules)
    earn(act, act.actor, 10_000_000)
    assert level_of(act.actor) == LEVEL_MAX


def test_no_experience_is_not_announced() -> None:
    rules = a_rules()
    world = a_world(rules)
    earn(handle(world, rules), handle(world, rules).actor, 0)
    assert told(world) == []
