"""Quests: givers, progress and rewards.

A body's `quests` map each quest's id to {"state": "open" or "done", "count": progress}.
"""

from __future__ import annotations

from turnwright_world.kit.items import count_of, give_item, spend
from turnwright_world.kit.levels import earn
from turnwright_world.kit.ruleset import land_of
from turnwright_world.kit.schema import Quest
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.naming import a
from turnwright_world.rules.verbs import Act


def state_of(body: Creature, quest: str) -> str:
    """Return the state of a body's quest: "new" (never taken), "open" or "done"."""
    return str(body.quests.get(quest, {}).get("state", "new"))


def offered(act: Act, giver: str) -> list[str]:
    """Return the ids of the quests that a kind of creature offers the actor now."""
    return [
        name
        for name, quest in land_of(act).quests.items()
        if quest.giver == giver
        and state_of(act.actor, name) == "new"
        and (not quest.after or state_of(act.actor, quest.after) == "done")
    ]


def take_quest(act: Act, name: str, giver: str) -> None:
    """Let the actor take a quest, with its text and its gift.

    Args:
        giver: the name of the creature that offers it.
    """
    quest = land_of(act).quests[name]
    act.touch(act.actor)
    act.actor.quests[name] = {"state": "open", "count": 0}
    act.say(f"{giver} says: {quest.text} (Quest: {quest.name}. Type quests to read it again.)", quest=name)
    if quest.gift:
        item = give_item(act, quest.gift)
        act.say(f"You get {a(item.name)}.")


def progress(act: Act, name: str) -> int:
    """Return how many items, kills or visits of a quest the actor has, at most the number that it needs."""
    quest = land_of(act).quests[name]
    if quest.bring:
        return min(quest.count, count_of(act, quest.bring))
    return min(quest.count, int(act.actor.quests.get(name, {}).get("count", 0)))


def hand_in(act: Act, giver: str, name: str = "") -> bool:
    """Let the actor hand in completed quests to a kind of creature, and return whether there were any.

    Args:
        name: the name of the creature that says the quest's last words, or "" to show these words without a
            name.
    """
    done = [
        each
        for each, quest in land_of(act).quests.items()
        if quest.giver == giver and state_of(act.actor, each) == "open" and progress(act, each) >= quest.count
    ]
    for each in done:
        _reward(act, each, land_of(act).quests[each], name)
    return bool(done)


def _reward(act: Act, name: str, quest: Quest, giver: str) -> None:
    me = act.actor
    act.touch(me)
    if quest.bring:
        spend(act, quest.bring, quest.count)
    me.quests[name] = {"state": "done", "count": quest.count}
    me.money += quest.money
    act.say(f"{giver} says: {quest.done}" if giver else quest.done, quest=name)
    coins = f"You get {quest.money} coins." if quest.money else ""
    if quest.item:
        coins += f" You get {a(give_item(act, quest.item).name)}."
    if coins:
        act.say(coins.strip())
    earn(act, me, quest.xp)
    act.event("quest", who=me.id, name=me.name, quest=name)


def note_kill(act: Act, body: Creature, kind: str) -> None:
    """Count a kill for the quests of a body."""
    _count(act, body, [name for name, quest in land_of(act).quests.items() if quest.slay == kind])


def note_visit(act: Act) -> None:
    """Count a visit of the actor's place for the actor's quests."""
    names = [name for name, quest in land_of(act).quests.items() if quest.visit == act.actor.place]
    _count(act, act.actor, names)


def _count(act: Act, body: Creature, names: list[str]) -> None:
    for name in names:
        quest, entry = land_of(act).quests[name], body.quests.get(name)
        if entry is not None and entry["state"] == "open" and entry["count"] < quest.count:
            act.touch(body)
            entry["count"] += 1
            left = (
                "done; go back and tell"
                if entry["count"] == quest.count
                else f"{entry['count']} of {quest.count}"
            )
            act.tell(body, f"{quest.name}: {left}.", quest=name)
