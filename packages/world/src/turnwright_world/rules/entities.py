"""Entities of a world: places, creatures, items, timers, world facts.

Every entity can be packed into bytes and read back. The packed bytes of two entities are equal if and only if
the entities are equal, including the order of keys in their objects. A value that cannot be packed and read
back is invalid.
"""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar, Literal

import msgspec

Driver = Literal["player", "mind", "program", "none"]
"""What decides for a creature: a person, a mind of this server, a program elsewhere, or nothing."""
Key = tuple[str, int | str]
"""Kind and id of an entity: ("creature", 7)."""

ENTITY_BYTES_MAX = 262_144
"""The most bytes of a packed entity. A place with 50,000 items fits."""
OUTSIDE = ""
"""The value of `place` for a stored body that has left the world."""


class Action(msgspec.Struct, omit_defaults=True):
    """A running action.

    Attributes:
        ends_turn: the turn in which the action finishes.
        data: values that its verb stores.
        broken: whether it was interrupted. It then ends when the body acts next.
    """

    verb: str
    text: str
    began_turn: int
    ends_turn: int
    data: dict[str, Any] = {}
    broken: bool = False


class Threat(msgspec.Struct, omit_defaults=True):
    """An attack that will land at inserted_us + window_us (game µs).

    Attributes:
        id: its number among all threats of its target.
        source: the id of the attacker.
        damage: the damage before the target's defence reduces it.
    """

    id: int
    source: int
    kind: str
    damage: int
    inserted_us: int
    window_us: int
    data: dict[str, Any] = {}

    @property
    def lands_us(self) -> int:
        """The game time in µs at which the threat lands."""
        return self.inserted_us + self.window_us


class Timer(msgspec.Struct, omit_defaults=True):
    """A timer that is due at a game time.

    Attributes:
        id: its number in the sequence of timers.
        name: the key of its function in a table.
        payload: JSON values. "who" is the id of the creature that it concerns.
    """

    TYPE: ClassVar[str] = "timer"
    id: int
    due_us: int
    name: str
    payload: dict[str, Any] = {}


class Place(msgspec.Struct, omit_defaults=True):
    """A place, where creatures and items can be.

    Attributes:
        area: the part of the world to which it belongs. Minds of an area are awake or asleep together.
        exits: the id of the place in each direction.
        items: the ids of the items on the ground.
    """

    TYPE: ClassVar[str] = "place"
    id: str
    name: str
    text: str
    area: str = ""
    exits: dict[str, str] = {}
    items: list[int] = []
    tags: list[str] = []
    data: dict[str, Any] = {}


class Item(msgspec.Struct, omit_defaults=True):
    """An item. It is in the place or pack that lists it.

    Attributes:
        kind: its row in the content.
    """

    TYPE: ClassVar[str] = "item"
    id: int
    kind: str
    name: str
    data: dict[str, Any] = {}


# It is large because it is a row of data: its attributes are packed, stored and shown.
class Creature(msgspec.Struct, omit_defaults=True):
    """A creature, with or without a driver.

    Attributes:
        kind: its row in the content.
        owner: the owner of its mind, or "" for the world's own creatures.
        mind: the name of its mind. A player's body may have a mind that acts while the player is away.
        attributes: integers around 0, e.g. reaction (the order of acting), might, vigour, instinct, focus.
        items: the ids of the items in its pack.
        worn: the ids of the worn items, by slot. They are also in `items`.
        threats: its queue of attacks. See `threats`.
        subscribed: the types of events that it receives.
        died_us: the game time of its death, in µs, or None while it lives.
    """

    TYPE: ClassVar[str] = "creature"
    id: int
    kind: str
    name: str
    place: str
    attributes: dict[str, int] = {}
    health: int = 100
    health_max: int = 100
    stamina: int = 100
    stamina_max: int = 100
    money: int = 0
    items: list[int] = []
    worn: dict[str, int] = {}
    driver: Driver = "none"
    owner: str = ""
    mind: str = ""
    memory: dict[str, Any] = {}
    action: Action | None = None
    threats: list[Threat] = []
    next_threat: int = 1
    locked_until_us: int = 0
    """Until this game time it cannot react again."""
    lead_us: int = 0
    """The lead of its player's client, in game µs. See `threats.LEADS_MIN`."""
    linkdead_since: int | None = None
    """The turn in which its player's connection was lost, or None while the player is present.

    With the driver "mind", the body acts by its player's mind until the player comes back."""
    left_from: str = OUTSIDE
    """The place that it left, while it waits outside."""
    died_us: int | None = None
    subscribed: list[str] = []
    quests: dict[str, Any] = {}
    tags: list[str] = []
    data: dict[str, Any] = {}

    @property
    def is_character(self) -> bool:
        """Whether the creature is the body of a player or program, even while its own mind plays it."""
        away = self.driver == "mind" and self.linkdead_since is not None
        return away or self.driver in ("player", "program")


class WorldFacts(msgspec.Struct, omit_defaults=True):
    """Facts of the whole world: the next ids, and other values (JSON)."""

    TYPE: ClassVar[str] = "rest"
    id: int = 0
    next_id: int = 1
    next_timer: int = 1
    content: str = ""
    """The hash of the current content."""
    facts: dict[str, Any] = {}


Entity = Place | Item | Creature | Timer | WorldFacts

_pack = msgspec.msgpack.Encoder().encode
_DECODERS: dict[str, Any] = {
    kind.TYPE: msgspec.msgpack.Decoder(kind).decode for kind in (Place, Item, Creature, Timer, WorldFacts)
}


def key_of(entity: Entity) -> Key:
    """Return the key of an entity."""
    return entity.TYPE, entity.id


def pack(entity: Entity) -> bytes:
    """Return an entity as bytes that `unpack` reads.

    Raises:
        TypeError, OverflowError or ValueError: the entity is too large, or would not be the same after
            unpacking, e.g. because its health is not an integer or its data contain a tuple.
    """
    packed = _pack(entity)
    if len(packed) > ENTITY_BYTES_MAX:
        raise ValueError(f"{entity.TYPE} {entity.id} has {len(packed)} bytes; {ENTITY_BYTES_MAX} are allowed")
    if _DECODERS[entity.TYPE](packed) != entity:
        raise ValueError(f"{entity.TYPE} {entity.id} holds a value that is not JSON, e.g. a tuple or a set")
    return packed


def unpack(kind: str, packed: bytes) -> Entity:
    """Return the entity that `pack` wrote.

    Raises:
        ValueError: `pack` did not write these bytes.
    """
    if kind not in _DECODERS:
        raise ValueError(f"{kind!r} is not a kind of entity")
    entity: Entity = _DECODERS[kind](packed)
    return entity


def hash_packed(key: Key, packed: bytes) -> int:
    """Return a 64-bit hash of an entity's key and packed bytes."""
    name = f"{key[0]}/{key[1]}/".encode()
    return int.from_bytes(hashlib.blake2b(name + packed, digest_size=8).digest(), "little")
