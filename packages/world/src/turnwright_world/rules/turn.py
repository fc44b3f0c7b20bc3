"""Resolves one turn of the world, stage by stage.

    timeline    timers and reactions take effect, by game time                (see `timeline`)
    gate        bodies join and leave                                         (see `joining`)
    act         each body with an action acts, in `acting_order`              (see `actions`)
    deaths      bodies that actions left without health die                   (see `deaths`)
    deliver     bodies receive stimuli and events                             (see `perception`)

If a step fails, it is undone and noted, and the turn continues. A turn can be played in pieces. Between two
pieces, callers may read the world but not change it. Source: the algorithm of design document 004.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping

import msgspec

from turnwright.errors import SetupError
from turnwright.kernel.rng import Streams
from turnwright_world.intent import GATE, IDLE, WorldIntent
from turnwright_world.rules.actions import MEMORY_BYTES_MAX, Actions
from turnwright_world.rules.deaths import count_deaths
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.joining import pass_gate
from turnwright_world.rules.perception import deliver
from turnwright_world.rules.state import World
from turnwright_world.rules.timeline import Timeline
from turnwright_world.rules.verbs import Rules


def acting_order(bodies: Iterable[Creature], rules: Rules, streams: Streams, turn: int) -> list[int]:
    """Return the ids of bodies in the order in which they act in this turn.

    The highest `reaction` acts first. The seed decides between equal bodies. Source: design document 004.
    """
    stream = streams.stream("order", turn)
    by_id = sorted(bodies, key=lambda body: body.id)
    return [number for *_, number in sorted((-rules.reaction(b), stream.bits64(), b.id) for b in by_id)]


def play_turn(
    world: World,
    rules: Rules,
    streams: Streams,
    intents: Mapping[int, WorldIntent],
    reload: Callable[[str], Rules],
) -> Generator[int | None, None, Rules]:
    """Advance the world by one turn, piece by piece.

    Each piece yields the body that has acted, or None. At the end, the rules for the next turn are returned.

    Args:
        intents: the intents by body, in order.
        reload: a function that returns the rules of a content hash.
    """
    yield from Timeline(world, rules, streams).finish(intents)
    world.turn += 1
    content = world.facts.content
    if GATE not in world.creatures:
        yield from pass_gate(world, rules, streams, intents.get(GATE, IDLE).gate)
    if world.facts.content != content:
        rules = _renewed(world, rules, content, reload)
    yield from _remember(world, intents)
    actions = Actions(world, rules, streams)
    order = acting_order(_acting(world, intents), rules, streams, world.turn)
    yield None
    for number in order:
        actions.act(number, intents.get(number, IDLE))
        yield number
    count_deaths(world, rules, streams)
    yield from deliver(world, rules)
    world.now_us = world.reached_us
    return rules


def _renewed(world: World, rules: Rules, before: str, reload: Callable[[str], Rules]) -> Rules:
    """Adapt the world to the new content, and return its rules, or the old rules if that is impossible."""
    try:
        new = reload(world.facts.content)
    except SetupError as error:
        world.outbox.note("new content", error)
    else:
        if world.attempt("new content", new.renew, world, new):
            return new
    world.touch(world.facts)
    world.facts.content = before
    return rules


def _acting(world: World, intents: Mapping[int, WorldIntent]) -> list[Creature]:
    """Return the bodies that have an action, a new command or a stop."""
    world.commit()
    new = {number: None for number, intent in intents.items() if intent.verb or intent.stop}
    busy = dict.fromkeys(world.index.busy()) | new
    return [world.creatures[number] for number in busy if number in world.creatures]


def _remember(world: World, intents: Mapping[int, WorldIntent]) -> Generator[None, None, None]:
    """Store the new memories of minds."""
    for number, intent in intents.items():
        if intent.memory is None:
            continue
        body = world.creatures.get(number)
        if body is not None and body.driver == "mind":
            yield
            world.attempt(f"memory of {body.name} ({number})", _keep, world, body, intent.memory)


def _keep(world: World, body: Creature, memory: dict[str, object]) -> None:
    size = len(msgspec.json.encode(memory))
    if size > MEMORY_BYTES_MAX:
        raise ValueError(f"the memory has {size} bytes; {MEMORY_BYTES_MAX} are allowed")
    if memory != body.memory:
        world.touch(body)
        body.memory = memory
