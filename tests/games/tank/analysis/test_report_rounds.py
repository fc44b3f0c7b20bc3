from __future__ import annotations

from tests.games.tank.analysis.scenes import drive, fire, idle, told
from tests.messages import missing
from turnwright.games.tank.analysis.facts import DeathFact, HitFact, RamFact, WallFact
from turnwright.games.tank.analysis.report_rounds import (
    COMPACT_ROWS,
    compact_rounds,
    concerned,
    full_round,
    whole_round,
)

PLACES = [(100.0, 100.0, 0.0), (300.0, 100.0, 0.0)]


def test_a_round_in_full_takes_a_few_lines() -> None:
    analysis = told([fire(3.0), idle], PLACES)
    lines = list(full_round(analysis.setting, analysis.rounds[0], None))
    assert len(lines) == 7
    assert not missing(lines[1], "T0 at (100, 100", "T1 at (300, 100", "200 apart")
    assert "Lead: T0 from turn" in lines[2]


def test_many_rounds_are_rows_of_a_table() -> None:
    analysis = told([fire(3.0), idle], PLACES, number_of_rounds=3)
    many = analysis.rounds * 20
    lines = list(compact_rounds(analysis.setting, many, None))
    assert len(lines) == 2 + COMPACT_ROWS + 2
    assert lines[2].endswith("| T1 (148, bullet of T0) |")
    assert not missing(lines[-1], f"{60 - COMPACT_ROWS} more rounds", "round N")


def test_rows_about_one_bot_have_its_own_death() -> None:
    analysis = told([fire(3.0), idle], PLACES)
    assert list(compact_rounds(analysis.setting, analysis.rounds, 2))[2].endswith(", 1 of 1 |")
    assert list(compact_rounds(analysis.setting, analysis.rounds, 1))[2].endswith("| survived |")


def test_a_whole_round_tells_of_rams_once() -> None:
    analysis = told([drive(8.0), idle], PLACES, droids=[0])
    lines = list(whole_round(analysis.setting, analysis.rounds[0], None))
    assert any(not missing(line, "T0", "T1", "167 times") for line in lines)
    assert not missing(lines[-1], "T1 died", "T0")


def test_events_concern_those_who_did_and_suffered_them() -> None:
    wall = WallFact(round=1, turn=1, bot=1, last=1, count=1)
    ram = RamFact(round=1, turn=1, bot=1, victim=2, last=1, count=1)
    shot = HitFact(
        round=1, turn=1, bot=2, by=1, power=1.0, damage=4.0, distance=9.0, energy=9.0, steady=False
    )
    dead = DeathFact(round=1, turn=1, bot=2, name="B", cause="ram", by=3, by_name="C", blows=())
    assert [concerned(one) for one in (wall, ram, shot, dead)] == [(1,), (1, 2), (2, 1), (2, 3)]
