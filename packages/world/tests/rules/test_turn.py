"""A turn, in order: timers, gate, actions by reaction, deliveries; answers come next turn."""

from __future__ import annotations

from collections import Counter

from packages.core.tests.messages import missing
from packages.world.tests.worlds import STREAMS, Play, rules_with
from turnwright_world.intent import GATE, GateEvent, WorldIntent
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.turn import acting_order
from turnwright_world.rules.verbs import Verb


class Race(Verb):
    """The first to do it has the place."""

    name = "race"

    def check(self, act):
        return "Too late." if "winner" in act.place.data else None

    def finish(self, act):
        act.touch(act.place)
        act.place.data["winner"] = act.actor.id


def test_the_quickest_acts_first_and_the_others_see_the_result():
    play = Play(rules_with(Race()), ("ann", "bob", "cy"))
    play.world.touch(play.world.creatures[2])
    play.world.creatures[2].attributes["reaction"] = 99
    play.turn({n: WorldIntent("race") for n in (1, 2, 3)})
    assert play.world.places["yard"].data == {"winner": 2}
    assert (play.texts(1), play.texts(3)) == (["Too late."], ["Too late."])


def test_a_newcomer_may_act_from_the_next_turn_on():
    play = Play()
    play.gate("join", None, "cy")
    body = play.heard(GATE)[0]["body"]
    play.do(body, "say", "hello")
    assert play.texts(1) == ["cy says: hello"]


def test_bodies_come_and_go_before_any_body_acts():
    play = Play()
    leave = WorldIntent(gate=(GateEvent("leave", 2),))
    play.turn({GATE: leave, 1: WorldIntent("hit", "bob"), 2: WorldIntent("say", "still here")})
    refused, gone = play.texts(1)
    assert (missing(refused, "no bob"), missing(gone, "bob", "gone")) == ([], [])


def test_a_perceived_event_can_be_answered_in_the_next_turn():
    play = Play()
    play.do(1, "say", "who?")
    assert play.texts(2) == ["ann says: who?"]
    play.do(2, "say", "me")
    assert play.texts(1) == ["bob says: me"]


def test_unknown_content_changes_nothing():
    play = Play(rules_with())
    closed = play.gate("reload", None, hash="lost")
    assert closed.entry.faults == (("new content", "SetupError"),)
    assert play.world.facts.content == ""
    play.do(1, "say", "well")
    assert play.texts(2) == ["ann says: well"]


def test_content_that_changes_counts_from_that_turn_on():
    other = rules_with(Race(), content_hash="other")
    play = Play(rules_with(), library={"other": other})
    play.do(1, "race")
    assert not missing(play.texts(1)[0], "race", "command")
    play.turn(
        {GATE: WorldIntent(gate=(GateEvent("reload", data={"hash": "other"}),)), 1: WorldIntent("race")}
    )
    assert play.world.places["yard"].data == {"winner": 1}


def bodies(*reactions):
    return [Creature(n, "x", "x", "yard", attributes={"reaction": r}) for n, r in enumerate(reactions)]


def test_more_reaction_comes_first_however_they_are_listed():
    crowd = bodies(5, 30, -2, 12)
    assert acting_order(crowd, rules_with(), STREAMS, 1) == [1, 3, 0, 2]
    assert acting_order(reversed(crowd), rules_with(), STREAMS, 1) == [1, 3, 0, 2]


def test_the_order_of_acting_is_computed_each_turn():
    crowd = bodies(5, 30)
    assert acting_order(crowd, rules_with(), STREAMS, 1) == [1, 0]
    crowd[0].attributes["reaction"] = 31
    assert acting_order(crowd, rules_with(), STREAMS, 2) == [0, 1]


def test_equals_come_first_equally_often_and_the_same_in_a_replay():
    rules, crowd = rules_with(), bodies(1, 1, 1, 1)
    orders = [acting_order(crowd, rules, STREAMS, turn) for turn in range(2_000)]
    assert orders == [acting_order(crowd, rules, STREAMS, turn) for turn in range(2_000)]
    first = Counter(order[0] for order in orders)
    assert all(400 < first[number] < 600 for number in range(4))


def test_content_may_define_reaction():
    rules = rules_with(reaction=lambda body: -body.attributes["reaction"])
    assert acting_order(bodies(5, 30), rules, STREAMS, 1) == [0, 1]
