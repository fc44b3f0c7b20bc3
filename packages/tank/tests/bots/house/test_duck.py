"""Duck never moves and never fires."""

from __future__ import annotations

from packages.tank.tests.bots.battles import fight, paths_of
from turnwright_tank.bots.house.duck import Duck
from turnwright_tank.bots.house.rammer import Rammer


def test_a_duck_asks_for_nothing_but_its_colours() -> None:
    intent = fight(Duck, Duck, Rammer).intents[0]
    assert (intent.target_speed, intent.turn_rate, intent.firepower) == (0.0, 0.0, 0.0)
    assert intent.body_color == "#FFD700"


def test_a_duck_stays_where_it_is() -> None:
    duck, _ = paths_of(Duck, Duck, turns=50)
    assert len(set(duck)) == 1
