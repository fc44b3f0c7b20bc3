"""The smallest games keep the contract of a game."""

from __future__ import annotations

import pytest

from turnwright import catalog
from turnwright.testing.check_game import check_game

pytestmark = pytest.mark.filterwarnings("error:.*not checked in another process")


def test_countdown_keeps_the_contract_of_a_game():
    check_game(catalog.load("countdown"), setup={"pile": 400})
