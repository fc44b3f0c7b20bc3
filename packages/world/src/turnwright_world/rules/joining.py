"""The gate: gives bodies their drivers, and takes them away.

When a connection is lost, its body stays in the world for a while, linkdead. It continues its action and can
be hit. Then it leaves. A body with an account waits outside, without a place, until its player comes back. A
body with a mind stays and acts by the mind.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from turnwright.kernel.rng import Streams
from turnwright_world.intent import GateEvent
from turnwright_world.rules.entities import OUTSIDE, Creature
from turnwright_world.rules.fight import drop_threats
from turnwright_world.rules.naming import the
from turnwright_world.rules.outbox import GATE_MESSAGES, Stimulus
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Act, Rules, TimerHandler

ACCOUNT = "account:"
"""The prefix of an owner with an account."""
LINKDEAD_TURNS = 240
"""The default number of turns that a body stays after its connection was lost."""
NAME_CHARS_MAX = 24
LITTER_MAX = 60
"""The most items on the ground in one place. If there are more, the oldest items are removed."""
KIT = "kit"
"""The mark in the data of items that a body received at its start."""
LEAD_GAME_US_MAX = 12_500_000
"""The greatest lead of a client for which windows become longer, in µs of game time.

It is 250 ms of real time while the game runs 50 times as fast as the wall clock, its greatest speed.
"""
DRIVERS = ("player", "mind", "program", "none")
"""What can control a body."""
_LINKDEAD = "linkdead"


def pass_gate(
    world: World, rules: Rules, streams: Streams, gate: Sequence[GateEvent]
) -> Generator[None, None, None]:
    """Apply all gate events of a turn in order, and yield before each.

    An event that fails changes nothing and is reported to the gate.

    If a player comes back and the old body has gone in the meantime, the player gets a new body.
    """
    for event in gate:
        yield
        done = world.attempt(f"gate: {event.kind} {event.name}", _pass, world, rules, streams, event)
        if not done:
            token = event.data.get("token")
            message = {"kind": "failed", "event": event.kind, "body": event.body, "token": token}
            world.outbox.told.append((GATE_MESSAGES, message))


def _pass(world: World, rules: Rules, streams: Streams, event: GateEvent) -> None:
    data = event.data
    if event.kind == "join":
        kept = None if event.body is None else world.creatures.get(event.body)
        body = join(world, rules, streams, kept, event.name, data)
        message = {"kind": "joined", "body": body.id, "token": data.get("token")}
        world.outbox.told.append((GATE_MESSAGES, message))
    elif event.kind == "reload":
        world.touch(world.facts)
        world.facts.content = str(data["hash"])
    elif event.body is not None:
        body = world.creatures[event.body]
        if event.kind in ("leave", "linkdead") and body.is_character and rules.on_leave is not None:
            rules.on_leave(Act(world, rules, streams, body, ("leave", world.turn)))
        _CHANGES[event.kind](world, world.creatures[event.body], data)


def join(
    world: World,
    rules: Rules,
    streams: Streams,
    body: Creature | None,
    name: str,
    data: Mapping[str, Any],
    number: int | None = None,
) -> Creature:
    """Give a body a driver, and return the body.

    If `body` is None, a new body is made. Its id is `number`, or the next free id if `number` is None. A body
    that waits outside returns to the place that it left. Then `Rules.on_join` is called.

    Args:
        data: driver, owner and mind. For a new body also kind and place.

    Raises:
        KeyError: the kind does not exist.
        AssertionError: the driver does not exist.
    """
    place = str(data.get("place", rules.start))
    if body is None:
        place = place if place in world.places else rules.start
        kind = str(data.get("kind", rules.player_kind))
        body = rules.new_creature(world, kind, place, name=name[:NAME_CHARS_MAX], number=number)
    elif body.place == OUTSIDE:
        world.move(body, body.left_from if body.left_from in world.places else rules.start)
        body.left_from = OUTSIDE
    _drive(world, body, {"driver": "player", **data})
    world.tell(body, {"kind": "welcome", "body": body.id})
    if rules.on_join is not None:
        rules.on_join(Act(world, rules, streams, body, ("join", world.turn)))
    return body


def _drive(world: World, body: Creature, data: Mapping[str, Any]) -> None:
    driver = data.get("driver", "none")
    assert driver in DRIVERS, f"there is no driver {driver!r}"
    world.touch(body)
    body.driver = driver
    body.owner, body.mind = str(data.get("owner", "")), str(data.get("mind", ""))
    body.linkdead_since = None


def leave(world: World, body: Creature, data: Mapping[str, Any]) -> None:
    """Let a body leave the world, without a driver.

    With "keep" in `data`, the body waits outside with its items. Otherwise it is removed, and the items that
    it has acquired stay on the ground.
    """
    drop_threats(world, body, "left")
    if body.place != OUTSIDE:
        text = f"{the(body.name)} is suddenly gone."
        world.outbox.stimuli.append(Stimulus(body.place, body.id, "sight", 1.0, text))
    body.driver, body.action, body.linkdead_since, body.lead_us = "none", None, None, 0
    if data.get("keep"):
        if body.place != OUTSIDE:
            body.left_from = body.place
            world.move(body, OUTSIDE)
        return
    _lay_down(world, body)
    world.remove(body)


def _lay_down(world: World, body: Creature) -> None:
    """Put a body's items on the ground, and remove the items that it received at its start."""
    place = world.places.get(body.place)
    left = [number for number in body.items if place is not None and not world.items[number].data.get(KIT)]
    for number in body.items:
        if number not in left:
            world.remove(world.items[number])
    body.items = []
    if place is not None and left:
        world.touch(place)
        place.items += left
        while len(place.items) > LITTER_MAX:
            world.remove(world.items[place.items.pop(0)])


def _linkdead(world: World, body: Creature, data: Mapping[str, Any]) -> None:
    if body.linkdead_since is None:
        world.touch(body)
        body.linkdead_since = world.turn
        if body.mind and body.place != OUTSIDE:
            body.driver, body.lead_us = "mind", 0
            return
        due_us = world.reached_us + int(data.get("turns", LINKDEAD_TURNS)) * world.dt_us
        world.at(due_us, _LINKDEAD, who=body.id, since=world.turn, keep=bool(data.get("keep", True)))


def _back(world: World, body: Creature, data: Mapping[str, Any]) -> None:
    world.touch(body)
    body.linkdead_since = None


def _mind(world: World, body: Creature, data: Mapping[str, Any]) -> None:
    """Give a body another mind, or take its mind away. The body gets its first memory again.

    If its owner has changed, do nothing. If the event has no mind and `data` has `back`, the body gets the
    mind with which it was tamed. A body that loses its mind while its player is away leaves the world.
    """
    if body.owner != data["owner"]:
        return
    world.touch(body)
    body.mind = str(data["mind"] or (body.data.get("mind", "") if data.get("back") else ""))
    body.memory = dict(body.data.get("memory", {}))
    away = body.linkdead_since is not None
    if body.place == OUTSIDE or (body.driver in ("player", "program") and not (away and body.mind)):
        return
    if away and not body.mind:
        leave(world, body, {"keep": True})
    else:
        body.driver = "mind" if body.mind else "none"


def _line(world: World, body: Creature, data: Mapping[str, Any]) -> None:
    world.touch(body)
    body.lead_us = min(LEAD_GAME_US_MAX, max(0, int(data["lead_us"])))


def _give_up(act: Act, payload: dict[str, Any]) -> None:
    """Let a body leave whose connection has been lost for long enough."""
    if act.actor.linkdead_since == payload.get("since") and act.actor.driver != "mind":
        message = {"kind": "left", "body": act.actor.id}
        act.world.outbox.told.append((GATE_MESSAGES, message))
        leave(act.world, act.actor, payload)


GATE_TIMERS: Mapping[str, TimerHandler] = {_LINKDEAD: _give_up}
_CHANGES = {"leave": leave, "linkdead": _linkdead, "back": _back, "drive": _drive}
_CHANGES |= {"mind": _mind, "line": _line}
