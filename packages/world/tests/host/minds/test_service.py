"""Players' minds at the host: uploaded, checked, saved, started, stopped, and private to their owners."""

from __future__ import annotations

import base64

import pytest

from packages.core.tests.messages import missing, naming
from packages.world.tests.host.minds.pasting import HASHED, MIND, come_in, kept, own, paste
from packages.world.tests.simulation.virtual_world import VirtualWorld
from turnwright.kernel.battle import Battle
from turnwright_world.host.accounts import Account
from turnwright_world.host.host import WorldConfig
from turnwright_world.host.minds.player_mind import HANDED_MAX, MINDS_KEPT_MAX, MINDS_MAX, PlayerMind
from turnwright_world.intent import PLAYER_SOURCE_SIZE_MAX
from turnwright_world.rules.entities import OUTSIDE, Creature
from turnwright_world.wire.messages import convert

OTHER = "def plan(view, random):\n    return None\n"


def body_of(world: VirtualWorld, conn: int) -> Creature:
    return world.host.turns.state.world.creatures[world.host.sessions.of(conn).body]  # type: ignore


def test_a_pasted_mind_acts_while_its_player_is_away_and_not_before() -> None:
    world = kept("Kim", "Bob")
    kim = body_of(world, 1)
    said = paste(world, 1)
    assert "The mind is taken" in said
    name = PlayerMind("account:kim", kim.id, MIND).name
    assert (kim.driver, kim.mind, world.taught) == ("player", name, {name: MIND})
    assert list(world.own_minds) == [("account:kim", kim.id)]
    world.minds[name] = lambda view: "go in"
    world.type(1, "quit")
    world.run_ms(900)
    assert not missing(world.closed[1], "your mind")
    assert missing(world.closed[1], "rests") == ["rests"]
    assert (kim.driver, kim.place) == ("mind", "shed")
    world.run_ms(120_000)
    assert (kim.driver, kim.place) == ("mind", "shed"), "it does not go as a body without a mind would"
    assert come_in(world, 3, "Kim") == kim.id
    assert (kim.driver, kim.mind) == ("player", name)


def test_a_player_who_leaves_a_world_that_then_rests_learns_that_the_mind_waits() -> None:
    world = kept("Kim")
    paste(world, 1)
    world.type(1, "quit")
    world.run_ms(600)
    assert not missing(world.closed[1], "mind", "world rests")


def test_a_lost_line_leaves_the_character_to_its_mind() -> None:
    world = kept("Kim", "Bob")
    kim = body_of(world, 1)
    paste(world, 1)
    world.drop(1)
    world.run_ms(600)
    assert (kim.driver, kim.is_character) == ("mind", True)


def test_a_guest_who_saves_the_character_as_asked_then_has_a_mind() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    assert "type keep" in paste(world, 1)
    world.text(1)
    world.type(1, "keep", "a long passphrase", "a long passphrase")
    world.run_ms(600)
    assert body_of(world, 1).owner == "account:anna"
    assert "The mind is taken" in paste(world, 1)


def test_a_mistake_is_reported_with_its_line_and_changes_nothing() -> None:
    world = kept("Kim")
    paste(world, 1)
    before = dict(world.own_minds)
    said = paste(world, 1, "x = 1\ndef plan(view, random):\n    retrun 1\n")
    assert not missing(said, "not taken", "line 3", "Python")
    assert "plan has 1 arguments" in paste(world, 1, "def plan(view):\n    return None\n")
    assert "0 functions plan" in paste(world, 1, "x = 1\n")
    assert world.own_minds == before


def test_indentation_blank_lines_and_commands_in_a_paste_are_its_own() -> None:
    world = kept("Kim")
    source = (
        "def plan(view, random):\n    if view:\n\n        # go in\n        return 'look'\n    return None\n"
    )
    assert "The mind is taken" in paste(world, 1, source)
    assert [one.source for one in world.own_minds.values()] == [source]


def test_a_paste_can_be_called_off() -> None:
    world = kept("Kim")
    world.type(1, "mind paste", "def plan(view, random):", ".cancel", "look")
    text = world.text(1)
    assert "Nothing was handed over" in text
    assert "Yard" in text or "yard" in text
    assert world.own_minds == {}


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_a_mind_has_a_maximum_of_bytes(more: int) -> None:
    world = kept("Kim")
    source = MIND + "#" * (PLAYER_SOURCE_SIZE_MAX - len(MIND) - 1 + more) + "\n"
    assert len(source) == PLAYER_SOURCE_SIZE_MAX + more
    world.type(1, "mind paste", *source[:-1].split("\n"), ".")
    world.run_ms(300)
    text = world.text(1)
    assert ("The mind is taken" in text) is (more <= 0), text
    assert ("16384 at most" in text) is (more > 0)


def test_a_paste_as_long_as_a_mind_does_not_count_against_the_limit_of_lines() -> None:
    world = kept("Kim")
    source = MIND + "".join(f"x{k} = {k}\n" for k in range(700))
    assert "The mind is taken" in paste(world, 1, source)
    assert "Too fast" not in world.text(1)


def test_an_endless_paste_is_disconnected_as_a_flood() -> None:
    world = kept("Kim")
    world.type(1, "mind paste", *(["x" * 900] * 2_200))
    assert not missing(world.closed[1], "too much")


def test_an_account_has_a_maximum_of_minds() -> None:
    world = kept("Kim")
    wolves = [own(world, 1) for _ in range(MINDS_MAX + 1)]
    for count, wolf in enumerate(wolves):
        world.run_ms(7_000)
        text = paste(world, 1, MIND, f"#{wolf.id}")
        assert ("The mind is taken" in text) is (count < MINDS_MAX), (count, text)
    assert f"You have {MINDS_MAX} minds" in text
    assert "The mind is taken" in paste(world, 1, OTHER, f"#{wolves[0].id}"), "one may replace them"


def test_a_world_keeps_a_maximum_of_minds_of_all_accounts() -> None:
    others = [PlayerMind("account:zoe", body, MIND) for body in range(9_001, 9_001 + MINDS_KEPT_MAX - 1)]
    world = kept("Kim", "Bob", own_minds=others)
    assert "The mind is taken" in paste(world, 1)
    assert not missing(paste(world, 2), MINDS_KEPT_MAX, "minds")
    assert world.own_minds.keys() - {(mind.owner, mind.body) for mind in others} == {
        ("account:kim", body_of(world, 1).id)
    }
    assert "The mind is taken" in paste(world, 1, OTHER), "one may replace them"
    world.type(1, "mind drop")
    assert "The mind is taken" in paste(world, 2), "there is room again"


def test_minds_are_handed_over_so_often_a_minute_at_most() -> None:
    world = kept("Kim")
    said = [paste(world, 1, f"{MIND}# {k}\n") for k in range(HANDED_MAX + 1)]
    assert ["is taken" in text for text in said] == [True] * HANDED_MAX + [False]
    assert naming(said[-1], f"{HANDED_MAX} minds a minute", "try again in")
    world.run_ms(60_000)
    assert "The mind is taken" in paste(world, 1)


def test_one_mind_of_an_account_is_checked_at_a_time() -> None:
    world = kept("Kim")
    world.check_ns = None
    paste(world, 1)
    assert "still being checked" in paste(world, 1)


def test_only_the_owner_gives_a_creature_a_mind_by_name_or_number() -> None:
    world = kept("Kim", "Bob")
    wolf = own(world, 1)
    assert naming(paste(world, 1, MIND, "wol"), "taken", "the wolf")
    assert (wolf.driver, wolf.mind) == ("mind", next(iter(world.taught)))
    assert not missing(paste(world, 2, MIND, "wolf"), "no creature", "'wolf'")
    assert not missing(paste(world, 2, MIND, f"#{wolf.id}"), "no creature", f"'#{wolf.id}'")
    second = own(world, 1)
    assert f"#{wolf.id}, #{second.id}" in paste(world, 1, MIND, "wolf")
    assert not missing(paste(world, 2, MIND, "#1"), "no creature", "'#1'")


def test_a_mind_is_stopped_started_and_dropped_and_its_faults_forgotten() -> None:
    world = kept("Kim")
    wolf = own(world, 1)
    paste(world, 1, MIND, "wolf")
    name = wolf.mind
    world.type(1, "mind stop wolf")
    world.run_ms(300)
    assert (wolf.driver, wolf.mind) == ("none", "")
    assert not world.own_minds["account:kim", wolf.id].on
    world.type(1, "mind for wolf start")
    world.run_ms(300)
    assert (wolf.driver, wolf.mind) == ("mind", name)
    world.type(1, "mind drop wolf")
    world.run_ms(300)
    assert (wolf.driver, wolf.mind) == ("none", "")
    assert world.own_minds == world.taught == {}


def test_a_source_that_two_bodies_use_is_known_until_both_are_done_with_it() -> None:
    world = kept("Kim")
    own(world, 1)
    paste(world, 1)
    paste(world, 1, MIND, "wolf")
    world.type(1, "mind drop")
    assert list(world.taught.values()) == [MIND]
    world.type(1, "mind drop wolf")
    assert world.taught == {}


def test_prints_and_mistakes_of_a_mind_are_shown_only_to_its_owner() -> None:
    world = kept("Kim", "Bob")
    kim = body_of(world, 1)
    paste(world, 1)
    world.text(2)
    minding = world.host.minds
    assert not minding.planned(7, kim.id, "account:kim", None, "", "hello there\n")
    assert minding.planned(8, kim.id, "account:kim", "error", "mind.py line 2: NameError: x", "")
    assert not minding.planned(9, kim.id, "account:kim", "error", "mind.py line 2: NameError: x", "")
    world.type(1, "mind", "mind prints", "mind show")
    text = world.text(1).replace("\n", " ")
    assert not missing(text, "mind of Kim", "mind.py line 2: NameError: x")
    assert "1 plans; none: error 2." in text
    assert "turn 7, printed: hello there" in text
    assert "turn 8, error: mind.py line 2" in text
    assert "    return 'go in'" in text
    world.type(2, "mind", "mind prints", "mind prints Kim", f"mind show #{kim.id}")
    text = world.text(2)
    assert "hello" not in text
    assert "NameError" not in text
    assert "go in" not in text


def test_a_replaced_mind_begins_with_nothing_held_against_it() -> None:
    world = kept("Kim")
    kim = body_of(world, 1)
    paste(world, 1)
    world.host.minds.planned(8, kim.id, "account:kim", "slow", "it used all its time", "")
    paste(world, 1, OTHER)
    world.type(1, "mind", "mind prints")
    text = world.text(1)
    assert "0 plans." in text
    assert "Nothing yet." in text
    assert list(world.taught.values()) == [OTHER]


def test_a_character_whose_mind_is_out_waits_outside() -> None:
    world = kept("Kim", "Bob")
    kim = body_of(world, 1)
    paste(world, 1)
    world.drop(1)
    world.run_ms(600)
    world.host.minds.planned(9, kim.id, "account:kim", "disabled", "it is out", "")
    world.run_ms(600)
    assert (kim.place, kim.driver) == (OUTSIDE, "none")


def test_a_mind_that_the_store_had_and_the_world_not_yet_is_given_to_its_body() -> None:
    world = kept("Kim", "Bob")
    kim = body_of(world, 1)
    mind = PlayerMind("account:kim", kim.id, MIND)
    world.host.stop_all("bye", world.now_ns)
    battle = world.host.turns.battle
    packed = base64.b64encode(battle.state.world.pack()).decode()
    again = Battle(battle.game, {"open": True, "world": packed}, (), 1, keep_checks=True)
    late = VirtualWorld(again, WorldConfig(), accounts=list(world.accounts.values()), own_minds=[mind])
    come_in(late, 1, "Bob")
    assert late.taught == {mind.name: MIND}
    kim = late.host.turns.state.world.creatures[kim.id]
    assert (kim.driver, kim.mind) == ("mind", mind.name)


def test_minds_of_lost_creatures_are_forgotten() -> None:
    world = kept("Kim")
    wolf = own(world, 1)
    paste(world, 1, MIND, "wolf")
    state = world.host.turns.state
    state.world.touch(wolf)
    wolf.owner, wolf.mind, wolf.driver = "", "", "none"
    state.world.settle()
    world.type(1, "mind")
    assert world.own_minds == world.taught == {}


def test_a_mind_that_was_checked_too_late_is_not_given_to_a_lost_creature() -> None:
    world = kept("Kim")
    wolf = own(world, 1)
    world.check_ns = 100_000_000
    world.type(1, "mind paste wolf", *MIND.split("\n"), ".")
    state = world.host.turns.state
    state.world.touch(wolf)
    wolf.owner = ""
    state.world.settle()
    world.run_ms(300)
    assert "not yours any more" in world.text(1)
    assert world.own_minds == {}


def test_programs_hand_over_minds_by_message_and_get_the_result() -> None:
    world = VirtualWorld.of(accounts=[Account("Kim", HASHED)])
    world.connect(1, "program")
    world.send(1, "Hello", {"name": "Kim", "token": "a long passphrase"})
    world.run_ms(600)
    world.send(1, "Mind.Put", convert("Mind.Put", {"source": MIND}))
    world.run_ms(300)
    (row,) = world.got(1, "Mind.Status")[-1]["minds"]
    assert (row["own"], row["on"], row["bytes"]) == (True, True, len(MIND))
    world.send(1, "Mind.Show", convert("Mind.Show", {}))
    assert world.got(1, "Mind.Source")[-1]["source"] == MIND
    world.send(1, "Mind.Do", convert("Mind.Do", {"what": "stop"}))
    assert not world.got(1, "Mind.Status")[-1]["minds"][0]["on"]
    world.send(1, "Mind.Put", convert("Mind.Put", {"source": "def plan(:\n"}))
    world.run_ms(300)
    assert world.got(1, "Mind.Mistakes")[-1]["mistakes"][0]["line"] == 1
    world.send(1, "Mind.Show", convert("Mind.Show", {"target": "dragon"}))
    assert not missing(world.got(1, "Mind.Refused")[-1]["text"], "no creature", "'dragon'")
    world.send(1, "Mind.Do", convert("Mind.Do", {"what": "drop"}))
    world.send(1, "Mind.List", convert("Mind.List", {}))
    assert "hash" not in world.got(1, "Mind.Status")[-1]["minds"][0]


def test_a_character_that_has_just_been_kept_may_have_a_mind_and_go_in_the_same_breath() -> None:
    world = VirtualWorld.of()
    world.enter(1, "Anna")
    body = body_of(world, 1)
    world.check_ns = 0
    world.type(1, "keep", "a long passphrase", "a long passphrase")
    world.run_ms(0)
    world.type(1, "mind paste", *MIND.split("\n"), ".")
    world.run_ms(0)
    assert body.owner.startswith("guest:"), "the turn that makes it the account's is still open"
    world.type(1, "quit")
    assert not missing(world.closed[1], "your mind")
    world.enter(2, "Bob")
    world.run_ms(600)
    assert (body.owner, body.driver, body.mind) == ("account:anna", "mind", next(iter(world.taught)))


def test_pasted_lines_are_answered_with_no_prompts() -> None:
    world = kept("Kim")
    world.type(1, "mind paste")
    world.text(1)
    world.type(1, *MIND.split("\n"))
    assert world.text(1) == ""
