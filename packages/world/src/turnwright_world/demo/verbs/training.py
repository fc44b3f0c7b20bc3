"""Verbs for the player's character: score, train."""

from __future__ import annotations

from turnwright_world.kit.combat import next_blow
from turnwright_world.kit.levels import level_of, xp_for
from turnwright_world.kit.ruleset import item_row
from turnwright_world.kit.schema import ATTRIBUTES
from turnwright_world.rules.naming import coins
from turnwright_world.rules.verbs import Act, Verb

_STEP = {"reaction": 2, "might": 4, "vigour": 4, "instinct": 6, "focus": 8}
_MOST = 60


class Score(Verb):
    at_once = True
    group = "looking"
    name, aliases = "score", ("sheet", "gear", "equipment", "eq", "stats", "health", "hp", "level")
    help = "score (or equipment, eq): how you are, what you wear, what you have learned"

    def finish(self, act: Act) -> None:
        me, blow = act.actor, next_blow(act, 0)
        worn = ", ".join(f"{act.world.items[n].name} ({slot})" for slot, n in me.worn.items()) or "nothing"
        numbers = ", ".join(f"{name} {me.attributes.get(name, 0)}" for name in ATTRIBUTES)
        level = level_of(me)
        act.say(
            f"{me.name}, level {level}: {me.health}/{me.health_max} health,"
            f" {me.stamina}/{me.stamina_max} stamina, {coins(me.money)}.\n"
            f"Experience {me.data.get('xp', 0)}; the next level comes at {xp_for(act, level + 1)}."
            f" Points to train: {me.data.get('points', 0)}.\n"
            f"{numbers}.\nYou wear: {worn}. Your blow: {blow.kind} for {blow.damage} every"
            f" {blow.rhythm_ms / 1000:g} s."
        )


def _learned(act: Act, name: str) -> int:
    """Return an attribute of the actor without the effect of worn items."""
    worn = [item_row(act, act.world.items[number].kind) for number in act.actor.worn.values()]
    return act.actor.attributes.get(name, 0) - sum(row.gives.get(name, 0) for row in worn)


class Train(Verb):
    name, duration_turns = "train", 8
    group = "settings"
    help = "train ATTRIBUTE: spend a point of those that a level brings"

    def check(self, act: Act) -> str | None:
        name, me = act.text.strip().lower(), act.actor
        if name not in _STEP:
            return (
                f"Points to train: {me.data.get('points', 0)}. Train one of: reaction (act first), might"
                " (strike harder), vigour (suffer less), instinct (see attacks earlier), focus (more room"
                " for threats)."
            )
        if me.data.get("points", 0) < 1:
            return "You have no points left; a new level brings some."
        return None if _learned(act, name) < _MOST else "There is nothing left to learn there."

    def finish(self, act: Act) -> None:
        name, me = act.text.strip().lower(), act.actor
        act.touch(me)
        me.data["points"] -= 1
        me.attributes[name] = me.attributes.get(name, 0) + _STEP[name]
        act.say(f"You practise until it sits: {name} is {me.attributes[name]} now.")

    def interrupted(self, act: Act) -> None:
        act.say("You leave it for later; the point is still yours.")
