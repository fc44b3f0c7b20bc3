"""The parts of the demo world are there and fit together."""

from __future__ import annotations

from collections import Counter

from packages.world.tests.demo.playing import demo
from turnwright_world.kit.schema import BlowRow


def test_the_demo_has_a_town_a_wood_and_a_mine_of_the_promised_size() -> None:
    land = demo().rules.land
    areas = Counter(place.area for place in land.places.values())
    assert set(areas) == {"town", "wood", "mine"}
    assert len(land.places) >= 32
    assert min(areas.values()) >= 10


def test_the_demo_has_many_kinds_of_creatures_with_different_minds() -> None:
    land = demo().rules.land
    spawned = {spawn.kind for spawn in land.spawns if spawn.kind}
    assert len(spawned) >= 20
    assert len({land.kinds[kind].mind for kind in spawned}) >= 12
    assert set(demo().minds) - {"companion"} == {
        land.kinds[kind].mind for kind in (*spawned, land.settings.lesson)
    }


def test_nothing_about_it_is_doubtful() -> None:
    assert demo().warnings == ()


def test_every_way_leads_back() -> None:
    land = demo().rules.land
    for name, place in land.places.items():
        for target in place.exits.values():
            assert name in land.places[target].exits.values(), (name, target)


def test_every_blow_gives_time_to_read_it_and_something_helps_against_it() -> None:
    land = demo().rules.land
    blows: list[BlowRow] = [blow for kind in land.kinds.values() for blow in kind.blows]
    assert all(1500 <= blow.window_ms <= 4000 for blow in blows)
    assert {blow.kind for blow in blows} == {"blade", "blow", "bite", "shot", "venom", "magic", "fire"}
    for blow in blows:
        helps = [name for name, row in land.reactions.items() if not row.kinds or blow.kind in row.kinds]
        assert len(helps) >= 2, blow


def test_texts_fit_and_say_something() -> None:
    land = demo().rules.land
    for name, place in land.places.items():
        assert 80 <= len(place.text) <= 400, name
        assert "\n" not in place.text.strip(), name
    texts = [place.text for place in land.places.values()]
    assert len(set(texts)) == len(texts)


def test_all_that_can_be_got_can_be_sold_or_used() -> None:
    land = demo().rules.land
    wanted = {tag for kind in land.kinds.values() for tag in kind.buys}
    got = {item for kind in land.kinds.values() for item in kind.drops}
    got |= {
        item
        for place in land.places.values()
        for verb, items in place.yields.items()
        for item in items
        if verb != "examine"
    }
    for name in sorted(got):
        row = land.items[name]
        assert row.slot or row.health or row.stamina or set(row.tags) & wanted or name == "iron_key", name


def test_things_to_examine_are_named_in_the_text_of_their_place() -> None:
    land = demo().rules.land
    shown = [
        (name, place, item) for name, place in land.places.items() for item in place.yields.get("examine", ())
    ]
    assert len(shown) >= 15
    for name, place, item in shown:
        words = {word for word in land.items[item].name.split() if len(word) > 3}
        assert any(word in place.text.lower() for word in words), (name, item)
        assert len(land.items[item].text) >= 40, item


def test_every_item_has_a_text() -> None:
    assert [name for name, row in demo().rules.land.items.items() if not row.text] == []


def test_every_quest_can_be_done_by_every_player() -> None:
    """Things for quests come back: dropped, grown, caught or found again."""
    land = demo().rules.land
    spawned = {spawn.kind for spawn in land.spawns}
    grows = {
        item
        for place in land.places.values()
        for verb, items in place.yields.items()
        for item in items
        if verb != "examine"
    }
    grows |= {item for kind in spawned if kind for item, chance in land.kinds[kind].drops.items() if chance}
    assert len(land.quests) >= 12
    for name, quest in land.quests.items():
        assert quest.giver in spawned, name
        assert quest.xp, name
        assert quest.money or quest.item, name
        assert not quest.slay or land.kinds[quest.slay].respawn_s, name
        assert not quest.bring or quest.bring in grows, name
        assert not quest.after or quest.after in land.quests, name


def test_every_verb_has_one_line_of_help() -> None:
    for verb in demo().rules.verbs.values():
        assert verb.help, verb.name
        assert "\n" not in verb.help
