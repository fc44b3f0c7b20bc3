"""Strikes: who may strike, with which blow, and what bystanders see."""

from __future__ import annotations

from turnwright_world.kit.healing import mend_soon
from turnwright_world.kit.items import weapon_of
from turnwright_world.kit.ruleset import kind_of, land_of, lit
from turnwright_world.kit.safe_return import PUPIL, break_peace, why_not_yet
from turnwright_world.kit.schema import BlowRow
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.fight import insert_threat
from turnwright_world.rules.naming import a, the
from turnwright_world.rules.threats import by_landing
from turnwright_world.rules.verbs import Act

_WINDOW_MS = 3_000  # default window of a blow; attributes lengthen all windows


def why_not_strike(act: Act, target: Creature | None) -> str | None:
    """Return why the actor cannot strike a creature, or None."""
    if target is None:
        return _nobody(act)
    if target.id == act.actor.id:
        return "You would rather not."
    if "safe" in act.place.tags and "outlaw" not in (*target.tags, *act.actor.tags):
        return "Nobody can fight here; it is a safe place."
    if target.kind == act.actor.kind == land_of(act).settings.player:
        return "You cannot attack another player."
    return why_not_yet(act, target)


def _nobody(act: Act) -> str:
    """Return the message that no creature here has the name. It lists the creatures that are here."""
    names = list(dict.fromkeys(a(other.name) for other in act.here() if not other.is_character))
    return (
        f"You see nobody of that name here. Here: {', '.join(names)}."
        if names
        else "Nobody is here to fight."
    )


def find_target(act: Act, name: str) -> Creature | None:
    """Return the creature here that a name means, or None. "#7" means the creature with the number 7."""
    number = name.strip().removeprefix("#")
    if name.strip().startswith("#") and number.isascii() and number.isdecimal() and len(number) < 12:
        return next((other for other in act.here() if other.id == int(number)), None)
    return act.find_creature(name)


def attackers(act: Act) -> list[Creature]:
    """Return the actor's attackers in this place.

    The attackers whose blows land first come first. Attackers that prepare a blow come last.
    """
    me, here = act.actor, {other.id: other for other in act.here()}
    found = [here[threat.source] for threat in by_landing(me.threats) if threat.source in here]
    aiming = (other for other in here.values() if other.action is not None)
    found += [other for other in aiming if other.action is not None and other.action.data.get("foe") == me.id]
    return list({other.id: other for other in found}.values())


def next_blow(act: Act, count: int) -> BlowRow:
    """Return the actor's `count`-th blow, from 0.

    A body whose kind has blows uses these blows one after the other. Any other body uses the item in its
    hand.
    """
    blows = kind_of(act, act.actor).blows
    return blows[count % len(blows)] if blows else weapon_of(act, act.actor)


def turns_of(act: Act, blow: BlowRow) -> int:
    """Return how many turns a blow takes until it strikes."""
    return max(1, blow.rhythm_ms * 1000 // act.world.dt_us)


def show_fight(act: Act, deed: str, target: Creature) -> None:
    """Let bystanders see what the actor does to a creature, e.g. "threatens".

    If the actor gives a lesson, do nothing. Otherwise many newcomers in one place would get too much text.
    """
    if PUPIL not in act.actor.data:
        act.stimulus("sight", 1.0, f"{{name}} {deed} {the(target.name)}.", apart=[target], foe=target.id)


def strike(act: Act, target: Creature, blow: BlowRow) -> None:
    """Put a blow into the target's queue, with 80 to 120 % of the blow's damage.

    The target reads that the blow is coming, and bystanders see it. The actor is no longer safe from attacks.
    """
    me = act.actor
    break_peace(act)
    mend_soon(act, me)
    mend_soon(act, target)
    if blow.text:
        act.tell(target, blow.text.replace("{name}", the(me.name)), coming=me.id)
    damage = blow.damage * (80 + act.random.below(41)) // 100
    window_us = act.rules.threats.window_us(target) * blow.window_ms // _WINDOW_MS
    insert_threat(act.world, act.rules, me, target, blow.kind, damage, window_us)
    show_fight(act, "strikes at", target)
    if not lit(act.world, land_of(act), me.place):
        act.stimulus("sound", 0.5, "Somebody is fighting here.", apart=[target])
