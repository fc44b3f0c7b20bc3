"""Every game of the catalogue keeps the contract of a game."""

from __future__ import annotations

import pytest

from packages.world.tests.worlds import lively_intent
from turnwright import catalog
from turnwright.testing.check_game import check_game

pytestmark = pytest.mark.filterwarnings("error:.*not checked in another process")


def test_countdown_keeps_the_contract_of_a_game():
    check_game(catalog.load("countdown"), setup={"pile": 400})


def test_the_tank_keeps_the_contract_of_a_game():
    check_game(catalog.load("tank"), setup={"number_of_rounds": 2})


def test_the_world_keeps_the_contract_of_a_game():
    check_game(catalog.load("world"), lively_intent)
