"""The tank keeps the contract of a game."""

from __future__ import annotations

import pytest

from turnwright import catalog
from turnwright.testing.check_game import check_game

pytestmark = pytest.mark.filterwarnings("error:.*not checked in another process")


def test_the_tank_keeps_the_contract_of_a_game():
    check_game(catalog.load("tank"), setup={"number_of_rounds": 2})
