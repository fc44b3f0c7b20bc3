"""The rules of one world: its verbs, kinds of creatures, timers and policies, compiled from its content.

A new one takes the place of the old one between two turns; the state stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwright.games.world.entities import Creature
from turnwright.games.world.state import World
from turnwright.games.world.threats import ThreatPolicy
from turnwright.games.world.verbs import Act, Verb

__all__ = ["WORDS_MAX", "CreatureKind", "Rules", "TimerHandler"]

WORDS_MAX = 1_000
"""Words that are kept with what they mean; any that is typed may be one."""

TimerHandler = Callable[[Act, dict[str, Any]], None]
"""Does what a timer stands for. The act's actor is the creature that the payload names as "who"."""


@dataclass(frozen=True)
class CreatureKind:
    """A row of the content: what creatures of a kind have in common.

    senses: by medium, its power (1 = normal); wants: media that its mind listens to ("*": all);
    events: types that new ones subscribe to; mind: the name of its controller, "" = none.
    """

    id: str
    name: str
    text: str = ""
    attributes: Mapping[str, int] = field(default_factory=dict)
    health: int = 100
    stamina: int = 100
    senses: Mapping[str, float] = field(default_factory=lambda: {"sight": 1.0, "sound": 1.0})
    wants: tuple[str, ...] = ("*",)
    events: tuple[str, ...] = ()
    mind: str = ""
    tags: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)


def _reaction(creature: Creature) -> int:
    return creature.attributes.get("reaction", 0)


@dataclass
class Rules:
    """See above. content_hash: of what it was made from; build: puts the content into an empty world.

    renew: brings a world that was built from other content up to date, when this one takes over.
    reaction: who has more acts first. on_join: when a body gets its driver; on_death: what becomes of one
    that has died, instead of `deaths.after_death`.
    """

    verbs: dict[str, Verb] = field(default_factory=dict)
    kinds: dict[str, CreatureKind] = field(default_factory=dict)
    timers: dict[str, TimerHandler] = field(default_factory=dict)
    build: Callable[[World, Rules], None] = lambda world, rules: None
    renew: Callable[[World, Rules], None] = lambda world, rules: None
    start: str = ""
    player_kind: str = "person"
    threats: ThreatPolicy = field(default_factory=ThreatPolicy)
    reaction: Callable[[Creature], int] = _reaction
    on_join: Callable[[Act], None] | None = None
    on_death: Callable[[Act], None] | None = None
    content_hash: str = ""
    _words: dict[str, Verb | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What words have meant that are no names: `verbs` stay as they are once one was asked for."""

    def names(self, word: str) -> bool:
        """Return whether a word is the name or an alias of a verb, and not the start of one alone."""
        verb = None if word in self.verbs else self.verb(word)
        return word in self.verbs or (verb is not None and word in verb.aliases)

    def verb(self, word: str) -> Verb | None:
        """Return the verb of a name, an alias, or the only one whose name, else alias, begins so."""
        wanted = word.lower()
        verb = self.verbs.get(wanted)
        if verb is not None:
            return verb
        if len(self._words) > WORDS_MAX:
            self._words.clear()
        if wanted not in self._words:
            self._words[wanted] = self._meant(wanted)
        return self._words[wanted]

    def _meant(self, wanted: str) -> Verb | None:
        for verb in self.verbs.values():
            if wanted in verb.aliases:
                return verb
        if not wanted:
            return None
        starting = [verb for name, verb in self.verbs.items() if name.startswith(wanted)]
        starting = starting or [
            verb for verb in self.verbs.values() if any(alias.startswith(wanted) for alias in verb.aliases)
        ]
        return starting[0] if len(starting) == 1 else None

    def item_text(self, kind: str) -> str:
        """Return what one sees of an item of a kind, "" where there is nothing to tell."""
        return ""

    def scenery_text(self, place: str, wanted: str) -> str:
        """Return how something looks that belongs to a place and is no entity, "" where there is none."""
        return ""

    def kind(self, creature: Creature) -> CreatureKind:
        """Return a creature's kind; for one that the content does not have any more, a plain one."""
        return self.kinds.get(creature.kind) or CreatureKind(creature.kind, creature.kind)

    def new_creature(
        self, world: World, kind: str, place: str, *, name: str = "", number: int | None = None
    ) -> Creature:
        """Put a creature of a kind into a place. number: its id, where it is not simply the next one.

        Raises: KeyError when there is no such kind; AssertionError when there is no such place.
        """
        row = self.kinds[kind]
        assert place in world.places, f"there is no place {place!r}"
        body = Creature(
            id=world.new_id() if number is None else number,
            kind=row.id,
            name=name or row.name,
            place=place,
            attributes=dict(row.attributes),
            health=row.health,
            health_max=row.health,
            stamina=row.stamina,
            stamina_max=row.stamina,
            driver="mind" if row.mind else "none",
            mind=row.mind,
            subscribed=list(row.events),
            tags=list(row.tags),
            data=dict(row.data),
        )
        world.add(body)
        return body

    def struck(self, world: World, source: Creature, target: Creature) -> None:
        """Take note that a blow of `source` is in its target's queue, thrown or returned. Here: nothing."""

    # ---- who perceives what --------------------------------------------------------------------------------

    def sees(self, world: World, creature: Creature) -> bool:
        """Return whether a creature sees the place where it is."""
        return True

    def sense(self, creature: Creature, medium: str) -> float:
        """Return the power of a creature's sense for a medium, 0 where it has none."""
        return self.kind(creature).senses.get(medium, 0.0)

    def listens(self, creature: Creature, medium: str) -> bool:
        """Return whether anybody is there who wants to know."""
        if creature.driver in ("player", "program"):
            return True
        wants = self.kind(creature).wants
        return creature.driver == "mind" and ("*" in wants or medium in wants)
