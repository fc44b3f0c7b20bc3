"""What the demo world has, and that all of it fits together."""

from __future__ import annotations

from collections import Counter

from games.world.demo.playing import demo
from turnwright.games.world.land.rows import Blow


def test_it_has_a_town_a_wood_and_a_mine_of_the_promised_size() -> None:
    land = demo().rules.land
    areas = Counter(place.area for place in land.places.values())
    assert set(areas) == {"town", "wood", "mine"}
    assert len(land.places) >= 32
    assert min(areas.values()) >= 10


def test_it_has_many_kinds_of_creatures_with_different_minds() -> None:
    land = demo().rules.land
    spawned = {spawn.kind for spawn in land.spawns if spawn.kind}
    assert len(spawned) >= 20
    assert len({land.kinds[kind].mind for kind in spawned}) >= 12
    assert set(demo().minds) == {land.kinds[kind].mind for kind in spawned}


def test_nothing_about_it_is_doubtful() -> None:
    assert demo().warnings == ()


def test_every_way_leads_back() -> None:
    land = demo().rules.land
    for name, place in land.places.items():
        for target in place.exits.values():
            assert name in land.places[target].exits.values(), (name, target)


def test_every_blow_gives_time_to_read_it_and_something_helps_against_it() -> None:
    land = demo().rules.land
    blows: list[Blow] = [blow for kind in land.kinds.values() for blow in kind.blows]
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
    got |= {item for place in land.places.values() for items in place.yields.values() for item in items}
    for name in sorted(got):
        row = land.items[name]
        assert row.slot or row.health or row.stamina or set(row.tags) & wanted or name == "iron_key", name


def test_every_verb_has_one_line_of_help() -> None:
    for verb in demo().rules.verbs.values():
        assert verb.help, verb.name
        assert "\n" not in verb.help
