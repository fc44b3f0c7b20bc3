"""Verbs for companions: tame, release, companions."""

from __future__ import annotations

from turnwright_world.kit.combat import find_target
from turnwright_world.kit.companions import companions_of, release, tame, why_not_tame
from turnwright_world.kit.items import use_up
from turnwright_world.kit.ruleset import blind, item_row
from turnwright_world.rules.entities import Creature, Item
from turnwright_world.rules.naming import the
from turnwright_world.rules.verbs import Act, Verb

_MIND = "companion"


def _food(act: Act) -> Item | None:
    """Return the first edible item of the actor, or None."""
    own = [act.world.items[number] for number in act.actor.items]
    return next((item for item in own if item_row(act, item.kind).health), None)


def _companion(act: Act) -> Creature | None:
    """Return the companion in this place that the actor means, or None."""
    other = find_target(act, act.text)
    return other if other is not None and other in companions_of(act, act.actor) else None


class Tame(Verb):
    name, duration_turns = "tame", 12
    group = "minds"
    help = (
        "tame NAME: win a creature over with something to eat, so that it comes with you; it takes three"
        " seconds, and it may bite meanwhile. With mind paste NAME it gets a mind of yours"
    )

    def check(self, act: Act) -> str | None:
        other = find_target(act, act.text)
        if other is None:
            return blind(act) or (f"You see no {act.text} here." if act.text else "Tame whom?")
        if _food(act) is None:
            return "You have nothing to eat that you could offer."
        return blind(act) or why_not_tame(act, other)

    def begin(self, act: Act) -> None:
        other = find_target(act, act.text)
        assert other is not None
        act.say(f"You hold something out to {the(other.name)}, and wait.")
        act.stimulus("sight", 1.0, f"{{name}} holds something out to {the(other.name)}.")

    def finish(self, act: Act) -> None:
        other, food = find_target(act, act.text), _food(act)
        assert other is not None
        assert food is not None
        use_up(act, food, act.actor)
        tame(act, other, _MIND)
        act.say(f"{the(other.name)} eats out of your hand. It is your companion now.")
        act.stimulus("sight", 1.0, f"{the(other.name)} eats out of {{name}}'s hand.")


class Release(Verb):
    name = "release"
    group = "minds"
    help = "release NAME: let a companion go; it is wild again"

    def check(self, act: Act) -> str | None:
        own = ", ".join(one.name for one in companions_of(act, act.actor)) or "nobody"
        return None if _companion(act) else f"Release whom? Name a companion who is here. You have: {own}."

    def finish(self, act: Act) -> None:
        other = _companion(act)
        assert other is not None
        release(act, other)
        act.say(f"You let {the(other.name)} go.")


class Companions(Verb):
    name = "companions"
    group = "minds"
    help = "companions: the creatures that are yours, and where they are"

    def finish(self, act: Act) -> None:
        own = companions_of(act, act.actor)
        lines = []
        for one in own:
            place = act.world.places.get(one.place)
            lines.append(f"{one.name} (#{one.id}): {place.name if place is not None else 'nowhere'}")
        act.say("\n".join(lines) if lines else "You have no companion; see help tame.")
