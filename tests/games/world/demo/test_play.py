"""A player who types: the demo world from the square to the troll, in the process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.world.demo.fighting import fight
from games.world.demo.playing import Demo, demo, has


@pytest.fixture
def quiet() -> Iterator[Demo]:
    """A demo in which no mind is awake; afterwards nothing has failed."""
    played = Demo(minds=False)
    yield played
    assert played.troubles == []


@pytest.fixture
def alive() -> Iterator[Demo]:
    played = Demo()
    yield played
    assert played.troubles == []


def give(played: Demo, *kinds: str) -> None:
    for kind in kinds:
        played.hand(kind)


def test_one_can_walk_through_all_places(quiet: Demo) -> None:
    give(quiet, "iron_key")
    land, seen = demo().rules.land, {quiet.body.place}
    while missing := [name for name in land.places if name not in seen]:
        target = min(missing, key=lambda name: len(quiet.path(name)))
        for way in quiet.path(target):
            if any("shut" in text for text in quiet.do("go " + way)):
                assert any("open the grille" in text for text in quiet.do("open " + way))
                quiet.walk(way)
            seen.add(quiet.body.place)
    assert len(seen) == len(land.places) == 37


def test_without_a_lamp_one_sees_nothing_below_and_with_one_bought_all(quiet: Demo) -> None:
    quiet.walk("east", "north", "down")
    view = quiet.view()
    assert (view["here"], view["place"]["items"]) == ([], [])
    assert "too dark" in view["place"]["text"]
    assert any("too dark" in str(m.get("text")) for m in (quiet.do("attack rat"), quiet.heard)[1])
    quiet.walk("up", "south", "in")
    quiet.do("buy lamp")
    assert quiet.body.money == 18
    quiet.do("light lamp")
    quiet.walk("out", "north", "down")
    assert [other["kind"] for other in quiet.view()["here"]].count("rat") == 5


def test_a_wolf_is_fought_with_reactions(alive: Demo) -> None:
    alive.walk("south", "south", "south", "south")
    wolf = next(other for other in alive.view()["here"] if other["kind"] == "wolf")
    assert fight(alive, wolf["id"], reacts=True, seed=1) == "won"
    assert alive.body.data["xp"] >= 40
    alive.do("get pelt")
    assert has(alive, "pelt")


def test_attack_alone_means_whoever_is_about_to_strike(alive: Demo) -> None:
    assert "Attack whom?" in alive.do_one("attack")
    while not alive.body.threats:
        alive.wait(1)
    goose = alive.creature("goose")
    assert f"You make ready to strike {goose.name}." in alive.do_one("attack")
    alive.wait(20)
    assert goose.health < goose.health_max or goose.threats


def test_a_quest_is_taken_done_and_paid(quiet: Demo) -> None:
    quiet.walk("north")
    assert any("Flowers for the bell" in text for text in quiet.do("talk sister"))
    assert any("0 of 3" in text for text in quiet.do("quests"))
    for way in ("south", "south", "south", "south", "west"):
        quiet.walk(way)
    for _ in range(3):
        quiet.do("pick")
    for way in ("east", "north", "north", "north", "north"):
        quiet.walk(way)
    texts = quiet.do("talk wyn")
    assert any("Still fresh" in text for text in texts)
    assert has(quiet, "salve")
    assert not has(quiet, "moonwort")
    assert quiet.body.quests["moonwort"]["state"] == "done"
    assert quiet.body.data["xp"] == 50


def test_who_dies_wakes_in_the_temple_and_can_go_on(alive: Demo) -> None:
    alive.world.move(alive.body, "den")
    alive.turn()
    texts = []
    for _ in range(200):
        texts += alive.wait(1)
        if alive.body.data.get("deaths"):
            break
    assert alive.body.place == "temple"
    assert alive.body.money == 27
    assert any("bell" in text for text in texts)
    alive.walk("south")


def test_chopping_is_interrupted_by_stop_and_goes_faster_the_next_time(quiet: Demo) -> None:
    give(quiet, "axe")
    quiet.walk("south", "south", "south", "west", "west")
    quiet.do_one("chop")
    quiet.wait(9)
    assert quiet.body.action is not None
    texts = quiet.do_one("stop")
    assert quiet.body.action is None
    assert any("half done" in text for text in texts)
    assert {"kind": "stopped", "verb": "chop"} in quiet.heard
    before = quiet.world.turn
    quiet.do("chop")
    assert has(quiet, "log")
    assert quiet.world.turn - before == 16 - 9


def test_what_grows_is_used_up_and_grows_again(quiet: Demo) -> None:
    quiet.walk("south", "south", "south", "west")
    for _ in range(4):
        quiet.do("pick")
    assert any("nothing left" in str(m.get("text")) for m in (quiet.do("pick"), quiet.heard)[1])
    quiet.wait(4 * 100)
    quiet.do("pick")
    assert [quiet.world.items[number].kind for number in quiet.body.items].count("moonwort") == 5


def test_what_somebody_else_has_taken_meanwhile_is_not_got_twice(quiet: Demo) -> None:
    quiet.walk("south", "south", "south", "west")
    for _ in range(3):
        quiet.do("pick")
    texts = quiet.do_one("pick")
    place = quiet.world.places[quiet.body.place]
    quiet.world.touch(place)
    place.data["pick_taken"] = [4, quiet.world.reached_us]  # the last one
    texts += quiet.wait(6)
    assert "There is nothing left to pick; come back in a while." in texts
    assert [quiet.world.items[number].kind for number in quiet.body.items].count("moonwort") == 3


def test_what_one_eats_is_not_eaten_when_it_is_gone(quiet: Demo) -> None:
    quiet.do_one("eat bread")
    bread = next(n for n in quiet.body.items if "bread" in quiet.world.items[n].name)
    quiet.world.touch(quiet.body)
    quiet.body.items.remove(bread)
    quiet.world.remove(quiet.world.items[bread])
    assert "It is gone." in quiet.wait(4)


def test_what_was_gathered_is_sold_for_less_and_less(quiet: Demo) -> None:
    give(quiet, "log", "log", "log")
    quiet.walk("east", "in")
    paid = []
    for _ in range(3):
        before = quiet.body.money
        quiet.do("sell log")
        paid.append(quiet.body.money - before)
    assert paid == [4, 4, 3]


def test_resting_mends_and_fleeing_leaves_the_blows_behind(alive: Demo) -> None:
    alive.walk("south", "south", "south", "south")
    for _ in range(60):
        alive.wait(1)
        if alive.body.threats:
            break
    assert alive.body.threats
    health = alive.body.health
    alive.do("flee")
    assert alive.body.place == "crossing"
    assert alive.body.threats == []
    assert alive.body.health >= health
    quiet = Demo(minds=False)
    quiet.walk("in")
    quiet.body.health = 40
    quiet.do("rest")
    assert quiet.body.health >= 80


def test_a_locked_grille_needs_its_key_and_shuts_again(quiet: Demo) -> None:
    quiet.world.move(quiet.body, "bridge")
    give(quiet, "lamp")
    assert any("shut" in str(m) for m in (quiet.do("go south"), quiet.heard)[1])
    assert any("no key" in str(m) for m in (quiet.do("open south"), quiet.heard)[1])
    give(quiet, "iron_key")
    quiet.do("open south")
    quiet.walk("south")
    quiet.do("open north")
    quiet.walk("north")
    quiet.wait(250)
    assert any("shut" in str(m) for m in (quiet.do("go south"), quiet.heard)[1])


def test_things_are_given_eaten_worn_and_examined(quiet: Demo) -> None:
    give(quiet, "cap")
    quiet.body.health = 50
    quiet.do("eat bread")
    assert quiet.body.health >= 70
    assert any("might" in text or "blade" in text for text in quiet.do("examine knife"))
    quiet.do("remove cap")
    assert "head" not in quiet.body.worn
    quiet.do("wear cap")
    assert quiet.body.attributes["vigour"] == 6
    quiet.walk("east")
    quiet.do("give 5 to guard")
    assert quiet.body.money == 25
    quiet.do("give cap to guard")
    assert not has(quiet, "cap")
    assert quiet.body.attributes["vigour"] == 0
    quiet.do("drop knife")
    quiet.do("get all")
    assert has(quiet, "knife")


def test_levels_bring_points_to_train_with(quiet: Demo) -> None:
    quiet.do("train might")
    assert quiet.body.attributes.get("might", 0) == 0
    quiet.body.data["points"] = 1
    quiet.do("train might")
    assert (quiet.body.attributes["might"], quiet.body.data["points"]) == (4, 0)
    assert any("level 1" in text for text in quiet.do("score"))


def test_nobody_is_fought_in_the_temple_and_people_answer(quiet: Demo) -> None:
    quiet.walk("north")
    assert any("peace" in str(m) for m in (quiet.do("attack wyn"), quiet.heard)[1])
    assert any("Ward it" in text for text in quiet.do("talk wyn about ghost"))
    assert any("Ward it" in text for text in quiet.do("ask wyn ghost"))
    assert any("hello" in text for text in quiet.do("speak hello"))
    assert any("Anna waves" in text for text in quiet.do("emote waves"))
    assert any("hey" in text for text in quiet.do("shout hey"))
    assert any("howl" in text for text in quiet.do("howl"))
    assert any("does not look for a fight" in text for text in quiet.do("consider wyn"))


def test_the_troll_falls_to_who_is_ready_for_it(alive: Demo) -> None:
    give(alive, "watchblade", "mail", "amulet", "lamp")
    alive.body.health_max = alive.body.health = 190
    alive.body.stamina_max = alive.body.stamina = 140
    alive.body.attributes |= {"might": 28, "vigour": 64}
    alive.body.quests = {"wolves": {"state": "done"}, "troll": {"state": "open", "count": 0}}
    alive.world.move(alive.body, "hall")
    alive.turn()
    assert fight(alive, alive.creature("troll").id, reacts=True, seed=3) == "won"
    alive.do("get crown")
    assert has(alive, "crown")
    alive.walk("east")
    alive.do("get all")
    assert has(alive, "silver_bar")
    alive.world.move(alive.body, "guardhouse")
    alive.turn()
    money = alive.body.money
    alive.do("talk captain")
    assert alive.body.money == money + 200


@pytest.mark.parametrize(
    "line", ["go", "go sideways", "get", "drop", "give", "wear", "eat", "attack", "buy", "sell"]
)
@pytest.mark.parametrize("text", ["", " #", " 99999999999999999.x", " ²", " " + "x" * 900])
def test_nonsense_gets_an_answer_and_breaks_nothing(quiet: Demo, line: str, text: str) -> None:
    quiet.do(line + text)
    assert any(m["kind"] in ("refused", "text") for m in quiet.heard)


def test_whoever_talks_to_somebody_hears_of_what_else_to_ask(quiet: Demo) -> None:
    quiet.walk("in")
    first, again = quiet.do("talk"), quiet.do("talk bram")
    for texts in (first, again):
        assert any(
            "rats in my cellar" in text and text.startswith("Bram the innkeeper says: ") for text in texts
        )
        assert any("(Ask about rats, wood, troll: talk innkeeper about rats.)" in text for text in texts)
    assert any("0 of 4" in text for text in again)


def test_a_word_alone_is_asked_back(quiet: Demo) -> None:
    for line, answer in (
        ("get", "There is nothing to get."),
        ("drop", "Drop what?"),
        ("give", "Give what to whom"),
    ):
        quiet.do(line)
        assert any(answer in str(message.get("text")) for message in quiet.heard), line


def test_things_say_what_they_are_good_for() -> None:
    items = demo().rules.land.items
    assert "It strikes every 2 s: blade for 9." in items["knife"].shown
    assert "Eaten or drunk it brings" in items["stew"].shown
    assert demo().rules.item_text("knife") == items["knife"].shown
    assert demo().rules.item_text("nothing") == ""
