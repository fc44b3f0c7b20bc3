"""The reaction queue: blows with timers that a target can react to.

    inserted_us                    lands_us = inserted_us + window_us        (game time, µs)
        |-------- the target may react --------|

A threat is inserted once, with the attacker's numbers of that moment, and told once. It lands by the server
alone, at its exact game time, with the defender's numbers of that moment; or a reaction has cleared it. Both
sides compute what remains by the one formula `remaining_us`. Here is what the numbers are, as data; what
happens is `fight`. Source: document 003.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.games.world.rules.entities import Creature, Threat
from turnwright.games.world.rules.state import World

__all__ = [
    "LEADS_MIN",
    "REACTIONS",
    "THREATS_MAX",
    "Clears",
    "Queue",
    "Reaction",
    "Scale",
    "ThreatPolicy",
    "by_landing",
    "pick",
    "remaining_us",
    "shown",
]

Clears = Literal["id", "first", "all", "band"]
"""The threats that a reaction takes: the one it names (or else the first), the one that lands first, all, or
those that land within a band of time after it."""

LEADS_MIN = 6
"""A window is at least so many leads of its target's client long, or it is lengthened.

A ring runs ahead by the lead, and it starts late by the way down, which is shorter; so of six, four are left
to see it and to act. With the greatest lead, 250 ms, that is a window of 1.5 s of real time, however fast
the game runs: a body's lead is in the game time that passes in it.
"""

THREATS_MAX = 64
"""The longest queue, whatever a policy says."""


def remaining_us(threat: Threat, now_us: int) -> int:
    """Return how long a threat still has, µs; the same formula everywhere."""
    return max(0, threat.inserted_us + threat.window_us - now_us)


def by_landing(threats: list[Threat]) -> list[Threat]:
    """Return threats in the order in which they land; ties in order of insertion."""
    return sorted(threats, key=lambda threat: (threat.lands_us, threat.id))


@dataclass(frozen=True)
class Scale:
    """A number that depends on an attribute: at = base + step for every `points` whole points of it.

    Below 0 points are rounded down. Whatever the attribute is, the number is within least … most.
    """

    base: int
    attribute: str = ""
    step: int = 0
    points: int = 1
    least: int = 0
    most: int = 2**53 - 1

    def of(self, attributes: Mapping[str, int]) -> int:
        """Return the number for these attributes; one that is missing is 0."""
        value = self.base + attributes.get(self.attribute, 0) // self.points * self.step
        return min(self.most, max(self.least, value))


@dataclass(frozen=True)
class Reaction:
    """A way to meet threats. stamina: what it costs, also where it meets nothing of what is coming.

    It is free where nothing is coming at all. lockout_us: how long no other reaction is possible
    afterwards; band_us: how far "band" reaches. kinds: which kinds of blows it can take; empty: all.
    returned: percent of the damage that goes back, as a new threat, to whoever struck. why: how a threat is
    said to have gone.
    """

    name: str
    clears: Clears
    stamina: int = 0
    lockout_us: int = 500_000
    band_us: int = 0
    kinds: tuple[str, ...] = ()
    returned: int = 0
    why: str = "cleared"

    def takes(self, threat: Threat) -> bool:
        """Return whether it can take threats of this kind."""
        return not self.kinds or threat.kind in self.kinds


REACTIONS: Mapping[str, Reaction] = {
    "dodge": Reaction("dodge", "all", stamina=30, lockout_us=1_500_000, why="dodged"),
    "parry": Reaction("parry", "first", 12, kinds=("blade", "blow", "bite"), why="parried"),
    "ward": Reaction("ward", "id", stamina=15, kinds=("magic", "fire"), why="warded"),
    "deflect": Reaction("deflect", "band", stamina=10, band_us=600_000, why="deflected"),
    "counter": Reaction("counter", "first", 25, lockout_us=1_000_000, returned=50, why="countered"),
}
"""The common reactions; content may have others."""


Overflow = Literal["land", "refuse"]
"""Rule of a full queue. "land": the oldest threat lands at once; "refuse": the new one does not come."""


@dataclass(frozen=True)
class Queue:
    """Threat queue settings for one kind of creature; the fields are those of `ThreatPolicy`."""

    window: Scale
    places: Scale | None
    overflow: Overflow = "land"


@dataclass(frozen=True)
class ThreatPolicy:
    """The numbers of fights. Attributes are integers around 0, damage and health whole points.

    window: how long a threat waits, µs: 3 s, 0.5 % more a point of the target's instinct, 1.5 s … 6 s.
    places: how many threats a queue holds: 3, one more for every 33 points of focus, 1 … 6. None: 64.
    might: percent of its damage with which a blow is inserted; spared: thousandths that are taken off when
    it lands: 5 a point of vigour, 750 at most.
    queues: by kind, what its creatures have instead of window, places and overflow.
    react_us: so long a threat must have been there before a program can meet it (or half its window, where
    that is less); 0: no time at all.
    """

    window: Scale = Scale(3_000_000, "instinct", 15_000, least=1_500_000, most=6_000_000)
    places: Scale | None = Scale(3, "focus", 1, points=33, least=1, most=6)
    might: Scale = Scale(100, "might", 1, least=0, most=1_000)
    spared: Scale = Scale(0, "vigour", 5, least=0, most=750)
    overflow: Overflow = "land"
    reactions: Mapping[str, Reaction] = field(default_factory=lambda: dict(REACTIONS))
    queues: Mapping[str, Queue] = field(default_factory=dict)
    react_us: int = 0

    def window_us(self, target: Creature, asked_us: int | None = None) -> int:
        """Return the window of a threat, µs. asked_us: instead of what goes with the target's attributes.

        It is never shorter than LEADS_MIN leads of the target's client.
        """
        window_us = self._queue(target).window.of(target.attributes) if asked_us is None else max(1, asked_us)
        return max(window_us, LEADS_MIN * target.lead_us)

    def capacity(self, target: Creature) -> int:
        """Return how many threats the target's queue holds, 1 … THREATS_MAX."""
        scale = self._queue(target).places
        places = THREATS_MAX if scale is None else scale.of(target.attributes)
        return min(THREATS_MAX, max(1, places))

    def refuses(self, target: Creature) -> bool:
        """Return whether the target's queue, when it is full, refuses what comes."""
        return self._queue(target).overflow == "refuse"

    def _queue(self, target: Creature) -> Queue | ThreatPolicy:
        return self.queues.get(target.kind, self)

    def ripe_us(self, body: Creature, threat: Threat) -> int:
        """Return the game time from which a body can meet a threat; people can at once."""
        if body.driver != "program":
            return threat.inserted_us
        return threat.inserted_us + min(self.react_us, threat.window_us // 2)

    def ready_us(self, body: Creature, reaction: str, threat: int | None) -> int:
        """Return the game time from which a reaction takes anything of what is coming; 0: nothing is."""
        row = self.reactions.get(reaction)
        if row is None:
            return 0
        meant = [t for t in body.threats if row.takes(t)]
        if row.clears == "id" and threat is not None:
            meant = [t for t in meant if t.id == threat]
        return min((self.ripe_us(body, t) for t in meant), default=0)

    def struck(self, attacker: Creature, base: int) -> int:
        """Return the damage of a blow when it is inserted, with the attacker's numbers."""
        return max(0, base) * self.might.of(attacker.attributes) // 100

    def suffered(self, target: Creature, damage: int) -> int:
        """Return what is left of it when it lands, with the target's numbers."""
        return damage * (1000 - min(1000, self.spared.of(target.attributes))) // 1000


def pick(
    target: Creature,
    reaction: Reaction,
    now_us: int,
    threat: int | None,
    band_us: int,
    policy: ThreatPolicy | None = None,
) -> list[Threat]:
    """Return which threats a reaction takes at `now_us`, in order of landing.

    threat: the id of the one it is meant for, of those that take one alone; None: the first that it can take.
    policy: says from when on the target can meet a threat; None: at once.
    """
    fit = [t for t in by_landing(target.threats) if reaction.takes(t)]
    if policy is not None:
        fit = [t for t in fit if policy.ripe_us(target, t) <= now_us]
    if reaction.clears == "id":
        return [t for t in fit if threat is None or t.id == threat][:1]
    if reaction.clears == "first":
        return fit[:1]
    if reaction.clears == "band":
        return [t for t in fit if t.lands_us <= now_us + band_us]
    return fit


def shown(world: World, threat: Threat) -> dict[str, Any]:
    """Return a threat as its target is told of it (JSON values); damage: before the target's own numbers."""
    source = world.creatures.get(threat.source)
    return {
        "id": threat.id,
        "from": threat.source,
        "name": source.name if source is not None else "somebody",
        "kind": threat.kind,
        "damage": threat.damage,
        "at": threat.inserted_us,
        "us": threat.window_us,
    }
