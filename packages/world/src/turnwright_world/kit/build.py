"""Puts content into a new or running world."""

from __future__ import annotations

from collections.abc import Mapping

from turnwright_world.kit.birth_and_death import FATE_TIMERS, begin_life, end_life
from turnwright_world.kit.healing import HEALING_TIMERS
from turnwright_world.kit.items import make
from turnwright_world.kit.queues import threats_of
from turnwright_world.kit.ruleset import LandRules, core_kind
from turnwright_world.kit.schema import Land, PlaceRow, Spawn
from turnwright_world.kit.welcome import note_away
from turnwright_world.rules.entities import OUTSIDE, Creature, Place
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Rules, Verb

_SPAWNED = "spawned"


def land_rules(land: Land, verbs: Mapping[str, Verb], content_hash: str) -> LandRules:
    """Return the rules of a land.

    Args:
        content_hash: the hash of the files from which the land was read.
    """
    return LandRules(
        verbs=dict(verbs),
        kinds={name: core_kind(name, row) for name, row in land.kinds.items()},
        timers={**HEALING_TIMERS, **FATE_TIMERS},
        build=_build,
        renew=_build,
        start=land.settings.start,
        player_kind=land.settings.player,
        threats=threats_of(land),
        on_join=begin_life,
        on_death=end_life,
        on_leave=note_away,
        content_hash=content_hash,
        land=land,
    )


def _build(world: World, rules: Rules) -> None:
    """Update places and creatures to the land, add new spawns, and clear places that the land has lost."""
    assert isinstance(rules, LandRules)
    land = rules.land
    for name, row in land.places.items():
        _put_place(world, name, row)
    _clear_old_places(world, land)
    _name_alike(world, rules)
    spawned = dict(world.facts.facts.get(_SPAWNED, {}))
    for number, spawn in enumerate(land.spawns):
        key = f"{spawn.kind or spawn.item}@{spawn.place}#{_nth(land, number)}"
        for _ in range(spawned.get(key, 0), spawn.count):
            _spawn(world, rules, spawn)
        spawned[key] = max(spawned.get(key, 0), spawn.count)
    world.touch(world.facts)
    world.facts.facts[_SPAWNED] = spawned


def _nth(land: Land, number: int) -> int:
    """Return the number of earlier spawns of the same kind in the same place."""
    spawn = land.spawns[number]
    alike = [
        s for s in land.spawns[:number] if (s.kind, s.item, s.place) == (spawn.kind, spawn.item, spawn.place)
    ]
    return len(alike)


def _put_place(world: World, name: str, row: PlaceRow) -> None:
    place = world.places.get(name)
    if place is None:
        world.add(Place(name, row.name, row.text, row.area, dict(row.exits), tags=list(row.tags)))
        return
    fresh = (row.name, row.text, row.area, dict(row.exits), list(row.tags))
    if fresh != (place.name, place.text, place.area, place.exits, place.tags):
        world.touch(place)
        place.name, place.text, place.area, place.exits, place.tags = fresh


def _clear_old_places(world: World, land: Land) -> None:
    """Move all creatures from places that the land has lost to the start. These places lead only there."""
    for place in list(world.places.values()):
        if place.id in land.places:
            continue
        for body in [c for c in world.creatures.values() if c.place == place.id]:
            world.move(body, land.settings.start)
        if place.exits:
            world.touch(place)
            place.exits = {"out": land.settings.start}


def _name_alike(world: World, rules: LandRules) -> None:
    """Give the world's own creatures the current mind, tags and events of their kind.

    A creature whose kind no longer exists is removed.

    Characters, creatures of owners and creatures outside the world stay as they are.
    """
    for body in list(world.creatures.values()):
        if body.is_character or body.owner or body.place == OUTSIDE:
            continue
        row = rules.kinds.get(body.kind)
        if row is None:
            _remove(world, body)
        elif (body.mind, body.tags, body.subscribed) != (row.mind, list(row.tags), list(row.events)):
            world.touch(body)
            body.mind, body.tags, body.subscribed = row.mind, list(row.tags), list(row.events)
            body.driver = "mind" if row.mind else "none"


def _remove(world: World, body: Creature) -> None:
    for number in body.items:
        world.remove(world.items[number])
    world.remove(body)


def _spawn(world: World, rules: LandRules, spawn: Spawn) -> None:
    if spawn.item:
        make(world, rules.land, spawn.item, world.places[spawn.place])
        return
    body = rules.new_creature(world, spawn.kind, spawn.place, name=spawn.name)
    low, high = rules.land.kinds[spawn.kind].money
    body.money = (low + high) // 2
    body.data["home"] = spawn.place
    body.data["memory"] = dict(spawn.memory)
    body.memory = dict(spawn.memory)
