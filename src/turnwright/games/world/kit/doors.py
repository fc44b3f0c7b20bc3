"""Doors in exits, which shut by themselves after a while."""

from __future__ import annotations

from turnwright.games.world.kit.ruleset import land_of
from turnwright.games.world.kit.schema import DoorRow
from turnwright.games.world.rules.verbs import Act

__all__ = ["OPEN_US", "door_of", "is_shut", "open_door", "shut_door"]

OPEN_US = 60_000_000
"""Time a door stays open, µs of game time; it closes without a timer."""
_OPEN = "open_until_us"


def door_of(act: Act, way: str) -> DoorRow | None:
    """Return the door in an exit of the actor's place, if there is one."""
    row = land_of(act).places.get(act.actor.place)
    return row.doors.get(way) if row is not None else None


def is_shut(act: Act, way: str) -> bool:
    """Return whether a door bars the way."""
    until_us = act.place.data.get(_OPEN, {}).get(way, 0)
    return door_of(act, way) is not None and bool(act.world.reached_us >= until_us)


def open_door(act: Act, way: str) -> None:
    """Open a door from this side."""
    act.touch(act.place)
    act.place.data[_OPEN] = {**act.place.data.get(_OPEN, {}), way: act.world.reached_us + OPEN_US}


def shut_door(act: Act, way: str) -> None:
    """Shut a door."""
    act.touch(act.place)
    act.place.data[_OPEN] = {k: us for k, us in act.place.data.get(_OPEN, {}).items() if k != way}
