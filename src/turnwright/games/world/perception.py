"""Stimuli and events, delivered after all actions of a turn to those who expect them.

A stimulus is in one place and goes to the creatures there that have a sense for its medium and somebody who
listens (a player, a program, a mind that wants it). It arrives as intensity times power: below FAINT not at
all, below 1 badly, from CLEAR on well; in the dark nothing is seen. An event goes to the creatures that
subscribed to its type, wherever they are. Both only tell: what a listener does about it comes in the next
turn.
Source: document 004, stimuli and events dispatchers.
"""

from __future__ import annotations

from turnwright.games.world.outbox import Event, Message, Stimulus
from turnwright.games.world.rules import Rules
from turnwright.games.world.state import World

__all__ = ["CLEAR", "FAINT", "deliver"]

FAINT = 0.25
"""Below it nothing is perceived."""
CLEAR = 4.0
"""From here on it is perceived very well."""


def deliver(world: World, rules: Rules) -> None:
    """Tell all who expect them what the turn has emitted: in order of emission, then in order of id."""
    outbox = world.outbox
    emitted: list[Stimulus | Event] = [*outbox.stimuli, *outbox.events]
    outbox.stimuli, outbox.events = [], []
    for one in emitted:
        mark = outbox.mark()
        try:
            if isinstance(one, Event):
                _announce(world, one)
            else:
                _spread(world, rules, one)
        except Exception as error:
            outbox.cut(mark)
            outbox.note(f"delivering {one}", error)


def _spread(world: World, rules: Rules, stimulus: Stimulus) -> None:
    """Tell who perceives a stimulus; who perceives it alike shares a message."""
    messages: dict[str, Message] = {}
    for body in world.creatures_in(stimulus.place):
        if body.id == stimulus.source or body.id in stimulus.apart:
            continue
        if not rules.listens(body, stimulus.medium):
            continue
        if stimulus.medium == "sight" and not rules.sees(world, body):
            continue
        strength = stimulus.intensity * rules.sense(body, stimulus.medium)
        if strength < FAINT:
            continue
        how = "well" if strength >= CLEAR else "normal" if strength >= 1.0 else "badly"
        if how not in messages:
            messages[how] = _message(world, stimulus, how)
        world.tell(body, messages[how])


def _message(world: World, stimulus: Stimulus, how: str) -> Message:
    """Return what is perceived; who it was is only known when it is perceived at least normally."""
    source = world.creatures.get(stimulus.source) if stimulus.source is not None else None
    known = source is not None and how != "badly"
    name = source.name if source is not None and known else "somebody"
    message = {
        "kind": "stimulus",
        "medium": stimulus.medium,
        "how": how,
        "from": stimulus.source if known else None,
        "text": stimulus.text.replace("{name}", name),
    }
    return {**message, "data": stimulus.data} if stimulus.data else message


def _announce(world: World, event: Event) -> None:
    message = {"kind": "event", "type": event.type, "from": event.source, "data": event.data}
    for number in world.index.subscribers(event.type):
        world.tell(world.creatures[number], message)
