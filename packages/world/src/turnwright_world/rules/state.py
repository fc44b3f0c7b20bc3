"""World: all entities, and the only way to change them.

Code calls `world.touch(entity)` before it changes an entity. So the world knows which entities have changed.
The world uses this to undo a failed step, to compute the digest of the state, and to tell the store what to
write. Idle entities cost nothing.

    world.attempt("wolf: bite", step)        # all of it, or nothing and a note of what failed
    world.settle()                           # end of the turn: hashes of what changed, and what that is
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from turnwright_world.rules.creature_index import CreatureIndex
from turnwright_world.rules.entities import (
    OUTSIDE,
    Creature,
    Entity,
    Item,
    Key,
    Place,
    Timer,
    WorldFacts,
    key_of,
    pack,
    unpack,
)
from turnwright_world.rules.kept_entities import KINDS, KeptEntities
from turnwright_world.rules.outbox import Message, Outbox
from turnwright_world.rules.timers import TimerQueue

DT_US_MIN, DT_US_MAX = 1_000, 60_000_000
"""The shortest and the longest game time of a turn, in µs."""
_TIME_MAX = 1 << 62


class World:
    """All entities, by id.

    Attributes:
        turn: the number of turns that are over.
        now_us: the game time at the end of the last turn.
        reached_us: the game time up to which timers and reactions of the open turn have been played, or
            now_us.
    """

    def __init__(self, dt_us: int) -> None:
        self.turn = 0
        self.now_us = self.reached_us = 0
        self.dt_us = dt_us
        self.places: dict[str, Place] = {}
        self.creatures: dict[int, Creature] = {}
        self.items: dict[int, Item] = {}
        self.timers: dict[int, Timer] = {}
        self.timer_queue = TimerQueue()
        self.outbox = Outbox()
        self.index = CreatureIndex(self.places, self.creatures)
        self.watched: frozenset[str] = frozenset()
        """Places with spectators, who receive what is perceived there. This is not part of the state."""
        self.kept = KeptEntities(self.places, self.items)
        rests = {0: WorldFacts()}
        tables = (self.places, self.creatures, self.items, self.timers, rests)
        self._tables: dict[str, dict[Any, Any]] = dict(zip(KINDS, tables, strict=True))
        self._touched: dict[Key, None] = {("rest", 0): None}

    @property
    def facts(self) -> WorldFacts:
        """Facts of the whole world."""
        facts: WorldFacts = self._tables["rest"][0]
        return facts

    # ---- changes -------------------------------------------------------------------------------------------

    def touch(self, entity: Entity) -> None:
        """Note that an entity is about to change."""
        self._touched[entity.TYPE, entity.id] = None

    def add(self, entity: Place | Item | Creature | Timer) -> None:
        """Add a new entity to the world. No other entity may have its key."""
        key = key_of(entity)
        assert self.find(key) is None, f"there is {key[0]} {key[1]} already"
        self._put(key, entity)
        self._touched[key] = None

    def remove(self, entity: Item | Creature | Timer) -> None:
        """Remove an entity from the world. The caller changes the lists that contain it."""
        self.touch(entity)
        self._drop(key_of(entity))

    def new_id(self) -> int:
        """Return a number that no creature and no item has had."""
        facts = self.facts
        self.touch(facts)
        facts.next_id += 1
        return facts.next_id - 1

    def at(self, due_us: int, name: str, **payload: Any) -> Timer:
        """Set a timer for a game time, and return it. A timer for a past time is due now."""
        facts = self.facts
        self.touch(facts)
        timer = Timer(facts.next_timer, max(due_us, self.reached_us), name, payload)
        facts.next_timer += 1
        self.add(timer)
        return timer

    def move(self, creature: Creature, place: str) -> None:
        """Put a creature into another place, which must exist, or outside (OUTSIDE)."""
        assert place == OUTSIDE or place in self.places, f"there is no place {place!r}"
        self.touch(creature)
        creature.place = place
        self.index.note(creature)

    def tell(self, creature: Creature, message: Message) -> None:
        """Send a body a message, if a driver controls the body."""
        if creature.driver != "none":
            self.outbox.told.append((creature.id, message))

    # ---- all or nothing ------------------------------------------------------------------------------------

    def attempt(self, what: str, step: Callable[..., None], *arguments: Any) -> bool:
        """Carry out one step completely or not at all, and return whether it succeeded.

        If the step fails, undo its changes and note the failure.

        `sys.exit()` in a verb of the content is a failure, too. Only a KeyboardInterrupt is raised again.
        """
        if self._touched:
            self._commit_rest()
        mark = self.outbox.mark()
        try:
            step(*arguments)
            self.outbox.check(mark)
            self.commit()
        except BaseException as error:
            self.undo()
            self.outbox.cut(mark)
            if isinstance(error, KeyboardInterrupt):
                raise
            self.outbox.note(what, error)
            return False
        return True

    def commit(self) -> None:
        """Store the present state of all touched entities. A later `undo` goes back to this state.

        Raises:
            TypeError, OverflowError or ValueError: an entity is invalid. In this case no entity is stored.
        """
        tables = self._tables
        found = [(key, tables[key[0]].get(key[1])) for key in self._touched]
        self.kept.keep(found)
        for _, entity in found:
            self.index.follow(entity)
        self._touched.clear()

    def _commit_rest(self) -> None:
        """Store the entities that were touched outside of `attempt`.

        If one of them is invalid, the content has changed it without a touch. In this case, undo all their
        changes and note the failure.
        """
        try:
            self.commit()
        except (TypeError, OverflowError, ValueError) as error:
            self.undo()
            self.outbox.note("what was changed without touch", error)

    def undo(self) -> None:
        """Undo all changes since the last `commit`."""
        for key in self._touched:
            image = self.kept.packed.get(key)
            if image is None:
                self._drop(key)
            else:
                self._restore(key, image)
        self._touched.clear()

    def settle(self) -> dict[Key, bytes | None]:
        """End a turn and update the digest.

        Return the changed entities: packed, or None for a removed entity.
        """
        self._commit_rest()
        return self.kept.settle()

    def take_hurt(self) -> list[int]:
        """Return the ids of creatures without health that have changed since the last call, in order."""
        self._commit_rest()
        return self.index.take_hurt()

    # ---- queries -------------------------------------------------------------------------------------------

    def find(self, key: Key) -> Entity | None:
        """Return the entity of a key, or None if it does not exist."""
        return self._tables[key[0]].get(key[1])

    def image(self, key: Key) -> bytes | None:
        """Return an entity as packed bytes. While the entity does not change, this is the same bytes object.

        Return None if the entity does not exist, or if it has been touched since the last `commit`.
        """
        return None if key in self._touched else self.kept.packed.get(key)

    def creatures_in(self, place: str) -> list[Creature]:
        """Return the living creatures in a place, in order of id."""
        there = [self.creatures[number] for number in self.index.bodies_in(place)]
        return [creature for creature in there if creature.died_us is None]

    def sums(self) -> tuple[int, ...]:
        """Return the turn, the game time, the length of a turn, and for each of KINDS a sum of hashes.

        The sums are as of the last `settle`. Equal worlds have equal numbers. Two different worlds have equal
        numbers only with a probability of 2**-64.
        """
        return (self.turn, self.now_us, self.dt_us, *self.kept.sums.values())

    # ---- all of it -----------------------------------------------------------------------------------------

    def images(self) -> Iterator[tuple[Key, bytes]]:
        """Yield every packed entity as of the last `commit`, in order of kind and id."""
        for kind in KINDS:
            yield from (((kind, name), self.kept.packed[kind, name]) for name in sorted(self._tables[kind]))

    def untouched_changes(self) -> list[Key]:
        """Return the keys of the entities that the content has changed without a touch.

        These entities differ from their stored state. The method compares all entities, so it is only for
        tests of content. Call it between two turns.
        """
        return [key for key, image in self.images() if pack(self._tables[key[0]][key[1]]) != image]

    def pack(self) -> bytes:
        """Return the whole world as bytes for `unpack`. Call it only between two turns."""
        entities = [(key[0], image) for key, image in self.images()]
        return _write_all((self.turn, self.now_us, self.dt_us, entities))

    @classmethod
    def unpack(cls, data: bytes) -> World:
        """Return the world that `pack` wrote.

        Raises:
            ValueError: `pack` did not write these bytes.
        """
        turn, now_us, dt_us, entities = _read_all(data)
        if not (0 <= turn < _TIME_MAX and 0 <= now_us < _TIME_MAX and DT_US_MIN <= dt_us <= DT_US_MAX):
            raise ValueError(f"a world in turn {turn} at {now_us} µs with turns of {dt_us} µs is impossible")
        return cls.of(turn, now_us, dt_us, entities)

    @classmethod
    def of(cls, turn: int, now_us: int, dt_us: int, entities: Iterable[tuple[str, bytes]]) -> World:
        """Return a world of packed entities: (kind, image).

        Raises:
            ValueError: an entity cannot be read, or the entities contradict each other.
        """
        world = cls(dt_us)
        world.turn, world.now_us, world.reached_us = turn, now_us, now_us
        world._touched.clear()
        for kind, image in entities:
            entity = unpack(kind, image)
            key = key_of(entity)
            if key in world._touched:
                raise ValueError(f"there are two of {key[0]} {key[1]}")
            world._put(key, entity)
            world._touched[key] = None
        world._check_numbers()
        world.kept.keep([(key, world.find(key)) for key in world._touched])
        world._touched.clear()
        for creature in world.creatures.values():
            world.index.note(creature)
        world.settle()
        return world

    def _check_numbers(self) -> None:
        """Check that the next ids of creatures, items and timers are above all ids in use.

        Raises:
            ValueError: a number is not free, or the facts of the world are missing.
        """
        if list(self._tables["rest"]) != [0] or ("rest", 0) not in self._touched:
            raise ValueError("it has no facts of the whole world, or has them twice")
        for numbers, next_id in (
            ([*self.creatures, *self.items], self.facts.next_id),
            ([*self.timers], self.facts.next_timer),
        ):
            if numbers and not 0 <= min(numbers) <= max(numbers) < next_id:
                raise ValueError(f"its ids are {min(numbers)} to {max(numbers)}, its next one {next_id}")

    # ---- keeping tables and index in step ------------------------------------------------------------------

    def _put(self, key: Key, entity: Entity) -> None:
        self._tables[key[0]][key[1]] = entity
        if isinstance(entity, Timer):
            self.timer_queue.push(entity.due_us, entity.id)
        elif isinstance(entity, Creature):
            self.index.note(entity)

    def _drop(self, key: Key) -> None:
        self._tables[key[0]].pop(key[1], None)
        if key[0] == "creature":
            self.index.forget(int(key[1]))

    def _restore(self, key: Key, image: bytes) -> None:
        """Restore an entity from its packed bytes, in the same object if that object still exists."""
        before, now = unpack(key[0], image), self.find(key)
        if now is None:
            self._put(key, before)
            return
        for name in before.__struct_fields__:
            setattr(now, name, getattr(before, name))
        if isinstance(now, Creature):
            self.index.note(now)


_write_all = msgspec.msgpack.Encoder().encode
_read_all = msgspec.msgpack.Decoder(tuple[int, int, int, list[tuple[str, bytes]]]).decode
