"""What a body may know: one JSON object, of which nothing is the world's own."""

from __future__ import annotations

import json

from games.world.worlds import a_world, rules_with
from turnwright.games.world.entities import Item
from turnwright.games.world.fight import insert_threat
from turnwright.games.world.view import Views


def spoil(value):
    if isinstance(value, dict):
        for inner in value.values():
            spoil(inner)
        value.clear()
    elif isinstance(value, list):
        for inner in value:
            spoil(inner)
        value.clear()


def test_it_shows_the_place_who_is_there_and_what_is_ones_own():
    world = a_world()
    world.add(Item(world.new_id(), "hat", "hat"))
    world.creatures[1].items.append(3)
    insert_threat(world, rules_with(), world.creatures[2], world.creatures[1], "blow", 10)
    view = Views(world).observe(world.creatures[1], [{"kind": "text", "text": "x"}])
    assert json.loads(json.dumps(view)) == view
    assert view["place"]["exits"] == {"in": "shed"}
    assert [other["name"] for other in view["here"]] == ["bob"]
    assert [item["name"] for item in view["items"]] == ["hat"]
    assert [threat["name"] for threat in view["threats"]] == ["bob"]
    assert view["heard"] == [{"kind": "text", "text": "x"}]


def test_who_spoils_a_view_spoils_nothing_of_the_world():
    world = a_world()
    world.touch(world.creatures[1])
    world.creatures[1].memory = {"deep": {"list": [1, 2]}}
    world.settle()
    before, sums = world.pack(), world.sums()
    spoil(Views(world).observe(world.creatures[1], [{"kind": "text"}]))
    for entity in (*world.creatures.values(), *world.places.values()):
        world.touch(entity)
    assert world.settle() == {}
    assert (world.pack(), world.sums()) == (before, sums)


def test_who_is_outside_sees_nothing():
    world = a_world()
    world.move(world.creatures[1], "")
    view = Views(world).observe(world.creatures[1], [])
    assert (view["place"]["name"], view["here"]) == ("", [])


def test_who_does_not_see_knows_the_exits_alone():
    world = a_world()
    view = Views(world, lambda _, body: body.id != 1).observe(world.creatures[1], [])
    assert view["here"] == []
    assert view["place"]["items"] == []
    assert view["place"]["exits"] == world.places[world.creatures[1].place].exits
    assert "dark" in view["place"]["text"]
