"""Verbs of movement and doors: go, flee, open, unlock, shut."""

from __future__ import annotations

from turnwright_world.kit.doors import door_of, is_shut, open_door, shut_door
from turnwright_world.kit.first_lesson import plan_lesson
from turnwright_world.kit.healing import mend_soon
from turnwright_world.kit.quests import note_visit, offered, progress, state_of
from turnwright_world.kit.ruleset import kind_of, land_of, lit
from turnwright_world.kit.schema import DIRECTIONS
from turnwright_world.rules.fight import drop_threats
from turnwright_world.rules.naming import begun, the
from turnwright_world.rules.seen_map import note_seen
from turnwright_world.rules.verbs import Act, Verb

_BACK = {"north": "the south", "south": "the north", "east": "the west", "west": "the east"}
_BACK |= {"up": "below", "down": "above", "in": "outside", "out": "inside"}
_GREETED_US = 300_000_000


def _way(text: str) -> str:
    """Return the direction that a text means or abbreviates. Return other text in lower case."""
    wanted = text.strip().lower()
    return next((way for way in DIRECTIONS if wanted and way.startswith(wanted)), wanted)


def _leave(act: Act, way: str, how: str) -> None:
    me = act.actor
    act.touch(me)
    before = me.data["from"] = me.place
    act.stimulus("sight", 1.0, f"{{name}} {how} {way}.", way=way)
    act.move(me, act.place.exits[way])
    act.stimulus("sight", 1.0, f"{{name}} comes from {_BACK[way]}.", came=True)
    if not lit(act.world, land_of(act), me.place):
        act.stimulus("sound", 0.5, "Steps come near.", came=True)
    if me.is_character:
        note_seen(me, before, me.place)
        note_visit(act)
        _greet(act)
        plan_lesson(act)


def _greet(act: Act) -> None:
    """Let creatures here greet the actor now and then, and tell the actor which of them want to talk."""
    me, now_us = act.actor, act.world.reached_us
    greeted = {kind: us for kind, us in me.data.get("greeted", {}).items() if us + _GREETED_US > now_us}
    for other in act.here():
        words, new = kind_of(act, other).greets, other.kind not in greeted
        if words and new:
            greeted[other.kind] = now_us
            act.say(f"{the(other.name)} says: {words}", arrived=True)
        wish = _wish(act, other.kind, new)
        if wish:
            act.say(
                f"({begun(the(other.name))} {wish}: talk {other.name.split()[-1].lower()}.)", arrived=True
            )
    act.touch(me)
    me.data["greeted"] = greeted


def _wish(act: Act, kind: str, new: bool) -> str:
    """Return why a creature wants to talk to the actor, or "".

    Args:
        new: whether the two have not met for a while.
    """
    for name, quest in land_of(act).quests.items():
        open_here = quest.giver == kind and state_of(act.actor, name) == "open"
        if open_here and progress(act, name) >= quest.count:
            return "waits for what you have to tell"
    return "has a quest for you" if new and offered(act, kind) else ""


def _no_way(act: Act, way: str) -> str:
    """Return the message that no exit leads in a direction, with a list of the exits."""
    ways = ", ".join(act.place.exits)
    return f"You can't go {way}. Exits: {ways}." if way in DIRECTIONS else f"Go where? Exits: {ways}."


class Go(Verb):
    name, aliases = "go", ("walk", "run")
    group = "moving"
    help = "go DIRECTION, or the direction alone (north or n, in, up …): leave this place"

    def check(self, act: Act) -> str | None:
        way = _way(act.text)
        if way not in act.place.exits:
            return _no_way(act, way)
        door = door_of(act, way)
        if door is not None and is_shut(act, way):
            return f"The {door.name} is shut; open {way}."
        return None

    def finish(self, act: Act) -> None:
        _leave(act, _way(act.text), "goes")


class Flee(Verb):
    name, aliases, duration_turns, urgent = "flee", ("escape",), 2, True
    group = "fighting"
    help = "flee: run from a fight, back to where you came from; it costs stamina, but no attack follows you"

    def check(self, act: Act) -> str | None:
        if not self._ways(act):
            return "There is no way out!"
        return "You are too tired to run." if act.actor.stamina < 20 else None

    def _ways(self, act: Act) -> list[str]:
        return [way for way in act.place.exits if not is_shut(act, way)]

    def finish(self, act: Act) -> None:
        ways, me = self._ways(act), act.actor
        act.touch(me)
        me.stamina -= 20
        mend_soon(act, me)
        back = [way for way in ways if act.place.exits[way] == me.data.get("from")]
        way = back[0] if back else ways[act.random.below(len(ways))]
        drop_threats(act.world, me, "escaped")
        act.say(f"You run {way}, and do not look back.")
        _leave(act, way, "runs")


class Open(Verb):
    name, aliases = "open", ("unlock",)
    group = "moving"
    help = "open DIRECTION: open a door; a locked one needs its key in your pack"

    def check(self, act: Act) -> str | None:
        way = self._door_way(act)
        door = door_of(act, way)
        if door is None:
            return "There is no door to open."
        if not is_shut(act, way):
            return f"The {door.name} is open."
        owned = [act.world.items[number].kind for number in act.actor.items]
        return (
            None if not door.key or door.key in owned else f"The {door.name} is locked, and you have no key."
        )

    def _door_way(self, act: Act) -> str:
        way = _way(act.text)
        doors = [each for each in act.place.exits if door_of(act, each) is not None]
        return doors[0] if way not in act.place.exits and doors else way

    def finish(self, act: Act) -> None:
        way = self._door_way(act)
        door = door_of(act, way)
        assert door is not None
        open_door(act, way)
        act.say(f"You open the {door.name}: the way {way} is free, for a minute.")
        act.stimulus("sight", 1.0, f"{{name}} opens the {door.name}.")
        act.stimulus("sound", 1.0, "Hinges squeal.")


class Shut(Verb):
    name, aliases = "close", ("shut",)
    group = "moving"
    help = "close DIRECTION (or shut): close a door"

    def check(self, act: Act) -> str | None:
        way = _way(act.text)
        return "There is no open door." if door_of(act, way) is None or is_shut(act, way) else None

    def finish(self, act: Act) -> None:
        shut_door(act, _way(act.text))
        act.say("It falls shut.")
        act.stimulus("sound", 1.0, "A door falls shut.")
