"""Quests: given in order, counted, handed in once."""

from __future__ import annotations

from packages.core.tests.messages import missing
from packages.world.tests.kit.lands import a_rules, a_world, handle, told
from turnwright_world.kit.items import count_of, give_item
from turnwright_world.kit.quests import (
    hand_in,
    note_kill,
    note_visit,
    offered,
    progress,
    state_of,
    take_quest,
)


def test_items_of_a_quest_are_taken_and_paid_once() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    assert offered(act, "shop") == ["bones"]
    take_quest(act, "bones", "Bo")
    assert offered(act, "shop") == []
    give_item(act, "bone")
    assert (progress(act, "bones"), hand_in(act, "shop")) == (1, False)
    give_item(act, "bone")
    assert hand_in(act, "shop", "Bo")
    assert any(text.startswith("Bo says: ") for text in told(world))
    assert (act.actor.money, act.actor.data["xp"], count_of(act, "bone")) == (5, 10, 0)
    assert not hand_in(act, "shop")
    assert offered(act, "shop") == ["dogs"]


def test_kills_count_only_while_the_quest_is_open() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    note_kill(act, act.actor, "dog")
    assert state_of(act.actor, "dogs") == "new"
    take_quest(act, "dogs", "Bo")
    note_kill(act, act.actor, "dog")
    note_kill(act, act.actor, "dog")
    assert progress(act, "dogs") == 1
    assert hand_in(act, "shop")
    assert count_of(act, "lamp") == 1
    assert state_of(act.actor, "dogs") == "done"


def test_a_visit_counts_where_one_is_and_a_gift_comes_first() -> None:
    rules = a_rules()
    world = a_world(rules)
    act = handle(world, rules)
    take_quest(act, "look", "Bo")
    assert count_of(act, "lamp") == 1
    note_visit(act)
    assert progress(act, "look") == 0
    world.move(act.actor, "pit")
    note_visit(act)
    assert progress(act, "look") == 1
    assert not missing(told(world)[-1], "Look", "done", "go back")
