"""The gate: bodies come, go, lose their connection and are saved, and a failed event changes nothing."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import missing
from packages.world.tests.worlds import Play, rules_with
from turnwright.kernel.verify import verify
from turnwright_world.rules.entities import OUTSIDE, Item
from turnwright_world.rules.joining import KIT, LINKDEAD_TURNS, LITTER_MAX, NAME_CHARS_MAX


def test_a_newcomer_gets_a_body_and_the_gate_learns_which():
    play = Play()
    play.gate("join", None, "cy" * 50, token="t1", owner="cy")
    assert (
        play.heard(0) == [{"kind": "joined", "body": 4, "token": "t1"}] or play.heard(0)[0]["token"] == "t1"
    )
    body = play.heard(0)[0]["body"]
    cy = play.world.creatures[body]
    assert (len(cy.name), cy.driver, cy.owner, cy.place) == (NAME_CHARS_MAX, "player", "cy", "yard")
    assert body in play.battle.game.asked(play.battle.state)
    assert play.heard(body) == [{"kind": "welcome", "body": body}]
    play.turn()
    assert play.heard(0) == []


@pytest.mark.parametrize("data", [{"kind": "dragon"}, {"driver": "ghost"}])
def test_an_impossible_join_changes_nothing_and_is_reported(data):
    play = Play()
    before = len(play.world.creatures)
    closed = play.gate("join", None, "cy", token="t", **data)
    assert len(play.world.creatures) == before
    assert play.heard(0) == [{"kind": "failed", "event": "join", "body": None, "token": "t"}]
    assert len(closed.entry.faults) == 1


def test_a_body_that_leaves_for_good_drops_everything():
    play = Play()
    stone = Item(play.world.new_id(), "stone", "stone")
    play.world.add(stone)
    play.world.touch(play.world.creatures[1])
    play.world.creatures[1].items.append(stone.id)
    play.gate("leave", 1)
    (text,) = [m["text"] for m in play.battle.observe(2)["heard"] if "text" in m]
    assert not missing(text, "ann", "gone")
    assert 1 not in play.world.creatures
    assert play.world.places["yard"].items == [stone.id]
    assert 1 not in play.game.asked(play.battle.state)


def test_the_kit_of_a_body_disappears_with_it_and_litter_has_a_bound():
    play = Play()
    yard = play.world.places["yard"]
    play.world.touch(yard)
    play.world.touch(play.world.creatures[1])
    given = Item(play.world.new_id(), "knife", "knife", {KIT: True})
    play.world.add(given)
    play.world.creatures[1].items.append(given.id)
    for _ in range(LITTER_MAX):
        stone = Item(play.world.new_id(), "stone", "stone")
        play.world.add(stone)
        holder = play.world.creatures[1] if len(yard.items) == LITTER_MAX - 1 else yard
        holder.items.append(stone.id)
    oldest = yard.items[0]
    play.world.touch(play.world.creatures[1])
    more = Item(play.world.new_id(), "stone", "stone")
    play.world.add(more)
    play.world.creatures[1].items.append(more.id)
    play.gate("leave", 1)
    assert given.id not in play.world.items
    assert (len(yard.items), yard.items[-1]) == (LITTER_MAX, more.id)
    assert oldest not in play.world.items


def test_a_saved_body_waits_outside_and_returns_where_it_was():
    play = Play()
    play.do(1, "go", "in")
    play.gate("leave", 1, keep=True)
    ann = play.world.creatures[1]
    assert (ann.place, ann.driver) == (OUTSIDE, "none")
    assert play.world.creatures_in("shed") == []
    play.gate("join", 1, driver="program", token="again")
    assert (ann.place, ann.driver, ann.left_from) == ("shed", "program", OUTSIDE)


def test_a_body_that_is_linkdead_too_long_leaves_and_a_returning_one_stays():
    play = Play()
    play.gate("linkdead", 1, turns=4)
    play.gate("linkdead", 2, turns=4)
    assert play.battle.observe(1)["here"][0]["linkdead"]
    play.gate("back", 2)
    for _ in range(5):
        play.turn()
    assert (play.world.creatures[1].place, play.world.creatures[2].place) == (OUTSIDE, "yard")
    assert LINKDEAD_TURNS * play.world.dt_us == 60_000_000


def test_another_driver_takes_over():
    play = Play()
    play.gate("drive", 1, driver="mind", mind="calm")
    assert (play.world.creatures[1].driver, play.world.creatures[1].mind) == ("mind", "calm")
    assert 1 in play.game.awaited(play.battle.state)
    closed = play.gate("drive", 99, driver="mind")
    assert closed.entry.faults[0][1] == "KeyError"


def test_the_content_greets_a_newcomer():
    rules = rules_with(on_join=lambda act: act.say(f"Welcome, {act.actor.name}."))
    play = Play(rules)
    play.gate("join", None, "cy")
    assert "Welcome, cy." in play.texts(play.heard(0)[0]["body"])


def test_a_player_who_returns_in_the_turn_of_removal_gets_a_new_body():
    play = Play()
    play.gate("linkdead", 2, turns=2, keep=False)
    play.turn({})
    play.gate("join", 2, "bob", token="t")
    (joined,) = [message for message in play.heard(0) if message["kind"] == "joined"]
    assert joined["token"] == "t"
    assert joined["body"] not in (1, 2)
    assert play.world.creatures[joined["body"]].name == "bob"


def _kim(**more):
    """Return a play with cy, who has an account and perhaps a mind."""
    play = Play()
    play.gate("join", None, "cy", driver="player", owner="account:cy", **more)
    return play, play.world.creatures[play.heard(0)[0]["body"]]


def test_a_character_with_a_mind_stays_and_acts_by_it_until_its_player_is_back():
    play, body = _kim()
    play.gate("mind", body.id, mind="own:1", owner="account:cy")
    assert (body.driver, body.mind, body.is_character) == ("player", "own:1", True)
    play.gate("linkdead", body.id, turns=2, keep=True)
    for _ in range(5):
        play.turn()
    assert (body.driver, body.place, body.is_character) == ("mind", "yard", True)
    assert body.id in play.game.awaited(play.battle.state)
    (seen,) = [one for one in play.battle.observe(1)["here"] if one["id"] == body.id]
    assert (seen["player"], seen["linkdead"]) == (True, True)
    play.gate("join", body.id, "cy", driver="player", owner="account:cy", mind="own:1")
    assert (body.driver, body.mind, body.linkdead_since) == ("player", "own:1", None)


def test_a_character_whose_mind_is_taken_away_while_it_is_alone_waits_outside():
    play, body = _kim(mind="own:1")
    play.gate("linkdead", body.id, turns=2, keep=True)
    play.gate("mind", body.id, mind="", owner="account:cy")
    assert (body.place, body.driver, body.mind) == (OUTSIDE, "none", "")
    play.gate("mind", body.id, mind="own:2", owner="account:cy")
    assert (body.place, body.driver, body.mind) == (OUTSIDE, "none", "own:2")


def test_only_the_owner_can_give_a_mind_and_its_memory_is_empty():
    play, body = _kim(mind="own:1")
    play.world.touch(body)
    body.memory = {"n": 9}
    play.gate("mind", body.id, mind="own:2", owner="account:bob")
    assert (body.mind, body.memory) == ("own:1", {"n": 9})
    play.gate("mind", body.id, mind="own:2", owner="account:cy")
    assert (body.mind, body.memory) == ("own:2", {})


def test_a_creature_of_a_player_acts_by_the_mind_it_is_given_and_rests_without_one():
    play, cy = _kim()
    stone = play.world.creatures[2]
    play.world.touch(stone)
    stone.driver, stone.owner = "none", "account:cy"
    play.gate("mind", 2, mind="own:1", owner="account:cy")
    assert (stone.driver, stone.is_character) == ("mind", False)
    play.gate("leave", cy.id, keep=True)
    assert stone.driver == "mind"
    play.gate("mind", 2, mind="", owner="account:cy")
    assert stone.driver == "none"


def test_a_record_with_minds_of_players_plays_again_without_them():
    play, body = _kim()
    play.gate("mind", body.id, mind="own:1", owner="account:cy")
    play.gate("linkdead", body.id, turns=2, keep=True)
    play.do(body.id, "dig")
    play.turn()
    assert verify(play.record, play.game).ok
