"""Verb of navigation: way. It uses only places that the player has seen."""

from __future__ import annotations

from turnwright_world.kit.ruleset import land_of
from turnwright_world.rules.entities import Place
from turnwright_world.rules.seen_map import seen_places
from turnwright_world.rules.verbs import Act, Verb


def _known(act: Act) -> dict[str, Place]:
    """Return the places that the actor has seen, in the order of the content."""
    seen = set(seen_places(act.world, act.actor))
    return {name: place for name, place in act.world.places.items() if name in seen}


class Way(Verb):
    name, aliases = "way", ("path", "route", "where", "find")
    group = "moving"
    help = "way NAME: how to get to a place that you have seen, or to somebody who lives there"

    def check(self, act: Act) -> str | None:
        if not act.text.strip():
            return "The way to where? Name a place that you have seen (map lists them), or who lives there."
        unknown = f"You know no way to {act.text.strip()} yet; map shows the places that you have seen."
        return None if self._target(act) else unknown

    def _target(self, act: Act) -> str:
        """Return the id of the place that the actor means, or ""."""
        wanted, known, land = act.text.strip().lower().removeprefix("to "), _known(act), land_of(act)
        for name, place in known.items():
            if f" {wanted}" in f" {place.name.lower()}":
                return name
        for spawn in land.spawns:
            row = land.kinds.get(spawn.kind)
            stays = row is not None and row.greets and not spawn.memory
            if row is not None and stays and spawn.place in known and f" {wanted}" in f" {row.name.lower()}":
                return spawn.place
        return ""

    def finish(self, act: Act) -> None:
        target = self._target(act)
        ways = _ways(act, target)
        name = _inside(act.world.places[target].name)
        if not ways:
            act.say(f"You are there: {name}." if target == act.actor.place else f"You know no way to {name}.")
            return
        act.say(f"To {name}: {', '.join(ways)}.")


def _inside(name: str) -> str:
    """Return the name of a place for the middle of a sentence: "the square"."""
    return f"the {name[4:]}" if name.startswith("The ") else name


def _ways(act: Act, target: str) -> list[str]:
    """Return the directions of the shortest path to a place, through places that the actor has seen.

    The list is empty if the actor is there or knows no path.
    """
    known, paths, waiting = _known(act), {act.actor.place: list[str]()}, [act.actor.place]
    for here in waiting:
        for way, there in act.world.places[here].exits.items():
            if there in known and there not in paths:
                paths[there] = [*paths[here], way]
                waiting.append(there)
    return paths.get(target, [])
