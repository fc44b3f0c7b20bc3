"""Prices of merchants. A merchant pays less for items of which it has bought many."""

from __future__ import annotations

from turnwright_world.kit.ruleset import item_row, kind_of
from turnwright_world.rules.entities import Creature, Item
from turnwright_world.rules.verbs import Act

FORGOTTEN_US = 60_000_000
"""The time in which a merchant sells one bought item to other customers, in µs of game time."""
_GLUT = "glut"


def merchant_here(act: Act, name: str = "") -> Creature | None:
    """Return the merchant here that a name means.

    Without a name, or if no creature here has the name, return the first merchant. Return None if there is no
    merchant, or if the named creature is not a merchant.
    """
    traders = [b for b in act.here() if kind_of(act, b).sells or kind_of(act, b).buys]
    named = act.find_creature(name) if name else None
    if named is not None:
        return named if named in traders else None
    return traders[0] if traders else None


def wares(act: Act, merchant: Creature) -> list[tuple[str, int]]:
    """Return the kinds of items that a merchant sells, with their prices, the cheapest first."""
    return sorted(kind_of(act, merchant).sells.items(), key=lambda ware: (ware[1], ware[0]))


def glut_of(act: Act, merchant: Creature, kind: str) -> int:
    """Return how many items of a kind a merchant has bought and not sold yet."""
    count, since_us = merchant.data.get(_GLUT, {}).get(kind, (0, 0))
    return max(0, int(count) - (act.world.reached_us - int(since_us)) // FORGOTTEN_US)


def price_for(act: Act, merchant: Creature, item: Item) -> int | None:
    """Return the price that a merchant pays for an item, or None if the merchant does not buy it.

    The merchant pays half of the item's price. Each unsold item of the same kind reduces this by a tenth of
    the half, down to a tenth of the half. The price is at least 1 coin.
    """
    row, wanted = item_row(act, item.kind), kind_of(act, merchant).buys
    if not row.price or not any(tag in wanted for tag in row.tags):
        return None
    return max(1, row.price * max(1, 10 - glut_of(act, merchant, item.kind)) // 20)


def note_sale(act: Act, merchant: Creature, kind: str) -> None:
    """Note that a merchant has bought one more item of a kind."""
    act.touch(merchant)
    glut = dict(merchant.data.get(_GLUT, {}))
    glut[kind] = [glut_of(act, merchant, kind) + 1, act.world.reached_us]
    merchant.data[_GLUT] = glut
