"""Verbs of gathering: get, chop, dig, fish, pick, search.

If work is interrupted, the finished part stays done.
"""

from __future__ import annotations

from turnwright_world.kit.items import give_item, move_item
from turnwright_world.kit.quests import progress, state_of
from turnwright_world.kit.ruleset import blind, item_row, land_of
from turnwright_world.rules.naming import a, the
from turnwright_world.rules.verbs import Act, Verb

_STOCK = 4
_REGROWS_US = 90_000_000


def _tell_of_quests(act: Act, kind: str) -> None:
    """Tell the actor the progress of quests that need an item of this kind."""
    for name, quest in land_of(act).quests.items():
        if quest.bring == kind and state_of(act.actor, name) == "open":
            have = progress(act, name)
            giver = land_of(act).kinds[quest.giver].name
            far = f"{have} of {quest.count}" if have < quest.count else f"done; take it to {the(giver)}"
            act.say(f"{quest.name}: {far}.", quest=name)


class Get(Verb):
    name, aliases = "get", ("take",)
    group = "things"
    help = "get THING, or get all: pick up what lies here"

    def check(self, act: Act) -> str | None:
        if blind(act):
            return blind(act)
        if len(act.actor.items) >= land_of(act).settings.carry_max:
            return "You cannot carry any more."
        if not act.text.strip() or act.text.strip().lower() == "all":
            nothing = "There is nothing to get."
            return nothing if not act.place.items else None if act.text.strip() else "Get what? Or: get all."
        return None if act.find_item(act.text) else f"There is no {act.text} here."

    def finish(self, act: Act) -> None:
        if act.text.strip().lower() == "all":
            found = [act.world.items[number] for number in act.place.items]
        else:
            found = [item for item in [act.find_item(act.text)] if item is not None]
        for item in found[: land_of(act).settings.carry_max - len(act.actor.items)]:
            move_item(act, item, act.place, act.actor)
            act.say(f"You get {a(item.name)}.")
            _tell_of_quests(act, item.kind)
            act.stimulus("sight", 1.0, f"{{name}} picks up {a(item.name)}.")


class _Work(Verb):
    tool = ""
    wants = ""
    sound = ""

    def _left(self, act: Act) -> int:
        """Return how many items this place still yields. They grow back with game time."""
        taken, since_us = act.place.data.get(f"{self.name}_taken", (0, 0))
        back = (act.world.reached_us - since_us) // _REGROWS_US
        return int(_STOCK - max(0, taken - back))

    def turns(self, act: Act) -> int:
        return max(1, self.duration_turns - int(act.place.data.get(f"{self.name}_begun", 0)))

    def check(self, act: Act) -> str | None:
        row = land_of(act).places.get(act.actor.place)
        if row is None or self.name not in row.yields:
            return f"There is nothing to {self.name} here."
        owned = [item_row(act, act.world.items[number].kind) for number in act.actor.items]
        if self.tool and not any(self.tool in thing.tags for thing in owned):
            return f"You need {self.wants}."
        if self._left(act) < 1:
            return f"There is nothing left to {self.name}; come back in a while."
        return blind(act)

    def begin(self, act: Act) -> None:
        act.say(f"You begin to {self.name}.")
        act.stimulus("sound", 1.0, self.sound)

    def each_turn(self, act: Act) -> None:
        act.data["done"] = act.data.get("done", 0) + 1

    def finish(self, act: Act) -> None:
        kinds = land_of(act).places[act.actor.place].yields[self.name]
        act.touch(act.place)
        act.place.data.pop(f"{self.name}_begun", None)
        act.place.data[f"{self.name}_taken"] = [_STOCK + 1 - self._left(act), act.world.reached_us]
        item = give_item(act, kinds[min(act.random.below(len(kinds)), act.random.below(len(kinds)))])
        act.say(f"You get {a(item.name)}.")
        _tell_of_quests(act, item.kind)

    def interrupted(self, act: Act) -> None:
        begun = int(act.place.data.get(f"{self.name}_begun", 0)) + act.data.get("done", 0)
        act.touch(act.place)
        act.place.data[f"{self.name}_begun"] = min(begun, self.duration_turns - 1)
        act.say("You leave it half done; the next time it will go faster.")


class Chop(_Work):
    name, duration_turns = "chop", 16
    tool, wants, sound = "axe", "an axe", "An axe bites into wood."
    group = "things"
    help = "chop: cut wood, for four seconds; you need an axe"


class Dig(_Work):
    name, aliases, duration_turns = "dig", ("mine",), 20
    tool, wants, sound = "pick", "a pickaxe", "Iron rings on stone."
    group = "things"
    help = "dig: break ore out of a seam, for five seconds; you need a pickaxe"


class Fish(_Work):
    name, duration_turns = "fish", 24
    tool, wants, sound = "rod", "a fishing rod", "A line swishes and plops."
    group = "things"
    help = "fish: try your luck, for six seconds; you need a rod"


class Pick(_Work):
    name, aliases, duration_turns = "pick", ("gather",), 6
    sound = "Leaves rustle."
    group = "things"
    help = "pick: gather what grows here"


class Search(_Work):
    name, aliases, duration_turns = "search", ("rummage",), 12
    sound = "Somebody rummages about."
    group = "looking"
    help = "search: look through what is in this place, for three seconds; some hold more than you see"
