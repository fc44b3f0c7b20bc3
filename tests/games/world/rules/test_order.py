"""Who acts first: more reaction; among equals everybody now and then, as the seed says."""

from __future__ import annotations

from collections import Counter

from tests.games.world.worlds import STREAMS, rules_with
from turnwright.games.world.rules.entities import Creature
from turnwright.games.world.rules.turn import acting_order


def bodies(*reactions):
    return [Creature(n, "x", "x", "yard", attributes={"reaction": r}) for n, r in enumerate(reactions)]


def test_more_reaction_comes_first_however_they_are_listed():
    crowd = bodies(5, 30, -2, 12)
    assert acting_order(crowd, rules_with(), STREAMS, 1) == [1, 3, 0, 2]
    assert acting_order(reversed(crowd), rules_with(), STREAMS, 1) == [1, 3, 0, 2]


def test_it_is_worked_out_anew_each_turn():
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


def test_content_may_say_what_reaction_is():
    rules = rules_with(reaction=lambda body: -body.attributes["reaction"])
    assert acting_order(bodies(5, 30), rules, STREAMS, 1) == [0, 1]
