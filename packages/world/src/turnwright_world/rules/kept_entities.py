"""The stored form of a world's entities: bytes, hashes, and the holders of items."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from turnwright_world.rules.entities import OUTSIDE, Creature, Entity, Key, hash_packed, pack
from turnwright_world.rules.item_index import ItemIndex

KINDS = ("place", "creature", "item", "timer", "rest")
"""The kinds of entities, in the order in which the digest has them."""
_MASK = (1 << 64) - 1


class KeptEntities:
    """The entities as they were last stored.

    Args:
        places, items: the ids of the places and items of the world.

    Attributes:
        packed: each entity as bytes.
        sums: the sum of the entities' hashes, by kind, as of the last `settle`.
        visited: how often an entity was stored, for tests and statistics.
    """

    def __init__(self, places: Collection[str], items: Collection[int]) -> None:
        self.packed: dict[Key, bytes] = {}
        self.sums = dict.fromkeys(KINDS, 0)
        self.visited = 0
        self._places = places
        self._items = items
        self._holders = ItemIndex()
        self._dirty: dict[Key, None] = {}
        self._hashes: dict[Key, int] = {}

    def keep(self, found: Sequence[tuple[Key, Entity | None]]) -> None:
        """Store the present state of touched entities. None means that an entity was removed.

        Raises:
            TypeError, OverflowError or ValueError: an entity is invalid. In this case no entity is stored.
        """
        lists = self._holders.changed(found, self._items)
        self._check_names(found)
        images = [(key, None if entity is None else pack(entity)) for key, entity in found]
        for key, image in images:
            self._dirty[key] = None
            if image is None:
                self.packed.pop(key, None)
            else:
                self.packed[key] = image
        self._holders.keep(lists)
        self.visited += len(images)

    def _check_names(self, found: Sequence[tuple[Key, Entity | None]]) -> None:
        """Check that each touched entity still has its number, and that each touched creature is in a place.

        Raises:
            ValueError: a creature is in no place, or an entity has another number than its key.
        """
        for key, entity in found:
            if isinstance(entity, Creature) and entity.place != OUTSIDE and entity.place not in self._places:
                raise ValueError(f"{entity.name} is in {entity.place!r}, which is not a place")
            if entity is not None and entity.id != key[1]:
                raise ValueError(f"{key[0]} {key[1]} calls itself {entity.id}; a number never changes")

    def settle(self) -> dict[Key, bytes | None]:
        """Update hashes and sums.

        Return the entities that have changed since the last call: packed, or None for a removed entity.
        """
        changed: dict[Key, bytes | None] = {}
        for key in self._dirty:
            image, before = self.packed.get(key), self._hashes.get(key)
            now = None if image is None else hash_packed(key, image)
            if now == before:
                continue
            changed[key] = image
            self.sums[key[0]] = (self.sums[key[0]] - (before or 0) + (now or 0)) & _MASK
            if now is None:
                del self._hashes[key]
            else:
                self._hashes[key] = now
        self._dirty.clear()
        return changed

    def hash_of(self, key: Key) -> int:
        """Return the hash of an entity as of the last `settle`, or 0 if it did not exist."""
        return self._hashes.get(key, 0)
