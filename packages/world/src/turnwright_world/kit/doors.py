"""Doors in exits. An open door shuts by itself after a while."""

from __future__ import annotations

from turnwright_world.kit.ruleset import DOORS_OPEN, land_of, rules_of
from turnwright_world.kit.schema import DoorRow
from turnwright_world.rules.verbs import Act

OPEN_US = 60_000_000
"""How long a door stays open, in µs of game time. It shuts without a timer."""


def door_of(act: Act, way: str) -> DoorRow | None:
    """Return the door in an exit of the actor's place, or None if the exit has no door."""
    row = land_of(act).places.get(act.actor.place)
    return row.doors.get(way) if row is not None else None


def is_shut(act: Act, way: str) -> bool:
    """Return whether a shut door bars an exit of the actor's place."""
    return rules_of(act).doors(act.world, act.actor.place).get(way, ("", False))[1]


def open_door(act: Act, way: str) -> None:
    """Open the door in direction `way` for OPEN_US, only for bodies on this side."""
    act.touch(act.place)
    act.place.data[DOORS_OPEN] = {**act.place.data.get(DOORS_OPEN, {}), way: act.world.reached_us + OPEN_US}


def shut_door(act: Act, way: str) -> None:
    """Shut the door in direction `way`."""
    act.touch(act.place)
    act.place.data[DOORS_OPEN] = {k: us for k, us in act.place.data.get(DOORS_OPEN, {}).items() if k != way}
