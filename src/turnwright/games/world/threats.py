"""The reaction queue: a blow waits in its target's queue, with a timer that clients count down themselves.

    inserted_us                    lands_us = inserted_us + window_us        (game time, µs)
        |-------- the target may react --------|

A threat is inserted once, with the attacker's numbers of that moment, and told once. It lands by the server
alone, at its exact game time, with the defender's numbers of that moment; or a reaction has cleared it. Both
sides compute what remains by the one formula `remaining_us`. Source: document 003.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from turnwright.games.world.entities import Creature, Threat
from turnwright.games.world.state import World

__all__ = ["REACTIONS", "Clears", "Reaction", "ThreatPolicy", "pick", "remaining_us", "shown"]

Clears = Literal["id", "first", "all", "band"]
"""What a reaction takes: the threat it names, the one that lands first, all, or what lands within a band of
time after it."""


def remaining_us(threat: Threat, now_us: int) -> int:
    """Return how long a threat still has, µs; the same formula everywhere."""
    return max(0, threat.inserted_us + threat.window_us - now_us)


@dataclass(frozen=True)
class Reaction:
    """A way to meet threats. stamina: what it costs, also when it takes nothing.

    lockout_us: how long no other reaction is possible afterwards; band_us: how far "band" reaches.
    kinds: which kinds of blows it can take; empty: all. returned: percent of the damage that goes back, as a
    new threat, to whoever struck.
    """

    name: str
    clears: Clears
    stamina: int = 0
    lockout_us: int = 500_000
    band_us: int = 0
    kinds: tuple[str, ...] = ()
    returned: int = 0
    why: str = "cleared"
    """How the threat is said to have gone."""


REACTIONS: Mapping[str, Reaction] = {
    "dodge": Reaction("dodge", "all", stamina=30, lockout_us=1_500_000, why="dodged"),
    "parry": Reaction("parry", "first", 12, kinds=("blade", "blow", "bite"), why="parried"),
    "ward": Reaction("ward", "id", stamina=15, kinds=("magic", "fire"), why="warded"),
    "deflect": Reaction("deflect", "band", stamina=10, band_us=600_000, why="deflected"),
    "counter": Reaction("counter", "first", 25, lockout_us=1_000_000, returned=50, why="countered"),
}
"""The common ones; content may have others."""


def _window(attributes: Mapping[str, int]) -> int:
    """Return 3 s, longer with instinct: 0.5 % a point, within 1.5 s and 6 s."""
    return min(6_000_000, max(1_500_000, 3_000_000 * (200 + attributes.get("instinct", 0)) // 200))


def _capacity(attributes: Mapping[str, int]) -> int:
    """Return 3 places, one more for every 33 points of focus, at least 1."""
    return max(1, 3 + attributes.get("focus", 0) // 33)


@dataclass(frozen=True)
class ThreatPolicy:
    """What the numbers are. Attributes are integers around 0, damage and health whole points.

    window_us(target's attributes); capacity(target's attributes): None = no limit;
    overflow: when the queue is full, "land": the oldest lands at once; "refuse": the new one does not come.
    """

    window_us: Callable[[Mapping[str, int]], int] = _window
    capacity: Callable[[Mapping[str, int]], int | None] = _capacity
    overflow: Literal["land", "refuse"] = "land"
    reactions: Mapping[str, Reaction] = field(default_factory=lambda: dict(REACTIONS))

    def struck(self, attacker: Creature, base: int) -> int:
        """Return the damage of a blow when it is inserted: 1 % more for each point of might."""
        return max(0, base * (100 + attacker.attributes.get("might", 0)) // 100)

    def suffered(self, target: Creature, damage: int) -> int:
        """Return what is left of it when it lands: 0.5 % less for each point of vigour, 75 % less at most."""
        spared = min(150, max(0, target.attributes.get("vigour", 0)))
        return damage * (200 - spared) // 200


def pick(target: Creature, reaction: Reaction, now_us: int, threat: int | None, band_us: int) -> list[Threat]:
    """Return which threats a reaction takes at `now_us`, in order of landing; ties in order of id."""
    queue = sorted(target.threats, key=lambda t: (t.lands_us, t.id))
    fit = [t for t in queue if not reaction.kinds or t.kind in reaction.kinds]
    if reaction.clears == "id":
        return [t for t in fit if threat is None or t.id == threat][:1]
    if reaction.clears == "first":
        return fit[:1]
    if reaction.clears == "band":
        return [t for t in fit if t.lands_us <= now_us + band_us]
    return fit


def shown(world: World, threat: Threat) -> dict[str, Any]:
    """Return a threat as its target is told of it (JSON values)."""
    source = world.creatures.get(threat.source)
    return {
        "id": threat.id,
        "from": threat.source,
        "name": source.name if source is not None else "somebody",
        "kind": threat.kind,
        "at": threat.inserted_us,
        "us": threat.window_us,
    }
