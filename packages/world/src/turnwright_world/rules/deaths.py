"""Lets bodies without health die, and applies the effects of their deaths."""

from __future__ import annotations

from turnwright.kernel.rng import Streams
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.fight import drop_threats
from turnwright_world.rules.state import World
from turnwright_world.rules.verbs import Act, Rules


def count_deaths(world: World, rules: Rules, streams: Streams) -> None:
    """Let all creatures without health die, in order of id.

    If the content's code for a death fails, driven bodies return to the start, and other bodies stay dead.
    """
    for number in world.take_hurt():
        body = world.creatures.get(number)
        if body is None or body.health > 0 or body.died_us is not None:
            continue
        act = Act(world, rules, streams, body, ("death", world.reached_us))
        world.attempt(f"death of {body.name} ({number})", _die, act)
        after = f"after the death of {body.name} ({number})"
        if not world.attempt(after, rules.on_death or after_death, act) and body.is_character:
            world.attempt(after, after_death, act)


def _die(act: Act) -> None:
    body, world = act.actor, act.world
    drop_threats(world, body, "died")
    body.action, body.health = None, 0
    body.died_us = world.reached_us
    act.event("death", who=body.id, name=body.name)
    world.tell(body, {"kind": "died", "at": world.reached_us})


def after_death(act: Act) -> None:
    """Apply the default effects of a death, for content that defines none.

    A driven body returns to the start with full health. Other bodies are removed, and their belongings stay.
    """
    body, world, rules = act.actor, act.world, act.rules
    act.stimulus("sight", 2.0, "{name} dies.")
    if body.is_character and rules.start in world.places:
        revive(world, body, rules.start)
        return
    place = world.places.get(body.place)
    if place is not None and body.items:
        world.touch(place)
        place.items += body.items
        body.items = []
    world.remove(body)


def revive(world: World, body: Creature, place: str) -> None:
    """Let a dead body live again in a place, with full health and stamina."""
    world.move(body, place)
    body.died_us = None
    body.health, body.stamina = body.health_max, body.stamina_max
