"""The first lesson: a creature that comes for each new player and attacks once.

due ──(the player is in a suitable place)──► here ──(the attack is over, or the creature is dead)──► done

A player who leaves before the attack gets the lesson after coming back. The creature stays while it attacks
the player or the player attacks it. No player can tame it.
"""

from __future__ import annotations

from typing import Any

from turnwright_world.kit.ruleset import land_of, rules_of
from turnwright_world.kit.safe_return import PUPIL
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.naming import the
from turnwright_world.rules.verbs import Act

LESSON = "lesson"
"""The key of a lesson's state in the data of a character."""
LESSONS_MAX = 16
"""The most lessons in one place at the same time. Further players there wait."""
_BEGIN, _WATCH = "lesson", "lesson_watch"
_PLANNED = "lesson_us"
_BEGIN_US, _WATCH_US, _RETRY_US = 2_000_000, 1_000_000, 4_000_000
_STAY_US = 45_000_000
"""How long the creature stays after its attack, so that the pupil can win."""
_TRIES_US = 90_000_000
"""After this time a lesson counts as given even without an attack, because the creature's mind fails."""


def plan_lesson(act: Act) -> None:
    """Let the actor's lesson begin soon, if it is due and the place is suitable."""
    me = act.actor
    is_planned = me.data.get(_PLANNED, -1) >= act.world.reached_us
    if me.data.get(LESSON) == "due" and not is_planned and _fits(act, me):
        _plan(act, me, _BEGIN_US)


def _plan(act: Act, pupil: Creature, delay_us: int) -> None:
    """Let a pupil's lesson begin after a delay. Each pupil has one such timer."""
    act.touch(pupil)
    pupil.data[_PLANNED] = act.world.reached_us + delay_us
    act.world.at(act.world.reached_us + delay_us, _BEGIN, who=pupil.id)


def _fits(act: Act, pupil: Creature) -> bool:
    """Return whether a pupil's place suits a lesson: not safe, not dark, and in the area of the start."""
    land, place = land_of(act), act.world.places.get(pupil.place)
    start = act.world.places.get(land.settings.start)
    kind = land.settings.lesson
    there = place is not None and start is not None and place.area == start.area
    return there and kind in land.kinds and not {"safe", "dark"} & set(place.tags if place else ())


def _begin(act: Act, payload: dict[str, Any]) -> None:
    """Let the creature come for the actor, try again later, or do nothing if the lesson no longer fits."""
    me, world = act.actor, act.world
    if me.data.get(_PLANNED) != world.reached_us:
        return
    act.touch(me)
    del me.data[_PLANNED]
    if me.data.get(LESSON) != "due" or me.died_us is not None or not _fits(act, me):
        return
    others = [other for other in act.here() if PUPIL in other.data]
    if me.threats or me.linkdead_since is not None or len(others) >= LESSONS_MAX:
        _plan(act, me, _RETRY_US)
        return
    teacher = rules_of(act).new_creature(world, land_of(act).settings.lesson, me.place)
    teacher.data |= {PUPIL: me.id, "home": me.place, "since_us": world.reached_us}
    teacher.memory = {PUPIL: me.id}
    me.data[LESSON] = "here"
    world.at(world.reached_us + _WATCH_US, _WATCH, who=teacher.id)


def _watch(act: Act, payload: dict[str, Any]) -> None:
    """Remove the actor, which gives a lesson, if it has finished. Otherwise check again soon."""
    me, now_us = act.actor, act.world.reached_us
    if PUPIL not in me.data:
        return
    pupil = act.world.creatures.get(int(me.data[PUPIL]))
    coming = pupil is not None and any(threat.source == me.id for threat in pupil.threats)
    if me.died_us is not None:
        if not coming:
            _remove(act)
            return
    elif pupil is None or pupil.place != me.place or pupil.died_us is not None:
        if not (coming or me.threats):
            _go(act, pupil)
            return
    else:
        if _has_struck(me, pupil) and not coming and pupil.data.get(LESSON) == "here":
            _set(act, pupil, "done")
            act.touch(me)
            me.data["since_us"] = now_us
        stay_us = _STAY_US if pupil.data.get(LESSON) == "done" else _TRIES_US
        if now_us - int(me.data["since_us"]) >= stay_us and not (coming or me.threats or me.action):
            _go(act, pupil)
            return
    act.at(_WATCH_US, _WATCH, who=me.id)


def _has_struck(teacher: Creature, pupil: Creature) -> bool:
    return str(teacher.id) in pupil.data.get("blamed", {})


def _go(act: Act, pupil: Creature | None) -> None:
    """Remove the actor, which gives a lesson, from the world. The lesson is then done, or due again."""
    me = act.actor
    if pupil is not None and pupil.data.get(LESSON) == "here":
        late = act.world.reached_us - int(me.data["since_us"]) >= _TRIES_US
        _set(act, pupil, "done" if late or _has_struck(me, pupil) else "due")
        if pupil.place in act.world.places:
            _plan(act, pupil, _BEGIN_US)
    act.stimulus("sight", 1.0, f"{the(me.name)} turns away, and is gone.")
    _remove(act)


def _remove(act: Act) -> None:
    for number in list(act.actor.items):
        act.world.remove(act.world.items[number])
    act.world.remove(act.actor)


def end_lesson(act: Act, teacher: Creature) -> None:
    """End the lesson of a dead creature.

    The creature is removed from the world when none of its attacks is under way any more.
    """
    pupil = act.world.creatures.get(int(teacher.data[PUPIL]))
    if pupil is not None:
        _set(act, pupil, "done")


def _set(act: Act, pupil: Creature, state: str) -> None:
    act.touch(pupil)
    pupil.data[LESSON] = state


LESSON_TIMERS = {_BEGIN: _begin, _WATCH: _watch}
