"""Fights of the demo world in simulation: a player who reacts as a person would, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from packages.world.tests.demo.playing import Demo
from turnwright_world.intent import ReactionInput, WorldIntent

NEEDS = {"magic": "ward", "fire": "ward", "shot": "deflect", "venom": "deflect"}
TURNS_MAX = 480
TIERS: Mapping[str, tuple[tuple[str, ...], int, Mapping[str, int]]] = {
    "fourth level": (("sword", "cap", "cloak"), 36, {"vigour": 16, "might": 20}),
    "eighth level": (("watchblade", "helmet", "mail"), 84, {"vigour": 36, "might": 40, "instinct": 12}),
}
"""By level: items that a player may wear, health of the levels, trained skills."""


def reaction_to(
    threats: list[dict[str, Any]], now_us: int, random: Random, missing: float, only: str = ""
) -> tuple[ReactionInput, ...]:
    """Return the reaction of a person to an attack that lands within the next second, sometimes none.

    Args:
        only: the reaction of a person who does not read which attack is coming.
    """
    soon = [threat for threat in threats if threat["at"] + threat["us"] - now_us < 1_000_000]
    if not soon or random.random() < missing:
        return ()
    at_us = now_us + 1 + random.randrange(240_000)
    if only:
        return (ReactionInput(at_us, only),)
    if len(threats) > 2:
        return (ReactionInput(at_us, "dodge"),)
    return (ReactionInput(at_us, NEEDS.get(soon[0]["kind"], "parry"), soon[0]["id"]),)


def fight(demo: Demo, foe: int, *, reacts: bool, seed: int, missing: float = 0.4, only: str = "") -> str:
    """Attack a creature until one of both is dead. Return "won", "died", or "open" after TURNS_MAX turns.

    Args:
        only: see `reaction_to`.
        missing: the chance that a person does not act in a turn in which there was something to do.
    """
    random = Random(seed)
    intent = WorldIntent("attack", f"#{foe}")
    for _ in range(TURNS_MAX):
        deaths = demo.body.data.get("deaths", 0)
        demo.turn({demo.me: intent})
        target = demo.world.creatures[foe]
        if demo.body.data.get("deaths", 0) > deaths:
            return "died"
        if target.died_us is not None and not demo.body.threats:
            return "won"
        view = demo.view()
        presses = reaction_to(view["threats"], view["now_us"], random, missing, only) if reacts else ()
        again = demo.body.action is None and target.died_us is None and target.place == demo.body.place
        intent = WorldIntent("attack" if again else "", f"#{foe}" if again else "", presses=presses)
    return "open"


def readied(seed: int, place: str, tier: str) -> Demo:
    """Return a demo with a player in a place, who has a lamp and the health, skills and items of a level."""
    demo = Demo(seed)
    gear, more, trained = TIERS[tier]
    body = demo.body
    demo.world.move(body, place)
    for kind in ("lamp", *gear):
        demo.hand(kind)
    body.health_max += more
    body.stamina_max += more // 2
    body.health, body.stamina = body.health_max, body.stamina_max
    for name, points in trained.items():
        body.attributes[name] = body.attributes.get(name, 0) + points
    demo.world.touch(body)
    demo.world.commit()
    demo.turn()
    return demo
