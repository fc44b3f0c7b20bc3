"""Applies attacks and reactions to the world.

The target of a threat gets one message when the threat appears, and one message about its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright_world.intent import ReactionInput
from turnwright_world.rules.entities import OUTSIDE, Creature, Threat
from turnwright_world.rules.state import World
from turnwright_world.rules.threats import Block, Reaction, blocks, by_landing, pick, shown
from turnwright_world.rules.verbs import Act, Rules, TimerHandler

_LAND = "land"


def insert_threat(
    world: World,
    rules: Rules,
    source: Creature,
    target: Creature,
    kind: str,
    base: int,
    window_us: int | None = None,
) -> Threat | None:
    """Put an attack into its target's queue, and return the threat.

    If the queue is full, its oldest threats land now, or it refuses the attack (see `Overflow`). Return None
    if it refuses the attack, or if the target is dead or has left.

    Args:
        base: the damage before the attacker's attributes change it.
        window_us: the time until the attack lands, in µs. None means the policy's time for the target.
    """
    policy, now_us = rules.threats, world.reached_us
    if target.died_us is not None or target.place == OUTSIDE:
        return None
    capacity = policy.capacity(target)
    if len(target.threats) >= capacity and policy.refuses(target):
        return None
    while len(target.threats) >= capacity:
        oldest = min(target.threats, key=lambda t: (t.inserted_us, t.id))
        land(world, rules, target, oldest, "overflow")
    window = policy.window_us(target, window_us)
    world.touch(target)
    threat = Threat(target.next_threat, source.id, kind, policy.struck(source, base), now_us, window)
    target.next_threat += 1
    target.threats.append(threat)
    world.at(threat.lands_us, _LAND, who=target.id, threat=threat.id)
    world.tell(target, {"kind": "threat", "op": "add", "threat": shown(world, threat)})
    rules.struck(world, source, target)
    return threat


def land(world: World, rules: Rules, target: Creature, threat: Threat, why: str = "landed") -> None:
    """Let a threat land now, with the defender's present attributes.

    The attacker may be dead already.
    """
    world.touch(target)
    damage = rules.threats.suffered(target, threat.damage)
    target.threats.remove(threat)
    target.health -= damage
    _gone(world, target, threat, why, damage)


def drop_threats(world: World, target: Creature, why: str) -> None:
    """End all threats of a target without damage, because it has left or died."""
    world.touch(target)
    dropped, target.threats = by_landing(target.threats), []
    for threat in dropped:
        _gone(world, target, threat, why, 0)


def react(world: World, rules: Rules, body: Creature, press: ReactionInput) -> str | None:
    """Let a body react at the game time that has been reached.

    Return why the reaction stops no threat, or None if it stops one.

    A refused reaction is free: the body is dead, recovering or too tired, the queue is empty, the named
    threat has ended, or the reaction does not exist. Any other reaction that stops nothing has its full cost.
    So a player who reads the queue has an advantage over a player who presses everything.
    """
    reaction = rules.threats.reactions.get(press.reaction)
    refused = _refusal(world, rules, body, reaction, press)
    if reaction is None or refused is not None:
        refuse(world, body, press, refused or "")
        return refused
    misses = next((_missed(reaction, b) for b in blocks(rules.threats, body, reaction, world.reached_us)), "")
    world.touch(body)
    body.stamina -= reaction.stamina
    body.locked_until_us = world.reached_us + reaction.lockout_us
    band_us = min(reaction.band_us, press.band_us) if press.band_us is not None else reaction.band_us
    taken = pick(body, reaction, world.reached_us, press.threat, band_us, rules.threats)
    if not taken:
        why = misses or f"nothing that is near enough can be stopped by {reaction.name}"
        refuse(world, body, press, why)
        return why
    for threat in taken:
        body.threats.remove(threat)
        _gone(world, body, threat, reaction.why, 0)
    _answer(world, body, press, True, reaction.why, taken=[threat.id for threat in taken])
    for threat in taken:
        _strike_back(world, rules, body, reaction, threat)
    return None


def _missed(reaction: Reaction, block: Block) -> str:
    """Return the text of a block. For a wrong kind of attack, the text begins with the reaction's name."""
    return f"{reaction.name}{block.text.removeprefix('it')}" if block.code == "kind" else block.text


def refuse(world: World, body: Creature, press: ReactionInput, why: str) -> None:
    """Tell a body that its reaction does not count, and send its whole queue.

    Its client can then correct what it has shown already.
    """
    _answer(world, body, press, False, why, threats=[shown(world, t) for t in by_landing(body.threats)])


def _answer(world: World, body: Creature, press: ReactionInput, ok: bool, why: str, **more: Any) -> None:
    world.tell(body, {"kind": "react", "ok": ok, "why": why, "at": press.at_us, **more})


def _refusal(
    world: World, rules: Rules, body: Creature, reaction: Reaction | None, press: ReactionInput
) -> str | None:
    if reaction is None:
        return "there is no such reaction"
    hindered = blocks(rules.threats, body, reaction, world.reached_us)
    if (found := next((block.text for block in hindered if block.refuses), None)) is not None:
        return found
    named = press.threat is not None and reaction.clears == "id"
    if named and not any(threat.id == press.threat for threat in body.threats):
        return f"there is no such threat to {reaction.name}"
    return None


def _strike_back(world: World, rules: Rules, body: Creature, reaction: Reaction, threat: Threat) -> None:
    source = world.creatures.get(threat.source)
    if reaction.returned and source is not None:
        insert_threat(world, rules, body, source, threat.kind, threat.damage * reaction.returned // 100)


def _gone(world: World, target: Creature, threat: Threat, why: str, damage: int) -> None:
    source = world.creatures.get(threat.source)
    message = {"id": threat.id, "why": why, "damage": damage, "at": world.reached_us, "from": threat.source}
    message["name"] = source.name if source is not None else "somebody"
    world.tell(target, {"kind": "threat", "op": "gone", "threat": message})
    if source is not None and source.id != target.id:
        told = {"kind": "blow", "to": target.id, "name": target.name, "why": why, "damage": damage}
        world.tell(source, told)


def _landing(act: Act, payload: dict[str, Any]) -> None:
    """Let a timer's threat land, if the threat still exists."""
    for threat in [t for t in act.actor.threats if t.id == payload.get("threat")]:
        land(act.world, act.rules, act.actor, threat)


BLOW_TIMERS: Mapping[str, TimerHandler] = {_LAND: _landing}
"""The timer functions of threats."""
