"""The world: whole steps or none, a digest of every change, and no work for unchanged entities."""

from __future__ import annotations

import msgspec
import pytest

from packages.core.tests.messages import says
from packages.world.tests.worlds import a_world
from turnwright_world.rules.entities import Action, Creature, Item, Place, pack
from turnwright_world.rules.state import World


def fail(world, step):
    def failing():
        step()
        raise RuntimeError("on purpose")

    return world.attempt("it", failing)


def change_health(world):
    world.touch(world.creatures[1])
    world.creatures[1].health -= 5
    world.creatures[1].data["x"] = [1]


STEPS = {
    "change": change_health,
    "add": lambda world: world.add(Item(world.new_id(), "stone", "stone")),
    "remove": lambda world: world.remove(world.creatures[2]),
    "timer": lambda world: world.at(5_000, "land", who=1),
    "move": lambda world: world.move(world.creatures[1], "shed"),
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_step_that_fails_leaves_no_trace(step):
    world = a_world()
    before, sums = world.pack(), world.sums()
    assert not fail(world, lambda: step(world))
    assert world.settle() == {}
    assert (world.pack(), world.sums()) == (before, sums)
    assert world.index.bodies_in("yard") == [1, 2]
    assert [trouble.error for trouble in world.outbox.troubles] == ["RuntimeError"]
    assert world.attempt("it", step, world)
    assert world.settle()
    assert world.sums() != sums


def test_changes_before_a_failed_step_stay():
    world = a_world()
    assert world.attempt("one", change_health, world)
    assert not fail(world, lambda: change_health(world))
    assert world.creatures[1].health == 95


def test_a_change_that_cannot_be_kept_is_undone():
    world = a_world()

    def spoil():
        world.touch(world.creatures[1])
        world.creatures[1].health = 1.5

    assert not world.attempt("it", spoil)
    assert world.creatures[1].health == 100
    assert "health" in world.outbox.troubles[0].text


def test_messages_of_a_failed_step_are_not_sent():
    world = a_world()
    assert not fail(world, lambda: world.tell(world.creatures[1], {"kind": "text"}))
    assert world.outbox.told == []
    world.tell(world.creatures[1], {"kind": "text"})
    world.tell(world.creatures[2], {"kind": "text"})
    assert world.outbox.told == [(1, {"kind": "text"})]


def test_settle_returns_changed_and_removed_entities():
    world = a_world()
    change_health(world)
    world.remove(world.creatures[2])
    world.touch(world.places["shed"])
    changed = world.settle()
    assert {key: image is None for key, image in changed.items()} == {
        ("creature", 1): False,
        ("creature", 2): True,
    }
    assert world.settle() == {}


def test_a_world_that_is_packed_and_unpacked_is_the_same():
    world = a_world()
    world.at(9_000, "land", who=1)
    world.touch(world.creatures[1])
    world.creatures[1].action = Action("dig", "", 1, 3)
    world.settle()
    again = World.unpack(world.pack())
    assert (again.pack(), again.sums()) == (world.pack(), world.sums())
    assert again.index.busy() == [1]
    assert again.timer_queue.next_due == 9_000


def spoiled(**changes):
    """Return a packed world whose first creature no commit would let pass."""
    world = a_world()
    for name, value in changes.items():
        setattr(world.creatures[1], name, value)
    images = dict(world.images()) | {("creature", 1): pack(world.creatures[1])}
    entities = [(kind, image) for (kind, _), image in images.items()]
    return msgspec.msgpack.encode((world.turn, world.now_us, world.dt_us, entities))


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda body, other: setattr(body, "place", "moon"), "'moon' … place"),
        (lambda body, other: setattr(body, "items", [99]), "item 99 … does not exist"),
        (lambda body, other: setattr(body, "id", 7), "calls itself 7"),
    ],
    ids=["place", "item", "number"],
)
def test_a_change_that_could_not_be_loaded_again_is_undone(break_it, said):
    world = a_world()
    body, other = world.creatures[1], world.creatures[2]

    def step():
        world.touch(body)
        body.health = 5
        break_it(body, other)

    assert not world.attempt("a verb", step)
    assert says(world.outbox.troubles[-1].text, said)
    assert (body.id, body.health) == (1, World.unpack(world.pack()).creatures[1].health)
    assert body.health != 5


def test_an_item_is_in_one_place_whatever_a_verb_does():
    world = a_world()
    one, two = world.creatures[1], world.creatures[2]
    item = Item(world.new_id(), "nut", "nut")

    def given(source, target, keeps):
        world.touch(target)
        target.items.append(item.id)
        if not keeps:
            world.touch(source)
            source.items.remove(item.id)

    world.add(item)
    world.touch(one)
    one.items.append(item.id)
    world.settle()
    assert not world.attempt("a gift", given, one, two, True)
    assert (one.items, two.items) == ([item.id], [])
    assert world.attempt("a gift", given, one, two, False)
    assert not world.attempt("eaten, and still there", world.remove, item)
    assert (one.items, two.items) == ([], [item.id])
    assert World.unpack(world.pack()).items.keys() == {item.id}


def test_changes_that_content_did_not_declare_are_undone():
    world = a_world()
    body = world.creatures[1]
    body.place = "moon"
    world.touch(body)
    body.health -= 1
    assert world.attempt("the next one", lambda: None)
    assert body.place != "moon"
    assert "place" in world.outbox.troubles[-1].text
    World.unpack(world.pack())


@pytest.mark.parametrize(
    "data",
    [b"", b"\x90", spoiled(place="moon"), spoiled(items=[99]), a_world().pack()[:-9]],
    ids=["empty", "a list", "no place", "no item", "cut off"],
)
def test_data_that_is_not_a_world_is_refused(data):
    with pytest.raises(ValueError):
        World.unpack(data)


def test_a_world_that_is_spoiled_in_nothing_is_a_world():
    assert World.unpack(spoiled()).pack() == a_world().pack()


def test_ids_beyond_the_next_one_are_refused():
    world = a_world()
    world.touch(world.facts)
    world.facts.next_id = 2
    world.settle()
    with pytest.raises(ValueError, match="its ids are"):
        World.unpack(world.pack())


def test_a_place_that_gets_another_area_takes_its_creatures_along():
    world = a_world()
    world.add(Creature(world.new_id(), "wolf", "wolf", "shed", driver="mind"))
    world.settle()
    assert world.index.awake() == [3]
    world.touch(world.places["shed"])
    world.places["shed"].area = "hill"
    world.settle()
    assert world.index.awake() == []


def test_changes_without_a_touch_can_be_found():
    world = a_world()
    assert world.untouched_changes() == []
    world.creatures[2].health -= 1
    world.places["shed"].data["x"] = 1
    assert world.untouched_changes() == [("place", "shed"), ("creature", 2)]


def test_nothing_is_put_where_there_is_something_already():
    world = a_world()
    with pytest.raises(AssertionError):
        world.add(Place("yard", "Yard", ""))
    with pytest.raises(AssertionError):
        world.move(world.creatures[1], "moon")


@pytest.mark.parametrize("error", [SystemExit(1), GeneratorExit(), RecursionError()])
def test_a_step_that_wants_to_end_the_process_has_failed(error):
    world = a_world()

    def leave():
        change_health(world)
        raise error

    assert not world.attempt("it", leave)
    assert world.creatures[1].health == 100
    assert [trouble.error for trouble in world.outbox.troubles] == [type(error).__name__]


def test_an_interrupt_reaches_the_server_and_the_step_is_undone():
    world = a_world()

    def wait():
        change_health(world)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        world.attempt("it", wait)
    assert world.creatures[1].health == 100
