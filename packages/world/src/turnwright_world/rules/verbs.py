"""Verbs, which describe actions, and `Rules`, which hold all verbs of a world.

    class Chop(Verb):
        name, duration_turns = "chop", 4

        def check(self, act):                  # before it begins, and again before it finishes
            return None if "tree" in act.place.tags else "There is no tree here."

        def begin(self, act): ...              # its first turn
        def each_turn(self, act): ...          # every turn in between
        def finish(self, act): ...             # its last turn
        def interrupted(self, act): ...        # instead, when it is stopped or cannot be finished

A verb of one turn begins and finishes in the same turn, and is checked once. A verb changes the world only
through `act`. If it raises an exception, all its changes of this turn are undone.

New rules can replace the rules of a world between two turns. The state of the world stays.
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

_ONLY_LOOKS = "a verb with at_once only looks: it must not change the world or use random numbers"
DURATION_TURNS_MAX = 10_000
"""The longest duration of an action, in turns. A longer one is shortened."""

_Named = TypeVar("_Named", Creature, Item)


class Act:
    """One action of one body in one turn.

    Methods that send a text raise TypeError or ValueError if the text cannot be sent.

    Args:
        purpose: a name and a number, which select the random numbers of the act.
        text: the text after the verb.
        data: JSON values that the action keeps from turn to turn. A new action begins with none.
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
        """Random numbers for this action of this body."""
        if self._random is None:
            purpose, number = self._purpose
            self._random = self._streams.stream(purpose, self.actor.id, number)
        return self._random

    @property
    def place(self) -> Place:
        """The place of the actor."""
        return self.world.places[self.actor.place]

    def here(self) -> list[Creature]:
        """Return the other living creatures in the actor's place, in order of id."""
        return [c for c in self.world.creatures_in(self.actor.place) if c.id != self.actor.id]

    def find_creature(self, name: str) -> Creature | None:
        """Return the other living creature in the actor's place that a name means, or None.

        `name` may be the beginning of a word in the creature's name. "2.wolf" means the second wolf.
        """
        return _find(name, self.here())

    def find_item(self, name: str) -> Item | None:
        """Return the item in the actor's place that a name means, or None."""
        return _find(name, [self.world.items[number] for number in self.place.items])

    def find_own(self, name: str) -> Item | None:
        """Return the item in the actor's pack that a name means, or None."""
        return _find(name, [self.world.items[number] for number in self.actor.items])

    # ---- changing ------------------------------------------------------------------------------------------

    def touch(self, entity: Entity) -> None:
        """Announce a change of an entity. Call this before every change."""
        self.world.touch(entity)

    def move(self, creature: Creature, place: str) -> None:
        """Move a creature to another place.

        Raises:
            AssertionError: the place does not exist.
        """
        self.world.move(creature, place)

    def interrupt(self, creature: Creature) -> None:
        """Interrupt the action of a creature.

        The action ends when the creature acts next, in this turn or the next turn.
        """
        if creature.action is not None:
            self.world.touch(creature)
            creature.action.broken = True

    def at(self, in_us: int, name: str, **payload: Any) -> None:
        """Set a timer of `Rules.timers` that comes due in `in_us` µs of game time.

        Args:
            payload: JSON values. "who" must be the id of the creature that acts then. If that creature
                is not in the world then, the timer does nothing.
        """
        self.world.at(self.world.reached_us + in_us, name, **payload)

    # ---- telling -------------------------------------------------------------------------------------------

    def say(self, text: str, **data: Any) -> None:
        """Send a message only to the actor."""
        self.tell(self.actor, text, **data)

    def tell(self, creature: Creature, text: str, **data: Any) -> None:
        """Send a message to a creature, whatever its senses.

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

        The stimulus is delivered after all actions of the turn. The actor does not get it.

        Args:
            intensity: the intensity. 1 is normal.
            text: the text. Each listener gets {name} replaced by the name of the source as the listener
                perceives it.
            apart: creatures that do not get the stimulus, for example because they get another message.

        Raises:
            TypeError, ValueError: the intensity is not a number from 0, or a text cannot be sent.
        """
        if not float(intensity) >= 0.0:
            raise ValueError(f"a stimulus has intensity {intensity}; give 0 or more")
        where = place if place is not None else self.actor.place
        others = tuple(creature.id for creature in apart)
        self.world.outbox.stimuli.append(
            Stimulus(where, self.actor.id, _sayable(medium), float(intensity), _sayable(text), others, data)
        )

    def event(self, type: str, **data: Any) -> None:
        """Emit an event with JSON values. Subscribers to its type get it after all actions of the turn."""
        self.world.outbox.events.append(WorldEvent(_sayable(type), self.actor.id, data))


class LookingAct(Act):
    """An act that only looks, between two turns.

    Attributes:
        told: the messages to the actor.

    Raises:
        TypeError: the act tries to change the world, or uses random numbers.
    """

    def __init__(self, world: World, rules: Rules, actor: Creature, text: str) -> None:
        super().__init__(world, rules, Streams(0), actor, ("look", 0), text)
        self.told: list[str] = []

    @property
    def random(self) -> Stream:
        """Raise TypeError, because a look must not depend on chance."""
        raise TypeError(_ONLY_LOOKS)

    def tell(self, creature: Creature, text: str, **data: Any) -> None:
        """Add a message to the actor. A message to another creature raises TypeError."""
        if creature.id != self.actor.id:
            raise TypeError(_ONLY_LOOKS)
        self.told.append(_sayable(text))

    def _change(self, *_: Any, **__: Any) -> None:
        raise TypeError(_ONLY_LOOKS)

    touch = move = interrupt = at = stimulus = event = _change


class Verb:
    """The base class of verbs, with a default for everything that a verb may define.

    Attributes:
        at_once: whether the verb only looks. Then the server answers it immediately, even during an action.
        urgent: whether the verb interrupts the current action and empties the queue, as stop does.
        group: the heading in the list of commands, e.g. "moving". "" means other.
    """

    name: str = ""
    aliases: tuple[str, ...] = ()
    duration_turns: int = 1
    at_once: bool = False
    urgent: bool = False
    help: str = ""
    group: str = ""

    def turns(self, act: Act) -> int:
        """Return how many turns the action takes for this actor, at least 1."""
        return self.duration_turns

    def check(self, act: Act) -> str | None:
        """Return why the action is impossible, or None. A check must not change the world.

        It is called in the first turn. If the action has several turns, it is called again in the last turn,
        because the target may have left. A reason then leads to `interrupted` instead of `finish`.
        """
        return None

    def begin(self, act: Act) -> None:
        """Do the work of the first turn."""

    def each_turn(self, act: Act) -> None:
        """Do the work of each turn between the first and the last turn."""

    def finish(self, act: Act) -> None:
        """Do the work of the last turn."""

    def interrupted(self, act: Act) -> None:
        """Clean up after the action was stopped or could not be finished."""


def _sayable(text: str) -> str:
    """Return a text if it can be sent to clients.

    Raises:
        TypeError, UnicodeEncodeError: the value is not a text, or the text cannot be encoded.
    """
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not a text; give one, e.g. str({text!r})")
    if not text.isascii():
        text.encode()  # half a surrogate pair cannot be sent
    return text


def _find(name: str, things: Sequence[_Named]) -> _Named | None:
    """Return the thing that a name means, or None.

    A thing matches if `name` is the beginning of a word in the thing's own name. "2.wolf" means the second
    match for "wolf".
    """
    number, dot, rest = name.strip().lower().partition(".")
    counted = bool(dot) and number.isascii() and number.isdecimal() and len(number) < 6
    wanted, nth = (rest, int(number)) if counted else (name.strip().lower(), 1)
    matching = [thing for thing in things if wanted and _begins(thing.name.lower(), wanted)]
    matching.sort(key=lambda thing: thing.name.lower() != wanted)
    return matching[nth - 1] if 1 <= nth <= len(matching) else None


def _begins(name: str, wanted: str) -> bool:
    return name.startswith(wanted) or any(word.startswith(wanted) for word in name.split())


WORDS_MAX = 1_000
"""The most words whose meaning is cached. Players can type any word."""

TimerHandler = Callable[[Act, dict[str, Any]], None]
"""Handles a timer that comes due. The actor of the act is the creature named by the payload's "who"."""


@dataclass(frozen=True)
class CreatureKind:
    """A kind of creature.

    Attributes:
        senses: the power of its sense for each medium. 1 is normal.
        wants: the media that its mind listens to. "*" means all.
        events: the types of events that a new creature subscribes to.
        mind: the name of its mind, or "".
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
        content_hash: the hash of the content from which the rules were made.
        build: puts the content into an empty world.
        renew: adapts a world that was built from other content.
        reaction: returns a creature's reaction. The highest reaction acts first.
        on_join: called after a body gets its driver.
        on_death: called after a body has died, in place of `deaths.after_death`.
        on_leave: called before a body loses its driver.
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
    """The verb of each word that was looked up and is not a verb's name.

    `verbs` must not change after the first lookup.
    """

    def names(self, word: str) -> bool:
        """Return whether a word is the full name or an alias of a verb."""
        verb = None if word in self.verbs else self.verb(word)
        return word in self.verbs or (verb is not None and word in verb.aliases)

    def verb(self, word: str) -> Verb | None:
        """Return the verb of a name, alias or unambiguous abbreviation, or None. Names come first."""
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
        """Return the description of a kind of item. By default, it is ""."""
        return ""

    def scenery_text(self, place: str, wanted: str) -> str:
        """Return the description of scenery, which is not an entity, in a place. By default, it is ""."""
        return ""

    def kind(self, creature: Creature) -> CreatureKind:
        """Return a creature's kind, or a plain kind if the content no longer has it."""
        return self.kinds.get(creature.kind) or CreatureKind(creature.kind, creature.kind)

    def new_creature(
        self, world: World, kind: str, place: str, *, name: str = "", number: int | None = None
    ) -> Creature:
        """Put a new creature of a kind into a place, and return it.

        Args:
            number: its id. None means the next free id.

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
        """Handle a new or returned attack of `source` in the queue of `target`. By default, do nothing."""

    def doors(self, world: World, place: str) -> Mapping[str, tuple[str, bool]]:
        """Return the name of each door in a place and whether it is shut, by direction. By default, none."""
        return {}

    # ---- who perceives what --------------------------------------------------------------------------------

    def sees(self, world: World, creature: Creature) -> bool:
        """Return whether a creature sees the place where it is. By default, it always does."""
        return True

    def sense(self, creature: Creature, medium: str) -> float:
        """Return the power of a creature's sense for a medium, or 0 if it has no such sense."""
        return self.kind(creature).senses.get(medium, 0.0)

    def listens(self, creature: Creature, medium: str) -> bool:
        """Return whether a player, a program, or a mind that wants a medium listens through a creature."""
        if creature.driver in ("player", "program"):
            return True
        wants = self.kind(creature).wants
        return creature.driver == "mind" and ("*" in wants or medium in wants)
