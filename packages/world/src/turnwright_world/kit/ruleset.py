"""Builds the ruleset of a world from its content rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from turnwright_world.kit.schema import BlowRow, ItemRow, KindRow, Land, Settings
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.state import World
from turnwright_world.rules.threats import Reaction
from turnwright_world.rules.verbs import Act, CreatureKind, Rules

BLAMED_US = 120_000_000
"""Blows within this time before a death (µs) count as its cause."""
AWAY = "away"
"""The key in a character's data at which its state is stored when its player leaves. See `welcome`."""
FOES_MAX = 5
"""The most names of attackers in the state at AWAY."""
DOORS_OPEN = "open_until_us"
"""The key in a place's data at which the open doors are stored: direction → game time in µs at which the door
shuts.
"""
_EMPTY = Land(Settings("nowhere", "nowhere"), {}, {}, {}, (), {}, {})


@dataclass
class LandRules(Rules):
    """The rules of a land, with the rows from which they were made."""

    land: Land = field(default_factory=lambda: _EMPTY)

    def sees(self, world: World, creature: Creature) -> bool:
        """Return whether a creature's place is lit, or the creature needs no light."""
        there = world.places.get(creature.place)
        if there is None or "dark" not in there.tags:
            return True
        return "nightsighted" in creature.tags or lit(world, self.land, creature.place)

    def item_text(self, kind: str) -> str:
        """Return the description of a kind of item, with its effects, or "" if the kind no longer exists."""
        row = self.land.items.get(kind)
        return "" if row is None else row.shown

    def scenery_text(self, place: str, wanted: str) -> str:
        """Return the description of a part of a place, or "" if no part has the name.

        The place's row lists its parts in `yields`, at "examine".
        """
        row = self.land.places.get(place)
        rows = [self.land.items.get(kind) for kind in row.yields.get("examine", ())] if row else []
        named = [one for one in rows if one is not None and f" {wanted.lower()}" in f" {one.name.lower()}"]
        return named[0].shown if named else ""

    def doors(self, world: World, place: str) -> Mapping[str, tuple[str, bool]]:
        """Return the name of each door of a place and whether it is shut, by direction."""
        row, there = self.land.places.get(place), world.places.get(place)
        if row is None or there is None:
            return {}
        open_until_us = there.data.get(DOORS_OPEN, {})
        return {
            way: (door.name, world.reached_us >= open_until_us.get(way, 0))
            for way, door in row.doors.items()
            if way in there.exits
        }

    def struck(self, world: World, source: Creature, target: Creature) -> None:
        """Note a strike, so that the source shares the reward if the target dies within BLAMED_US.

        If the target's player is away, also store the attacker's name.
        """
        now_us = world.reached_us
        world.touch(target)
        since = {k: us for k, us in target.data.get("blamed", {}).items() if us + BLAMED_US > now_us}
        target.data["blamed"] = {**since, str(source.id): now_us}
        away = target.data.get(AWAY)
        if away is not None and source.name not in away["foes"] and len(away["foes"]) < FOES_MAX:
            target.data[AWAY] = {**away, "foes": [*away["foes"], source.name]}


def lit(world: World, land: Land, place: str) -> bool:
    """Return whether bodies can see in a place: it is not dark, or a body there has a light."""
    there = world.places.get(place)
    if there is None or "dark" not in there.tags:
        return True
    return any(_shines(world, land, body) for body in world.creatures_in(place))


def _shines(world: World, land: Land, body: Creature) -> bool:
    for number in body.worn.values():
        item = world.items.get(number)
        row = land.items.get(item.kind) if item is not None else None
        if row is not None and row.shines:
            return True
    return False


def rules_of(act: Act) -> LandRules:
    """Return the rules of the land in which an act happens."""
    assert isinstance(act.rules, LandRules), "this verb needs the rules of a land"
    return act.rules


def land_of(act: Act) -> Land:
    """Return the rows of the land in which an act happens."""
    return rules_of(act).land


def kind_of(act: Act, body: Creature) -> KindRow:
    """Return the row of a creature's kind, or a default row if the kind no longer exists."""
    return land_of(act).kinds.get(body.kind) or KindRow(body.kind)


def core_kind(name: str, row: KindRow) -> CreatureKind:
    """Return the `CreatureKind` of a kind's row, with the fields that `rules` needs."""
    return CreatureKind(
        id=name,
        name=row.name,
        text=row.text,
        attributes=dict(row.attributes),
        health=row.health,
        stamina=row.stamina,
        senses=dict(row.senses),
        wants=row.wants,
        events=row.events,
        mind=row.mind,
        tags=row.tags,
    )


def reactions_of(land: Land) -> Mapping[str, Reaction]:
    """Return the reactions of a land, by name."""
    return {
        name: Reaction(
            name,
            row.clears,
            stamina=row.stamina,
            lockout_us=row.lockout_ms * 1000,
            band_us=row.band_ms * 1000,
            kinds=row.kinds,
            returned=row.returned,
            why=row.why,
        )
        for name, row in land.reactions.items()
    }


def item_row(act: Act, kind: str) -> ItemRow:
    """Return the row of a kind of item, or a default row if the kind no longer exists."""
    return land_of(act).items.get(kind) or ItemRow(kind)


def fist_of(act: Act) -> BlowRow:
    """Return the blow of bare hands."""
    return land_of(act).settings.fist


def blind(act: Act) -> str | None:
    """Return why the actor cannot see, or None if it can."""
    sees = rules_of(act).sees(act.world, act.actor)
    return None if sees else "It is too dark to see. You need a light."
