"""Counts of one tank, in a round or over several rounds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import msgspec
from msgspec import Meta

NEAR_WALL = 60.0
"""u: a tank whose centre is closer than this to a wall counts as near it."""


class Tally(msgspec.Struct, kw_only=True):
    """Counts (whole numbers, mostly turns) and energies (never negative) of one tank."""

    turns: Annotated[int, Meta(description="turns it was in the arena, the one it died in included")] = 0
    wins: Annotated[int, Meta(description="rounds in which it came first by score")] = 0
    deaths: Annotated[int, Meta(description="rounds it did not survive")] = 0
    shots: Annotated[int, Meta(description="bullets fired")] = 0
    hits: Annotated[int, Meta(description="of them, those that hit an enemy's tank")] = 0
    own_hits: Annotated[int, Meta(description="of them, those that hit a teammate's tank")] = 0
    met: Annotated[int, Meta(description="of them, those that met another bullet")] = 0
    damage: Annotated[
        float, Meta(description="energy its bullets took from tanks; not more than these had")
    ] = 0.0
    won_back: Annotated[float, Meta(description="energy it got back for hits")] = 0.0
    shot_energy: Annotated[float, Meta(description="energy its shots cost")] = 0.0
    missed_energy: Annotated[float, Meta(description="of it, for bullets that hit no tank")] = 0.0
    bullets_taken: Annotated[int, Meta(description="bullets that hit it")] = 0
    bullet_energy: Annotated[float, Meta(description="energy lost to bullets")] = 0.0
    steady_taken: Annotated[
        int,
        Meta(description="bullets that hit it on an even course: neither heading nor speed changed"),
    ] = 0
    still_taken: Annotated[int, Meta(description="of these, those that hit it while it stood still")] = 0
    streak_taken: Annotated[int, Meta(description="most bullets taken in a row without landing one")] = 0
    wall_hits: Annotated[int, Meta(description="times it drove into a wall")] = 0
    wall_energy: Annotated[float, Meta(description="energy lost to walls")] = 0.0
    contacts: Annotated[int, Meta(description="turns in which it touched another tank, one for each")] = 0
    rams: Annotated[int, Meta(description="of them, those in which it drove into the other")] = 0
    ram_energy: Annotated[float, Meta(description="energy lost by touching tanks")] = 0.0
    inactivity_energy: Annotated[
        float, Meta(description="energy lost because no bullet hit a bot for long")
    ] = 0.0
    removed_energy: Annotated[float, Meta(description="energy taken when it was put out of the battle")] = 0.0
    other_energy: Annotated[float, Meta(description="energy lost for other reasons; below 0: gained")] = 0.0
    still_turns: Annotated[int, Meta(description="turns it stood still")] = 0
    still_longest: Annotated[int, Meta(description="most such turns in a row")] = 0
    seeing_turns: Annotated[int, Meta(description="turns in which its radar swept over an enemy")] = 0
    blind_longest: Annotated[int, Meta(description="most turns in a row without that")] = 0
    idle_gun_turns: Annotated[
        int, Meta(description="turns it did not fire, with a cool gun, energy for it, and an enemy scanned")
    ] = 0
    near_wall_turns: Annotated[
        int, Meta(description=f"turns with its centre closer than {NEAR_WALL:g} to a wall")
    ] = 0
    disabled_turns: Annotated[int, Meta(description="turns it was disabled: energy 0")] = 0
    skipped: Annotated[int, Meta(description="turns whose deadline it missed")] = 0
    late: Annotated[int, Meta(description="answers that came after their deadline")] = 0
    distance_sum: Annotated[
        float, Meta(description="distances to the nearest enemy, added up over the turns looked at")
    ] = 0.0
    distance_turns: Annotated[int, Meta(description="how many turns were looked at for that")] = 0

    @property
    def missed(self) -> int:
        """Bullets that hit no tank, those still flying at the end included."""
        return self.shots - self.hits - self.own_hits

    @property
    def mean_power(self) -> float | None:
        """The energy a shot cost on average."""
        return self.shot_energy / self.shots if self.shots else None

    @property
    def mean_distance(self) -> float | None:
        """Average distance of the nearest enemy, units."""
        return self.distance_sum / self.distance_turns if self.distance_turns else None

    @property
    def lost(self) -> float:
        """All energy it lost."""
        return (
            self.shot_energy
            + self.bullet_energy
            + self.wall_energy
            + self.ram_energy
            + self.inactivity_energy
            + self.removed_energy
            + self.other_energy
        )


_LONGEST = ("streak_taken", "still_longest", "blind_longest")


def add_up(tallies: Iterable[Tally]) -> Tally:
    """Return the tally of several rounds: numbers added, of runs the longest."""
    total = Tally()
    for tally in tallies:
        for name in tally.__struct_fields__:
            one, two = getattr(total, name), getattr(tally, name)
            setattr(total, name, max(one, two) if name in _LONGEST else one + two)
    return total
