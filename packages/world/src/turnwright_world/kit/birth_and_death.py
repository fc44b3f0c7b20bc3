"""Birth, death and return of bodies."""

from __future__ import annotations

from typing import Any

from turnwright_world.kit.companions import release
from turnwright_world.kit.first_lesson import LESSON, LESSON_TIMERS, end_lesson, plan_lesson
from turnwright_world.kit.healing import mend_soon
from turnwright_world.kit.items import give_item, make, put_down, wear
from turnwright_world.kit.levels import earn
from turnwright_world.kit.quests import note_kill
from turnwright_world.kit.ruleset import BLAMED_US, item_row, kind_of, land_of
from turnwright_world.kit.safe_return import PUPIL, grant_peace, waking_place
from turnwright_world.kit.welcome import welcome_back
from turnwright_world.rules.deaths import revive
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.joining import KIT
from turnwright_world.rules.naming import begun, the
from turnwright_world.rules.verbs import Act

_RESPAWN = "respawn"


def begin_life(act: Act) -> None:
    """Bring a player into the world, and let bystanders see it.

    A new player gets items, money and the arrival text. A returning player gets the text of `welcome_back`.
    """
    body, settings = act.actor, land_of(act).settings
    act.touch(body)
    if "born" not in body.data and body.driver in ("player", "program"):
        body.data["born"] = act.world.turn
        body.data[LESSON] = "due"
        body.money += settings.money
        for kind in settings.items:
            item = give_item(act, kind)
            item.data[KIT] = True
            row = item_row(act, kind)
            if item.id in body.items and row.slot and row.slot not in body.worn:
                wear(act, body, item)
        if settings.arrival:
            act.say(settings.arrival)
    elif "born" in body.data:
        welcome_back(act)
    plan_lesson(act)
    mend_soon(act, body)
    act.stimulus("sight", 1.0, "{name} is here all at once, as if from nowhere.", came=True)


def end_life(act: Act) -> None:
    """Share the reward for a death, and let the dead body come back to life.

    Players come back at home immediately. Other creatures drop their items, and come back after `respawn_s`
    where they began, or never if that is 0. A creature that gives a lesson never comes back. A companion
    loses its owner.
    """
    body = act.actor
    killers = blamed_for(act, body)
    heirs = _share(act, body, killers)
    act.stimulus("sight", 2.0, "{name} dies.", apart=heirs)
    act.touch(body)
    body.data.pop("blamed", None)
    if body.is_character:
        _wake_at_home(act, body, killers)
        return
    row = kind_of(act, body)
    if body.owner:
        release(act, body)
    put_down(act, body)
    for kind, chance in row.drops.items():
        if act.random.below(100) < chance:
            make(act.world, land_of(act), kind, act.place)
    body.money = 0
    if PUPIL in body.data:
        end_lesson(act, body)
        return
    if row.respawn_s == 0:
        act.world.remove(body)
        return
    act.at(row.respawn_s * 1_000_000, _RESPAWN, who=body.id)


def blamed_for(act: Act, body: Creature) -> list[Creature]:
    """Return the creatures that struck a body within BLAMED_US and are still in the world."""
    since_us, creatures = act.world.reached_us - BLAMED_US, act.world.creatures
    blamed = [creatures.get(int(k)) for k, us in body.data.get("blamed", {}).items() if us >= since_us]
    return [one for one in blamed if one is not None]


def _share(act: Act, body: Creature, killers: list[Creature]) -> list[Creature]:
    """Share the reward for a death among the present players that killed the body. Return their bodies."""
    row = kind_of(act, body)
    there = [b for b in killers if b.place == body.place and b.died_us is None]
    heirs = [b for b in there if b.is_character]
    for heir in heirs:
        act.touch(heir)
        coins = 0 if body.is_character else body.money // len(heirs)
        heir.money += coins
        xp = row.xp // len(heirs)
        gains = [f"{xp} xp"] if xp else []
        gains += [f"{coins} coin{'s' if coins > 1 else ''}"] if coins else []
        text = f"{begun(the(body.name))} is dead."
        act.tell(heir, f"{text} You gain {' and '.join(gains)}." if gains else text, slain=body.id)
        earn(act, heir, xp, told=True)
        note_kill(act, heir, body.kind)
    return heirs


def _wake_at_home(act: Act, body: Creature, killers: list[Creature]) -> None:
    settings, place = land_of(act).settings, waking_place(act, killers)
    lost = body.money * settings.death_money // 100
    body.money -= lost
    body.data["deaths"] = body.data.get("deaths", 0) + 1
    revive(act.world, body, place)
    grant_peace(act)
    toll = f" {lost} of your coins {'is' if lost == 1 else 'are'} gone." if lost else ""
    act.say(
        f"Everything goes dark. Then there is a bell, and cold stone under your back.{toll} You live again."
    )
    act.stimulus("sight", 1.0, "{name} sits up with a gasp.", place=place, came=True)
    plan_lesson(act)


def _respawn(act: Act, payload: dict[str, Any]) -> None:
    body, row = act.actor, kind_of(act, act.actor)
    if body.died_us is None:
        return
    home = str(body.data.get("home", ""))
    revive(act.world, body, home if home in act.world.places else land_of(act).settings.start)
    low, high = row.money
    body.money = low + act.random.below(high - low + 1)
    body.memory = dict(body.data.get("memory", {}))
    act.stimulus("sight", 1.0, "{name} comes out of hiding.", came=True)


FATE_TIMERS = {_RESPAWN: _respawn, **LESSON_TIMERS}
