"""Verbs of trade: list, buy, sell."""

from __future__ import annotations

from turnwright_world.kit.items import give_item, use_up
from turnwright_world.kit.quests import state_of
from turnwright_world.kit.ruleset import item_row, kind_of, land_of
from turnwright_world.kit.schema import ItemRow
from turnwright_world.kit.trade import merchant_here, note_sale, price_for, wares
from turnwright_world.rules.entities import Creature, Item
from turnwright_world.rules.naming import a, begun, the
from turnwright_world.rules.verbs import Act, Verb

_NOBODY = "There is nobody here to trade with."


def _good_for(row: ItemRow) -> str:
    """Return the effects of an item in brackets, or ""."""
    parts: list[str] = [row.slot] if row.slot else []
    if row.blow is not None:
        parts.append(f"{row.blow.kind} for {row.blow.damage} every {row.blow.rhythm_ms / 1000:g} s")
    parts += [f"{name} {points:+d}" for name, points in row.gives.items()]
    parts += [
        f"{points} {what}" for points, what in ((row.health, "health"), (row.stamina, "stamina")) if points
    ]
    return f" ({', '.join(parts)})" if parts else ""


def _offers(act: Act, merchant: Creature) -> list[tuple[Item, int]]:
    """Return the items in the actor's pack that a merchant buys, except worn items, with their prices."""
    worn = act.actor.worn.values()
    own = [act.world.items[number] for number in act.actor.items if number not in worn]
    return [(item, price) for item in own if (price := price_for(act, merchant, item))]


class List(Verb):
    name, aliases = "list", ("wares", "browse")
    group = "things"
    help = "list: what is for sale here, what it is good for, and what is bought"

    def check(self, act: Act) -> str | None:
        return None if merchant_here(act, act.text) else _NOBODY

    def finish(self, act: Act) -> None:
        merchant = merchant_here(act, act.text)
        assert merchant is not None
        who = begun(the(merchant.name))
        rows = [(item_row(act, kind), price) for kind, price in wares(act, merchant)]
        lines = [f"{who} has for you:"] if rows else []
        lines += [f"{row.name}: {price} coins{_good_for(row)}" for row, price in rows]
        buys = ", ".join(kind_of(act, merchant).buys)
        if buys:
            lines.append(f"{who} buys: {buys}. (Type sell to hear what is paid for what you have.)")
        act.say("\n".join(lines))


class Buy(Verb):
    name = "buy"
    group = "things"
    help = "buy THING: pay for it and take it"

    def _ware(self, act: Act) -> tuple[str, int] | None:
        merchant, wanted = merchant_here(act), act.text.strip().lower()
        for kind, price in wares(act, merchant) if merchant is not None and wanted else ():
            name = item_row(act, kind).name.lower()
            if name.startswith(wanted) or any(word.startswith(wanted) for word in name.split()):
                return kind, price
        return None

    def check(self, act: Act) -> str | None:
        if merchant_here(act) is None:
            return _NOBODY
        ware = self._ware(act)
        if ware is None:
            return f"Nobody sells {act.text} here; try list." if act.text else "Buy what? See list."
        if act.actor.money < ware[1]:
            return f"That costs {ware[1]} coins; you have {act.actor.money}."
        full = len(act.actor.items) >= land_of(act).settings.carry_max
        return "You cannot carry any more." if full else None

    def finish(self, act: Act) -> None:
        ware = self._ware(act)
        assert ware is not None
        act.touch(act.actor)
        act.actor.money -= ware[1]
        item = give_item(act, ware[0])
        act.say(f"You buy {a(item.name)} for {ware[1]} coins.")
        act.stimulus("sight", 1.0, "{name} buys something.")


class Sell(Verb):
    name, aliases = "sell", ("value", "offer")
    group = "things"
    help = (
        "sell THING, or sell all that cannot be worn and that no quest of yours wants; sell alone tells what"
        " is paid; more of the same brings less, for a while"
    )

    def check(self, act: Act) -> str | None:
        merchant, item = merchant_here(act), act.find_own(act.text)
        if merchant is None:
            return _NOBODY
        if act.text.strip().lower() in ("", "all"):
            return None if self._meant(act, merchant) else f"You have nothing that {the(merchant.name)} buys."
        if item is None:
            return f"You have no {act.text}."
        if item.id in act.actor.worn.values():
            return "You wear it; remove it first."
        return None if price_for(act, merchant, item) else f"{begun(the(merchant.name))} does not buy that."

    def _meant(self, act: Act, merchant: Creature) -> list[Item]:
        """Return the items that the text means. Without a text, return everything that the actor can sell.

        "all" leaves out items that can be worn and items that an open quest wants.
        """
        wanted, offers = act.text.strip().lower(), [item for item, _ in _offers(act, merchant)]
        if wanted not in ("", "all"):
            item = act.find_own(act.text)
            return [item] if item is not None else []
        return [
            item for item in offers if not wanted or not (item_row(act, item.kind).slot or _kept(act, item))
        ]

    def finish(self, act: Act) -> None:
        merchant = merchant_here(act)
        assert merchant is not None
        if not act.text.strip():
            offers = ", ".join(f"{item.name} {price}" for item, price in _offers(act, merchant))
            act.say(
                f"{the(merchant.name)} would pay, in coins: {offers}. Each one more of the same brings less."
            )
            return
        for item in self._meant(act, merchant):
            price = price_for(act, merchant, item) or 0
            note_sale(act, merchant, item.kind)
            use_up(act, item, act.actor)
            act.touch(act.actor)
            act.actor.money += price
            act.say(f"You sell {the(item.name)} for {price} coin{'s' if price > 1 else ''}.")


def _kept(act: Act, item: Item) -> bool:
    """Return whether an open quest of the actor wants items of this kind."""
    quests = land_of(act).quests.items()
    return any(quest.bring == item.kind and state_of(act.actor, name) == "open" for name, quest in quests)
