"""The reaction queue: attacks with timers that a target can react to.

    inserted_us                    lands_us = inserted_us + window_us        (game time, µs)
        |-------- the target may react --------|

A threat is inserted once, with the attacker's numbers at that moment, and sent to clients once. The server
alone lets it land, at its exact game time, with the defender's numbers at that moment, unless a reaction has
cleared it. Server and clients compute the remaining time with the same formula, `remaining_us`. This module
has the numbers as data, and `fight` applies them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from turnwright_world.rules.entities import Creature, Threat
from turnwright_world.rules.state import World

Clears = Literal["id", "first", "all", "band"]
"""The threats that a reaction takes: the one it names (or else the first), the one that lands first, all, or
those that land within a band of time after it."""

LEADS_MIN = 6
"""The shortest window of a threat, in leads of its target's client.

A ring runs ahead by the lead and starts late by the transport delay, which is shorter than the lead. So at
least four of the six leads are left to react. With the greatest lead, 250 ms, the shortest window is 1.5 s of
real time at any speed of the game, because a body's lead is converted to game time.
"""

THREATS_MAX = 64
"""The longest queue that a policy can allow."""


def remaining_us(threat: Threat, now_us: int) -> int:
    """Return the time until a threat lands, µs; clients use the same formula."""
    return max(0, threat.inserted_us + threat.window_us - now_us)


def by_landing(threats: list[Threat]) -> list[Threat]:
    """Return threats in the order in which they land. Equal times are in order of insertion."""
    return sorted(threats, key=lambda threat: (threat.lands_us, threat.id))


@dataclass(frozen=True)
class Scale:
    """A number that depends on an attribute.

    At = base + step for every `points` whole points of it.

    Points below 0 are rounded down. The number is limited to least … most.
    """

    base: int
    attribute: str = ""
    step: int = 0
    points: int = 1
    least: int = 0
    most: int = 2**53 - 1

    def of(self, attributes: Mapping[str, int]) -> int:
        """Return the number for these attributes. A missing attribute is 0."""
        value = self.base + attributes.get(self.attribute, 0) // self.points * self.step
        return min(self.most, max(self.least, value))


@dataclass(frozen=True)
class Reaction:
    """A reaction to threats.

    Attributes:
        stamina: its cost, even if it clears no threat. With an empty queue it is free.
        lockout_us: the time after it in which no other reaction is possible.
        band_us: length of "band".
        kinds: the kinds of attacks that it clears. Empty means all.
        returned: percent of the damage that returns to the attacker as a new threat.
        why: the reason in Combat.Threat.Gone.
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
"""The common reactions. Content may define others."""


Overflow = Literal["land", "refuse"]
"""Rule of a full queue. "land": the oldest threat lands at once; "refuse": the new one is refused."""


@dataclass(frozen=True)
class Queue:
    """Threat queue settings for one kind of creature.

    The fields are those of `ThreatPolicy`.
    """

    window: Scale
    places: Scale | None
    overflow: Overflow = "land"


@dataclass(frozen=True)
class ThreatPolicy:
    """The numbers that decide fights.

    All numbers are integers. Attributes are around 0, damage and health are whole points.

    Attributes:
        window: the duration of a threat, µs. It is 3 s, 0.5 % more a point of the target's instinct, within
            1.5 s … 6 s.
        places: the capacity of a queue: 3, one more for every 33 points of focus, 1 … 6. None is 64.
        might: the percent of its damage with which an attack is inserted.
        spared: thousandths that are taken off when it lands, 5 a point of vigour, 750 at most.
        queues: by kind of creature, replacements of window, places and overflow.
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
        """Return the window of a threat, µs.

        The window is never shorter than LEADS_MIN leads of the target's client.

        Args:
            asked_us: replaces the window of the target's attributes.
        """
        window_us = self._queue(target).window.of(target.attributes) if asked_us is None else max(1, asked_us)
        return max(window_us, LEADS_MIN * target.lead_us)

    def capacity(self, target: Creature) -> int:
        """Return the capacity of the target's queue, 1 … THREATS_MAX."""
        scale = self._queue(target).places
        places = THREATS_MAX if scale is None else scale.of(target.attributes)
        return min(THREATS_MAX, max(1, places))

    def refuses(self, target: Creature) -> bool:
        """Return whether the target's queue, when it is full, refuses new threats."""
        return self._queue(target).overflow == "refuse"

    def _queue(self, target: Creature) -> Queue | ThreatPolicy:
        return self.queues.get(target.kind, self)

    def ripe_us(self, body: Creature, threat: Threat) -> int:
        """Return the game time from which a body can react to a threat.

        People can at once.
        """
        if body.driver != "program":
            return threat.inserted_us
        return threat.inserted_us + min(self.react_us, threat.window_us // 2)

    def ready_us(self, body: Creature, reaction: str, threat: int | None) -> int:
        """Return the game time from which a reaction clears a threat, or 0 if it clears none."""
        row = self.reactions.get(reaction)
        if row is None:
            return 0
        meant = [t for t in body.threats if row.takes(t)]
        if row.clears == "id" and threat is not None:
            meant = [t for t in meant if t.id == threat]
        return min((self.ripe_us(body, t) for t in meant), default=0)

    def struck(self, attacker: Creature, base: int) -> int:
        """Return the damage of an attack when it is inserted, with the attacker's numbers."""
        return max(0, base) * self.might.of(attacker.attributes) // 100

    def suffered(self, target: Creature, damage: int) -> int:
        """Return the damage of an attack when it lands, with the target's numbers."""
        return damage * (1000 - min(1000, self.spared.of(target.attributes))) // 1000


def pick(
    target: Creature,
    reaction: Reaction,
    now_us: int,
    threat: int | None,
    band_us: int,
    policy: ThreatPolicy | None = None,
) -> list[Threat]:
    """Return the threats that a reaction clears at `now_us`, in order of landing.

    Args:
        threat: the id of its target, for reactions that clear one threat. None is the first that it can
            clear.
        policy: the numbers with the time from which the target can react to a threat. None: it can react at
            once.
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


@dataclass(frozen=True)
class Block:
    """A reason why a reaction would clear nothing now.

    Attributes:
        code: with "dead", "recovering", "tired" and "none" the reaction is refused. With "kind" it does not
            stop such attacks, and with "far" it can do so later.
        until_us: the game time at which this reason ends by itself, 0 = it does not.
    """

    code: Literal["dead", "recovering", "tired", "none", "kind", "far"]
    text: str
    until_us: int = 0

    @property
    def refuses(self) -> bool:
        """Whether the reaction is refused and costs nothing."""
        return self.code not in ("kind", "far")


def blocks(policy: ThreatPolicy, body: Creature, reaction: Reaction, now_us: int) -> list[Block]:
    """Return the reasons why a reaction would clear nothing at `now_us`. Empty means that it would clear a
    threat.

    The first reason counts. When it has ended by itself, the next reason counts.
    """
    if body.died_us is not None:
        return [Block("dead", "you are dead")]
    found = []
    if now_us < body.locked_until_us:
        found.append(Block("recovering", "you have not recovered yet", body.locked_until_us))
    if body.stamina < reaction.stamina:
        has = f"it needs {reaction.stamina} stamina, you have {body.stamina}"
        found.append(Block("tired", f"you are too tired: {has}"))
    if not body.threats:
        return [*found, Block("none", f"there is nothing to {reaction.name}")]
    meant = [t for t in by_landing(body.threats) if reaction.takes(t)]
    if not meant:
        kinds = " or ".join(dict.fromkeys(t.kind for t in by_landing(body.threats)))
        return [*found, Block("kind", f"it does not stop this kind of attack ({kinds})")]
    reach_us = reaction.band_us if reaction.clears == "band" else None
    opens = (max(policy.ripe_us(body, t), 0 if reach_us is None else t.lands_us - reach_us) for t in meant)
    from_us = min(opens)
    return [*found, Block("far", "the attack is still too far off", from_us)] if now_us < from_us else found


ShownThreat = TypedDict(
    "ShownThreat",
    {"id": int, "from": int, "name": str, "kind": str, "damage": int, "at": int, "us": int},
)
"""A threat in its target's message. The damage does not include the target's defence."""


def shown(world: World, threat: Threat) -> ShownThreat:
    """Return a threat in its target's message."""
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
