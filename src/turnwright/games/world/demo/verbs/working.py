"""Work of several turns that can be interrupted; what was done so far stays done: chop, dig, fish, pick."""

from __future__ import annotations

from turnwright.games.world.land.gear import give_item
from turnwright.games.world.land.rules import blind, item_row, land_of
from turnwright.games.world.verbs import Act, Verb

_STOCK = 4
_REGROWS_US = 90_000_000


class _Work(Verb):
    tool = ""
    wants = ""
    sound = ""

    def _left(self, act: Act) -> int:
        """How often there is something to get here; it grows back, and nothing has to run for it."""
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
        act.say(f"You get: {item.name}.")

    def interrupted(self, act: Act) -> None:
        begun = int(act.place.data.get(f"{self.name}_begun", 0)) + act.data.get("done", 0)
        act.touch(act.place)
        act.place.data[f"{self.name}_begun"] = min(begun, self.duration_turns - 1)
        act.say("You leave it half done; the next time it will go faster.")


class Chop(_Work):
    name, duration_turns = "chop", 16
    tool, wants, sound = "axe", "an axe", "An axe bites into wood."
    help = "chop: cut wood, for four seconds; you need an axe"


class Dig(_Work):
    name, aliases, duration_turns = "dig", ("mine",), 20
    tool, wants, sound = "pick", "a pickaxe", "Iron rings on stone."
    help = "dig: break ore out of a seam, for five seconds; you need a pickaxe"


class Fish(_Work):
    name, duration_turns = "fish", 24
    tool, wants, sound = "rod", "a fishing rod", "A line swishes and plops."
    help = "fish: try your luck, for six seconds; you need a rod"


class Pick(_Work):
    name, aliases, duration_turns = "pick", ("gather",), 6
    sound = "Leaves rustle."
    help = "pick: gather what grows here"
