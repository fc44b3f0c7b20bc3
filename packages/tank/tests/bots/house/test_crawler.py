"""Crawler stays at the walls, goes all the way round, and turns without driving into them."""

from __future__ import annotations

import pytest

from packages.tank.tests.bots.battles import HEIGHT, WIDTH, fight, paths_of
from turnwright_tank.bots.house.crawler import Crawler
from turnwright_tank.bots.house.duck import Duck

PLACES = ((420, 310, 20), (400, 300, 0))


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_crawler_stays_near_the_walls_once_it_is_there(seed: int) -> None:
    crawler, _ = paths_of(Crawler, Duck, turns=200, seed=seed, places=((500, 500, 20), (400, 300, 0)))
    for x, y in crawler[110:]:
        assert min(x, y, WIDTH - x, HEIGHT - y) < 75.0


def test_a_crawler_goes_along_more_than_one_wall() -> None:
    crawler, _ = paths_of(Crawler, Duck, turns=200, places=PLACES)
    walls = {
        name
        for x, y in crawler[60:]
        for name, gap in (("west", x), ("south", y), ("east", WIDTH - x), ("north", HEIGHT - y))
        if gap < 60.0
    }
    assert len(walls) >= 2


def test_a_crawler_loses_no_energy_to_the_walls() -> None:
    hits = 0

    def look(frame: object) -> None:
        nonlocal hits
        hits += sum(type(event).__name__ == "BotHitWallEvent" for event in frame.events)  # type: ignore[attr-defined]  # a Frame

    fight(Crawler, Duck, places=PLACES, watch=look)
    assert hits == 0
