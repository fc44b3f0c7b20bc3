"""The world as a game: open or closed, replayed from its record, restored, played ahead."""

from __future__ import annotations

import random

import pytest

from packages.core.tests.messages import missing
from packages.world.tests.worlds import DT, Play, lively_intent, rules_with, unpacked
from turnwright.errors import SetupError, VoidBattleError
from turnwright.kernel.battle import Battle
from turnwright.kernel.game import SeatInfo
from turnwright.kernel.verify import verify
from turnwright_world.game import HEARD_MAX, WorldGame
from turnwright_world.intent import ReactionInput, WorldIntent
from turnwright_world.rules.verbs import Verb


def test_seats_are_bodies_and_the_gate_of_an_open_world_has_no_body():
    assert sorted(Play(is_open=False).world.creatures) == [0, 1]
    play = Play()
    assert sorted(play.world.creatures) == [1, 2]
    assert (play.world.turn, play.world.now_us) == (0, 0)
    assert play.game.asked(play.battle.state) == (0, 1, 2)
    assert play.game.awaited(play.battle.state) == ()
    assert Play(is_open=False).game.awaited(play.battle.state) == ()


def test_an_open_world_needs_no_seats():
    battle = Battle(WorldGame(), {"open": True}, [], 7)
    assert battle.open_turn().asked == (0,)
    battle.close_turn()
    assert battle.state.world.turn == 1


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        ({"dt_us": 10}, "dt_us is 10"),
        ({"dt_us": 0.25}, "dt_us is 0.25"),
        ({"content": "abc"}, "needs content 'abc'"),
    ],
)
def test_a_world_that_cannot_be_is_refused(setup, words):
    with pytest.raises(SetupError, match=words):
        Battle(WorldGame(), setup, [SeatInfo("ann")], 7)
    with pytest.raises(SetupError, match=r"'moon'.*not a place"):
        Battle(WorldGame(rules_with(start="moon")), {}, [SeatInfo("ann")], 7)


def test_a_seat_says_how_it_joins():
    seats = [SeatInfo("ann", options={"place": "shed", "driver": "player", "kind": "wolf"})]
    battle = Battle(WorldGame(rules_with()), {}, seats, 7)
    ann = battle.state.world.creatures[0]
    assert (ann.place, ann.driver, ann.kind) == ("shed", "player", "wolf")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "wolff"}, ("kind", "ann", "wolff", "wolf", "person")),
        ({"kind": 5}, ("kind", "ann", "5", "wolf")),
        ({"driver": "bot"}, ("driver", "ann", "bot", "program", "player")),
    ],
)
def test_a_seat_without_such_a_kind_or_driver_is_refused(options, words):
    with pytest.raises(SetupError) as error:
        Battle(WorldGame(rules_with()), {}, [SeatInfo("ann", options=options)], 7)
    assert not missing(str(error.value), *words)


def test_a_record_comes_out_again_with_all_that_happens():
    class Boom(Verb):
        name = "boom"

        def finish(self, act):
            act.touch(act.actor)
            act.actor.health = 1
            raise RuntimeError("boom")

    play = Play(rules_with(Boom()), keep_checks=True)
    play.turn({1: WorldIntent("hit", "bob"), 2: WorldIntent("dig")})
    play.gate("join", None, "cy")
    play.turn({2: WorldIntent(stop=True), 1: WorldIntent("boom")})
    play.gate("linkdead", 1, turns=2)
    play.turn({2: WorldIntent(presses=(ReactionInput(5 * DT - 9, "parry"),))})
    play.gate("leave", 2, keep=True)
    for _ in range(5):
        play.turn()
    assert any(entry.faults for entry in play.entries)
    found = verify(play.record, WorldGame(rules_with(Boom())))
    assert found.mismatch is None
    assert found.turns == 11
    assert not verify(play.record, WorldGame(rules_with())).ok


def test_messages_of_an_advance_come_again_first_in_the_turn():
    play = Play()
    play.do(1, "hit", "bob")
    for _ in range(11):
        play.turn()
    play.battle.open_turn()
    state, streams = play.battle.state, play.battle.streams
    lands = state.world.creatures[2].threats[0].lands_us
    assert play.game.advance(state, streams, lands - 1, {}) == []
    told = [(n, message["kind"]) for n, message in play.game.advance(state, streams, lands, {})]
    assert told == [(2, "threat"), (1, "blow")] or lands == state.world.now_us + DT


def test_a_press_never_goes_into_the_played_past():
    play = Play()
    state = play.battle.state
    assert [play.game.press_time(state, at) for at in (-5, 0, 7, 9 * DT)] == [1, 1, 7, DT]
    play.game.advance(state, play.battle.streams, 1_000, {})
    assert play.game.press_time(state, 500) == 1_001


def test_a_body_with_too_many_messages_learns_how_many_it_missed():
    class Chat(Verb):
        name = "chat"

        def finish(self, act):
            for number in range(int(act.text)):
                act.say(str(number))

    play = Play(rules_with(Chat()))
    play.do(1, "chat", str(HEARD_MAX))
    assert play.texts(1) == [str(n) for n in range(HEARD_MAX)]
    play.do(1, "chat", str(HEARD_MAX + 1))
    assert play.heard(1)[HEARD_MAX - 1 :] == [{"kind": "missed", "count": 2}]


def test_the_store_gets_each_change_once():
    play = Play()
    play.battle.state.take_changed()
    play.do(1, "go", "in")
    assert set(play.battle.state.take_changed()) == {("creature", 1)}
    assert play.battle.state.take_changed() == {}
    play.turn()
    assert play.battle.state.take_changed() == {}


def test_a_saved_world_resumes_where_it_was():
    one, two = Play(), Play()
    one.do(1, "dig")
    saved = one.game.save(one.battle.state)
    two.game.restore(two.battle.state, saved)
    assert two.game.snapshot(two.battle.state) == one.game.snapshot(one.battle.state)
    two.battle.turn = 1
    for _ in range(4):
        assert one.turn().entry.digest == two.turn().entry.digest
    other = Battle(WorldGame(), {"dt_us": 1_000}, [SeatInfo("ann")], 7)
    with pytest.raises(ValueError, match="250000 µs"):
        other.game.restore(other.state, saved)


@pytest.mark.parametrize("pieces", [0, 1, 2, 5, 100])
def test_a_turn_that_is_played_in_pieces_comes_out_the_same(pieces):
    digests = []
    for taken in (None, pieces):
        play = Play(rules_with(), ("ann", "bob", "cy"))
        battle = play.battle
        for turn in range(4):
            battle.open_turn()
            for seat, intent in ((3, WorldIntent("go", "east")), (1, WorldIntent("say", f"turn {turn}"))):
                battle.collecting.submit(seat, intent, 0)
            battle.end_collecting(0)
            if taken is not None:
                steps = play.game.pieces(battle.state, battle.streams, battle.collecting.inbox.answers)
                for _ in range(taken):
                    next(steps, None)
            digests.append((battle.close_turn().entry.digest, battle.state.heard))
    assert digests[:4] == digests[4:]


def test_rules_that_fail_in_a_piece_make_the_battle_void():
    rules = rules_with()
    rules.reaction = lambda body: 1 // 0
    battle = Play(rules).battle
    battle.open_turn()
    battle.collecting.submit(1, WorldIntent("say", "oh"), 0)
    battle.end_collecting(0)
    for _ in battle.game.pieces(battle.state, battle.streams, battle.collecting.inbox.answers):
        pass
    with pytest.raises(VoidBattleError, match="ZeroDivisionError"):
        battle.close_turn()


def test_a_packed_observation_is_the_same_and_comes_with_its_memory():
    play = Play()
    state, rng = play.battle.state, random.Random(3)
    state.world.touch(state.world.creatures[1])
    state.world.creatures[1].memory = {"seen": [1, {"a": None}]}
    for _ in range(60):
        play.turn({number: lively_intent(rng) for number in (1, 2)})
        for seat in (0, 1, 2, 99):
            packed, memory = play.game.observe_packed(state, seat)
            observed = play.battle.observe(seat)
            assert unpacked(packed) == observed
            assert memory == observed.get("memory", {})
    play.game.observe_packed(state, 1)[1]["seen"].clear()
    assert play.battle.observe(1)["memory"]["seen"]
