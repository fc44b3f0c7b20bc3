from __future__ import annotations

import re

import pytest

from packages.core.tests.messages import missing, naming
from packages.tank.tests.analysis.scenes import drive, fire, idle, silent, told
from turnwright.kernel.record import TurnRules
from turnwright_tank.analysis.battle import Analysis
from turnwright_tank.analysis.facts import DeathFact, HitFact, RamFact, WallFact
from turnwright_tank.analysis.report import FULL_LINES, NOTE_LINES, ROWS_MAX, page
from turnwright_tank.analysis.report_rounds import (
    COMPACT_ROWS,
    compact_rounds,
    concerned,
    full_round,
    whole_round,
)
from turnwright_tank.analysis.turns import Fighter, Setting

PLACES = [(100.0, 100.0, 0.0), (300.0, 100.0, 0.0)]


def _ring(count: int) -> list[tuple[float, float, float]]:
    return [(100.0 + 100.0 * (k % 6), 100.0 + 100.0 * (k // 6), 60.0 * k) for k in range(count)]


def test_the_page_gives_the_cause_of_each_death() -> None:
    text = page(told([fire(3.0), idle], PLACES), "x.twr")
    assert text.startswith("# x.twr\n")
    assert "Round 1: T0 won after 148 turns" in text
    (line,) = naming(text, "T1 died", "turn 148")
    assert not missing(line, "T0's bullet", "power 3.00", "16.0 damage")
    assert re.search(r"\d+ away", line)
    assert "T1: 0 of 0 shots hit" in text


def test_the_page_says_why_a_bot_was_disqualified() -> None:
    analysis = told([idle, silent], PLACES, rules=TurnRules(max_skipped=30))
    (line,) = naming(page(analysis, "x.twr"), "T1 died")
    assert not missing(line, "disqualified", "no answers")
    rows = compact_rounds(analysis.setting, analysis.rounds, 2)
    assert not missing("\n".join(rows), "disqualified: no answers")


def test_ten_rounds_of_a_duel_are_one_page() -> None:
    text = page(told([fire(3.0), idle], PLACES, number_of_rounds=10), "x.twr")
    assert text.count("### Round") == 10
    assert len(text.splitlines()) <= 120


@pytest.mark.parametrize(("tanks", "rounds"), [(2, 60), (20, 3), (60, 1)])
def test_the_page_stays_bounded_for_many_tanks_and_rounds(tanks: int, rounds: int) -> None:
    scripts = [fire(3.0) for _ in range(tanks)]
    analysis = told(
        scripts, _ring(tanks), arena_width=1000, arena_height=1200, number_of_rounds=rounds, turns=2500
    )
    lines = page(analysis, "x.twr").splitlines()
    assert len(lines) <= 3 * (ROWS_MAX + 6) + NOTE_LINES + FULL_LINES + 20
    assert max(map(len, lines)) < 2500


def test_a_page_about_one_bot_tells_of_its_deaths_only() -> None:
    text = page(told([fire(3.0), idle], PLACES), "x.twr", bot=1)
    assert "died in turn" not in text
    assert "- T1: 0 of 0" not in text
    assert "T1 died in turn" in page(told([fire(3.0), idle], PLACES), "x.twr", bot=2)


def test_a_page_about_one_round_has_its_events() -> None:
    analysis = told([fire(3.0), idle], PLACES, number_of_rounds=2)
    text = page(analysis, "x.twr", round_number=2)
    assert "## Round 2" in text
    assert "Round 1" not in text
    assert text.count("T0 hit T1, power 3.00") == 7


def test_missed_turns_are_on_the_page() -> None:
    analysis = told([idle, silent], PLACES, rules=TurnRules(max_skipped=30))
    text = page(analysis, "x.twr")
    (line,) = [line for line in text.splitlines() if "T1 missed" in line]
    assert not missing(line, "31 turns", "round 1", "2-32")
    assert naming(text, "T1", "disqualified")


def test_the_page_says_what_a_file_does_not_contain() -> None:
    analysis = Analysis(Setting("classic", 800.0, 600.0, 2, (Fighter(1, "A"),), times_known=False))
    analysis.finish(None, differs="turn 7")
    text = page(analysis, "x.battle.gz")
    assert naming(text, "not contain", "missed turns")
    assert naming(text, "differently", "turn 7")
    assert naming(text, "truncated")


@pytest.mark.parametrize(("slow_ns", "told_of"), [(39_000_000, True), (2_000_000, False)])
def test_a_time_longer_than_a_bots_own_is_attributed_to_the_machine(slow_ns: int, told_of: bool) -> None:
    analysis = told([fire(3.0), idle], PLACES)
    analysis.timing[1].answers_ns = [100_000] * 50 + [slow_ns]
    text = page(analysis, "x.twr")
    (line,) = [line for line in text.splitlines() if "(p95)" in line and "T0" in line]
    assert not missing(line, "100 µs (median", "100 µs (p95")
    assert ("waiting for other programs" in text) == told_of


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


def test_events_concern_actors_and_victims() -> None:
    wall = WallFact(round=1, turn=1, bot=1, last=1, count=1)
    ram = RamFact(round=1, turn=1, bot=1, victim=2, last=1, count=1)
    shot = HitFact(
        round=1, turn=1, bot=2, by=1, power=1.0, damage=4.0, distance=9.0, energy=9.0, steady=False
    )
    dead = DeathFact(round=1, turn=1, bot=2, name="B", cause="ram", by=3, by_name="C", blows=())
    assert [concerned(one) for one in (wall, ram, shot, dead)] == [(1,), (1, 2), (2, 1), (2, 3)]
