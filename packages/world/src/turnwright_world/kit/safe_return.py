"""The place where dead characters come back, and the time in which they are safe from attacks."""

from __future__ import annotations

from collections.abc import Iterable

from turnwright_world.kit.ruleset import land_of
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.naming import begun, the
from turnwright_world.rules.verbs import Act

PEACE_US = 30_000_000
"""How long a character is safe from attacks after a death, in µs of game time. Its own attack ends this."""
PUPIL = "pupil"
"""The key in a teaching creature's data of the id of its pupil (see `first_lesson`)."""
_UNTIL = "peace_until_us"


def waking_place(act: Act, killers: Iterable[Creature]) -> str:
    """Return the id of the place where a dead character comes back.

    This is the first place, from the land's home outwards, that is safe or has no creature of a killer's
    kind. Exits with doors are not used. Without such a place, it is home.
    """
    home, places = land_of(act).settings.home, act.world.places
    kinds = {killer.kind for killer in killers if not killer.is_character}
    waiting = [home]
    for name in waiting:
        if "safe" in places[name].tags or not _holds(act, name, kinds):
            return name
        doors = land_of(act).places[name].doors if name in land_of(act).places else {}
        ways = [target for way, target in places[name].exits.items() if way not in doors]
        waiting += [target for target in ways if target in places and target not in waiting]
    return home


def _holds(act: Act, place: str, kinds: set[str]) -> bool:
    return any(other.kind in kinds for other in act.world.creatures_in(place))


def grant_peace(act: Act) -> None:
    """Keep the actor safe from attacks for PEACE_US, or until it strikes."""
    act.touch(act.actor)
    act.actor.data[_UNTIL] = act.world.reached_us + PEACE_US


def break_peace(act: Act) -> None:
    """End the actor's safety from attacks, because the actor strikes."""
    if _UNTIL in act.actor.data:
        act.touch(act.actor)
        del act.actor.data[_UNTIL]


def why_not_yet(act: Act, target: Creature) -> str | None:
    """Return why a creature cannot be struck at the moment, or None."""
    if int(target.data.get(_UNTIL, 0)) > act.world.reached_us:
        return f"{begun(the(target.name))} has just come back to life; nobody can attack them yet."
    pupil = target.data.get(PUPIL, act.actor.id)
    return None if pupil == act.actor.id else f"{begun(the(target.name))} is here for somebody else."
