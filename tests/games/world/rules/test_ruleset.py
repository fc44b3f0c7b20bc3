"""Rules: words find verbs, kinds make creatures, and a mind hears what it wants to hear."""

from __future__ import annotations

import pytest

from tests.games.world.worlds import a_world, rules_with
from turnwright.games.world.rules.entities import Creature
from turnwright.games.world.rules.verbs import CreatureKind, Verb


class Dive(Verb):
    name, aliases = "dive", ("jump",)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("dig", "dig"),
        ("DIG", "dig"),
        ("jump", "dive"),
        ("sa", "say"),
        ("di", None),
        ("div", "dive"),
        ("", None),
    ],
)
def test_a_word_means_a_verb(typed, name):
    verb = rules_with(Dive()).verb(typed)
    assert (verb.name if verb else None) == name


def test_a_creature_is_made_of_its_kind():
    world, rules = a_world(), rules_with()
    rules.kinds["elk"] = CreatureKind(
        "elk", "elk", attributes={"might": 3}, health=40, events=("rain",), mind="m"
    )
    elk = rules.new_creature(world, "elk", "shed")
    elk.attributes["might"] += 1
    world.settle()
    assert (elk.health, elk.health_max, elk.driver, elk.mind) == (40, 40, "mind", "m")
    assert rules.kinds["elk"].attributes["might"] == 3
    assert world.index.subscribers("rain") == [elk.id]
    with pytest.raises(KeyError):
        rules.new_creature(world, "dragon", "shed")
    with pytest.raises(AssertionError):
        rules.new_creature(world, "elk", "moon")


@pytest.mark.parametrize(
    ("driver", "wants", "hears"),
    [
        *[("player", (), True), ("program", (), True), ("none", ("*",), False)],
        *[("mind", ("*",), True), ("mind", ("smell",), False), ("mind", ("sound",), True)],
    ],
)
def test_who_listens_depends_on_driver_and_wants(driver, wants, hears):
    rules = rules_with()
    rules.kinds["x"] = CreatureKind("x", "x", wants=wants)
    assert rules.listens(Creature(1, "x", "x", "yard", driver=driver), "sound") == hears


def test_a_kind_that_is_gone_is_a_plain_one():
    assert rules_with().kind(Creature(1, "unicorn", "u", "yard")).name == "unicorn"


def test_the_start_of_an_alias_will_do_where_no_name_begins_so() -> None:
    class Go(Verb):
        name, aliases = "go", ("walk", "run")

    class Wave(Verb):
        name, aliases = "wave", ("greet",)

    rules = rules_with(Go(), Wave())
    assert rules.verb("ru") is rules.verbs["go"]
    assert rules.verb("wa") is rules.verbs["wave"], "names come first"
    assert rules.verb("r") is rules.verbs["go"]
    assert rules.verb("") is None
