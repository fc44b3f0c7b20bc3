"""Entities survive packing, and a value that would not is refused."""

from __future__ import annotations

import msgspec
import pytest

from turnwright_world.rules.entities import (
    ENTITY_BYTES_MAX,
    Action,
    Creature,
    Item,
    Place,
    Threat,
    Timer,
    WorldFacts,
    hash_packed,
    key_of,
    pack,
    unpack,
)

ENTITIES = [
    Place("yard", "Yard", "A yard.", exits={"in": "shed"}, items=[4]),
    Item(4, "stone", "stone", {"heavy": True}),
    Creature(7, "wolf", "w", "yard", action=Action("dig", "", 1, 4), threats=[Threat(1, 2, "bite", 5, 0, 9)]),
    Timer(9, 1_000, "land", {"who": 7}),
    WorldFacts(next_id=10, facts={"moon": "full"}),
]  # fmt: skip


@pytest.mark.parametrize("entity", ENTITIES, ids=lambda entity: entity.TYPE)
def test_an_entity_comes_back_as_it_was(entity):
    kind, name = key_of(entity)
    assert unpack(kind, pack(entity)) == entity
    assert pack(unpack(kind, pack(entity))) == pack(entity)
    assert name == entity.id


def test_the_order_of_keys_is_preserved_because_a_verb_may_depend_on_it():
    one, two = Item(1, "a", "a", {"x": 1, "y": 2}), Item(1, "a", "a", {"y": 2, "x": 1})
    assert pack(one) != pack(two)
    assert list(unpack("item", pack(two)).data) == ["y", "x"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("health", 1.5), ("items", ["x"]), ("money", 2**70), ("name", None), ("place", "\ud800")],
        *[("data", {"x": value}) for value in ({1}, (1,), object(), float("nan"), [{"y": print}])],
    ],
)
def test_an_unreadable_value_is_refused_when_it_is_packed(name, value):
    creature = Creature(1, "wolf", "wolf", "yard")
    setattr(creature, name, value)
    with pytest.raises((TypeError, OverflowError, ValueError)):
        pack(creature)


def test_an_entity_has_a_largest_size():
    fits = Item(1, "a", "a", {"x": "y" * (ENTITY_BYTES_MAX - 100)})
    assert len(pack(fits)) <= ENTITY_BYTES_MAX
    fits.data["x"] += "y" * 100
    with pytest.raises(ValueError, match="are allowed"):
        pack(fits)


def test_no_kind_is_made_up_and_no_bytes_are_believed():
    with pytest.raises(ValueError, match="kind of entity"):
        unpack("dragon", b"")
    with pytest.raises((ValueError, msgspec.DecodeError)):
        unpack("item", b"\x93\x01")


def test_a_hash_depends_on_kind_id_and_bytes():
    hashes = {
        hash_packed(key, data) for key in (("item", 1), ("item", 2), ("timer", 1)) for data in (b"", b"a")
    }
    assert len(hashes) == 6
    assert all(0 <= number < 1 << 64 for number in hashes)


def test_a_threat_lands_when_its_window_is_over():
    assert Threat(1, 2, "bite", 5, 1_000, 500).lands_us == 1_500
