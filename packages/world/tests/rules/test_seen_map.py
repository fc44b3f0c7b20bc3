"""The map of seen places: cells from directions, bounds, and no unseen place."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from packages.world.tests.worlds import DT
from turnwright_world.rules.entities import Creature, Place
from turnwright_world.rules.seen_map import PLACES_MAX, SEEN_MAX, layout, note_seen, seen_map
from turnwright_world.rules.state import World
from turnwright_world.wire.map_text import map_drawn, map_message, map_words
from turnwright_world.wire.packed import MESSAGE_BYTES_MAX, pack_message
from turnwright_world.wire.server_messages import fields_of

WAYS = ("north", "east", "south", "west", "up", "down", "in", "out")
CROSS = {
    "square": {"north": "temple", "east": "market", "in": "inn"},
    "temple": {"south": "square"},
    "market": {"west": "square"},
    "inn": {"out": "square"},
}


def world_of(ways: dict[str, dict[str, str]], here: str, seen: list[str]) -> tuple[World, Creature]:
    """Return a world of these places, and a body in one that has seen some."""
    world = World(DT)
    for name, exits in ways.items():
        world.add(Place(name, f"The {name}", "", area="land", exits=exits))
    body = Creature(world.new_id(), "person", "ann", here, driver="player")
    note_seen(body, *seen)
    world.add(body)
    return world, body


@st.composite
def lands(draw: st.DrawFn) -> dict[str, dict[str, str]]:
    """Return places whose exits lead anywhere, in any direction."""
    names = [f"p{k}" for k in range(draw(st.integers(1, 30)))]
    exits = st.dictionaries(st.sampled_from(WAYS), st.sampled_from(names), max_size=8)
    return {name: draw(exits) for name in names}


def test_directions_decide_where_a_place_is() -> None:
    cells = layout(CROSS)
    assert cells["square"] == (0, 0)
    assert cells["temple"] == (0, -1)
    assert cells["market"] == (1, 0)
    assert cells["inn"] not in ((0, 0), (0, -1), (1, 0))


@given(lands())
def test_each_place_has_its_own_cell_in_any_land(ways: dict[str, dict[str, str]]) -> None:
    cells = layout(ways)
    assert cells.keys() == ways.keys()
    assert len(set(cells.values())) == len(cells)
    assert cells == layout(ways)


@given(lands(), st.data())
def test_nothing_of_an_unseen_place_is_in_any_form_of_the_map(
    ways: dict[str, dict[str, str]], data: st.DataObject
) -> None:
    names = {name: f"secret{name}x" for name in ways}
    renamed = {names[a]: {way: names[b] for way, b in exits.items()} for a, exits in ways.items()}
    seen = data.draw(st.lists(st.sampled_from(sorted(renamed)), unique=True))
    here = data.draw(st.sampled_from(sorted(renamed)))
    found = seen_map(*world_of(renamed, here, seen))
    told = f"{msgspec.json.encode(map_message(found)).decode()} {map_drawn(found, 80)} {map_words(found)}"
    for name in renamed:
        assert (name in told) == (name == here or name in seen)


def test_a_map_shows_the_nearest_places_and_fits_into_a_message() -> None:
    line = {f"p{k}": {"east": f"p{k + 1}"} for k in range(SEEN_MAX)}
    line[f"p{SEEN_MAX}"] = {}
    world, body = world_of(line, "p300", list(line))
    for place in world.places.values():
        place.name = "\N{SNOWMAN}" * 60
    found = seen_map(world, body)
    assert len(found.places) == PLACES_MAX
    assert found.more == SEEN_MAX - PLACES_MAX
    assert found.places[found.here].id == "p300"
    assert len(pack_message("World.Map", fields_of(map_message(found)))) < MESSAGE_BYTES_MAX


def test_the_oldest_places_are_forgotten() -> None:
    body = Creature(1, "person", "ann", "a")
    note_seen(body, *(f"p{k}" for k in range(SEEN_MAX + 1)))
    assert body.data["seen"] == [f"p{k}" for k in range(1, SEEN_MAX + 1)]


def test_a_place_that_the_content_no_longer_has_is_left_out() -> None:
    assert [place.id for place in seen_map(*world_of(CROSS, "inn", ["gone", "square"])).places] == [
        "square",
        "inn",
    ]


def test_a_picture_has_the_body_its_ways_and_unseen_exits() -> None:
    drawn = map_drawn(seen_map(*world_of(CROSS, "market", ["square"])), 80).splitlines()
    assert drawn[:2] == ["   ?", "  [1 ]--[@ ]"]
    assert "in (not seen yet)" in drawn[-1]


def test_a_picture_fits_into_its_terminal() -> None:
    line = {f"p{k}": {"east": f"p{k + 1}"} for k in range(50)} | {"p50": {}}
    found = seen_map(*world_of(line, "p20", list(line)))
    for width in (20, 40, 80, 200):
        assert max(map(len, map_drawn(found, width).splitlines()[:1])) <= width


def test_one_way_exits_are_drawn_as_arrows_and_described_in_words() -> None:
    ways = {
        "square": {"north": "cliff", "east": "market", "south": "pool", "west": "inn"},
        "cliff": {},
        "market": {"down": "square"},
        "pool": {},
        "inn": {"in": "square", "east": "square"},
    }
    found = seen_map(*world_of(ways, "square", list(ways)))
    drawn = map_drawn(found, 80).splitlines()
    assert any(row.strip().startswith("[") and "--[@ ]->[" in row for row in drawn)
    assert {"^", "v"} <= {row.strip() for row in drawn}
    assert next(row for row in drawn if "The market" in row).endswith("down The square")
    assert any("no way straight back" in row for row in drawn)
    here, *others = map_words(found).splitlines()
    ends = {way.split()[0]: way.endswith("(no way back)") for way in here.split(": ")[1][:-1].split(", ")}
    assert ends == {"north": True, "east": False, "south": True, "west": False}
    assert not any("no way back" in line for line in others)


def test_a_map_whose_ways_all_come_back_has_no_arrow() -> None:
    drawn = map_drawn(seen_map(*world_of(CROSS, "square", ["temple", "market", "inn"])), 80)
    assert not set("<>^") & set(drawn)
    assert "only" not in drawn
