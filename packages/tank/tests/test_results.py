from __future__ import annotations

import pytest

from turnwright_tank.results import ScoreRow, Standings, ranked, round_scores
from turnwright_tank.rules.rows import Duel, Tank


def scores(tanks: list[Tank], duels: list[Duel]) -> dict[int, ScoreRow]:
    return {row.id: row for row in round_scores(tanks, duels)}


def test_every_term_has_its_weight() -> None:
    tanks = [Tank(seat=0, deaths_survived=2, deaths_before=3), Tank(seat=1), Tank(seat=2)]
    duels = [
        Duel(attacker=0, victim=1, bullet_damage=40.0, ram_hits=5, bullet_kill=1),
        Duel(attacker=0, victim=2, bullet_damage=10.0, ram_hits=10, ram_kill=1),
        Duel(attacker=1, victim=0, bullet_damage=16.0),
    ]
    row = scores(tanks, duels)[1]
    assert row.survival == 100.0
    assert row.last_survivor_bonus == 30.0
    assert row.bullet_damage == 50.0
    assert row.bullet_kill_bonus == pytest.approx(0.2 * 43.0)
    assert row.ram_damage == pytest.approx(18.0)
    assert row.ram_kill_bonus == pytest.approx(0.3 * 16.0)
    assert row.total == pytest.approx(50 + 8.6 + 18 + 4.8 + 100 + 30)
    assert (row.rank, row.first_places) == (1, 1)


def test_a_win_without_damage_is_sixty_points() -> None:
    row = scores([Tank(seat=0, deaths_survived=1, deaths_before=1), Tank(seat=1)], [])[1]
    assert row.total == 60.0


@pytest.mark.parametrize(
    ("totals", "ranks"),
    [((30, 20, 10), [1, 2, 3]), ((30, 30, 10), [1, 1, 3]), ((30, 10, 10, 5), [1, 2, 2, 4]), ((0, 0), [0, 0])],
)
def test_ties_share_a_rank_and_no_score_gives_no_winner(totals: tuple[float, ...], ranks: list[int]) -> None:
    rows = ranked([ScoreRow(k + 1, survival=float(total)) for k, total in enumerate(totals)])
    assert [row.rank for row in rows] == ranks


def test_each_bot_gets_its_place_in_the_order_of_the_first_round() -> None:
    standings = Standings([("A", "1"), ("B", "1"), ("C", "1")], [None] * 3)
    for points in ((170.0, 0.0, 120.0), (0.0, 170.0, 120.0), (0.0, 170.0, 120.0)):
        rows = [ScoreRow(k + 1, bullet_damage=p) for k, p in enumerate(points)]
        standings.add_round(sorted(rows, key=lambda row: -row.total))
    results = standings.results()
    assert [row.rank for row in results.seats] == [1, 3, 2]
    assert [(row.name, row.rank, row.total) for row in results.rows] == [
        ("C", 1, 360.0),
        ("B", 2, 340.0),
        ("A", 3, 170.0),
    ]


def test_teams_share_a_row_and_a_solo_of_the_same_number_keeps_its_own() -> None:
    team = (2, "Two", "1.0")
    standings = Standings([("A", "1"), ("B", "1"), ("C", "1")], [team, None, team])
    standings.add_round([ScoreRow(k + 1, survival=50.0, first_places=1) for k in range(3)])
    rows = standings.results().rows
    assert [(r.id, r.name, r.is_team, r.total, r.first_places) for r in rows] == [
        (2, "Two", True, 100.0, 2),
        (2, "B", False, 50.0, 1),
    ]
