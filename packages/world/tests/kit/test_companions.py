"""Companions: allowed creatures, their number, and a release that restores them."""

from __future__ import annotations

from packages.core.tests.messages import missing
from packages.world.tests.kit.lands import a_rules, a_world, creature, handle
from turnwright_world.kit.birth_and_death import end_life
from turnwright_world.kit.companions import (
    COMPANIONS_MAX,
    TAMEABLE,
    companions_of,
    release,
    tame,
    why_not_tame,
)
from turnwright_world.kit.ruleset import LandRules, core_kind
from turnwright_world.kit.schema import KindRow
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.state import World


def kennel() -> tuple[World, LandRules, list[Creature]]:
    """Return a world with Ann, who has an account, and more dogs than she may have."""
    rules = a_rules()
    row = KindRow("hound", mind="dog", tags=("wild", TAMEABLE), respawn_s=5, drops={"bone": 100})
    rules.land.kinds["hound"] = row
    rules.kinds["hound"] = core_kind("hound", row)
    world = a_world(rules)
    creature(world, "Ann").owner = "account:ann"
    hounds = [rules.new_creature(world, "hound", "yard") for _ in range(COMPANIONS_MAX + 1)]
    for hound in hounds:
        hound.data["memory"] = {"a": 1}
    world.settle()
    return world, rules, hounds


def test_a_companion_acts_for_its_owner() -> None:
    world, rules, (hound, *_) = kennel()
    act = handle(world, rules)
    assert why_not_tame(act, hound) is None
    tame(act, hound, "companion")
    assert (hound.owner, hound.driver, hound.mind) == ("account:ann", "mind", "companion")
    assert hound.memory == {"master": act.actor.id}
    assert hound.tags == [TAMEABLE]
    assert companions_of(act, act.actor) == [hound]


def test_a_released_companion_becomes_wild_again() -> None:
    world, rules, (hound, *_) = kennel()
    act = handle(world, rules)
    tame(act, hound, "companion")
    release(act, hound)
    assert (hound.owner, hound.driver, hound.mind, hound.memory) == ("", "mind", "dog", {"a": 1})
    assert hound.tags == ["wild", TAMEABLE]
    assert companions_of(act, act.actor) == []
    assert why_not_tame(act, hound) is None


def test_a_player_has_three_companions_at_most() -> None:
    world, rules, hounds = kennel()
    act = handle(world, rules)
    for hound in hounds[:COMPANIONS_MAX]:
        assert why_not_tame(act, hound) is None
        tame(act, hound, "companion")
    assert not missing(why_not_tame(act, hounds[-1]), COMPANIONS_MAX, "companions", "release one")
    release(act, hounds[0])
    assert why_not_tame(act, hounds[-1]) is None


def test_taming_is_refused_to_guests_and_for_owned_or_untameable_creatures() -> None:
    world, rules, (hound, *_) = kennel()
    act = handle(world, rules)
    assert not missing(why_not_tame(act, creature(world, "dog")), "dog", "cannot be tamed")
    assert "cannot be tamed" in str(why_not_tame(act, act.actor))
    tame(act, hound, "companion")
    assert not missing(why_not_tame(act, hound), hound.name, "yours already")
    act.actor.owner = "account:bob"
    assert "cannot be tamed" in str(why_not_tame(act, hound))
    release(act, hound)
    act.actor.owner = "guest:1234"
    assert not missing(why_not_tame(act, hound), "companions", "type keep")


def test_a_companion_that_dies_returns_without_an_owner() -> None:
    world, rules, (hound, *_) = kennel()
    tame(handle(world, rules), hound, "companion")
    hound.health, hound.died_us = 0, world.reached_us
    end_life(handle(world, rules, "hound"))
    assert (hound.owner, hound.mind) == ("", "dog")


def test_new_content_leaves_companions_to_their_owners() -> None:
    world, rules, (hound, *_) = kennel()
    tame(handle(world, rules), hound, "own:1")
    world.commit()
    rules.renew(world, rules)
    assert (hound.owner, hound.mind) == ("account:ann", "own:1")
