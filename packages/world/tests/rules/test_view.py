"""A body's view: one JSON object, of which nothing is the world's own."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from packages.world.tests.worlds import a_world, rules_with, unpacked
from turnwright_world.rules import view
from turnwright_world.rules.entities import Item
from turnwright_world.rules.fight import insert_threat
from turnwright_world.rules.view import DARK, Pieces, Views


def spoil(value):
    if isinstance(value, dict):
        for inner in value.values():
            spoil(inner)
        value.clear()
    elif isinstance(value, list):
        for inner in value:
            spoil(inner)
        value.clear()


def test_a_view_shows_the_place_its_bodies_and_the_bodys_own_state():
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


def test_changes_to_a_view_change_nothing_in_the_world():
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


def test_a_body_outside_sees_nothing():
    world = a_world()
    world.move(world.creatures[1], "")
    view = Views(world).observe(world.creatures[1], [])
    assert (view["place"]["name"], view["here"]) == ("", [])


def test_a_body_that_does_not_see_knows_only_the_exits():
    world = a_world()
    view = Views(world, lambda _, body: body.id != 1).observe(world.creatures[1], [])
    assert view["here"] == []
    assert view["place"]["items"] == []
    assert view["place"]["exits"] == world.places[world.creatures[1].place].exits
    assert view["place"]["text"] == DARK


def test_a_view_shows_a_bounded_part_of_a_crowd_and_counts_the_others():
    world = a_world()
    for number in range(10, 10 + view.HERE_MAX + 20):
        crowd = rules_with().new_creature(world, "person", "yard", number=number)
        crowd.driver, crowd.linkdead_since = "player", 0 if number < 50 else None
    world.settle()
    views = Views(world)
    mine, late, absent = (world.creatures[number] for number in (1, 89, 49))
    for body, more in ((mine, 22), (late, 22), (absent, 21)):
        shown = views.observe(body, [])
        assert shown["here_more"] == more
        assert len(shown["here"]) + more == view.HERE_MAX + 21
        assert shown == views.look(body, []) == unpacked(views.pack(body, []))
        assert {80, 89} - {body.id} <= {other["id"] for other in shown["here"]}


@st.composite
def changes(draw):
    """Steps that change a world, each with a number and its target."""
    kinds = ("hit", "carry", "remember", "walk", "leave", "die", "subscribe", "rename", "light")
    return draw(st.lists(st.tuples(st.sampled_from(kinds), st.integers(1, 2)), max_size=12))


def do(world, kind, number):
    body = world.creatures[number]
    world.touch(body)
    match kind:
        case "hit":
            insert_threat(world, rules_with(), world.creatures[3 - number], body, "blow", 10)
        case "carry":
            item = Item(world.new_id(), "hat", "hat")
            world.add(item)
            body.items.append(item.id)
        case "remember":
            body.memory = {"deep": {"seen": [number, "a", None]}}
        case "walk":
            world.move(body, "shed" if body.place == "yard" else "yard")
        case "leave":
            world.move(body, "")
        case "die":
            body.health, body.died_us = 0, world.now_us
        case "subscribe":
            body.tags.append("lit")
        case "rename":
            body.name, body.attributes = 'Ann "É" \\', {"might": -3}
        case "light":
            place = world.places["yard"]
            world.touch(place)
            place.exits = {**place.exits, "up": "shed"}


@given(steps=changes(), settled=st.booleans(), blind=st.sampled_from((0, 1)))
def test_a_packed_view_is_the_same_view(steps, settled, blind):
    world, pieces = a_world(), Pieces()
    heard = [{"kind": "text", "text": "x\u2028"}] if settled else []
    for step in [("rename", 2), *steps]:
        do(world, *step)
        if settled:
            world.settle()
        else:
            world.commit()
        views = Views(world, lambda _, body: body.id != blind, pieces)
        for body in world.creatures.values():
            shown, packed = views.observe(body, heard), unpacked(views.pack(body, heard))
            assert packed == shown == views.look(body, heard)
            assert list(packed) == list(shown)


def test_bodies_in_the_same_place_get_the_same_bytes():
    world = a_world()
    views = Views(world)
    one, two = (views.pack(world.creatures[number], []) for number in (1, 2))
    assert one.shared is two.shared
    assert (one.mine, two.mine) == (0, 1)
    assert one.own != two.own


def test_a_packed_view_includes_touched_entities_that_are_not_settled():
    world, pieces = a_world(), Pieces()
    for health in (50, 40):
        Views(world, pieces=pieces).pack(world.creatures[1], [])
        world.touch(world.creatures[1])
        world.creatures[1].health = health
        for body in world.creatures.values():
            views = Views(world, pieces=pieces)
            assert unpacked(views.pack(body, [])) == views.observe(body, []) == views.look(body, [])


def test_pieces_of_creatures_that_have_not_changed_are_not_written_again(monkeypatch):
    world, pieces, written = a_world(), Pieces(), []
    monkeypatch.setattr(view, "_creature", lambda body: written.append(body.id) or {"id": body.id})
    world.settle()
    for _ in range(3):
        Views(world, pieces=pieces).pack(world.creatures[1], [])
    assert written == [1, 2]
    world.touch(world.creatures[2])
    world.creatures[2].health -= 1
    world.settle()
    Views(world, pieces=pieces).pack(world.creatures[1], [])
    assert written == [1, 2, 2]


def test_pieces_of_creatures_that_are_gone_are_forgotten():
    world, pieces = a_world(), Pieces()
    for _ in range(3 * view.PIECES_SPARE):
        body = rules_with().new_creature(world, "person", "yard")
        world.commit()
        pieces.public(world, body)
        world.remove(body)
        world.commit()
        pieces.prune(len(world.creatures))
    assert pieces.kept <= 2 * len(world.creatures) + view.PIECES_SPARE


def test_looks_share_unchanged_parts_and_are_safe_from_changes():
    world, pieces = a_world(), Pieces()
    first = Views(world, pieces=pieces).look(world.creatures[1], [])
    spoil(Views(world, pieces=pieces).observe(world.creatures[1], []))
    again = Views(world, pieces=pieces).look(world.creatures[1], [])
    assert again == first
    assert again["place"] is first["place"]
    assert again["here"][0] is first["here"][0]
    world.touch(world.creatures[2])
    world.creatures[2].name = "rob"
    world.settle()
    later = Views(world, pieces=pieces).look(world.creatures[1], [])
    assert (first["here"][0]["name"], later["here"][0]["name"]) == ("bob", "rob")
    assert later["place"] is first["place"]


def test_items_in_a_place_are_shown_with_their_current_names():
    world, pieces = a_world(), Pieces()
    hat = Item(world.new_id(), "hat", "hat")
    world.add(hat)
    world.touch(world.places["yard"])
    world.places["yard"].items.append(hat.id)
    for name in ("hat", "cap"):
        world.touch(hat)
        hat.name = name
        world.settle()
        look = Views(world, pieces=pieces).look(world.creatures[1], [])
        assert look["place"]["items"] == [{"id": hat.id, "kind": "hat", "name": name}]


def test_an_owners_creature_knows_only_exits_that_its_owner_has_seen():
    """Also as a mind gets it, packed; the world's own minds know the world."""
    world = a_world()
    ann, bob = world.creatures[1], world.creatures[2]
    for body in (ann, bob):
        world.touch(body)
    ann.owner = "account:ann"
    views = Views(world)
    for seen in (views.observe(ann, []), views.look(ann, []), unpacked(views.pack(ann, []))):
        assert seen["place"]["exits"] == {"in": ""}
        assert seen["place"]["text"] == world.places["yard"].text
        assert [other["name"] for other in seen["here"]] == ["bob"]
    packed = views.pack(ann, [])
    assert b"shed" not in packed.own + packed.shared, "a mind may look at all that its process gets"
    assert unpacked(views.pack(bob, []))["place"]["exits"] == {"in": "shed"}
    bob.owner = "account:ann"
    ann.data["seen"] = ["shed"]
    world.settle()
    for body in (ann, bob):
        assert unpacked(Views(world).pack(body, []))["place"]["exits"] == {"in": "shed"}
