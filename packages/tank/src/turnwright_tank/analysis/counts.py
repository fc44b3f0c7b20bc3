"""Counts of one tank, in a round or over several rounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta

NEAR_WALL = 60.0
"""Units. A tank is near a wall if its centre is closer than this."""


class Tally(msgspec.Struct, kw_only=True):
    """Counts and energies of one tank. Energies are positive or 0, except `other_energy`."""

    turns: Annotated[
        int, Meta(description="turns in which the tank was in the arena, including the turn in which it died")
    ] = 0
    wins: Annotated[int, Meta(description="rounds in which the tank had the highest score")] = 0
    deaths: Annotated[int, Meta(description="rounds in which the tank died")] = 0
    shots: Annotated[int, Meta(description="bullets that the tank fired")] = 0
    hits: Annotated[int, Meta(description="bullets of the tank that hit an enemy")] = 0
    own_hits: Annotated[int, Meta(description="bullets of the tank that hit a teammate")] = 0
    met: Annotated[int, Meta(description="bullets of the tank that met another bullet")] = 0
    damage: Annotated[
        float,
        Meta(
            description="energy that the tank's bullets took from other tanks. A hit counts at most the"
            " energy that the"
            " victim still had"
        ),
    ] = 0.0
    won_back: Annotated[float, Meta(description="energy that the tank gained because its bullets hit")] = 0.0
    shot_energy: Annotated[float, Meta(description="energy that its shots cost")] = 0.0
    missed_energy: Annotated[
        float, Meta(description="the part of `shot_energy` for bullets that hit no tank")
    ] = 0.0
    bullets_taken: Annotated[int, Meta(description="bullets that hit the tank")] = 0
    bullet_energy: Annotated[float, Meta(description="energy that the tank lost to bullets")] = 0.0
    steady_taken: Annotated[
        int,
        Meta(
            description="bullets that hit the tank while it was on an even course (see **Even course** above)"
        ),
    ] = 0
    still_taken: Annotated[
        int, Meta(description="those bullets of `steady_taken` that hit the tank while it stood still")
    ] = 0
    streak_taken: Annotated[
        int,
        Meta(description="largest number of bullets that hit the tank before one of its own bullets hit"),
    ] = 0
    wall_hits: Annotated[int, Meta(description="how often the tank drove into a wall")] = 0
    wall_energy: Annotated[float, Meta(description="energy that the tank lost to walls")] = 0.0
    contacts: Annotated[
        int,
        Meta(
            description="turns in which the tank touched another tank. A turn in which it touched two tanks"
            " counts"
            " as 2"
        ),
    ] = 0
    rams: Annotated[int, Meta(description="contacts in which the tank drove into the other tank")] = 0
    ram_energy: Annotated[float, Meta(description="energy that the tank lost by touching other tanks")] = 0.0
    inactivity_energy: Annotated[
        float,
        Meta(description="energy that the tank lost because no bullet had hit any tank for a long time"),
    ] = 0.0
    removed_energy: Annotated[
        float, Meta(description="energy that the tank lost when its bot no longer took part")
    ] = 0.0
    other_energy: Annotated[
        float, Meta(description="energy that the tank lost for other reasons. A negative number is a gain")
    ] = 0.0
    still_turns: Annotated[int, Meta(description="turns in which the tank stood still")] = 0
    still_longest: Annotated[
        int, Meta(description="largest number of turns in a row in which the tank stood still")
    ] = 0
    seeing_turns: Annotated[int, Meta(description="turns in which its radar swept over an enemy")] = 0
    blind_longest: Annotated[
        int, Meta(description="largest number of turns in a row in which its radar swept over no enemy")
    ] = 0
    idle_gun_turns: Annotated[
        int,
        Meta(description="turns in which the tank could have fired at a scanned enemy, but did not"),
    ] = 0
    near_wall_turns: Annotated[
        int, Meta(description=f"turns in which its centre was closer than {NEAR_WALL:g} units to a wall")
    ] = 0
    disabled_turns: Annotated[int, Meta(description="turns in which the tank was disabled (energy 0)")] = 0
    skipped: Annotated[int, Meta(description="turns that the bot missed")] = 0
    late: Annotated[int, Meta(description="answers of the bot that came after their deadline")] = 0
    distance_sum: Annotated[
        float, Meta(description="sum of the distances to the nearest enemy over `distance_turns`")
    ] = 0.0
    distance_turns: Annotated[int, Meta(description="number of turns in `distance_sum`")] = 0


def bullets_missed(tally: Tally) -> int:
    """Return the number of bullets that hit no tank, including those still flying at the end."""
    return tally.shots - tally.hits - tally.own_hits


def mean_power(tally: Tally) -> float | None:
    """Return the average energy that a shot cost, or None if the tank fired no shot."""
    return tally.shot_energy / tally.shots if tally.shots else None


def mean_distance(tally: Tally) -> float | None:
    """Return the average distance to the nearest enemy in units, or None if no distance was measured."""
    return tally.distance_sum / tally.distance_turns if tally.distance_turns else None


def energy_lost(tally: Tally) -> float:
    """Return all energy that the tank lost, less gains that no event explains."""
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
    """Return the sum of the tallies of several rounds. For streaks, return the longest one."""
    total = Tally()
    for tally in tallies:
        for name in tally.__struct_fields__:
            one, two = getattr(total, name), getattr(tally, name)
            setattr(total, name, max(one, two) if name in _LONGEST else one + two)
    return total
