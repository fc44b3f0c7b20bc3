"""Companions: creatures owned by a player until death or release.

What a creature was before is kept with it, and comes back when it has no owner.
"""

from __future__ import annotations

from turnwright_world.kit.ruleset import kind_of
from turnwright_world.kit.safe_return import PUPIL
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.joining import ACCOUNT
from turnwright_world.rules.naming import begun, the
from turnwright_world.rules.verbs import Act

COMPANIONS_MAX = 3
"""Creatures that one player may have at a time."""
TAMEABLE = "tameable"
"""The tag of kinds that can be tamed."""
_OWN, _WILD = "companions", "wild"
_WILD_TAGS = frozenset(("wild", "prey", "vermin"))
"""The tags for which others hunt a creature. They do not hunt it while it has an owner."""


def companions_of(act: Act, body: Creature) -> list[Creature]:
    """Return a player's own creatures.

    In the order in which they became so.
    """
    found = [act.world.creatures.get(number) for number in body.data.get(_OWN, ())]
    return [one for one in found if one is not None and one.owner == body.owner != ""]


def why_not_tame(act: Act, creature: Creature) -> str | None:
    """Return why a creature cannot become the actor's own, or None."""
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
    """Let a creature be the actor's own.

    Args:
        mind: by which it acts until its owner gives it another.
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
    """Release a companion: it thinks, and is seen, as its kind is."""
    row = kind_of(act, creature)
    act.touch(creature)
    creature.data["memory"] = creature.data.pop(_WILD, {})
    creature.data.pop("mind", None)
    creature.owner, creature.mind = "", row.mind
    creature.driver = "mind" if row.mind else "none"
    creature.memory = dict(creature.data["memory"])
    creature.tags = list(row.tags)
