"""Trade: list, buy, sell."""

from __future__ import annotations

from turnwright.games.world.land.gear import give_item, use_up
from turnwright.games.world.land.rules import item_row, kind_of, land_of
from turnwright.games.world.land.trade import merchant_here, note_sale, price_for, wares
from turnwright.games.world.verbs import Act, Verb

_NOBODY = "There is nobody here to trade with."


class List(Verb):
    name, aliases = "list", ("wares", "browse")
    help = "list: what is for sale here"

    def check(self, act: Act) -> str | None:
        return None if merchant_here(act, act.text) else _NOBODY

    def finish(self, act: Act) -> None:
        merchant = merchant_here(act, act.text)
        assert merchant is not None
        lines = [f"{item_row(act, kind).name}: {price} coins" for kind, price in wares(act, merchant)]
        buys = ", ".join(kind_of(act, merchant).buys)
        if buys:
            lines.append(f"{merchant.name} buys: {buys}.")
        act.say(f"{merchant.name} has for you:\n" + "\n".join(lines))


class Buy(Verb):
    name = "buy"
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
            return f"Nobody sells {act.text or 'that'} here; try list."
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
        act.say(f"You buy: {item.name}, for {ware[1]} coins.")
        act.stimulus("sight", 1.0, "{name} buys something.")


class Sell(Verb):
    name = "sell"
    help = "sell THING: more of the same brings less, for a while"

    def check(self, act: Act) -> str | None:
        merchant, item = merchant_here(act), act.find_own(act.text)
        if merchant is None:
            return _NOBODY
        if item is None:
            return f"You have no {act.text or 'such thing'}."
        if item.id in act.actor.worn.values():
            return "You wear it; remove it first."
        return None if price_for(act, merchant, item) else f"{merchant.name} does not buy that."

    def finish(self, act: Act) -> None:
        merchant, item = merchant_here(act), act.find_own(act.text)
        assert merchant is not None
        assert item is not None
        price = price_for(act, merchant, item) or 0
        note_sale(act, merchant, item.kind)
        use_up(act, item, act.actor)
        act.touch(act.actor)
        act.actor.money += price
        act.say(f"You sell: {item.name}, for {price} coins.")
