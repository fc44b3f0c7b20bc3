"""The creatures of the demo act, each in its own way."""

from __future__ import annotations

import pytest

from packages.core.tests.messages import naming
from packages.world.tests.demo.playing import Demo, demo
from turnwright_world.intent import ReactionInput, WorldIntent
from turnwright_world.rules.entities import Creature

PLACE = {"id": "p", "name": "P", "area": "a", "text": "", "exits": {}, "tags": [], "items": []}
NOTHING = {
    "turn": 1,
    "now_us": 250_000,
    "me": {"id": 1, "name": "x", "kind": "x", "attributes": {}},
    "place": PLACE,
    "here": [],
    "vitals": {"hp": 1, "maxhp": 9, "sp": 9, "maxsp": 9, "money": 0, "dead": False, "locked_until_us": 0},
    "threats": [],
    "action": None,
    "items": [],
    "memory": {},
    "quests": {},
    "heard": [],
}


def visit(place: str, turns: int = 0, seed: int = 7) -> Demo:
    played = Demo(seed)
    played.world.move(played.body, place)
    played.world.commit()
    played.wait(turns)
    return played


def of_kind(played: Demo, kind: str) -> list[Creature]:
    return [body for body in played.world.creatures.values() if body.kind == kind]


def wait_for_threat(played: Demo, turns: int = 240) -> int:
    """Return after how many turns something strikes; -1: nothing does."""
    for turn in range(turns):
        played.wait(1)
        if played.body.threats:
            return turn
    return -1


@pytest.mark.parametrize("name", sorted(demo().minds))
def test_a_mind_that_perceives_nothing_at_all_does_nothing_wrong(name: str) -> None:
    played = Demo()
    body = played.me
    played.world.creatures[body].mind = name
    for turn in range(300):
        exits = {} if turn % 2 else {"north": "q"}
        here, threats = [] if turn % 3 else [SOMEBODY], [THREAT] if turn % 7 == 0 else []
        place = {**PLACE, "exits": exits}
        played.ask(body, {**NOTHING, "turn": turn, "place": place, "here": here, "threats": threats}, turn)


SOMEBODY = {
    "id": 2,
    "name": "Bob",
    "kind": "person",
    "state": "hurt",
    "doing": None,
    "player": True,
    "linkdead": False,
    "tags": ["outlaw"],
}
THREAT = {"id": 1, "from": 2, "name": "Bob", "kind": "bite", "at": 0, "us": 1}


def test_guards_walk_only_their_round() -> None:
    played, seen = Demo(), set()
    for _ in range(40):
        played.wait(25)
        seen |= {body.place for body in of_kind(played, "guard")}
    assert seen >= {"square", "gate", "lane", "guardhouse", "market"}
    assert seen <= {"square", "gate", "lane", "guardhouse", "market", "alley"}


def test_a_guard_strikes_down_robbers() -> None:
    played = visit("gate")
    robber = of_kind(played, "bandit")[0]
    played.world.move(robber, "gate")
    played.world.commit()
    played.wait(160)
    assert robber.died_us is not None or robber.place != "gate"


def test_deer_run_from_every_visitor() -> None:
    assert not any(deer.place == "glade" for deer in of_kind(visit("glade", 160), "deer"))


def test_wolves_of_a_pack_go_for_the_same_prey_together() -> None:
    played = visit("den", 40)
    assert {threat.source for threat in played.body.threats} <= {wolf.id for wolf in of_kind(played, "wolf")}
    assert len({wolf.id for wolf in of_kind(played, "wolf") if wolf.action is not None}) >= 2


def test_the_boar_warns_and_attacks_only_visitors_who_stay() -> None:
    played = visit("thicket")
    texts = played.wait(8)
    assert naming(texts, "boar", "paws")
    assert wait_for_threat(played) > 15


def test_robbers_ask_for_the_purse_first() -> None:
    played = visit("camp")
    assert naming(played.wait(6), "says", "your purse")
    assert not played.body.threats
    assert wait_for_threat(played) > 10


def test_a_robber_who_ran_away_returns_to_the_camp() -> None:
    played = visit("glade")
    robber = played.creature("bandit")
    for place in ("deepwood", "crossing", "ridge"):
        played.world.move(robber, place)
        played.world.commit()
        for _ in range(80):
            played.wait(10)
            if robber.place == "camp":
                break
        assert robber.place == "camp", place


def test_the_chief_of_the_robbers_does_not_run() -> None:
    played, view = visit("camp"), {**NOTHING, "threats": [THREAT], "here": [SOMEBODY], "place": PLACE}
    for kind, ever in (("bandit", True), ("chief", False)):
        body = played.creature(kind)
        asked = [
            played.ask(body.id, {**view, "me": {**NOTHING["me"], "kind": kind}}, turn) for turn in range(300)
        ]
        assert ("flee" in asked) == ever, kind


def test_the_spider_lets_itself_down_in_the_dark() -> None:
    assert 8 <= wait_for_threat(visit("nest")) <= 40


def test_the_salamander_attacks_only_players_who_dig() -> None:
    assert wait_for_threat(visit("seam"), 120) == -1
    played = visit("seam")
    for kind in ("pickaxe", "lamp"):
        played.hand(kind)
    played.do_one("dig")
    assert wait_for_threat(played) >= 0


def test_the_ghost_sings_before_it_strikes() -> None:
    played = visit("chapel")
    assert any("the lamps are out" in text for text in played.wait(12))
    assert wait_for_threat(played) > 20


def test_the_troll_speaks_before_it_strikes_and_mends_when_it_is_alone() -> None:
    played = visit("hall")
    assert any("Spoon?" in text for text in played.wait(4))
    assert wait_for_threat(played) >= 10
    troll = played.creature("troll")
    played.world.move(played.body, "bridge")
    troll.health = 100
    played.world.touch(troll)
    played.world.commit()
    played.wait(140)
    assert troll.health > 200


def test_the_cat_catches_a_rat_now_and_then() -> None:
    played = Demo(3)
    played.world.move(played.creature("cat"), "cellar")
    played.world.commit()
    for _ in range(60):
        played.wait(10)
        if any(rat.died_us is not None for rat in of_kind(played, "rat")):
            return
    raise AssertionError("no rat was caught in 150 s")


def test_the_goose_teaches_a_new_player_to_dodge_and_then_stops() -> None:
    played = Demo()
    assert any("hisses at Anna" in text for text in played.wait(40))
    assert wait_for_threat(played, 60) >= 0
    press = ReactionInput(played.world.reached_us + 1, "dodge")
    played.turn({played.me: WorldIntent(presses=(press,))})
    assert any("looks away" in text for text in played.wait(12))
    assert wait_for_threat(played, 300) == -1
    assert played.body.health == 100


def test_the_goose_does_little_harm_to_an_idle_player() -> None:
    played = Demo()
    texts = played.wait(300)
    assert any("turns her back" in text for text in texts)
    bites = sum("comes at you, wings wide" in text for text in texts)
    assert 1 <= bites <= 3
    assert wait_for_threat(played, 200) == -1


def test_the_cat_follows_a_player_who_gave_it_a_fish() -> None:
    played = visit("alley")
    cat = played.creature("cat")
    played.world.move(cat, "alley")
    played.world.commit()
    played.hand("trout")
    played.do("give trout to cat")
    played.wait(10)
    assert cat.items == []
    for way in ("south", "west", "west", "north"):
        played.do(f"go {way}")
        played.wait(3)
        assert cat.place == played.body.place


def test_the_cat_does_not_follow_a_player_who_gave_it_nothing() -> None:
    played = visit("alley")
    cat = played.creature("cat")
    played.world.move(cat, "alley")
    played.world.commit()
    for way in ("south", "west", "west", "north"):
        played.do(f"go {way}")
        played.wait(3)
    assert cat.place != played.body.place
