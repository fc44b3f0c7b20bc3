"""The view of a body: itself, its place, the others there, threats and messages.

A view is a JSON object. Minds plan from it, programs receive it, and the server makes a player's text and
GMCP from it. A view shares no objects with the world, so changing a view does not change the world.

In the exits of a player's creature, only places that its owner's creatures have seen have an id. The world's
own creatures get all ids.

There can be thousands of minds, so views are composed from pieces of JSON. The piece that bodies in the same
place share is encoded once per turn. The pieces of a single creature are encoded again only when the creature
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypedDict

import msgspec

from turnwright_world.rules.entities import OUTSIDE, Creature, Threat
from turnwright_world.rules.outbox import Message
from turnwright_world.rules.state import World
from turnwright_world.rules.threats import ShownThreat, shown

HERE_MAX = 60
"""The most creatures in a view. Players without a connection are left out first.

"here_more" counts the creatures that are left out.
"""
PIECES_SPARE = 1_000
"""The most cached parts, in addition to two for each existing place and creature."""
_encode = msgspec.json.Encoder().encode


class ShownSelf(TypedDict):
    """A body's own name and numbers."""

    id: int
    name: str
    kind: str
    attributes: dict[str, int]


class ShownItem(TypedDict):
    """An item in a view."""

    id: int
    kind: str
    name: str


class ShownPlace(TypedDict):
    """A place in a view.

    Attributes:
        exits: the id of the place in each direction, or "" if the body may not know the place.
    """

    id: str
    name: str
    area: str
    text: str
    exits: dict[str, str]
    tags: list[str]
    items: list[ShownItem]


class ShownCreature(TypedDict):
    """A creature as other bodies see it.

    Attributes:
        state: "unhurt", "hurt" or "badly hurt" (below half of its health).
        doing: the verb of its action, or None.
        player: whether it is the body of a player or program.
    """

    id: int
    name: str
    kind: str
    state: str
    doing: str | None
    player: bool
    linkdead: bool
    tags: list[str]


class ShownVitals(TypedDict):
    """A body's health, stamina and money, and the game time until which it cannot react again."""

    hp: int
    maxhp: int
    sp: int
    maxsp: int
    money: int
    dead: bool
    locked_until_us: int


class ShownAction(TypedDict):
    """A body's action, and the turn in which it ends."""

    verb: str
    ends_turn: int


class _Rest(TypedDict):
    vitals: ShownVitals
    threats: list[ShownThreat]
    action: ShownAction | None
    items: list[ShownItem]
    memory: dict[str, Any]
    quests: dict[str, Any]


class ViewData(_Rest):
    """A body's view."""

    turn: int
    now_us: int
    me: ShownSelf
    place: ShownPlace
    here: list[ShownCreature]
    here_more: int
    heard: list[Message]


_Place = tuple[ShownPlace, list[ShownCreature], dict[int, int]]
"""A place as views show it, the creatures in it, and the position of each creature by its id."""
_Packed = tuple[bytes, dict[int, int]]
"""The place and its creatures as one JSON object, and the position of each creature by its id."""
DARK = "It is too dark to see anything here."
"""The text of a place for a body that cannot see the place."""
_NOWHERE: ShownPlace = {
    "id": OUTSIDE,
    "name": "",
    "area": "",
    "text": "",
    "exits": {},
    "tags": [],
    "items": [],
}


class PackedView(NamedTuple):
    """A view as JSON.

    Attributes:
        own: a JSON object. Its value is null for each key that `shared` has.
        shared: a JSON object with the parts of the view that all bodies in the place share, or b"". Bodies in
            the same place get the same bytes object.
        mine: the position of the body in `here` of `shared`, or -1. The view leaves out this entry.
    """

    own: bytes
    shared: bytes = b""
    mine: int = -1


class Pieces:
    """A cache of parts of views. A part stays until its entity changes."""

    def __init__(self) -> None:
        self._own: dict[int, tuple[bytes, bytes, bytes]] = {}
        self._public: dict[int, tuple[bytes, bytes]] = {}
        self._creatures: dict[int, tuple[bytes, ShownCreature]] = {}
        self._places: dict[str, tuple[bytes, ShownPlace]] = {}

    def place(self, world: World, name: str) -> ShownPlace:
        """Return a place as views show it. Callers must not change the object."""
        image, kept = world.image(("place", name)), self._places.get(name)
        if kept is not None and kept[0] is image:
            return kept[1]
        shown_place = _shown_place(world, name)
        if image is not None and not shown_place["items"]:  # items are separate entities
            self._places[name] = image, shown_place
        return shown_place

    def creature(self, world: World, body: Creature) -> ShownCreature:
        """Return a creature as others see it. Callers must not change the object."""
        image, kept = world.image(("creature", body.id)), self._creatures.get(body.id)
        if kept is not None and kept[0] is image:
            return kept[1]
        seen = _creature(body)
        if image is not None:
            self._creatures[body.id] = image, seen
        return seen

    def own(self, world: World, body: Creature) -> tuple[bytes, bytes]:
        """Return the JSON of a body's own parts: "me", and the keys from "vitals" to "quests"."""
        image = world.image(("creature", body.id))
        kept = self._own.get(body.id)
        if kept is not None and kept[0] is image:
            return kept[1:]
        me, rest = b'"me":' + _encode(_me(body)), _encode(_rest(world, body))[1:-1]
        if image is not None and not body.items and not body.threats:  # they refer to other entities, too
            self._own[body.id] = image, me, rest
        return me, rest

    def public(self, world: World, body: Creature) -> bytes:
        """Return the JSON of a creature as others see it."""
        image = world.image(("creature", body.id))
        kept = self._public.get(body.id)
        if kept is not None and kept[0] is image:
            return kept[1]
        piece = _encode(_creature(body))
        if image is not None:
            self._public[body.id] = image, piece
        return piece

    @property
    def kept(self) -> int:
        """The number of parts in the largest of the four caches."""
        return max(len(self._own), len(self._public), len(self._creatures), len(self._places))

    def prune(self, entities: int) -> None:
        """Clear a cache if most of its parts belong to entities that no longer exist.

        Args:
            entities: the number of existing places and creatures.
        """
        kept: dict[Any, Any]
        for kept in (self._own, self._public, self._creatures, self._places):
            if len(kept) > 2 * entities + PIECES_SPARE:
                kept.clear()


class Views:
    """The views of one moment. The parts that bodies in the same place share are made once.

    Args:
        sees: returns whether a creature sees its place. For one that does not, a view leaves out the place's
            text and items, and the other creatures.
        pieces: a cache that outlives the moment.
    """

    def __init__(
        self,
        world: World,
        sees: Callable[[World, Creature], bool] = lambda world, body: True,
        pieces: Pieces | None = None,
    ) -> None:
        self._world = world
        self._sees = sees
        self._there: dict[str, tuple[list[Creature], dict[int, int]]] = {}
        """The shown creatures of each place, and the position of each creature by its id."""
        self._left_out: dict[str, int] = {}
        """The number of creatures in each place that are not shown."""
        self._places: dict[str, _Place] = {}
        self._shared: dict[str, _Place] = {}
        self._packed: dict[str, _Packed] = {}
        self._pieces = pieces or Pieces()
        self._pieces.prune(len(world.creatures) + len(world.places))

    def observe(self, body: Creature, heard: Sequence[Message]) -> ViewData:
        """Return the observation of a body.

        Args:
            heard: the body's messages in the last turn.
        """
        if body.place not in self._places:
            everybody, where = self._all_in(body.place)
            shown_place = _shown_place(self._world, body.place)
            self._places[body.place] = shown_place, [_creature(other) for other in everybody], where
        return self._view(body, heard, self._places[body.place])

    def look(self, body: Creature, heard: Sequence[Message]) -> ViewData:
        """Return the same view as `observe`. Callers must not change it, because views share its parts."""
        if body.place not in self._shared:
            self._shared[body.place] = self._shared_place(body.place)
        return self._view(body, heard, self._shared[body.place])

    def _view(self, body: Creature, heard: Sequence[Message], there: _Place) -> ViewData:
        world, (place, everybody, where) = self._world, there
        mine = where.get(body.id)
        here = everybody[:] if mine is None else everybody[:mine] + everybody[mine + 1 :]
        more = self._more(body, mine)
        if (exits := self._exits_of(body)) is not None:
            place = {**place, "exits": exits}
        if not self._sees(world, body):
            place, here, more = {**place, "text": DARK, "items": []}, [], 0
        return {
            "turn": world.turn,
            "now_us": world.now_us,
            "me": _me(body),
            "place": place,
            "here": here,
            "here_more": more,
            **_rest(world, body),
            "heard": list(heard),
        }

    def _exits_of(self, body: Creature) -> dict[str, str] | None:
        """Return the exits of a body's place as its owner knows them, or None if the owner knows them all."""
        place = self._world.places.get(body.place)
        if not body.owner or place is None:
            return None
        own = [self._world.creatures[number] for number in self._world.index.owned(body.owner)]

        def known(there: str) -> bool:
            return any(there == one.place or there in one.data.get("seen", ()) for one in own)

        exits = {way: there if known(there) else "" for way, there in place.exits.items()}
        return None if exits == place.exits else exits

    def _shared_place(self, name: str) -> _Place:
        world, creature, (everybody, where) = self._world, self._pieces.creature, self._all_in(name)
        return self._pieces.place(world, name), [creature(world, body) for body in everybody], where

    def _all_in(self, place: str) -> tuple[list[Creature], dict[int, int]]:
        """Return the creatures that views of a place show. A place that does not exist has none."""
        if place not in self._there:
            present = self._world.creatures_in(place) if place in self._world.places else []
            everybody = _first(present)
            self._left_out[place] = len(present) - len(everybody)
            self._there[place] = everybody, {body.id: k for k, body in enumerate(everybody)}
        return self._there[place]

    def _more(self, body: Creature, mine: int | None) -> int:
        """Return how many other creatures are in the same place as `body`, but not in the view of `body`."""
        is_left_out = mine is None and body.died_us is None and body.place in self._world.places
        return self._left_out[body.place] - is_left_out

    def pack(self, body: Creature, heard: Sequence[Message]) -> PackedView:
        """Return the view of `observe`, packed as JSON."""
        world = self._world
        if not self._sees(world, body) or self._exits_of(body) is not None:
            return PackedView(_encode(self.observe(body, heard)))  # its process must not get the shared part
        packed = self._packed.get(body.place)
        if packed is None:
            packed = self._packed[body.place] = self._pack_place(body.place)
        shared, where = packed
        me, rest = self._pieces.own(world, body)
        said, mine = _encode(heard) if heard else b"[]", where.get(body.id)
        own = b'{"turn":%d,"now_us":%d,%b,"place":null,"here":null,"here_more":%d,%b,"heard":%b}'
        own %= (world.turn, world.now_us, me, self._more(body, mine), rest, said)
        return PackedView(own, shared, -1 if mine is None else mine)

    def _pack_place(self, name: str) -> _Packed:
        world, public, (everybody, where) = self._world, self._pieces.public, self._all_in(name)
        here = b",".join([public(world, body) for body in everybody])
        return b'{"place":%b,"here":[%b]}' % (_encode(_shown_place(world, name)), here), where


def _first(present: list[Creature]) -> list[Creature]:
    """Return the creatures that views of a place show, in order of id."""
    if len(present) <= HERE_MAX:
        return present
    first = sorted(present, key=lambda body: body.linkdead_since is not None)[:HERE_MAX]
    return sorted(first, key=lambda body: body.id)


def _me(body: Creature) -> ShownSelf:
    return {"id": body.id, "name": body.name, "kind": body.kind, "attributes": dict(body.attributes)}


def _rest(world: World, body: Creature) -> _Rest:
    """Return the parts of a view that only the body itself has."""
    action = body.action
    return {
        "vitals": _vitals(body),
        "threats": [shown(world, threat) for threat in _in_order(body.threats)],
        "action": None if action is None else {"verb": action.verb, "ends_turn": action.ends_turn},
        "items": [_item(world, number) for number in body.items],
        "memory": msgspec.to_builtins(body.memory) if body.memory else {},
        "quests": msgspec.to_builtins(body.quests) if body.quests else {},
    }


def _in_order(threats: list[Threat]) -> list[Threat]:
    """Return threats in the order in which they land."""
    return threats if len(threats) < 2 else sorted(threats, key=lambda threat: (threat.lands_us, threat.id))


def _vitals(body: Creature) -> ShownVitals:
    return {
        "hp": max(0, body.health),
        "maxhp": body.health_max,
        "sp": body.stamina,
        "maxsp": body.stamina_max,
        "money": body.money,
        "dead": body.died_us is not None,
        "locked_until_us": body.locked_until_us,
    }


def _shown_place(world: World, name: str) -> ShownPlace:
    place = world.places.get(name)
    if place is None:
        return _NOWHERE.copy()
    return {
        "id": place.id,
        "name": place.name,
        "area": place.area,
        "text": place.text,
        "exits": dict(place.exits),
        "tags": list(place.tags),
        "items": [_item(world, number) for number in place.items],
    }


def _creature(other: Creature) -> ShownCreature:
    full = max(1, other.health_max)
    state = "unhurt" if other.health >= full else "hurt" if 2 * other.health >= full else "badly hurt"
    return {
        "id": other.id,
        "name": other.name,
        "kind": other.kind,
        "state": state,
        "doing": other.action.verb if other.action is not None else None,
        "player": other.is_character,
        "linkdead": other.linkdead_since is not None,
        "tags": list(other.tags),
    }


def _item(world: World, number: int) -> ShownItem:
    item = world.items[number]
    return {"id": item.id, "kind": item.kind, "name": item.name}
