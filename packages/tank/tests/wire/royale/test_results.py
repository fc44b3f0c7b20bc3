"""Scores as whole numbers."""

from __future__ import annotations

import json

import pytest

from turnwright_tank.results import ScoreRow, Standings, TankResults
from turnwright_tank.wire.royale.codec import encode
from turnwright_tank.wire.royale.message_parts import ResultsForBot, ResultsForObserver
from turnwright_tank.wire.royale.messages import GameEndedEventForObserver
from turnwright_tank.wire.royale.results import half_up, results_for_bots, results_for_observers


@pytest.mark.parametrize(
    ("points", "shown"),
    [
        (0.0, 0),
        (0.49999999999999994, 0),
        (0.5, 1),
        (1.5, 2),
        (2.5, 3),
        (99.99999999999999, 100),
        (4503599627370497.5, 4503599627370498),
    ],
)
def test_halves_go_up(points: float, shown: int) -> None:
    assert half_up(points) == shown


def test_each_part_is_rounded_by_itself_and_the_total_truly() -> None:
    # The line captured from the official server: 50 + 10 + 4 + 0.8 shows 64 in parts and 65 in total.
    row = ScoreRow(
        2,
        "B",
        "1.0",
        rank=1,
        survival=50.0,
        last_survivor_bonus=10.0,
        bullet_damage=4.0,
        bullet_kill_bonus=0.8,
    )
    (shown,) = results_for_observers(TankResults((), (row,)))
    assert shown == ResultsForObserver(
        id=2,
        name="B",
        version="1.0",
        is_team=False,
        rank=1,
        survival=50,
        last_survivor_bonus=10,
        bullet_damage=4,
        bullet_kill_bonus=0,
        ram_damage=0,
        ram_kill_bonus=0,
        total_score=65,
        first_places=0,
        second_places=0,
        third_places=0,
    )


@pytest.mark.parametrize(
    "part", ["survival", "last_survivor_bonus", "bullet_damage", "ram_damage", "ram_kill_bonus"]
)
def test_every_part_goes_up_at_a_half(part: str) -> None:
    for points, shown in ((1.49, 1), (1.5, 2)):
        (result,) = results_for_bots(TankResults((ScoreRow(1, **{part: points}),), ()))
        assert getattr(result, part) == shown


def test_the_bullet_kill_bonus_is_cut_down() -> None:
    (result,) = results_for_bots(TankResults((ScoreRow(1, bullet_kill_bonus=1.99),), ()))
    assert result.bullet_kill_bonus == 1
    assert result.total_score == 2


def test_results_for_bots_are_in_order_of_seat_and_for_spectators_best_first() -> None:
    standings = Standings([("A", "1"), ("B", "2"), ("C", "3")], [None, (9, "Twins", "7"), (9, "Twins", "7")])
    standings.add_round(
        [
            ScoreRow(3, rank=1, bullet_damage=30.25, first_places=1),
            ScoreRow(1, rank=2, bullet_damage=20.5, second_places=1),
            ScoreRow(2, rank=3, bullet_damage=0.25, third_places=1),
        ]
    )
    results = standings.results()
    told = results_for_bots(results)
    assert [row.rank for row in told] == [2, 3, 1]
    assert [row.bullet_damage for row in told] == [21, 0, 30]
    assert all(isinstance(row, ResultsForBot) for row in told)
    rows = results_for_observers(results)
    assert [(r.id, r.name, r.version, r.is_team, r.rank) for r in rows] == [
        (9, "Twins", "7", True, 1),
        (1, "A", "1", False, 2),
    ]
    assert rows[0].bullet_damage == 31  # 30.25 + 0.25, rounded once
    assert (rows[0].first_places, rows[0].third_places) == (1, 1)


def test_all_fifteen_fields_are_written_even_when_zero() -> None:
    rows = results_for_observers(TankResults((), (ScoreRow(1, "A", "1"),)))
    data = json.loads(encode(GameEndedEventForObserver(1, rows)))["results"][0]
    assert len(data) == 15
    assert all(type(value) in (int, str, bool) for value in data.values())
