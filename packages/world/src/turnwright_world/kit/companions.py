"""Companions: creatures owned by a player until death or release.

The creature's data store its earlier state, which is restored when the creature has no owner any more.
"""

from __future__ import annotations

from turnwright_world.kit.ruleset import kind_of
from turnwright_world.kit.safe_return import PUPIL
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.joining import ACCOUNT
from turnwright_world.rules.naming import begun, the
from turnwright_world.rules.verbs import Act

COMPANIONS_MAX = 3
"""The most companions of one player at the same time."""
TAMEABLE = "tameable"
"""The tag of kinds that can be tamed."""
_OWN, _WILD = "companions", "wild"
_WILD_TAGS = frozenset(("wild", "prey", "vermin"))
"""The tags by which other creatures find prey. A creature does not have them while it has an owner."""


def companions_of(act: Act, body: Creature) -> list[Creature]:
    """Return a player's companions, in the order in which the player tamed them."""
    found = [act.world.creatures.get(number) for number in body.data.get(_OWN, ())]
    return [one for one in found if one is not None and one.owner == body.owner != ""]


def why_not_tame(act: Act, creature: Creature) -> str | None:
    """Return why the actor cannot tame a creature, or None."""
    if creature.owner == act.actor.owner != "" and not creature.is_character:
        return f"{begun(the(creature.name))} is yours already."
    if PUPIL in creature.data:
        return f"{begun(the(creature.name))} is here for a lesson; it cannot be tamed."
    if creature.owner or creature.is_character or TAMEABLE not in creature.tags:
        return f"{begun(the(creature.name))} cannot be tamed."
    if not act.actor.owner.startswith(ACCOUNT):
        return "A guest has no companions: type keep first."
    if len(companions_of(act, act.actor)) >= COMPANIONS_MAX:
        return f"You have {COMPANIONS_MAX} companions; release one of them first."
    return None


def tame(act: Act, creature: Creature, mind: str) -> None:
    """Make a creature the actor's companion.

    Args:
        mind: the mind of the companion until its owner gives it another mind.
    """
    own = [one.id for one in companions_of(act, act.actor)]
    act.touch(act.actor)
    act.actor.data[_OWN] = [*own, creature.id]
    act.touch(creature)
    creature.data[_WILD] = creature.data.get("memory", {})
    creature.data["memory"] = {"master": act.actor.id}
    creature.data["mind"] = mind
    creature.owner, creature.driver, creature.mind = act.actor.owner, "mind", mind
    creature.memory = dict(creature.data["memory"])
    creature.action = None
    creature.tags = [tag for tag in creature.tags if tag not in _WILD_TAGS]


def release(act: Act, creature: Creature) -> None:
    """Release a companion. It gets the mind and tags of its kind again, and its own first memory."""
    row = kind_of(act, creature)
    act.touch(creature)
    creature.data["memory"] = creature.data.pop(_WILD, {})
    creature.data.pop("mind", None)
    creature.owner, creature.mind = "", row.mind
    creature.driver = "mind" if row.mind else "none"
    creature.memory = dict(creature.data["memory"])
    creature.tags = list(row.tags)
