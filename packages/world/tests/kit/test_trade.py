"""Prices, and their fall when too much of the same is sold."""

from __future__ import annotations

from packages.world.tests.kit.lands import a_rules, a_world, handle
from turnwright_world.kit.items import give_item
from turnwright_world.kit.trade import FORGOTTEN_US, glut_of, merchant_here, note_sale, price_for, wares


def test_a_merchant_pays_half_less_for_each_one_more_and_forgets() -> None:
    rules = a_rules()
    world = a_world(rules)
    rules.new_creature(world, "shop", "yard")
    act = handle(world, rules)
    merchant = merchant_here(act)
    assert merchant is not None
    bone = give_item(act, "bone")
    prices = []
    for _ in range(12):
        prices.append(price_for(act, merchant, bone))
        note_sale(act, merchant, "bone")
    assert prices[:3] == [10, 9, 8]
    assert prices[-1] == 1
    world.reached_us = 3 * FORGOTTEN_US
    assert glut_of(act, merchant, "bone") == 9


def test_wares_come_cheapest_first_and_only_wanted_items_are_bought() -> None:
    rules = a_rules()
    world = a_world(rules)
    shop = rules.new_creature(world, "shop", "yard")
    act = handle(world, rules)
    assert wares(act, shop) == [("key", 3), ("lamp", 7)]
    assert price_for(act, shop, give_item(act, "key")) is None


def test_only_merchants_trade() -> None:
    rules = a_rules()
    world = a_world(rules)
    assert merchant_here(handle(world, rules)) is None
    rules.new_creature(world, "shop", "yard")
    assert merchant_here(handle(world, rules), "dog") is None
