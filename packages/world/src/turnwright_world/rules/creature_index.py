"""Indexes of creatures: by place, driver, activity and senses.

The indexes are computed from the creatures and updated when creatures change. They are not part of the state.
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright_world.rules.entities import OUTSIDE, Creature, Entity, Place

FAR_TURNS = 8
"""The number of turns between two plans of a creature far from all players, in a world that runs without
players.
"""


_Row = tuple[str, str, bool, bool, bool, bool, tuple[str, ...], str]
"""The index's entry of one creature: its place and area, whether a player or a program drives it, whether a
mind can plan for it, whether it keeps its area awake, whether it has an action, the events that it
subscribes to, and its owner.
"""


class CreatureIndex:
    """Indexes of the creatures of one world. Queries return ids in ascending order.

    Args:
        places, creatures: the places and creatures of the world, by id.

    Attributes:
        version: increases whenever the set of creatures that are asked for plans may have changed.
    """

    def __init__(self, places: Mapping[str, Place], creatures: Mapping[int, Creature]) -> None:
        self.version = 0
        self._places = places
        self._creatures = creatures
        self._rows: dict[int, _Row] = {}
        self._where: dict[str, dict[int, None]] = {}
        self._driven: dict[int, None] = {}
        self._busy: dict[int, None] = {}
        self._minds: dict[str, dict[int, None]] = {}
        self._waking: dict[str, int] = {}
        self._subscribed: dict[str, dict[int, None]] = {}
        self._owned: dict[str, dict[int, None]] = {}
        self._areas: dict[str, str] = {}
        self._hurt: dict[int, None] = {}

    def follow(self, entity: Entity | None) -> None:
        """Update the index for an entity that was stored. None, a removed entity, changes nothing."""
        if isinstance(entity, Creature):
            self.note(entity)
            if entity.health <= 0 and entity.died_us is None:
                self._hurt[entity.id] = None
        elif isinstance(entity, Place) and self._areas.get(entity.id) != entity.area:
            self._areas[entity.id] = entity.area
            for number in self.bodies_in(entity.id):
                self.note(self._creatures[number])

    def note(self, body: Creature) -> None:
        """Update the index for a creature."""
        place = self._places.get(body.place)
        area = OUTSIDE if place is None else place.area
        driver, alive = body.driver, body.died_us is None
        driven = driver == "player" or driver == "program"
        mind = driver == "mind" and alive and body.place != OUTSIDE
        row = (
            body.place,
            area,
            driven,
            mind,
            driven or (mind and body.owner != ""),
            alive and body.action is not None,
            tuple(body.subscribed) if body.subscribed else (),
            body.owner,
        )
        before = self._rows.get(body.id)
        if before != row:
            asked = before is not None and before[1:5] == row[1:5]
            self._leave(body.id)
            self._enter(body.id, row)
            self.version += not asked

    def forget(self, number: int) -> None:
        """Remove a creature from the index."""
        self._leave(number)
        self.version += 1

    def _enter(self, number: int, row: _Row) -> None:
        place, area, driven, mind, wakes, busy, subscribed, owner = self._rows[number] = row
        self._where.setdefault(place, {})[number] = None
        if driven:
            self._driven[number] = None
        if wakes:
            self._waking[area] = self._waking.get(area, 0) + 1
        if mind:
            self._minds.setdefault(area, {})[number] = None
        if busy:
            self._busy[number] = None
        for event in subscribed:
            self._subscribed.setdefault(event, {})[number] = None
        if owner:
            self._owned.setdefault(owner, {})[number] = None

    def _leave(self, number: int) -> None:
        row = self._rows.pop(number, None)
        if row is None:
            return
        place, area, driven, mind, wakes, busy, subscribed, owner = row
        del self._where[place][number]
        if driven:
            del self._driven[number]
        if wakes:
            self._waking[area] -= 1
        if mind:
            del self._minds[area][number]
        if busy:
            del self._busy[number]
        for event in dict.fromkeys(subscribed):
            del self._subscribed[event][number]
        if owner:
            del self._owned[owner][number]
            if not self._owned[owner]:
                del self._owned[owner]

    # ---- queries, with results in order of id --------------------------------------------------------------

    def take_hurt(self) -> list[int]:
        """Return the creatures that lost all health since the last call and have not died yet."""
        hurt, self._hurt = self._hurt, {}
        return sorted(hurt)

    def bodies_in(self, place: str) -> list[int]:
        """Return the creatures in a place, dead or alive."""
        return sorted(self._where.get(place, ()))

    def driven(self) -> list[int]:
        """Return the creatures that a player or a program drives."""
        return sorted(self._driven)

    def busy(self) -> list[int]:
        """Return the creatures with an action."""
        return sorted(self._busy)

    def awake(self) -> list[int]:
        """Return the creatures with a mind whose area is awake.

        An area is awake if a player's or a program's body is in it. A player's other creatures that plan also
        keep their area awake.
        """
        areas = [area for area, count in self._waking.items() if count]
        return sorted(number for area in areas for number in self._minds.get(area, ()))

    def owned(self, owner: str) -> list[int]:
        """Return the bodies of an owner, dead or alive, including those that wait outside."""
        return sorted(self._owned.get(owner, ()))

    def far(self, beat: int) -> list[int]:
        """Return the creatures with a mind in areas that are not awake, if they plan in a beat.

        Args:
            beat: the turn modulo FAR_TURNS. Each of these creatures plans in one of the beats.
        """
        areas = [area for area in self._minds if not self._waking.get(area)]
        return sorted(n for area in areas for n in self._minds[area] if n % FAR_TURNS == beat)

    def subscribers(self, event: str) -> list[int]:
        """Return the creatures that have subscribed to a type of event."""
        return sorted(self._subscribed.get(event, ()))
