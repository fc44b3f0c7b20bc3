"""Delivers stimuli and events to bodies after the actions of a turn.

A stimulus is in one place. A creature there perceives it if the creature has a listener and a sense for the
medium. A listener is a player, a program, or a mind that wants the medium. The strength is the intensity of
the stimulus times the power of the sense. A creature does not perceive a strength below FAINT, perceives a
strength below 1 badly, and perceives a strength from CLEAR on well. In the dark nothing is seen. An event
goes to the driven creatures that subscribed to its type, wherever they are. Neither changes the world. A
listener can react in the next turn.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from turnwright_world.intent import GATE
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.naming import the
from turnwright_world.rules.outbox import Message, Stimulus, WorldEvent
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Rules

FAINT = 0.25
"""A weaker stimulus is not perceived."""
CLEAR = 4.0
"""A stimulus of at least this strength is perceived very well."""


def spectator_in(place: str) -> Creature:
    """Return a creature that represents the spectators of a place. It is not part of the world."""
    return Creature(GATE, "spectator", "", place, died_us=0)


def deliver(world: World, rules: Rules) -> Generator[None, None, None]:
    """Deliver the turn's stimuli, and then its events, in order of emission, and yield before each."""
    outbox = world.outbox
    emitted: list[Stimulus | WorldEvent] = [*outbox.stimuli, *outbox.events]
    outbox.stimuli, outbox.events = [], []
    audience = _Listeners(world, rules)
    for one in emitted:
        yield
        try:
            if isinstance(one, WorldEvent):
                _announce(world, one)
            else:
                _watch(world, rules, one)
                _spread(world, one, audience.of(one.place, one.medium))
        except Exception as error:
            outbox.note(f"delivering {one}", error)


class _Listeners:
    """The listeners by place, computed once per turn, when no body moves any more."""

    def __init__(self, world: World, rules: Rules) -> None:
        self._world = world
        self._rules = rules
        self._known: dict[tuple[str, str], dict[float, list[int]]] = {}

    def of(self, place: str, medium: str) -> dict[float, list[int]]:
        """Return the listeners to a medium in a place, by the power of their sense, in order of id.

        If the rules fail for a listener, the failure is noted once. This listener perceives nothing, and all
        others still do.
        """
        if (place, medium) not in self._known:
            found: dict[float, list[int]] = {}
            for body in self._world.creatures_in(place):
                try:
                    power = self._power(body, medium)
                except Exception as error:
                    self._world.outbox.note(f"{body.name} ({body.id}): {medium}", error)
                    continue
                if power is not None:
                    found.setdefault(power, []).append(body.id)
            self._known[place, medium] = found
        return self._known[place, medium]

    def _power(self, body: Creature, medium: str) -> float | None:
        """Return the power of a creature's sense, or None if the creature does not listen."""
        rules = self._rules
        if not rules.listens(body, medium) or (medium == "sight" and not rules.sees(self._world, body)):
            return None
        return float(rules.sense(body, medium))


def _watch(world: World, rules: Rules, stimulus: Stimulus) -> None:
    """Note a stimulus for the spectators of its place. In the dark they see nothing."""
    place, intensity = stimulus.place, stimulus.intensity
    if place not in world.watched or intensity < FAINT:
        return
    if stimulus.medium != "sight" or rules.sees(world, spectator_in(place)):
        world.outbox.seen.append((place, _message(world, stimulus, intensity)))


def _spread(world: World, stimulus: Stimulus, audience: Mapping[float, Sequence[int]]) -> None:
    """Send a stimulus to listeners that perceive at least FAINT of it, except its source and those apart.

    Listeners that perceive it equally share a message.
    """
    left_out, delivered = {stimulus.source, *stimulus.apart}, world.outbox.delivered
    for power, bodies in audience.items():
        strength = stimulus.intensity * power
        if strength < FAINT:
            continue
        message = _message(world, stimulus, strength)
        for body in bodies:
            if body not in left_out:
                delivered[body].append(message)


def _message(world: World, stimulus: Stimulus, strength: float) -> Message:
    """Return the message about a stimulus. It names the source only if `strength` is at least 1."""
    how = "well" if strength >= CLEAR else "normal" if strength >= 1.0 else "badly"
    source = world.creatures.get(stimulus.source) if stimulus.source is not None else None
    known = source is not None and how != "badly"
    name = _called(source) if source is not None and known else "somebody"
    message = {
        "kind": "stimulus",
        "medium": stimulus.medium,
        "how": how,
        "from": stimulus.source if known else None,
        "text": stimulus.text.replace("{name}", name),
    }
    return {**message, "data": stimulus.data} if stimulus.data else message


def _called(source: Creature) -> str:
    return source.name if source.is_character else the(source.name)


def _announce(world: World, event: WorldEvent) -> None:
    message = {"kind": "event", "type": event.type, "from": event.source, "data": event.data}
    for number in world.index.subscribers(event.type):
        if world.creatures[number].driver != "none":
            world.outbox.delivered[number].append(message)
