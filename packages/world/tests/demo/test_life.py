"""A whole life in the demo: a player who reads the announced attacks does all quests."""

from __future__ import annotations

from random import Random

import pytest

from packages.world.tests.demo.fighting import reaction_to
from packages.world.tests.demo.playing import Demo, demo, has, intent_of
from turnwright_world.intent import WorldIntent

PAUSE_TURNS = 8
"""The pause for thought before a command."""
TRIES = 12
MISSING = 0.25
DOOR = {"bridge", "hall"}
"""The places between which there is a door."""


class Life:
    """A player in the demo: walks, fights back, heals, and follows the quests."""

    def __init__(self, seed: int) -> None:
        self.demo = Demo(seed)
        self.random = Random(seed)

    @property
    def deaths(self) -> int:
        return int(self.demo.body.data.get("deaths", 0))

    def turn(self, line: str = "") -> None:
        """Play a turn. React to an attack that lands soon, if there is breath for it."""
        view = self.demo.view()
        presses = reaction_to(view["threats"], view["now_us"], self.random, MISSING)
        intent = intent_of(line) if line else WorldIntent()
        self.demo.turn(
            {self.demo.me: WorldIntent(intent.verb, intent.text, stop=intent.stop, presses=presses)}
        )

    def do(self, *lines: str) -> None:
        for line in lines:
            for _ in range(PAUSE_TURNS):
                self.turn()
            self.turn(line)
            while self.demo.body.action is not None and self.demo.body.action.verb != "attack":
                self.turn()

    def fight(self, number: int) -> bool:
        """Fight until the player or the creature is dead, or flee; return whether the creature is dead."""
        body, foe, deaths = self.demo.body, self.demo.world.creatures[number], self.deaths
        while foe.died_us is None and foe.place == body.place and self.deaths == deaths:
            if 4 * body.health < body.health_max and body.stamina > 20:
                self.do("flee")
                return False
            self.turn("" if body.action else f"attack #{number}")
        return foe.died_us is not None

    def clear(self) -> None:
        """Fight the creature that is about to strike."""
        for _ in range(TRIES):
            view = self.demo.view()
            striking = {threat["from"] for threat in view["threats"]} & {one["id"] for one in view["here"]}
            if not striking or "safe" in view["place"]["tags"] or not self.fight(min(striking)):
                return

    def mend(self) -> None:
        for _ in range(TRIES):
            self.clear()
            if 10 * self.demo.body.health >= 8 * self.demo.body.health_max:
                return
            self.do("rest")

    def go(self, place: str) -> None:
        for _ in range(200):
            if self.demo.body.place == place:
                return
            before, way = self.demo.body.place, self.demo.path(place)[0]
            self.do(f"go {way}")
            if self.demo.body.place == before and {before, self.demo.world.places[before].exits[way]} == DOOR:
                self.do(f"open {way}")
            self.clear()
            if 10 * self.demo.body.health < 4 * self.demo.body.health_max:
                self.mend()
        raise AssertionError(f"{place} was not reached")

    def slay(self, name: str, place: str) -> None:
        """Kill all creatures that a quest asks for."""
        quest = demo().rules.land.quests[name]
        for _ in range(4 * TRIES):
            if self.demo.body.quests[name]["count"] == quest.count:
                self.mend()
                return
            self.go(place)
            there = [one["id"] for one in self.demo.view()["here"] if one["kind"] == quest.slay]
            if there:
                self.fight(there[0])
            for _ in range(60 * (not there)):
                self.turn()
            self.mend()
        raise AssertionError(f"{name}: not slain")

    def learn(self) -> None:
        """Spend the points of a level."""
        while self.demo.body.data.get("points", 0):
            self.do("train vigour", "train might")

    def talk(self, *places: str) -> None:
        for place in places:
            self.go(place)
            self.do("talk", "talk")
        self.learn()

    def work(self, verb: str, place: str, kind: str, count: int) -> None:
        """Work until the player has `count` items of a kind."""
        for _ in range(4 * TRIES):
            self.go(place)
            if sum(item["kind"] == kind for item in self.demo.view()["items"]) >= count:
                return
            before = self.demo.world.turn
            self.do(verb)
            for _ in range(60 * (self.demo.world.turn - before < 2 * PAUSE_TURNS)):
                self.turn()  # nothing is left; it grows back
            self.clear()
        raise AssertionError(f"{kind} was not found")


def in_town(life: Life) -> None:
    life.talk("tavern", "store")
    life.do("buy lamp", "light lamp")
    life.slay("rats", "cellar")
    life.talk("tavern", "temple", "pier", "guardhouse", "smithy")
    life.do("buy sword", "wield sword")
    life.go("cellar")
    life.do("get all")
    life.go("store")
    life.do("sell all", "buy rod")
    life.work("fish", "pier", "trout", 2)
    life.talk("pier")
    life.work("fish", "pier", "boot", 1)
    life.talk("pier")
    life.do("wear boots")


def in_the_wood(life: Life) -> None:
    life.work("pick", "glade", "moonwort", 3)
    life.talk("hut")
    life.go("ridge")
    life.talk("store", "temple")
    life.do("wear cloak")
    life.slay("wolves", "deepwood")
    life.go("deepwood")
    life.do("get all")
    life.work("search", "den", "whistle", 1)
    life.talk("hut", "guardhouse")
    life.do("wield blade", "wear owl")


def in_the_mine(life: Life) -> None:
    life.go("store")
    life.do("sell all")
    life.go("smithy")
    life.do("buy pickaxe")
    life.talk("carts")
    life.slay("song", "chapel")
    life.talk("carts")
    life.work("dig", "gallery", "iron_ore", 3)
    life.talk("smithy")
    life.do("wear helmet")


def against_the_tough(life: Life) -> None:
    life.slay("mott", "camp")
    life.go("camp")
    life.do("get all")
    assert has(life.demo, "iron_key")
    life.talk("guardhouse")
    life.go("store")
    life.do("sell all")
    life.go("smithy")
    life.do("buy ring", "wear ring")
    life.work("dig", "seam", "silver_ore", 2)
    life.talk("smithy")
    life.do("wield silver")
    life.slay("troll", "hall")
    life.work("search", "hoard", "clapper", 1)
    life.talk("guardhouse", "temple")


@pytest.mark.long
@pytest.mark.parametrize("seed", [3, 8])
def test_all_quests_can_be_done_and_fill_half_an_hour(seed: int) -> None:
    life = Life(seed)
    for part in (in_town, in_the_wood, in_the_mine, against_the_tough):
        part(life)
    quests = life.demo.body.quests
    assert {name for name, quest in quests.items() if quest["state"] == "done"} == set(
        demo().rules.land.quests
    )
    minutes = life.demo.world.turn / 240
    assert 15 <= minutes <= 60, "who knows the way and does not read is quicker than who does not"
    assert life.deaths <= 4
    assert life.demo.troubles == []
