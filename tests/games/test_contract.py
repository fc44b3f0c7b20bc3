"""Every game of the catalogue keeps the contract of a game."""

from __future__ import annotations

from games.world.worlds import lively_intent
from kernel.support import some_intent
from turnwright import catalog
from turnwright.testing.check_game import check_game


def test_countdown_keeps_the_contract_of_a_game():
    game = catalog.load("countdown")
    check_game(game, lambda rng: some_intent("countdown", rng), {"pile": 400})


def test_the_tank_keeps_the_contract_of_a_game():
    game = catalog.load("tank")
    check_game(game, lambda rng: some_intent("tank", rng), {"number_of_rounds": 2})


def test_the_world_keeps_the_contract_of_a_game():
    check_game(catalog.load("world"), lively_intent)
