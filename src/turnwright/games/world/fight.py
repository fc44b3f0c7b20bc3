"""Blows and reactions as they change the world. What they are and cost is `threats`; when, `timeline`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwright.games.world.entities import Creature, Threat
from turnwright.games.world.intent import Press
from turnwright.games.world.rules import Rules, TimerHandler
from turnwright.games.world.state import World
from turnwright.games.world.threats import Reaction, pick, shown
from turnwright.games.world.verbs import Act

__all__ = ["BLOW_TIMERS", "insert_threat", "land", "react"]

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
    """Put a blow into its target's queue; return it, or None where the queue is full and refuses it.

    base: damage before the attacker's numbers; window_us: None = the policy's.
    """
    policy, now_us = rules.threats, world.reached_us
    capacity = policy.capacity(target.attributes)
    if capacity is not None and len(target.threats) >= capacity:
        if policy.overflow == "refuse":
            return None
        oldest = min(target.threats, key=lambda t: (t.inserted_us, t.id))
        land(world, rules, target, oldest, "overflow")
    window = policy.window_us(target.attributes) if window_us is None else window_us
    world.touch(target)
    threat = Threat(target.next_threat, source.id, kind, policy.struck(source, base), now_us, window)
    target.next_threat += 1
    target.threats.append(threat)
    world.at(threat.lands_us, _LAND, who=target.id, threat=threat.id)
    world.tell(target, {"kind": "threat", "op": "add", "threat": shown(world, threat)})
    return threat


def land(world: World, rules: Rules, target: Creature, threat: Threat, why: str = "landed") -> None:
    """Let a threat land now: the defender's numbers of this moment. Whoever struck may be long dead."""
    world.touch(target)
    damage = rules.threats.suffered(target, threat.damage)
    target.threats.remove(threat)
    target.health -= damage
    _gone(world, rules, target, threat, why, damage)


def react(world: World, rules: Rules, body: Creature, press: Press) -> str | None:
    """Let a body react at the game time that has been reached; return why it cannot, or None."""
    reaction = rules.threats.reactions.get(press.reaction)
    refused = _refusal(world, body, reaction)
    if reaction is None or refused is not None:
        queue = [shown(world, threat) for threat in body.threats]
        world.tell(body, {"kind": "react", "ok": False, "why": refused, "at": press.at_us, "threats": queue})
        return refused
    world.touch(body)
    body.stamina -= reaction.stamina
    body.locked_until_us = world.reached_us + reaction.lockout_us
    band_us = min(reaction.band_us, press.band_us) if press.band_us is not None else reaction.band_us
    taken = pick(body, reaction, world.reached_us, press.threat, band_us)
    for threat in taken:
        body.threats.remove(threat)
        _gone(world, rules, body, threat, reaction.why, 0)
    ids = [threat.id for threat in taken]
    world.tell(body, {"kind": "react", "ok": True, "why": reaction.why, "at": press.at_us, "taken": ids})
    for threat in taken:
        _strike_back(world, rules, body, reaction, threat)
    return None


def _refusal(world: World, body: Creature, reaction: Reaction | None) -> str | None:
    if reaction is None:
        return "there is no such reaction"
    if body.died_us is not None:
        return "you are dead"
    if world.reached_us < body.locked_until_us:
        return "you have not recovered yet"
    if body.stamina < reaction.stamina:
        return "you are too tired"
    return None


def _strike_back(world: World, rules: Rules, body: Creature, reaction: Reaction, threat: Threat) -> None:
    source = world.creatures.get(threat.source)
    if reaction.returned and source is not None and source.died_us is None:
        insert_threat(world, rules, body, source, threat.kind, threat.damage * reaction.returned // 100)


def _gone(world: World, rules: Rules, target: Creature, threat: Threat, why: str, damage: int) -> None:
    message = {"id": threat.id, "why": why, "damage": damage, "at": world.reached_us, "from": threat.source}
    world.tell(target, {"kind": "threat", "op": "gone", "threat": message})
    source = world.creatures.get(threat.source)
    if source is not None and source.id != target.id:
        told = {"kind": "blow", "to": target.id, "name": target.name, "why": why, "damage": damage}
        world.tell(source, told)


def _landing(act: Act, payload: dict[str, Any]) -> None:
    """Let the threat land that a timer names, if it is still there."""
    for threat in [t for t in act.actor.threats if t.id == payload.get("threat")]:
        land(act.world, act.rules, act.actor, threat)


BLOW_TIMERS: Mapping[str, TimerHandler] = {_LAND: _landing}
"""The timers of threats."""
