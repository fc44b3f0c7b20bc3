"""Verbs for items: drop, give, examine, wear, remove, eat."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from turnwright_world.kit.healing import refresh
from turnwright_world.kit.items import move_item, take_off, use_up, wear
from turnwright_world.kit.quests import progress, state_of
from turnwright_world.kit.ruleset import blind, item_row, kind_of, land_of
from turnwright_world.kit.schema import ItemRow
from turnwright_world.kit.trade import merchant_here, wares
from turnwright_world.rules.entities import Creature, Item
from turnwright_world.rules.naming import a, begun, coins, stands_in, the
from turnwright_world.rules.verbs import Act, Verb

_HOW = {"hand": "wield", "light": "light", "head": "put on", "body": "put on", "feet": "put on"}


class Drop(Verb):
    name, aliases = "drop", ("put",)
    group = "things"
    help = "drop THING: put it down here"

    def check(self, act: Act) -> str | None:
        if not act.text.strip():
            return "Drop what?"
        return None if act.find_own(act.text) else f"You have no {act.text}."

    def finish(self, act: Act) -> None:
        item = act.find_own(act.text)
        assert item is not None
        move_item(act, item, act.actor, act.place)
        act.say(f"You drop {the(item.name)}.")
        act.stimulus("sight", 1.0, f"{{name}} drops {a(item.name)}.")


class Give(Verb):
    name = "give"
    group = "things"
    help = "give THING to NAME: hand it over; coins: give 5 to NAME"

    def _parts(self, act: Act) -> tuple[str, str]:
        what, _, who = act.text.partition(" to ")
        return what.strip(), who.strip()

    def check(self, act: Act) -> str | None:
        what, who = self._parts(act)
        if not who or act.find_creature(who) is None:
            return "Give what to whom? Try: give bread to cat."
        other = act.find_creature(who)
        if other is not None and len(other.items) >= land_of(act).settings.carry_max:
            return f"{begun(the(other.name))} cannot carry any more."
        if what.isascii() and what.isdecimal() and len(what) < 8:
            return None if 0 < int(what) <= act.actor.money else "You do not have so many coins."
        item = act.find_own(what)
        if item is None or other is None:
            return f"You have no {what}." if what else "Give what? Name it: give bread to cat."
        return _wanted(act, other, item)

    def finish(self, act: Act) -> None:
        what, who = self._parts(act)
        other, item = act.find_creature(who), act.find_own(what)
        assert other is not None
        if item is None:
            act.touch(act.actor)
            act.touch(other)
            act.actor.money -= int(what)
            other.money += int(what)
            thing = coins(int(what))
        else:
            move_item(act, item, act.actor, other)
            thing = the(item.name)
        act.say(f"You give {thing} to {the(other.name)}.")
        act.tell(other, f"{the(act.actor.name)} gives you {thing}.", giver=act.actor.id)
        act.stimulus("sight", 1.0, f"{{name}} gives something to {the(other.name)}.", apart=[other])


def _wanted(act: Act, other: Creature, item: Item) -> str | None:
    """Return how to hand in an item that a creature wants for a quest, or None if it wants another item."""
    for name, quest in land_of(act).quests.items():
        here = quest.giver == other.kind and quest.bring == item.kind
        if here and state_of(act.actor, name) == "open":
            have, word = progress(act, name), other.name.split()[-1].lower()
            if have < quest.count:
                far = f"you have {have} of {quest.count}"
                return f"Keep it for {quest.name}: {far}; with all of them, talk {word}."
            return f"To hand it in for {quest.name}, talk {word}."
    return None


class Examine(Verb):
    name, aliases = "examine", ("x", "inspect", "read")
    group = "looking"
    help = "examine THING or NAME (or read): look closely at what you have, what is here, or what is for sale"

    def check(self, act: Act) -> str | None:
        if not act.text:
            return "Examine what?"
        return blind(act) or (None if self._found(act) else f"You see no {act.text} here.")

    def _found(self, act: Act) -> str:
        item = act.find_own(act.text) or act.find_item(act.text)
        if item is not None:
            return item_row(act, item.kind).shown
        other = act.find_creature(act.text)
        if other is not None:
            return kind_of(act, other).text or f"{begun(the(other.name))} is hard to describe."
        row = land_of(act).places.get(act.actor.place)
        found = self._one_of(act, row.yields.get(self.name, ()) if row else ()) or self._ware(act)
        word = act.text.strip().lower().removeprefix("the ")
        plain = row is not None and stands_in(word, row.text)
        return found or (f"You see nothing special about the {word}." if plain else "")

    def _ware(self, act: Act) -> str:
        merchant = merchant_here(act)
        return self._one_of(act, [kind for kind, _ in wares(act, merchant)] if merchant else ())

    def _one_of(self, act: Act, kinds: Sequence[str]) -> str:
        """Return the description of the kind of item that the text means, or ""."""
        wanted = f" {act.text.strip().lower()}"
        rows = [item_row(act, kind) for kind in kinds]
        return next((row.shown for row in rows if wanted in f" {row.name.lower()}"), "")

    def finish(self, act: Act) -> None:
        act.say(self._found(act))


def _own(act: Act, fits: Callable[[ItemRow], object]) -> Item | None:
    """Return the actor's first item with this name that fits. Otherwise return the first, or None."""
    for nth in range(1, len(act.actor.items) + 1):
        item = act.find_own(f"{nth}.{act.text.strip()}")
        if item is not None and fits(item_row(act, item.kind)):
            return item
    return act.find_own(act.text)


def _have(act: Act, fits: Callable[[ItemRow], object]) -> str:
    """Return a list of the actor's items that fit, as the answer to a command without a name."""
    own = [act.world.items[number] for number in act.actor.items]
    names = ", ".join(dict.fromkeys(item.name for item in own if fits(item_row(act, item.kind))))
    return f"You have: {names}." if names else "You have nothing for that."


def _wearable(row: ItemRow) -> object:
    return row.slot


def _edible(row: ItemRow) -> object:
    return row.health or row.stamina


class Wear(Verb):
    name, aliases = "wear", ("wield", "hold", "light")
    group = "things"
    help = "wear THING (or wield, light): use it from now on"

    def check(self, act: Act) -> str | None:
        item = _own(act, _wearable)
        if item is None:
            return f"You have no {act.text}." if act.text else f"Wear what? {_have(act, _wearable)}"
        if not item_row(act, item.kind).slot:
            return f"You cannot wear or wield {a(item.name)}."
        return "You wear it already." if item.id in act.actor.worn.values() else None

    def finish(self, act: Act) -> None:
        item = _own(act, _wearable)
        assert item is not None
        wear(act, act.actor, item)
        how = _HOW[item_row(act, item.kind).slot]
        act.say(f"You {how} {the(item.name)}.")
        act.stimulus("sight", 1.0, f"{{name}} gets {a(item.name)} ready.")


class Remove(Verb):
    name, aliases = "remove", ("unwield", "douse")
    group = "things"
    help = "remove THING: take off what you wear"

    def check(self, act: Act) -> str | None:
        item = act.find_own(act.text)
        worn = item is not None and item.id in act.actor.worn.values()
        if act.text:
            return None if worn else f"You do not wear {act.text}."
        names = ", ".join(act.world.items[number].name for number in act.actor.worn.values())
        return f"Remove what? You wear: {names or 'nothing'}."

    def finish(self, act: Act) -> None:
        item = act.find_own(act.text)
        assert item is not None
        take_off(act, act.actor, item)
        act.say(f"You take off {the(item.name)}.")


class Eat(Verb):
    name, aliases, duration_turns = "eat", ("drink", "quaff", "apply"), 4
    group = "things"
    help = "eat THING (or drink, apply): it gives back health or stamina"

    def check(self, act: Act) -> str | None:
        item = _own(act, _edible)
        if item is None:
            return f"You have no {act.text}." if act.text else f"Eat what? {_have(act, _edible)}"
        row = item_row(act, item.kind)
        return None if row.health or row.stamina else "That would do you no good."

    def finish(self, act: Act) -> None:
        item = _own(act, _edible)
        assert item is not None
        row = item_row(act, item.kind)
        use_up(act, item, act.actor)
        refresh(act, act.actor, row.health, row.stamina)
        act.say(f"{item.name.capitalize()}: that does you good.")

    def interrupted(self, act: Act) -> None:
        act.say("You put it back, untouched." if _own(act, _edible) else "It is gone.")
