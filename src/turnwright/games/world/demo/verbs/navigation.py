"""Verbs of navigation: map and way, over the places a player has seen."""

from __future__ import annotations

from turnwright.games.world.kit.ruleset import land_of
from turnwright.games.world.rules.entities import Place
from turnwright.games.world.rules.verbs import Act, Verb


def _known(act: Act) -> dict[str, Place]:
    """Return the places that the actor has seen, in the order of the content."""
    seen = {*act.actor.data.get("seen", []), act.actor.place}
    return {name: place for name, place in act.world.places.items() if name in seen}


class Map(Verb):
    name = "map"
    group = "moving"
    help = "map: the places of this part of the land that you have seen, and where their ways lead"

    def finish(self, act: Act) -> None:
        known, area = _known(act), act.place.area
        there = [place for place in act.world.places.values() if place.area == area]
        mine = [place for place in there if place.id in known]
        lines = [
            f"The {area}: you have seen {len(mine)} of {len(there)} places, and are here: {act.place.name}."
        ]
        for place in mine:
            ways = (
                f"{way} {known[target].name if target in known else '(not seen yet)'}"
                for way, target in place.exits.items()
            )
            lines.append(f"{place.name}: {', '.join(ways)}.")
        act.say("\n".join(lines))


class Way(Verb):
    name, aliases = "way", ("path", "route", "where", "find")
    group = "moving"
    help = "way NAME: how to get to a place that you have seen, or to somebody who lives there"

    def check(self, act: Act) -> str | None:
        if not act.text.strip():
            return "The way to where? Name a place that you have seen (map lists them), or who lives there."
        return None if self._target(act) else f"You don't know where {act.text.strip()} is yet."

    def _target(self, act: Act) -> str:
        """Return the id of the place that is meant, "" where there is none."""
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
        name = act.world.places[target].name
        if not ways:
            act.say(f"You are there: {name}." if target == act.actor.place else f"You know no way to {name}.")
            return
        act.say(f"To {name}: {', '.join(ways)}.")


def _ways(act: Act, target: str) -> list[str]:
    """Return the shortest ways to a place through what the actor has seen."""
    known, paths, waiting = _known(act), {act.actor.place: list[str]()}, [act.actor.place]
    for here in waiting:
        for way, there in act.world.places[here].exits.items():
            if there in known and there not in paths:
                paths[there] = [*paths[here], way]
                waiting.append(there)
    return paths.get(target, [])
