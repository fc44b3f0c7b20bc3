"""Attacks: allowed targets, weapons and reports."""

from __future__ import annotations

from packages.core.tests.messages import missing
from packages.world.tests.kit.lands import a_rules, a_world, creature, handle, told
from turnwright_world.kit.combat import find_target, next_blow, strike, turns_of, why_not_strike
from turnwright_world.kit.schema import BlowRow


def test_a_creature_strikes_with_its_blows_in_turn() -> None:
    rules = a_rules()
    act = handle(a_world(rules), rules, "dog")
    assert [next_blow(act, k).kind for k in range(3)] == ["bite", "blow", "bite"]
    assert turns_of(act, next_blow(act, 0)) == 8


def test_an_attack_waits_in_the_queue_and_is_announced() -> None:
    rules = a_rules()
    world = a_world(rules)
    ann = creature(world, "Ann")
    strike(handle(world, rules, "dog"), ann, BlowRow("bite", 10, window_ms=2000, text="{name} jumps."))
    (threat,) = ann.threats
    assert (threat.kind, threat.window_us) == ("bite", 2_000_000)
    assert 8 <= threat.damage <= 12
    assert told(world)[0] == "the dog jumps."
    assert list(ann.data["blamed"]) == [str(creature(world, "dog").id)]


def test_instinct_lengthens_every_window() -> None:
    rules = a_rules()
    world = a_world(rules)
    ann = creature(world, "Ann")
    ann.attributes["instinct"] = 20
    for window_ms in (3000, 2000):
        strike(handle(world, rules, "dog"), ann, BlowRow("bite", 10, window_ms=window_ms))
    assert [threat.window_us for threat in ann.threats] == [3_300_000, 2_200_000]


def test_a_target_can_be_named_by_number() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    second = [body for body in act.here() if body.name == "dog"][1]
    assert find_target(act, f"#{second.id}") is second
    assert find_target(act, "2.dog") is second
    assert find_target(act, "#999999999999999999") is None
    assert find_target(act, "#x") is None


def test_fights_in_a_safe_place_or_against_players_are_refused() -> None:
    rules = a_rules()
    world = a_world(rules)
    act, dog = handle(world, rules), creature(world, "dog")
    assert why_not_strike(act, dog) is None
    assert why_not_strike(act, None) is not None
    world.move(act.actor, "bed")
    assert not missing(why_not_strike(act, dog), "nobody", "fight", "safe")
    world.move(act.actor, "yard")
    dog.driver = "program"
    assert why_not_strike(act, dog) is None
    dog.kind = "person"
    assert why_not_strike(act, dog) is not None
