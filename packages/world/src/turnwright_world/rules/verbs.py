"""Verbs, small state machines over turns, and `Rules`: all verbs of a world.

    class Chop(Verb):
        name, duration_turns = "chop", 4

        def check(self, act):                  # before it begins, and again before it finishes
            return None if "tree" in act.place.tags else "There is no tree here."

        def begin(self, act): ...              # its first turn
        def each_turn(self, act): ...          # every turn in between
        def finish(self, act): ...             # its last turn
        def interrupted(self, act): ...        # instead, when it is stopped or cannot be finished

A verb of one turn begins and finishes in the same turn, and is checked once. It changes the world through
`act` alone, and whatever it raises undoes all that it has done in this turn.

Rules hold the verbs, kinds of creatures, timers and policies of one world. New ones take the place of the old
ones between two turns; the state stays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from turnwright.kernel.rng import Stream, Streams
from turnwright_world.rules.entities import Creature, Entity, Item, Place
from turnwright_world.rules.outbox import Stimulus, WorldEvent
from turnwright_world.rules.state import World
from turnwright_world.rules.threats import ThreatPolicy

_ONLY_LOOKS = "a verb that answers at once only looks: it changes nothing and draws nothing"
DURATION_TURNS_MAX = 10_000
"""The longest that an action may last."""

_Named = TypeVar("_Named", Creature, Item)


class Act:
    """One body doing one thing in one turn.

    Args:
        text: what followed the verb.
        data: what the running action remembers from turn to turn (JSON values); a new one begins empty.
    """

    def __init__(
        self,
        world: World,
        rules: Rules,
        streams: Streams,
        actor: Creature,
        purpose: tuple[str, int],
        text: str = "",
        data: dict[str, Any] | None = None,
    ) -> None:
        self.world = world
        self.rules = rules
        self.actor = actor
        self.text = text
        self.data: dict[str, Any] = {} if data is None else data
        self._streams = streams
        self._purpose = purpose
        self._random: Stream | None = None

    # ---- looking -------------------------------------------------------------------------------------------

    @property
    def random(self) -> Stream:
        """Random numbers of this body, for what it does now."""
        if self._random is None:
            purpose, number = self._purpose
            self._random = self._streams.stream(purpose, self.actor.id, number)
        return self._random

    @property
    def place(self) -> Place:
        """The place of the actor."""
        return self.world.places[self.actor.place]

    def here(self) -> list[Creature]:
        """Return the other living creatures in this place, in order of id."""
        return [c for c in self.world.creatures_in(self.actor.place) if c.id != self.actor.id]

    def find_creature(self, name: str) -> Creature | None:
        """Return the creature here that a name means.

        The start of a word will do; "2.wolf" is the second.
        """
        return _find(name, self.here())

    def find_item(self, name: str) -> Item | None:
        """Return the item that lies here and is meant by a name."""
        return _find(name, [self.world.items[number] for number in self.place.items])

    def find_own(self, name: str) -> Item | None:
        """Return the item in the actor's pack that is meant by a name."""
        return _find(name, [self.world.items[number] for number in self.actor.items])

    # ---- changing ------------------------------------------------------------------------------------------

    def touch(self, entity: Entity) -> None:
        """Say that an entity is about to change; before every change."""
        self.world.touch(entity)

    def move(self, creature: Creature, place: str) -> None:
        """Put a creature into another place.

        Raises:
            AssertionError: the place does not exist.
        """
        self.world.move(creature, place)

    def interrupt(self, creature: Creature) -> None:
        """Interrupt what a creature does.

        When it is next its turn to act, in this turn or the next one.
        """
        if creature.action is not None:
            self.world.touch(creature)
            creature.action.broken = True

    def at(self, in_us: int, name: str, **payload: Any) -> None:
        """Set a timer, µs of game time from now. See `verbs.Rules.timers`."""
        self.world.at(self.world.reached_us + in_us, name, **payload)

    # ---- telling -------------------------------------------------------------------------------------------

    def say(self, text: str, **data: Any) -> None:
        """Tell the actor alone."""
        self.tell(self.actor, text, **data)

    def tell(self, creature: Creature, text: str, **data: Any) -> None:
        """Tell one creature something that no sense is needed for.

        Args:
            data: JSON values.
        """
        message = {"kind": "text", "text": _sayable(text), **({"data": data} if data else {})}
        self.world.tell(creature, message)

    def stimulus(
        self,
        medium: str,
        intensity: float,
        text: str,
        *,
        place: str | None = None,
        apart: Sequence[Creature] = (),
        **data: Any,
    ) -> None:
        """Emit a stimulus, here or in another place.

        It is delivered after all actions of the turn. The actor itself does not get it, nor do those `apart`,
        who get another text. If it cannot be perceived, the emitter fails, and not the listeners.

        Args:
            intensity: the intensity; 1 is normal.
            text: the text. In it {name} is the source, as each listener knows it.

        Raises:
            TypeError, ValueError: it cannot be perceived.
        """
        if not float(intensity) >= 0.0:
            raise ValueError(f"a stimulus has intensity {intensity}; give 0 or more")
        where = place if place is not None else self.actor.place
        others = tuple(creature.id for creature in apart)
        self.world.outbox.stimuli.append(
            Stimulus(where, self.actor.id, _sayable(medium), float(intensity), _sayable(text), others, data)
        )

    def event(self, type: str, **data: Any) -> None:
        """Emit an event.

        Subscribers to its type get it after all actions of the turn.
        """
        self.world.outbox.events.append(WorldEvent(_sayable(type), self.actor.id, data))


class LookingAct(Act):
    """An act that only looks, between two turns.

    Attributes:
        told: what it told the actor.

    Raises:
        TypeError: it would change the world, or draws at random.
    """

    def __init__(self, world: World, rules: Rules, actor: Creature, text: str) -> None:
        super().__init__(world, rules, Streams(0), actor, ("look", 0), text)
        self.told: list[str] = []

    @property
    def random(self) -> Stream:
        """Nothing: what is shown does not depend on chance."""
        raise TypeError(_ONLY_LOOKS)

    def tell(self, creature: Creature, text: str, **data: Any) -> None:
        """Keep the messages for the actor."""
        if creature.id != self.actor.id:
            raise TypeError(_ONLY_LOOKS)
        self.told.append(_sayable(text))

    def _change(self, *_: Any, **__: Any) -> None:
        raise TypeError(_ONLY_LOOKS)

    touch = move = interrupt = at = stimulus = event = _change


class Verb:
    """Base class of verbs: defaults for all that a verb may define.

    Attributes:
        at_once: it only looks, so a player's line is answered between two turns, whatever the body does.
        urgent: for it a body drops what it does and what waits, as with stop, e.g. to flee.
        group: the heading under which help lists it, e.g. "moving"; "" = other.
    """

    name: str = ""
    aliases: tuple[str, ...] = ()
    duration_turns: int = 1
    at_once: bool = False
    urgent: bool = False
    help: str = ""
    group: str = ""

    def turns(self, act: Act) -> int:
        """Return how many turns it takes this actor, 1 or more."""
        return self.duration_turns

    def check(self, act: Act) -> str | None:
        """Return why it cannot be done, or None. Changes nothing.

        Asked in its first turn; where that is not its last, again in the last: who was meant may be gone.
        Then `interrupted` comes instead of `finish`. What it remembers is in `act.data`, empty at first.
        """
        return None

    def begin(self, act: Act) -> None:
        """Do what the first turn does."""

    def each_turn(self, act: Act) -> None:
        """Do what a turn between the first and the last does."""

    def finish(self, act: Act) -> None:
        """Do what the last turn does."""

    def interrupted(self, act: Act) -> None:
        """Do what is left to do when it is stopped in between, or cannot be finished."""


def _sayable(text: str) -> str:
    """Return a text that can be sent to everybody.

    Raises:
        TypeError, UnicodeEncodeError: any other.
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a text; give one, e.g. str({text!r})")
    if not text.isascii():
        text.encode()  # half a surrogate pair cannot be sent
    return text


def _find(name: str, things: Sequence[_Named]) -> _Named | None:
    """Return the thing that a name means: "2.wolf" is the second whose name has a word that begins so."""
    number, dot, rest = name.strip().lower().partition(".")
    counted = bool(dot) and number.isascii() and number.isdecimal() and len(number) < 6
    wanted, nth = (rest, int(number)) if counted else (name.strip().lower(), 1)
    matching = [thing for thing in things if wanted and _begins(thing.name.lower(), wanted)]
    matching.sort(key=lambda thing: thing.name.lower() != wanted)
    return matching[nth - 1] if 1 <= nth <= len(matching) else None


def _begins(name: str, wanted: str) -> bool:
    return name.startswith(wanted) or any(word.startswith(wanted) for word in name.split())


WORDS_MAX = 1_000
"""Words that are kept with what they mean; any that is typed may be one."""

TimerHandler = Callable[[Act, dict[str, Any]], None]
"""Does the work of a timer. The act's actor is the creature that the payload names as "who"."""


@dataclass(frozen=True)
class CreatureKind:
    """A row of the content: what creatures of a kind have in common.

    Attributes:
        senses: by medium, its power (1 = normal).
        wants: media that its mind listens to ("*": all).
        events: types that new ones subscribe to.
        mind: the name of its controller, "" = none.
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
    """Verbs, kinds, timers and policies of one world.

    Attributes:
        content_hash: the content hash of what it was made from.
        build: puts the content into an empty world.
        renew: brings a world that was built from other content up to date, when this one takes over.
        reaction: who has more acts first.
        on_join: when a body gets its driver.
        on_death: what becomes of one that has died, instead of `deaths.after_death`.
        on_leave: before a body loses its driver.
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
    on_leave: Callable[[Act], None] | None = None
    content_hash: str = ""
    _words: dict[str, Verb | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Meanings of words that are no names: `verbs` do not change after the first lookup."""

    def names(self, word: str) -> bool:
        """Return whether a word is the name or an alias of a verb.

        The beginning of one does not count.
        """
        verb = None if word in self.verbs else self.verb(word)
        return word in self.verbs or (verb is not None and word in verb.aliases)

    def verb(self, word: str) -> Verb | None:
        """Return the verb of a name, an alias, or an unambiguous beginning.

        Names are tried before aliases.
        """
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
        """Return the look of scenery, or "" without any.

        Scenery belongs to a place. It is not an entity.
        """
        return ""

    def kind(self, creature: Creature) -> CreatureKind:
        """Return a creature's kind.

        For one that the content does not have any more, a plain one.
        """
        return self.kinds.get(creature.kind) or CreatureKind(creature.kind, creature.kind)

    def new_creature(
        self, world: World, kind: str, place: str, *, name: str = "", number: int | None = None
    ) -> Creature:
        """Put a creature of a kind into a place.

        Args:
            number: its id, if it is not simply the next one.

        Raises:
            KeyError: the kind does not exist.
            AssertionError: the place does not exist.
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
        """Note that an attack of `source` is in its target's queue, thrown or returned.

        By default it does nothing.
        """

    def doors(self, world: World, place: str) -> Mapping[str, tuple[str, bool]]:
        """Return the doors of a place by direction: name, and whether it is shut.

        Here: none.
        """
        return {}

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
