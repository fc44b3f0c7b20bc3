"""Who is where, who is driven, who is busy, who listens: looked up, never searched for.

It is worked out from the creatures and kept up as they change; it is not part of the state.
"""

from __future__ import annotations

from typing import NamedTuple

from turnwright.games.world.entities import OUTSIDE, Creature

__all__ = ["Index"]


class _Row(NamedTuple):
    """What the index knows of one creature."""

    place: str
    area: str
    driven: bool
    mind: bool
    busy: bool
    subscribed: tuple[str, ...]


class Index:
    """Of one world. version: goes up whenever who is asked may be others than before."""

    def __init__(self) -> None:
        self.version = 0
        self._rows: dict[int, _Row] = {}
        self._where: dict[str, dict[int, None]] = {}
        self._driven: dict[int, None] = {}
        self._busy: dict[int, None] = {}
        self._minds: dict[str, dict[int, None]] = {}
        self._driven_in: dict[str, int] = {}
        self._subscribed: dict[str, dict[int, None]] = {}

    def note(self, body: Creature, area: str) -> None:
        """Bring the index up to date with a creature. area: of its place."""
        alive, inside = body.died_us is None, body.place != OUTSIDE
        row = _Row(
            body.place,
            area,
            body.driver in ("player", "program"),
            body.driver == "mind" and alive and inside,
            body.action is not None and alive,
            tuple(body.subscribed),
        )
        before = self._rows.get(body.id)
        if before != row:
            asked = before is not None and before[1:4] == row[1:4]
            self._leave(body.id)
            self._enter(body.id, row)
            self.version += not asked

    def forget(self, number: int) -> None:
        """Take a creature out."""
        self._leave(number)
        self.version += 1

    def _enter(self, number: int, row: _Row) -> None:
        self._rows[number] = row
        self._where.setdefault(row.place, {})[number] = None
        if row.driven:
            self._driven[number] = None
            self._driven_in[row.area] = self._driven_in.get(row.area, 0) + 1
        if row.mind:
            self._minds.setdefault(row.area, {})[number] = None
        if row.busy:
            self._busy[number] = None
        for event in row.subscribed:
            self._subscribed.setdefault(event, {})[number] = None

    def _leave(self, number: int) -> None:
        row = self._rows.pop(number, None)
        if row is None:
            return
        del self._where[row.place][number]
        if row.driven:
            del self._driven[number]
            self._driven_in[row.area] -= 1
        if row.mind:
            del self._minds[row.area][number]
        if row.busy:
            del self._busy[number]
        for event in dict.fromkeys(row.subscribed):
            del self._subscribed[event][number]

    # ---- looking, all in order of id -----------------------------------------------------------------------

    def bodies_in(self, place: str) -> list[int]:
        """Return who is in a place, dead or alive."""
        return sorted(self._where.get(place, ()))

    def driven(self) -> list[int]:
        """Return whom a player or a program drives."""
        return sorted(self._driven)

    def busy(self) -> list[int]:
        """Return who has an action."""
        return sorted(self._busy)

    def awake(self) -> list[int]:
        """Return the creatures with a mind in areas where somebody driven is, who could notice."""
        areas = [area for area, count in self._driven_in.items() if count]
        return sorted(number for area in areas for number in self._minds.get(area, ()))

    def subscribers(self, event: str) -> list[int]:
        """Return who has subscribed to a type of event."""
        return sorted(self._subscribed.get(event, ()))
