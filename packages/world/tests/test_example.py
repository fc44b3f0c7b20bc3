"""The yard: the smallest world in which something can be done."""

from __future__ import annotations

from packages.core.tests.messages import naming
from packages.world.tests.worlds import Play
from turnwright_world.intent import WorldIntent


def test_one_goes_and_the_others_see_it():
    play = Play(names=("ann", "bob", "cy"))
    play.do(1, "go", "in")
    assert play.texts(2) == ["ann leaves."]
    play.do(2, "go", "in")
    assert play.texts(1) == ["bob arrives."]
    assert play.texts(3) == ["bob leaves."]
    play.do(1, "go", "up")
    assert naming(play.texts(1), "no way", "up")


def test_one_says_and_the_others_hear_it():
    play = Play()
    play.do(1, "say", "good morning")
    assert (play.texts(1), play.texts(2)) == (["You say: good morning"], ["ann says: good morning"])


def test_digging_to_the_end_finds_a_stone_and_a_stop_leaves_a_hole():
    play = Play()
    play.do(1, "dig")
    for _ in range(3):
        play.turn()
    assert [play.world.items[number].name for number in play.world.creatures[1].items] == ["stone"]
    play.do(1, "dig")
    play.turn()
    play.turn({1: WorldIntent(stop=True)})
    assert play.world.places["yard"].data == {"hole": 2}
    assert play.world.creatures[1].action is None


def test_the_last_twenty_writings_stay_on_the_wall():
    play = Play()
    for number in range(22):
        play.do(1, "write", str(number))
    assert play.world.places["yard"].data["wall"] == [str(n) for n in range(2, 22)]
    assert naming(play.texts(2), "ann", "wall", 21)


def test_a_blow_is_a_threat_first_and_lands_after_its_window():
    play = Play()
    play.do(1, "hit", "bob")
    (threat,) = play.battle.observe(2)["threats"]
    assert (threat["from"], threat["us"]) == (1, 3_000_000)
    for _ in range(11):
        play.turn()
    assert play.world.creatures[2].health == 100
    play.turn()
    assert play.world.creatures[2].health < 100
    play.do(1, "hit", "nobody")
    assert naming(play.texts(1), "no nobody")
