"""A player who types: the demo world from the square to the troll, in the process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from packages.core.tests.messages import missing, naming
from packages.world.tests.demo.fighting import fight
from packages.world.tests.demo.playing import Demo, demo, has
from turnwright_world.intent import WorldIntent
from turnwright_world.rules.view import DARK


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


def land() -> Any:
    """Return the content of the demo, with the texts that its players read."""
    return demo().rules.land


def give(played: Demo, *kinds: str) -> None:
    for kind in kinds:
        played.hand(kind)


def test_one_can_walk_through_all_places(quiet: Demo) -> None:
    give(quiet, "iron_key")
    land, seen = demo().rules.land, {quiet.body.place}
    while missing := [name for name in land.places if name not in seen]:
        target = min(missing, key=lambda name: len(quiet.path(name)))
        for way in quiet.path(target):
            if naming(quiet.do("go " + way), "grille", "shut"):
                assert naming(quiet.do("open " + way), "open", "grille")
                quiet.walk(way)
            seen.add(quiet.body.place)
    assert len(seen) == len(land.places) == 37


def test_without_a_lamp_one_sees_nothing_below_and_with_one_bought_all(quiet: Demo) -> None:
    quiet.walk("east", "north", "down")
    view = quiet.view()
    assert (view["here"], view["place"]["items"]) == ([], [])
    assert view["place"]["text"] == DARK
    assert naming(refused(quiet, "attack rat"), "too dark")
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


def test_attack_alone_targets_the_creature_that_is_about_to_attack(alive: Demo) -> None:
    assert naming(alive.do_one("attack"), "attack whom")
    while not alive.body.threats:
        alive.wait(1)
    goose = alive.creature("goose")
    assert naming(alive.do_one("attack"), "you", "attack", goose.name)
    alive.wait(20)
    assert goose.health < goose.health_max or goose.threats


def test_a_quest_is_taken_done_and_paid(quiet: Demo) -> None:
    quiet.walk("north")
    wanted = land().quests["moonwort"]
    assert naming(quiet.do("talk sister"), wanted.name)
    assert naming(quiet.do("quests"), wanted.name, "0 of 3")
    for way in ("south", "south", "south", "south", "west"):
        quiet.walk(way)
    for _ in range(3):
        quiet.do("pick")
    for way in ("east", "north", "north", "north", "north"):
        quiet.walk(way)
    assert naming(quiet.do("talk wyn"), wanted.done)
    assert has(quiet, "salve")
    assert not has(quiet, "moonwort")
    assert quiet.body.quests["moonwort"]["state"] == "done"
    assert quiet.body.data["xp"] == 50


def test_a_dead_player_wakes_in_the_temple_and_can_continue(alive: Demo) -> None:
    alive.world.move(alive.body, "den")
    alive.turn()
    texts = []
    for _ in range(200):
        texts += alive.wait(1)
        if alive.body.data.get("deaths"):
            break
    assert alive.body.place == "temple"
    assert alive.body.money == 27
    assert naming(texts, "3 of your coins", "you live again")
    alive.walk("south")


def test_chopping_is_interrupted_by_stop_and_goes_faster_the_next_time(quiet: Demo) -> None:
    give(quiet, "axe")
    quiet.walk("south", "south", "south", "west", "west")
    quiet.do_one("chop")
    quiet.wait(9)
    assert quiet.body.action is not None
    texts = quiet.do_one("stop")
    assert quiet.body.action is None
    assert naming(texts, "half done")
    assert {"kind": "stopped", "verb": "chop"} in quiet.heard
    before = quiet.world.turn
    quiet.do("chop")
    assert has(quiet, "log")
    assert quiet.world.turn - before == 16 - 9


def test_plants_are_used_up_and_grow_again(quiet: Demo) -> None:
    quiet.walk("south", "south", "south", "west")
    for _ in range(4):
        quiet.do("pick")
    assert naming(refused(quiet, "pick"), "nothing left", "pick")
    quiet.wait(4 * 100)
    quiet.do("pick")
    assert [quiet.world.items[number].kind for number in quiet.body.items].count("moonwort") == 5


def test_a_plant_that_another_player_has_taken_is_not_picked_twice(quiet: Demo) -> None:
    quiet.walk("south", "south", "south", "west")
    for _ in range(3):
        quiet.do("pick")
    texts = quiet.do_one("pick")
    place = quiet.world.places[quiet.body.place]
    quiet.world.touch(place)
    place.data["pick_taken"] = [4, quiet.world.reached_us]  # the last one
    texts += quiet.wait(6)
    assert naming(texts, "nothing left", "pick")
    assert [quiet.world.items[number].kind for number in quiet.body.items].count("moonwort") == 3


def test_food_that_is_gone_is_not_eaten(quiet: Demo) -> None:
    quiet.do_one("eat bread")
    bread = next(n for n in quiet.body.items if "bread" in quiet.world.items[n].name)
    quiet.world.touch(quiet.body)
    quiet.body.items.remove(bread)
    quiet.world.remove(quiet.world.items[bread])
    assert naming(quiet.wait(4), "gone")


def test_gathered_items_sell_for_less_each_time(quiet: Demo) -> None:
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
    assert naming(refused(quiet, "go south"), "grille", "shut")
    assert naming(refused(quiet, "open south"), "no key")
    give(quiet, "iron_key")
    quiet.do("open south")
    quiet.walk("south")
    quiet.do("open north")
    quiet.walk("north")
    quiet.wait(250)
    assert naming(refused(quiet, "go south"), "grille", "shut")


def test_things_are_given_eaten_worn_and_examined(quiet: Demo) -> None:
    give(quiet, "cap")
    quiet.body.health = 50
    quiet.do("eat bread")
    assert quiet.body.health >= 70
    assert quiet.do("examine knife") == [land().items["knife"].shown]
    assert not missing(*quiet.do("examine the heron"), "nothing special", "heron")
    assert not missing(*refused(quiet, "examine owl"), "no owl")
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
    assert naming(quiet.do("score"), "level 1")


def test_fights_are_refused_in_the_temple_and_people_answer(quiet: Demo) -> None:
    quiet.walk("north")
    wyn = land().kinds["priest"]
    assert naming(refused(quiet, "attack wyn"), "nobody", "fight", "safe")
    for line in ("talk wyn about ghost", "ask wyn ghost"):
        assert naming(quiet.do(line), wyn.name, wyn.says["ghost"]), line
    assert naming(quiet.do("speak hello"), "you", "hello")
    assert naming(quiet.do("emote waves"), "Anna waves")
    assert naming(quiet.do("shout hey"), "you", "hey")
    assert naming(quiet.do("howl"), "howl")
    assert naming(quiet.do("consider wyn"), wyn.name, "not", "fight")


def test_a_prepared_player_defeats_the_troll(alive: Demo) -> None:
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


def test_talking_lists_further_topics(quiet: Demo) -> None:
    quiet.walk("in")
    first, again = quiet.do("talk"), quiet.do("talk bram")
    bram, wanted = land().kinds["innkeeper"], land().quests["rats"]
    for texts in (first, again):
        assert naming(texts, bram.name, wanted.text.strip())
        assert naming(texts, "rats, wood, troll", "talk innkeeper about rats")
    assert naming(again, wanted.name, "0 of 4")


def test_a_command_without_its_object_is_answered_with_a_question(quiet: Demo) -> None:
    lines = (("get", "nothing"), ("drop", "what?"), ("give", "what", "to whom?"), ("release", "whom?"))
    for line, *words in lines:
        assert naming(refused(quiet, line), line, *words), line


def test_things_describe_their_use() -> None:
    items = demo().rules.land.items
    assert not missing(items["knife"].shown, "every 2 s", "blade for 9")
    assert not missing(items["stew"].shown, "35 health", "30 stamina")
    assert demo().rules.item_text("knife") == items["knife"].shown
    assert demo().rules.item_text("nothing") == ""


def test_a_way_leads_to_a_known_place(quiet: Demo) -> None:
    assert naming(refused(quiet, "way store"), "no way", "store", "map")
    quiet.walk("east", "in", "out", "west", "north")
    temple = land().places["temple"].name
    for line in ("way lantern shop", "way oda"):
        (way,) = quiet.do(line)
        assert not missing(way, "south, east, in")
        assert "the lantern shop" in way
    assert not missing(*quiet.do("where wyn"), temple)
    assert not missing(*refused(quiet, "way the moon"), "no way", "the moon")
    assert "map lists them" in refused(quiet, "way")[0]


def test_a_newcomer_without_a_quest_is_sent_to_where_it_begins_whomever_it_met(quiet: Demo) -> None:
    quiet.walk("north")
    bram, wyn = land().kinds["innkeeper"].name, land().kinds["priest"].name
    assert not missing(*quiet.do("quests"), bram, wyn)


def test_a_way_never_leads_through_unknown_places(quiet: Demo) -> None:
    quiet.world.move(quiet.body, "hut")
    quiet.turn()
    quiet.walk("south")
    quiet.world.move(quiet.body, "square")
    quiet.turn()
    assert not missing(*quiet.do("way hut"), "no way", "The crooked hut")


def test_quests_name_the_next_step_and_the_quest_giver(quiet: Demo) -> None:
    bram, wyn, wanted = land().kinds["innkeeper"].name, land().kinds["priest"].name, land().quests["rats"]
    inn, temple = land().places["tavern"].name, land().places["temple"].name
    assert not missing(*quiet.do("quests"), "quests", bram, inn)
    quiet.walk("in")
    quiet.do("talk bram")
    assert not missing(quiet.do("quests")[0], "kill", "cellar rats", "0 of 4", bram, inn)
    (whole,) = quiet.do("quests rats")
    assert wanted.text.strip() in whole
    assert not missing(whole, "25 coins", "bowl of stew", "60 xp")
    quiet.body.quests["rats"]["count"] = 4
    assert not missing(quiet.do("quests")[0], "talk", bram)
    assert not missing(*refused(quiet, "quests moon"), "no quest", "moon")
    quiet.walk("out")
    assert naming(quiet.do("go north"), wyn, "quest for you")
    assert not missing(quiet.do("quests")[0], "quests", wyn, temple)
    quiet.walk("south")
    assert naming(quiet.do("go in"), "waits", "talk innkeeper")
    assert naming(quiet.do("talk"), bram, wanted.done)
    assert naming(quiet.do("quests")[0], "done", wanted.name)


def test_handing_in_a_quest_announces_the_next_one(quiet: Demo) -> None:
    give(quiet, "trout", "trout")
    quiet.walk("east", "east")
    quiet.do("talk")
    texts = quiet.do("talk")
    assert naming(texts, land().quests["trout"].done)
    assert naming(texts, land().kinds["fisher"].name, "another quest", "talk pell")
    assert naming(quiet.do("talk"), land().quests["boots"].name)


def test_getting_an_item_of_a_quest_reports_the_progress(quiet: Demo) -> None:
    quiet.body.quests = {"moonwort": {"state": "open", "count": 0}}
    quiet.walk("south", "south", "south", "west")
    wanted = land().quests["moonwort"].name
    assert naming(quiet.do("pick"), wanted, "1 of 3")
    quiet.do("drop sprig")
    assert naming(quiet.do("get sprig"), wanted, "1 of 3")
    quiet.do("pick")
    assert naming(quiet.do("pick"), wanted, "done", land().kinds["priest"].name)


def test_a_shop_describes_the_use_of_its_wares(quiet: Demo) -> None:
    quiet.walk("east", "in")
    (wares,) = quiet.do("list")
    assert not missing(wares.splitlines()[0], land().kinds["shopkeeper"].name)
    for ware, *named in (
        ("leather cap", "16 coins", "head"),
        ("wood axe", "14 coins", "hand", "blade for 12", "2.5 s"),
        ("moonwort salve", "18 coins", "60 health"),
    ):
        row = re.search(rf"{ware}[^)]*\)", wares)
        assert row is not None, ware
        assert not missing(row[0], *named)
    assert "vigour +6" in wares
    assert quiet.do("examine boots") == [land().items["boots"].shown]
    quiet.walk("out", "east")
    (wares,) = quiet.do("list")
    assert not missing(wares.splitlines()[0], land().kinds["fisher"].name, "buys", "fish")


def test_sell_alone_asks_for_offers_and_sell_all_keeps_needed_items(quiet: Demo) -> None:
    give(quiet, "tail", "tail", "pelt", "trout", "cap", "mace")
    quiet.do("remove cap")
    quiet.body.quests = {"trout": {"state": "open", "count": 0}}
    quiet.walk("east", "in")
    (offers,) = quiet.do("sell")
    for words in ("rat's tail 1", "wolf pelt 9", "trout 4", "leather cap 8"):
        assert words in offers
    assert quiet.body.money == 30
    quiet.do("sell all")
    assert quiet.body.money == 30 + 1 + 1 + 9
    assert has(quiet, "trout")
    assert has(quiet, "cap")
    assert has(quiet, "mace")
    assert not missing(*refused(quiet, "sell all"), "nothing", "Oda the shopkeeper")


def test_a_player_reads_a_board_and_searches_only_a_promising_place(quiet: Demo) -> None:
    quiet.walk("south")
    assert quiet.do("read board") == [land().items["see_board"].shown]
    assert not missing(*refused(quiet, "get board"), "no board")
    assert not missing(*refused(quiet, "search"), "nothing to search")
    quiet.world.move(quiet.body, "den")
    quiet.body.quests = {"whistle": {"state": "open", "count": 0}}
    quiet.turn()
    for _ in range(4):
        quiet.do("search")
    assert has(quiet, "whistle")


def test_consider_predicts_the_outcome_and_names_fitting_reactions(quiet: Demo) -> None:
    quiet.walk("south", "south", "south", "south")
    (text,) = quiet.do("consider wolf")
    assert not missing(text, "hard", "Lone wolf", "bite for 15", "deflect, parry, dodge")
    quiet.world.move(quiet.body, "den")
    quiet.turn()
    assert not missing(quiet.do("consider wolf")[0], "2 more")
    quiet.world.move(quiet.body, "seam")
    give(quiet, "lamp")
    quiet.turn()
    assert naming(quiet.do("consider salamander"), "your death")
    give(quiet, "watchblade", "mail", "helmet")
    quiet.body.attributes["might"] = 40
    assert not naming(quiet.do("consider salamander"), "your death")


def test_a_death_is_reported_once_to_the_attacker(quiet: Demo) -> None:
    give(quiet, "lamp")
    quiet.world.move(quiet.body, "cellar")
    quiet.turn()
    for rat in quiet.world.creatures.values():
        rat.health = 1 if rat.kind == "rat" else rat.health
    quiet.do_one("strike rat")
    texts = quiet.wait(24)
    (told,) = [text for text in texts if "dead" in text or "dies" in text]
    assert not missing(told, "cellar rat", "dead")


def refusals(played: Demo) -> list[str]:
    """Return the reasons why the last command was not done."""
    return [str(message["text"]) for message in played.heard if message["kind"] == "refused"]


def refused(played: Demo, line: str) -> list[str]:
    played.do_one(line)
    return refusals(played)


def test_talk_alone_addresses_the_creature_with_business_first(quiet: Demo) -> None:
    quiet.world.move(quiet.body, "guardhouse")
    quiet.world.move(quiet.creature("guard"), "guardhouse")
    quiet.turn()
    assert naming(quiet.do("talk"), land().quests["wolves"].name)
    quiet.body.quests = {name: {"state": "done", "count": 1} for name in demo().rules.land.quests}
    assert naming(quiet.do("talk"), land().kinds["captain"].greets)
    quiet.world.move(quiet.body, "market")
    quiet.world.move(quiet.creature("guard"), "market")
    quiet.turn()
    assert naming(quiet.do("talk"), land().kinds["guard"].greets)


def test_only_wearable_items_are_worn_and_only_food_is_eaten(quiet: Demo) -> None:
    give(quiet, "silver_ore", "silver_blade", "moonwort", "salve")
    quiet.do("remove silvered")
    assert not missing(*quiet.do("wield silver"), "wield", "silvered blade")
    assert not missing(*quiet.do("eat moonwort"), "moonwort salve", "good")
    assert not missing(*refused(quiet, "eat moonwort"), "no good")
    assert not missing(*refused(quiet, "wield lump"), "cannot", "lump of silver ore")
    (what,) = refused(quiet, "wield ")
    assert not missing(what, "wear what", "kitchen knife", "silvered blade")
    assert missing(what, "salve") == ["salve"]
    assert not missing(*refused(quiet, "eat"), "eat what", "loaf of bread")
    assert not missing(*refused(quiet, "remove"), "remove what", "silvered blade")


def test_items_of_a_quest_are_handed_in_by_talking_and_not_given_away(quiet: Demo) -> None:
    give(quiet, "trout")
    quiet.walk("east", "east")
    quiet.do("talk pell")
    assert not missing(*refused(quiet, "give trout to pell"), "1 of 2", "talk pell")
    assert has(quiet, "trout")
    give(quiet, "trout")
    assert not missing(*refused(quiet, "give trout to pell"), "talk pell")
    assert naming(quiet.do("talk pell"), "15 coins")
    give(quiet, "trout")
    assert not missing(*quiet.do("give trout to pell"), "give", "trout")


def test_a_question_about_an_unknown_topic_is_answered_with_known_topics(quiet: Demo) -> None:
    quiet.walk("in")
    assert naming(quiet.do("talk bram about cheese"), "rats", "wood", "troll")


def test_resting_is_refused_to_a_rested_player(quiet: Demo) -> None:
    quiet.wait(60)
    assert not missing(*refused(quiet, "rest"), "rested already")
    quiet.body.health -= 1
    first, last = quiet.do("rest")
    assert not missing(first, "sit down")
    assert not missing(last, "rested")


def test_worn_items_do_not_limit_training(quiet: Demo) -> None:
    give(quiet, "mail", "helmet")
    quiet.body.attributes["vigour"] += 16
    quiet.body.data["points"] = 12
    assert quiet.body.attributes["vigour"] == 66
    for _ in range(11):
        quiet.do("train vigour")
    assert quiet.body.attributes["vigour"] == 50 + 60
    assert not missing(*refused(quiet, "train vigour"), "nothing left to learn")


def test_after_a_kill_attack_continues_only_with_creatures_that_attack(alive: Demo) -> None:
    alive.hand("lamp")
    alive.world.move(alive.body, "cellar")
    alive.world.commit()
    alive.turn()
    rats = [body for body in alive.world.creatures.values() if (body.kind, body.place) == ("rat", "cellar")]
    first, second, innocent = rats[:3]
    for rat in rats[3:]:
        alive.world.move(rat, "alley")
    alive.sources.pop("rat")  # from here on the rats do what the test lets them do
    for rat in (first, second, innocent):
        alive.world.touch(rat)
        rat.action, rat.threats = None, []
    first.health = 1
    alive.world.commit()
    alive.turn(
        {alive.me: WorldIntent("attack", f"#{first.id}"), second.id: WorldIntent("attack", f"#{alive.me}")}
    )
    for _ in range(60):
        alive.turn()
        if second.threats:
            break
    assert first.died_us is not None
    assert second.threats
    assert (innocent.threats, innocent.health) == ([], innocent.health_max)
    second.health = 1
    for _ in range(60):
        alive.turn()
    assert second.died_us is not None
    assert alive.body.action is None
    assert (innocent.threats, innocent.health) == ([], innocent.health_max)
