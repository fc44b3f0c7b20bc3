"""The message for a returning player, with what happened to the character."""

from __future__ import annotations

from typing import Any

from turnwright_world.kit.levels import level_of
from turnwright_world.kit.ruleset import AWAY
from turnwright_world.rules.entities import Creature
from turnwright_world.rules.naming import a, coins
from turnwright_world.rules.verbs import Act


def note_away(act: Act) -> None:
    """Store the actor's state when its player leaves or the connection is lost."""
    me = act.actor
    if AWAY in me.data:
        return
    act.touch(me)
    me.data[AWAY] = {
        "us": act.world.reached_us,
        "place": me.place,
        "deaths": me.data.get("deaths", 0),
        "level": level_of(me),
        "xp": me.data.get("xp", 0),
        "money": me.money,
        "foes": [],
    }


def welcome_back(act: Act) -> None:
    """Tell the actor when it was last seen, where it is, and what has happened since.

    This forgets the state that `note_away` has stored. Without such a state, do nothing.
    """
    me = act.actor
    away = me.data.get(AWAY)
    if away is None:
        return
    act.touch(me)
    del me.data[AWAY]
    since = _span((act.world.reached_us - int(away["us"])) // 1_000_000)
    place = act.world.places[me.place].name
    facts = _facts(me, away)
    if away["place"] != me.place and away["place"] in act.world.places:
        facts.append(f"you went from {act.world.places[away['place']].name} to {place}")
    happened = f"Meanwhile: {', '.join(facts)}." if facts else "Nothing happened to you meanwhile."
    text = f"Welcome back, {me.name}. Last seen {since} ago, world time; you are here: {place}. {happened}"
    changes = {"deaths": me.data.get("deaths", 0) - away["deaths"], "levels": level_of(me) - away["level"]}
    act.say(text, arrived=True, away={**changes, "foes": away["foes"], "place": away["place"]})


def _facts(me: Creature, away: dict[str, Any]) -> list[str]:
    """Return the differences from the stored state as short texts."""
    deaths = int(me.data.get("deaths", 0)) - away["deaths"]
    xp, money = int(me.data.get("xp", 0)) - away["xp"], me.money - away["money"]
    foes = away["foes"]
    facts = [f"you died {'once' if deaths == 1 else f'{deaths} times'}"] if deaths else []
    facts += [f"{_list([a(name) for name in foes])} attacked you"] if foes else []
    facts += [f"you reached level {level_of(me)}"] if level_of(me) > away["level"] else []
    facts += [f"you gained {xp} xp"] if xp > 0 else []
    facts += [f"you {'gained' if money > 0 else 'lost'} {coins(abs(money))}"] if money else []
    return facts


def _list(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _span(seconds: int) -> str:
    """Return a time in the largest unit of which it has at least two: "45 seconds", "12 minutes"."""
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s"
    return f"{seconds} second{'' if seconds == 1 else 's'}"
