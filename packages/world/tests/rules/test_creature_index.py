"""The index: the same as a search through all creatures, whatever changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwright_world.rules.creature_index import FAR_TURNS, CreatureIndex
from turnwright_world.rules.entities import OUTSIDE, Action, Creature, Place

AREAS = {"yard": "farm", "shed": "farm", "cave": "hill", OUTSIDE: OUTSIDE}
PLACES = {name: Place(name, name, "", area) for name, area in AREAS.items() if name != OUTSIDE}
changes = st.tuples(
    st.integers(0, 5),
    st.sampled_from(sorted(AREAS)),
    st.sampled_from(["player", "program", "mind", "none"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["", "", "account:kim"]),
    st.lists(st.sampled_from(["death", "rain"]), max_size=2),
)


@given(st.lists(changes | st.integers(0, 5), max_size=40))
def test_the_index_finds_the_same_as_a_search(steps):
    bodies: dict[int, Creature] = {}
    index = CreatureIndex(PLACES, bodies)
    for step in steps:
        if isinstance(step, int):
            bodies.pop(step, None)
            index.forget(step)
            continue
        number, place, driver, busy, dead, owner, subscribed = step
        action = Action("dig", "", 1, 2) if busy else None
        body = Creature(number, "x", "x", place, driver=driver, action=action, subscribed=subscribed)
        body.owner = owner
        body.died_us = 9 if dead else None
        bodies[number] = body
        index.note(body)
    for place in AREAS:
        assert index.bodies_in(place) == sorted(n for n, b in bodies.items() if b.place == place)
    driven = sorted(n for n, b in bodies.items() if b.driver in ("player", "program"))
    minds = [(n, b) for n, b in bodies.items() if b.driver == "mind" and b.died_us is None and b.place]
    areas = {AREAS[bodies[n].place] for n in driven} | {AREAS[b.place] for _, b in minds if b.owner}
    assert index.driven() == driven
    assert index.busy() == sorted(n for n, b in bodies.items() if b.action and b.died_us is None)
    assert index.awake() == sorted(n for n, b in minds if AREAS[b.place] in areas)
    assert index.owned("account:kim") == sorted(n for n, b in bodies.items() if b.owner)
    for event in ("death", "rain"):
        assert index.subscribers(event) == sorted(n for n, b in bodies.items() if event in b.subscribed)


def test_the_version_goes_up_only_when_others_may_be_asked():
    index, wolf = CreatureIndex(PLACES, {}), Creature(1, "wolf", "wolf", "yard", driver="mind")
    index.note(wolf)
    version = index.version
    wolf.place = "shed"
    index.note(wolf)
    assert index.version == version
    wolf.place = "cave"
    index.note(wolf)
    assert index.version > version


def test_far_minds_plan_in_one_beat_of_eight_and_near_ones_never_count_as_far():
    index = CreatureIndex(PLACES, {})
    index.note(Creature(1, "person", "ann", "yard", driver="player"))
    near, far = range(2, 2 + FAR_TURNS), range(20, 20 + 3 * FAR_TURNS)
    for place, numbers in (("yard", near), ("cave", far)):
        for number in numbers:
            index.note(Creature(number, "wolf", "wolf", place, driver="mind"))
    beats = [index.far(beat) for beat in range(FAR_TURNS)]
    assert sorted(number for beat in beats for number in beat) == list(far)
    assert [len(beat) for beat in beats] == [3] * FAR_TURNS
    assert index.awake() == list(near)
