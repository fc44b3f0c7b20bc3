"""Counts of one tank, in a round or over several rounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta

NEAR_WALL = 60.0
"""u: a tank is near a wall if its centre is closer than this."""


class Tally(msgspec.Struct, kw_only=True):
    """Counts (whole numbers, mostly of turns) and energies (never negative) of one tank."""

    turns: Annotated[int, Meta(description="turns in the arena, including the turn of its death")] = 0
    wins: Annotated[int, Meta(description="rounds in which it came first by score")] = 0
    deaths: Annotated[int, Meta(description="rounds in which it died")] = 0
    shots: Annotated[int, Meta(description="bullets fired")] = 0
    hits: Annotated[int, Meta(description="bullets that hit an enemy's tank")] = 0
    own_hits: Annotated[int, Meta(description="bullets that hit a teammate's tank")] = 0
    met: Annotated[int, Meta(description="bullets that met another bullet")] = 0
    damage: Annotated[
        float, Meta(description="energy that its bullets took from tanks, at most the energy that these had")
    ] = 0.0
    won_back: Annotated[float, Meta(description="energy that it gained by hits")] = 0.0
    shot_energy: Annotated[float, Meta(description="energy that its shots cost")] = 0.0
    missed_energy: Annotated[
        float, Meta(description="the part of `shot_energy` for bullets that hit no tank")
    ] = 0.0
    bullets_taken: Annotated[int, Meta(description="bullets that hit it")] = 0
    bullet_energy: Annotated[float, Meta(description="energy lost to bullets")] = 0.0
    steady_taken: Annotated[
        int,
        Meta(description="bullets that hit it on an even course, without a change of heading or speed"),
    ] = 0
    still_taken: Annotated[int, Meta(description="the part of `steady_taken` in which it stood still")] = 0
    streak_taken: Annotated[
        int, Meta(description="most bullets in a row that hit it before one of its bullets hit")
    ] = 0
    wall_hits: Annotated[int, Meta(description="how often it drove into a wall")] = 0
    wall_energy: Annotated[float, Meta(description="energy lost to walls")] = 0.0
    contacts: Annotated[
        int, Meta(description="turns in which it touched another tank, counted for each other tank")
    ] = 0
    rams: Annotated[int, Meta(description="the part of `contacts` in which it drove into the other tank")] = 0
    ram_energy: Annotated[float, Meta(description="energy lost by touching tanks")] = 0.0
    inactivity_energy: Annotated[
        float, Meta(description="energy lost because no bullet had hit a bot for a long time")
    ] = 0.0
    removed_energy: Annotated[float, Meta(description="energy lost when it was taken out of the battle")] = (
        0.0
    )
    other_energy: Annotated[float, Meta(description="energy lost for other reasons; negative if gained")] = (
        0.0
    )
    still_turns: Annotated[int, Meta(description="turns in which it stood still")] = 0
    still_longest: Annotated[int, Meta(description="most such turns in a row")] = 0
    seeing_turns: Annotated[int, Meta(description="turns in which its radar swept over an enemy")] = 0
    blind_longest: Annotated[
        int, Meta(description="most turns in a row in which its radar swept over no enemy")
    ] = 0
    idle_gun_turns: Annotated[
        int,
        Meta(description="turns in which it could have fired at a scanned enemy, but did not"),
    ] = 0
    near_wall_turns: Annotated[
        int, Meta(description=f"turns with its centre closer than {NEAR_WALL:g} to a wall")
    ] = 0
    disabled_turns: Annotated[int, Meta(description="turns in which it was disabled (energy 0)")] = 0
    skipped: Annotated[int, Meta(description="turns that it missed")] = 0
    late: Annotated[int, Meta(description="answers that came after their deadline")] = 0
    distance_sum: Annotated[
        float, Meta(description="sum of the distances to the nearest enemy over `distance_turns`")
    ] = 0.0
    distance_turns: Annotated[int, Meta(description="how many turns were looked at for that")] = 0


def bullets_missed(tally: Tally) -> int:
    """Return the number of bullets that hit no tank, including those still flying at the end."""
    return tally.shots - tally.hits - tally.own_hits


def mean_power(tally: Tally) -> float | None:
    """Return the average energy that a shot cost."""
    return tally.shot_energy / tally.shots if tally.shots else None


def mean_distance(tally: Tally) -> float | None:
    """Return the average distance to the nearest enemy in units."""
    return tally.distance_sum / tally.distance_turns if tally.distance_turns else None


def energy_lost(tally: Tally) -> float:
    """Return all energy that the tank lost."""
    return (
        tally.shot_energy
        + tally.bullet_energy
        + tally.wall_energy
        + tally.ram_energy
        + tally.inactivity_energy
        + tally.removed_energy
        + tally.other_energy
    )


_LONGEST = ("streak_taken", "still_longest", "blind_longest")


def add_up(tallies: Iterable[Tally]) -> Tally:
    """Return the tally of several rounds. Numbers are added. Of each kind of streak, the longest counts."""
    total = Tally()
    for tally in tallies:
        for name in tally.__struct_fields__:
            one, two = getattr(total, name), getattr(tally, name)
            setattr(total, name, max(one, two) if name in _LONGEST else one + two)
    return total
