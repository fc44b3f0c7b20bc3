"""One row a game, loaded when it is asked for."""

from __future__ import annotations

import pytest

from turnwright import catalog
from turnwright.errors import SetupError


@pytest.mark.parametrize("name", sorted(catalog.GAMES))
def test_every_row_leads_to_a_game_of_that_name(name: str) -> None:
    assert catalog.load(name).name == name


def test_each_load_gives_rules_of_its_own() -> None:
    assert catalog.load("countdown") is not catalog.load("countdown")


def test_an_unknown_game_is_refused_with_the_names_of_the_known_ones() -> None:
    with pytest.raises(SetupError, match="no game 'chess'; the games are countdown, tank"):
        catalog.load("chess")
