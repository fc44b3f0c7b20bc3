"""The reaction queue: attacks with timers that a target can react to.

    inserted_us                    lands_us = inserted_us + window_us        (game time, µs)
        |-------- the target may react --------|

A threat is inserted once and sent to clients once. Its damage depends on the attacker's attributes at that
moment. If no reaction clears it, the server lets it land at its exact game time. The damage then depends on
the defender's attributes at that moment. This module defines the numbers, and `fight` applies them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from turnwright_world.rules.entities import Creature, Threat
from turnwright_world.rules.state import World

Clears = Literal["id", "first", "all", "band"]
"""The threats that a reaction clears.

* id: the threat that the reaction names. If it names none, the threat that lands first.
* first: the threat that lands first.
* all: all threats.
* band: the threats that land within a band of time after the reaction.
"""

LEADS_MIN = 6
"""The shortest window of a threat, as a multiple of the lead of its target's client.

A ring ends earlier than the threat lands, by the lead. It also starts late, by the transport delay, which is
shorter than the lead. So at least four of the six leads are left to react. With the greatest lead, 250 ms,
the shortest window is 1.5 s of real time at any speed of the game, because a body's lead is converted to game
time.
"""

THREATS_MAX = 64
"""The longest queue that a policy can allow."""


def by_landing(threats: list[Threat]) -> list[Threat]:
    """Return threats in the order in which they land. Equal times are in order of insertion."""
    return sorted(threats, key=lambda threat: (threat.lands_us, threat.id))


@dataclass(frozen=True)
class Scale:
    """A number that depends on an attribute.

    The number is `base`, plus `step` for every `points` points of the attribute. An incomplete group of
    points is rounded down, also below 0. The result is limited to `least` … `most`.
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
        stamina: the cost of the reaction, even if it clears no threat. While the queue is empty, it is free.
        lockout_us: the time after it in which no other reaction is possible.
        band_us: for `clears` "band", how soon a threat must land to be cleared.
        kinds: the kinds of attacks that it clears. Empty means all.
        returned: percent of the damage that returns to the attacker as a new threat.
        why: the outcome of a cleared threat, e.g. "parried". Combat.Threat.Gone has it.
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
        """Return whether the reaction works against threats of this kind."""
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
"""What a full queue does with a new threat.

* land: the oldest threat in the queue lands immediately.
* refuse: the queue refuses the new threat.
"""


@dataclass(frozen=True)
class Queue:
    """Threat queue settings for one kind of creature.

    `ThreatPolicy` explains the fields.
    """

    window: Scale
    places: Scale | None
    overflow: Overflow = "land"


@dataclass(frozen=True)
class ThreatPolicy:
    """The numbers that decide fights.

    All numbers are integers. Attributes are values around 0. Damage and health are points.

    Attributes:
        window: the time until a threat lands, in µs. The default is 3 s plus 0.5 % for each point of the
            target's instinct, at least 1.5 s and at most 6 s.
        places: the capacity of a queue. The default is 3 threats plus one for every 33 points of focus, at
            least 1 and at most 6. None means 64.
        might: the percentage of an attack's base damage that the attacker causes. The default is 100 plus 1
            for each point of might, at most 1,000.
        spared: the part of the damage that the target is spared when the attack lands, in thousandths. The
            default is 5 for each point of vigour, at most 750.
        queues: values that replace window, places and overflow, by kind of creature.
        react_us: how old a threat must be before a program can react to it, in µs. See `ripe_us`.
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
        """Return the window of a threat, in µs.

        The window is never shorter than LEADS_MIN leads of the target's client.

        Args:
            asked_us: a window that replaces the window from the target's attributes, in µs.
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

        A player or a mind can react immediately. A program must wait for `react_us` or for half of the
        window, whichever is shorter.
        """
        if body.driver != "program":
            return threat.inserted_us
        return threat.inserted_us + min(self.react_us, threat.window_us // 2)

    def ready_us(self, body: Creature, reaction: str, threat: int | None) -> int:
        """Return the game time from which a body can react to one of its threats, in µs (see `ripe_us`).

        Return 0 if the reaction does not exist, or if it clears none of the threats. The band is ignored.

        Args:
            threat: the id of the threat, for reactions that clear one by its id. None means any.
        """
        row = self.reactions.get(reaction)
        if row is None:
            return 0
        meant = [t for t in body.threats if row.takes(t)]
        if row.clears == "id" and threat is not None:
            meant = [t for t in meant if t.id == threat]
        return min((self.ripe_us(body, t) for t in meant), default=0)

    def struck(self, attacker: Creature, base: int) -> int:
        """Return the damage of an attack when it is inserted, with the attacker's attributes."""
        return max(0, base) * self.might.of(attacker.attributes) // 100

    def suffered(self, target: Creature, damage: int) -> int:
        """Return the damage of an attack when it lands, with the target's attributes."""
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
        threat: the id of the threat to clear, for reactions whose `clears` is "id". None means the first
            threat that the reaction can clear.
        band_us: for reactions whose `clears` is "band", the time from now within which threats land.
        policy: gives the earliest time at which the target can react to a threat. None means at once.
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
        code: the reason. For "dead", "recovering", "tired" and "none" the reaction is refused. "kind" means
            that the reaction does not stop attacks of this kind. "far" means that the reaction can stop the
            attack, but only later.
        until_us: the game time at which this reason ends by itself. 0 means that it does not end by itself.
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
"""A threat as messages show it to its target. The damage does not include the target's defence.

`at` is the game time at which it was inserted, and `us` its window, both in µs.
"""


def shown(world: World, threat: Threat) -> ShownThreat:
    """Return a threat as messages show it to its target."""
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
