"""Verbs: what a body can do. A verb is a small state machine over whole turns; `Act` is all that it is given.

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
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from turnwright.games.world.entities import Creature, Entity, Item, Place
from turnwright.games.world.outbox import Event, Stimulus
from turnwright.games.world.state import World
from turnwright.kernel.streams import Stream, Streams

if TYPE_CHECKING:
    from turnwright.games.world.rules import Rules

__all__ = ["DURATION_TURNS_MAX", "Act", "Verb"]

DURATION_TURNS_MAX = 10_000
"""The longest that an action may last."""

_Named = TypeVar("_Named", Creature, Item)


class Act:
    """One body doing one thing in one turn. text: what followed the verb.

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
        """Where the actor is."""
        return self.world.places[self.actor.place]

    def here(self) -> list[Creature]:
        """Return the other living creatures in this place, in order of id."""
        return [c for c in self.world.creatures_in(self.actor.place) if c.id != self.actor.id]

    def find_creature(self, name: str) -> Creature | None:
        """Return the creature here that a name means: the start of a word will do; "2.wolf" is the second."""
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
        """Put a creature into another place. Raises: AssertionError when there is no such place."""
        self.world.move(creature, place)

    def interrupt(self, creature: Creature) -> None:
        """Interrupt what a creature does: when it is next its turn to act, in this turn or the next one."""
        if creature.action is not None:
            self.world.touch(creature)
            creature.action.broken = True

    def at(self, in_us: int, name: str, **payload: Any) -> None:
        """Set a timer, µs of game time from now; see `rules.Rules.timers`."""
        self.world.at(self.world.reached_us + in_us, name, **payload)

    # ---- telling -------------------------------------------------------------------------------------------

    def say(self, text: str, **data: Any) -> None:
        """Tell the actor alone."""
        self.tell(self.actor, text, **data)

    def tell(self, creature: Creature, text: str, **data: Any) -> None:
        """Tell one creature something that no sense is needed for. data: JSON values."""
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
        """Emit a stimulus, here or in another place; it is delivered after all actions of the turn.

        intensity: 1 = normal. In the text {name} is the source, as the one who perceives it knows it. The
        actor itself does not get it, nor do those `apart`, who were told otherwise.
        Raises: TypeError, ValueError for what nobody could perceive, so that whoever emits it fails, and not
        those who are there.
        """
        if not float(intensity) >= 0.0:
            raise ValueError(f"a stimulus has intensity {intensity}; give 0 or more")
        where = place if place is not None else self.actor.place
        others = tuple(creature.id for creature in apart)
        self.world.outbox.stimuli.append(
            Stimulus(where, self.actor.id, _sayable(medium), float(intensity), _sayable(text), others, data)
        )

    def event(self, type: str, **data: Any) -> None:
        """Emit an event; whoever subscribed to its type gets it after all actions of the turn."""
        self.world.outbox.events.append(Event(_sayable(type), self.actor.id, data))


class Verb:
    """What verbs have in common; each one says what differs.

    urgent: for it a body drops what it does and what waits, as with stop, e.g. to flee.
    """

    name: str = ""
    aliases: tuple[str, ...] = ()
    duration_turns: int = 1
    urgent: bool = False
    help: str = ""

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
    """Return a text that can be sent to everybody. Raises: TypeError, UnicodeEncodeError for any other."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text; give one, e.g. str({text!r})")
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
