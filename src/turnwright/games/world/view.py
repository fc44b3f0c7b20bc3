"""What a body may know now: its place, who is there, its own numbers, its threats, and what it was told.

One JSON object for everybody: a mind plans from it, a program is sent it, a player's text and GMCP are made
from it. Nothing in it is the world's own: whoever changes it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from turnwright.games.world.entities import OUTSIDE, Creature, Threat
from turnwright.games.world.outbox import Message
from turnwright.games.world.state import World
from turnwright.games.world.threats import shown

__all__ = ["Views"]

_Place = tuple[dict[str, Any], list[dict[str, Any]], dict[int, int]]
"""A place as it is shown, who is in it, and who of them is at which position, by id."""
_DARK = "It is too dark to see anything here."
_NOWHERE = {"id": OUTSIDE, "name": "", "area": "", "text": "", "exits": {}, "tags": [], "items": []}


class Views:
    """The views of one moment; what bodies in the same place share is made once.

    sees: whether a creature sees the place where it is; of one that it does not see it knows the exits alone.
    """

    def __init__(
        self, world: World, sees: Callable[[World, Creature], bool] = lambda world, body: True
    ) -> None:
        self._world = world
        self._sees = sees
        self._places: dict[str, _Place] = {}

    def observe(self, body: Creature, heard: Sequence[Message]) -> dict[str, Any]:
        """Return the observation of a body (JSON values). heard: what it was told in the last turn."""
        world = self._world
        if body.place not in self._places:
            self._places[body.place] = _shown_place(world, body.place)
        place, everybody, where = self._places[body.place]
        mine = where.get(body.id)
        here = everybody[:] if mine is None else everybody[:mine] + everybody[mine + 1 :]
        if not self._sees(world, body):
            place, here = {**place, "text": _DARK, "items": []}, []
        action = body.action
        return {
            "turn": world.turn,
            "now_us": world.now_us,
            "me": {"id": body.id, "name": body.name, "kind": body.kind, "attributes": dict(body.attributes)},
            "place": place,
            "here": here,
            "vitals": _vitals(body),
            "threats": [shown(world, threat) for threat in _in_order(body.threats)],
            "action": None if action is None else {"verb": action.verb, "ends_turn": action.ends_turn},
            "items": [_item(world, number) for number in body.items],
            "memory": msgspec.to_builtins(body.memory) if body.memory else {},
            "quests": msgspec.to_builtins(body.quests) if body.quests else {},
            "heard": list(heard),
        }


def _in_order(threats: list[Threat]) -> list[Threat]:
    """Return threats in the order in which they land."""
    return threats if len(threats) < 2 else sorted(threats, key=lambda threat: (threat.lands_us, threat.id))


def _vitals(body: Creature) -> dict[str, Any]:
    return {
        "hp": max(0, body.health),
        "maxhp": body.health_max,
        "sp": body.stamina,
        "maxsp": body.stamina_max,
        "money": body.money,
        "dead": body.died_us is not None,
        "locked_until_us": body.locked_until_us,
    }


def _shown_place(world: World, name: str) -> _Place:
    place = world.places.get(name)
    if place is None:
        return dict(_NOWHERE), [], {}
    shown_place = {
        "id": place.id,
        "name": place.name,
        "area": place.area,
        "text": place.text,
        "exits": dict(place.exits),
        "tags": list(place.tags),
        "items": [_item(world, number) for number in place.items],
    }
    everybody = world.creatures_in(name)
    where = {creature.id: k for k, creature in enumerate(everybody)}
    return shown_place, [_creature(creature) for creature in everybody], where


def _creature(other: Creature) -> dict[str, Any]:
    full = max(1, other.health_max)
    state = "unhurt" if other.health >= full else "hurt" if 2 * other.health >= full else "badly hurt"
    return {
        "id": other.id,
        "name": other.name,
        "kind": other.kind,
        "state": state,
        "doing": other.action.verb if other.action is not None else None,
        "player": other.driver in ("player", "program"),
        "linkdead": other.linkdead_since is not None,
        "tags": list(other.tags),
    }


def _item(world: World, number: int) -> dict[str, Any]:
    item = world.items[number]
    return {"id": item.id, "kind": item.kind, "name": item.name}
