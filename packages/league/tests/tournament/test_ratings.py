"""Ratings equal published examples, and do not depend on the order of battles."""

from __future__ import annotations

import math
import random
import sys
from dataclasses import replace

import pytest

from packages.core.tests.messages import missing
from packages.league.tests.tournament.play import RULES, battle, by_strength, entries_of, play_all
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.ratings import GlickoRating, RatingColumns, glicko2_update, ratings_of

ENTRIES = entries_of(5)


def tournament(battles: int = 6) -> list[PlayedBattle]:
    return play_all(ENTRIES, replace(RULES, battles=battles), by_strength(ENTRIES, 0.4))


def test_glickmans_worked_example_comes_out() -> None:
    """Example of the Glicko-2 system (Glickman, 2013), page 4."""
    games = [
        (GlickoRating(1400, 30), 1.0),
        (GlickoRating(1550, 100), 0.0),
        (GlickoRating(1700, 300), 0.0),
    ]
    found = glicko2_update(GlickoRating(1500, 200, 0.06), games, tau=0.5)
    assert round(found.rating, 2) == 1464.05 or round(found.rating, 2) == 1464.06
    assert round(found.deviation, 2) == 151.52
    assert round(found.volatility, 5) == 0.06 or round(found.volatility, 5) == 0.05999


def test_an_idle_rating_becomes_less_certain_up_to_the_beginning() -> None:
    rated = GlickoRating(1600, 100, 0.06)
    idle = glicko2_update(rated, [])
    assert (idle.rating, idle.volatility) == (1600, 0.06)
    assert idle.deviation > 100
    assert glicko2_update(GlickoRating(), []) == GlickoRating()


@pytest.mark.parametrize("wins", [1, 30, 1000])
def test_many_wins_still_give_a_finite_rating(wins: int) -> None:
    found = glicko2_update(GlickoRating(1500, 30, 0.06), [(GlickoRating(2500, 30), 1.0)] * wins)
    again = glicko2_update(found, [(GlickoRating(), 0.0)] * wins)
    assert all(
        math.isfinite(value) and value > 0 for value in (found.rating, found.deviation, again.deviation)
    )
    assert found.rating > 1500
    assert again.rating < found.rating


def test_openskill_gives_its_published_example() -> None:
    """The example of the package's page, given without its later term for drift (tau)."""
    models = pytest.importorskip("openskill.models")
    model = models.PlackettLuce(tau=0.0)
    teams = [
        [model.rating(), model.rating(mu=32.444, sigma=5.123)],
        [model.rating(mu=43.381, sigma=2.421), model.rating(mu=25.188, sigma=6.211)],
    ]
    rated = [(round(one.mu, 6), round(one.sigma, 6)) for team in model.rate(teams) for one in team]
    assert rated == [
        (28.669648, 8.071521),
        (33.830870, 5.062773),
        (43.071275, 2.416690),
        (23.149503, 6.137861),
    ]


def test_ratings_order_entries_by_strength() -> None:
    columns = ratings_of(ENTRIES, tournament()).columns
    for name in ("glicko2", "openskill"):
        if name in columns:
            assert sorted(columns[name], key=columns[name].__getitem__, reverse=True) == [
                entry.id for entry in ENTRIES
            ]
    assert all(0 < value < 350 for value in columns["glicko2_deviation"].values())


def test_the_order_of_the_battles_does_not_matter() -> None:
    battles = tournament(3)
    mixed = random.Random(1).sample(battles, len(battles))
    assert ratings_of(ENTRIES, mixed) == ratings_of(ENTRIES, battles)


def test_battles_that_do_not_count_change_no_rating() -> None:
    battles = tournament(2)
    more = battle({ENTRIES[0].id: 0, ENTRIES[4].id: 9}, 77)
    void, suspect = replace(more, state="void"), replace(more, suspect=("late",))
    assert ratings_of(ENTRIES, [*battles, void]) == ratings_of(ENTRIES, battles)
    assert ratings_of(ENTRIES, [*battles, suspect]) == ratings_of(ENTRIES, battles)
    assert ratings_of(ENTRIES, [*battles, more]) != ratings_of(ENTRIES, battles)


def test_a_melee_rates_all_its_entries() -> None:
    battles = [battle({e.id: 5 - n for n, e in enumerate(ENTRIES)}, seed) for seed in range(4)]
    found = ratings_of(ENTRIES, battles).columns["glicko2"]
    assert [found[entry.id] for entry in ENTRIES] == sorted(found.values(), reverse=True)


def test_without_the_package_one_line_says_how_to_get_the_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    found: RatingColumns = ratings_of(ENTRIES, tournament(1))
    assert set(found.columns) == {"glicko2", "glicko2_deviation"}
    (said,) = found.missing
    assert not missing(said, "OpenSkill", "pip install 'turnwright[ratings]'")


def test_entries_without_a_battle_have_the_rating_of_the_beginning() -> None:
    assert set(ratings_of(ENTRIES, []).columns["glicko2"].values()) == {1500.0}
