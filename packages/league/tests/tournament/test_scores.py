"""Shares follow the documented rules, and each opponent counts once in a percentage."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packages.league.tests.tournament.play import battle
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.tournament.played_battle import EntryScore, PlayedBattle
from turnwright_league.tournament.scores import (
    average_share,
    battle_shares,
    correlation_of,
    pairing_shares,
    seed_terms,
    survival_shares,
    win_shares,
)

ANY_SCORE = st.floats(allow_nan=True, allow_infinity=True)


def failed(one: PlayedBattle, *entries: str) -> PlayedBattle:
    rows = [
        replace(row, failure=Failure(FailureReason.CRASHED)) if row.entry in entries else row
        for row in one.scores
    ]
    return replace(one, state="forfeit", scores=tuple(rows))


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        ({"a": 30, "b": 10}, {"a": 0.75, "b": 0.25}),
        ({"a": 0, "b": 10}, {"a": 0, "b": 1}),
        ({"a": 0, "b": 0}, {"a": 0.5, "b": 0.5}),
        ({"a": -5, "b": 10}, {"a": 0, "b": 1}),
        ({"a": -5, "b": -9}, {"a": 0.5, "b": 0.5}),
        ({"a": 1, "b": 1, "c": 2}, {"a": 0.25, "b": 0.25, "c": 0.5}),
        ({"a": 1e308, "b": 1e308}, {"a": 0.5, "b": 0.5}),
        ({"a": math.nan, "b": 1}, {"a": 0, "b": 1}),
    ],
)
def test_a_share_is_a_score_of_the_sum(scores: dict[str, float], shares: dict[str, float]) -> None:
    assert battle_shares(battle(scores)) == shares


@given(st.lists(ANY_SCORE, min_size=2, max_size=6))
def test_shares_are_parts_of_one_whatever_the_scores(scores: list[float]) -> None:
    shares = battle_shares(battle({str(n): score for n, score in enumerate(scores)}))
    assert math.isclose(math.fsum(shares.values()), 1)
    assert all(0 <= share <= 1 for share in shares.values())


def test_the_rows_of_an_entry_in_two_seats_are_added() -> None:
    one = battle({"a": 10, "b": 10})
    rows = (*one.scores, EntryScore(2, "a", 20))
    assert battle_shares(replace(one, scores=rows)) == {"a": 0.75, "b": 0.25}


@pytest.mark.parametrize(
    ("failures", "shares"),
    [("a", {"a": 0, "b": 1}), ("b", {"a": 1, "b": 0}), ("ab", {"a": 0, "b": 0})],
)
def test_a_forfeit_is_a_zero_whatever_the_scores(failures: str, shares: dict[str, float]) -> None:
    assert battle_shares(failed(battle({"a": 10, "b": 10}), *failures)) == shares
    assert win_shares(failed(battle({"a": 10, "b": 10}), *failures)) == shares
    assert battle_shares(failed(battle({"a": 0, "b": 0}), *failures)) == shares


def test_a_bot_that_failed_late_in_a_battle_that_counts_keeps_its_score() -> None:
    one = replace(failed(battle({"a": 30, "b": 10}), "a"), state="ok")
    assert battle_shares(one) == {"a": 0.75, "b": 0.25}


def test_winners_with_equal_points_divide_the_win() -> None:
    assert win_shares(battle({"a": 3, "b": 3, "c": 1})) == {"a": 0.5, "b": 0.5, "c": 0}
    assert win_shares(battle({"a": 0, "b": 0})) == {"a": 0.5, "b": 0.5}


def test_survival_is_shared_where_the_game_has_it() -> None:
    one = battle({"a": 1, "b": 1})
    assert survival_shares(one) is None
    rows = [replace(row, survival=value) for row, value in zip(one.scores, (150, 50), strict=True)]
    assert survival_shares(replace(one, scores=tuple(rows))) == {"a": 0.75, "b": 0.25}


def test_an_opponent_counts_once_however_often_it_was_met() -> None:
    often = [battle({"a": 1, "b": 0}, seed) for seed in range(9)]
    once = [battle({"a": 0, "c": 1})]
    assert average_share(pairing_shares(often + once), "a") == 50


def test_void_and_suspect_battles_are_left_out_and_a_double_counts_once() -> None:
    good = battle({"a": 1, "b": 0})
    void = battle({"a": 0, "b": 1}, 2, state="void")
    suspect = battle({"a": 0, "b": 1}, 3, suspect=("the server was late in 12 of 800 turns",))
    pairings = pairing_shares([good, void, suspect, good])
    assert pairings == {("a", "b"): [{"a": 1.0, "b": 0.0}]}


def test_without_a_battle_the_percentage_is_none() -> None:
    assert average_share({}, "a") is None


@pytest.mark.parametrize(("alike", "low", "high"), [(1.0, 0.99, 1), (0.0, -0.25, 0.25), (-1.0, -1, -0.99)])
def test_the_correlation_of_two_battles_with_one_seed_is_measured(
    alike: float, low: float, high: float
) -> None:
    rng = random.Random(4)
    battles = []
    for seed in range(200):
        x, y = rng.gauss(0, 1), rng.gauss(0, 1)
        second = x if alike > 0 else (-x if alike < 0 else y)
        battles += [
            battle({"a": 10 + x, "b": 10 - x}, seed),
            battle({"b": 10 - second, "a": 10 + second}, seed),
        ]
    shares = [(one.spec.seed, battle_shares(one)) for one in battles]
    assert low <= correlation_of(seed_terms(("a", "b"), shares)) <= high
    assert correlation_of(seed_terms(("a", "b"), shares[:18])) == 0


@given(st.permutations(range(8)))
def test_the_order_of_the_battles_does_not_matter(order: list[int]) -> None:
    battles = [
        battle({"a": seed / 7, "b": 1.0, **({"c": 0.3} if seed % 3 else {})}, seed) for seed in range(8)
    ]
    assert repr(pairing_shares(battles[n] for n in order)) == repr(pairing_shares(battles))
