"""Blows and reactions in the world."""

from __future__ import annotations

from games.world.worlds import a_world, rules_with
from turnwright.games.world.fight import insert_threat, react
from turnwright.games.world.intent import Press


def test_a_reaction_takes_the_threat_out_of_the_queue():
    world, rules = a_world(), rules_with()
    ann, bob = world.creatures[1], world.creatures[2]
    threat = insert_threat(world, rules, bob, ann, "blow", 10)
    assert ann.threats == [threat]
    assert react(world, rules, ann, Press(1, "parry")) is None
    assert ann.threats == []
    assert react(world, rules, ann, Press(2, "hop")) == "there is no such reaction"
