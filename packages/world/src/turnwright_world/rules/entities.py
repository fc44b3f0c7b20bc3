"""Entities of a world: places, creatures, items, timers, world facts.

Every entity can be packed into bytes and read back. Packed bytes are equal if and only if two entities are,
including the order of keys in their objects. Anything that cannot be packed and read back is invalid.
"""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar, Literal

import msgspec

Driver = Literal["player", "mind", "program", "none"]
"""The decider for a creature: a person, a mind of this server, a program elsewhere, or none."""
Key = tuple[str, int | str]
"""Kind and id of an entity: ("creature", 7)."""

ENTITY_BYTES_MAX = 262_144
"""An entity, packed, bytes (256 KiB: a place with 50,000 items fits)."""
OUTSIDE = ""
"""The place of a body that has left and is kept: none."""


class Action(msgspec.Struct, omit_defaults=True):
    """An action that runs.

    Attributes:
        ends_turn: the turn in which it finishes.
        data: what its verb remembers.
        broken: whether it was interrupted. The body notices this when it acts next.
    """

    verb: str
    text: str
    began_turn: int
    ends_turn: int
    data: dict[str, Any] = {}
    broken: bool = False


class Threat(msgspec.Struct, omit_defaults=True):
    """An attack on its way, landing at inserted_us + window_us (game µs).

    Attributes:
        damage: before the target's defence.
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
        """The game time at which it lands."""
        return self.inserted_us + self.window_us


class Timer(msgspec.Struct, omit_defaults=True):
    """Something due at a game time.

    Attributes:
        id: its place in the sequence.
        name: what it is, looked up in a table.
        payload: JSON values; "who" is the creature that it is about.
    """

    TYPE: ClassVar[str] = "timer"
    id: int
    due_us: int
    name: str
    payload: dict[str, Any] = {}


class Place(msgspec.Struct, omit_defaults=True):
    """A place.

    Attributes:
        exits: direction to place id.
        items: ids of what lies here.
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
    """A thing. It is in the place or pack that lists it.

    Attributes:
        kind: its row in the content.
    """

    TYPE: ClassVar[str] = "item"
    id: int
    kind: str
    name: str
    data: dict[str, Any] = {}


class Creature(msgspec.Struct, omit_defaults=True):
    """A body.

    It is large because it is a row of data: its attributes are what is packed, kept and shown.

    Attributes:
        kind: its row in the content.
        owner: who answers for its controller, "" = the world's own.
        mind: that controller's name. A body that is played has one for when its player is away, or none.
        attributes: integers around 0, e.g. reaction (who acts first), might, vigour, instinct, focus.
        subscribed: types of events that it wants to hear of.
        died_us: since when it has been dead, game µs.
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
    """By how much its player's client runs rings ahead, game µs. See `threats.LEADS_MIN`."""
    linkdead_since: int | None = None
    """The turn in which its player's line was lost; None: it is there. With the driver "mind" it acts by the
    mind that its player has given it, until that one comes back."""
    left_from: str = OUTSIDE
    """Its place when it left, while it is kept outside."""
    died_us: int | None = None
    subscribed: list[str] = []
    quests: dict[str, Any] = {}
    tags: list[str] = []
    data: dict[str, Any] = {}

    @property
    def is_character(self) -> bool:
        """Whether a player or a program plays it.

        Or its own mind, while that one is away.
        """
        away = self.driver == "mind" and self.linkdead_since is not None
        return away or self.driver in ("player", "program")


class WorldFacts(msgspec.Struct, omit_defaults=True):
    """Facts of the whole world: the next ids, and other values (JSON)."""

    TYPE: ClassVar[str] = "rest"
    id: int = 0
    next_id: int = 1
    next_timer: int = 1
    content: str = ""
    """The hash of the content that counts now."""
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
        TypeError, OverflowError or ValueError: one that would not come back the same or is too large, e.g.
            because its health is not a whole number, or its data hold a tuple.
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
        ValueError: anything else.
    """
    if kind not in _DECODERS:
        raise ValueError(f"{kind!r} is not a kind of entity")
    entity: Entity = _DECODERS[kind](packed)
    return entity


def hash_packed(key: Key, packed: bytes) -> int:
    """Return 64 bits that identify an entity."""
    name = f"{key[0]}/{key[1]}/".encode()
    return int.from_bytes(hashlib.blake2b(name + packed, digest_size=8).digest(), "little")
