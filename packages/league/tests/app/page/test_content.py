from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from packages.league.tests.tournament.play import RULES, battle, by_strength, entries_of, play_all
from tests.browser.injections import INJECTIONS
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_league.app.page import content as module
from turnwright_league.app.page import scores_over_time as page_series
from turnwright_league.app.page.content import (
    ALIKE_MAX,
    MATRIX_MAX,
    NAME_MAX,
    PageProgress,
    PageSource,
    page_data,
    shown_names,
)
from turnwright_league.app.page.scores_over_time import LINES_MAX, POINTS_MAX
from turnwright_league.tournament.entries import TournamentEntry
from turnwright_league.tournament.pairings import PairingRules
from turnwright_league.tournament.played_battle import PlayedBattle
from turnwright_league.tournament.ratings import ratings_of
from turnwright_league.tournament.rounds import format_places, tournament_rounds
from turnwright_league.tournament.standings import standings_of

MODEL = Path(module.__file__).parents[2] / "viewer/tournament/model.js"


def source(
    entries: Sequence[TournamentEntry], played: Sequence[PlayedBattle], rules: PairingRules | None = RULES
) -> PageSource:
    table = standings_of(entries, played, rules, ratings_of(entries, played).columns)
    return PageSource("cup", entries, played, table, at_us=5, rules=rules)


def timed(played: Sequence[PlayedBattle]) -> list[PlayedBattle]:
    return [replace(one, played_us=1000 * nth) for nth, one in enumerate(played)]


@pytest.fixture(scope="module")
def cup() -> PageSource:
    entries = entries_of(11)
    return source(entries, timed(play_all(entries, RULES, by_strength(entries, 4.0))))


def test_rows_have_the_numbers_of_the_standings(cup: PageSource) -> None:
    rows = page_data(cup)["entries"]
    assert len(rows) == len(cup.standings.rows) == 11
    for shown, row in zip(rows, cup.standings.rows, strict=True):
        for name in ("aps", "aps_low", "aps_high", "win_share", "survival"):
            value = getattr(row, name)
            assert shown[name] == (None if value is None else pytest.approx(value, abs=1e-4)), name
        for name in ("name", "version", "rank", "battles", "failures"):
            assert shown[name] == getattr(row, name)
        assert shown["ratings"] == pytest.approx(dict(row.ratings), abs=1e-4)
        ranks = {one["rank"] for one in rows if one["name"] in row.cannot_be_told_apart_from}
        assert ranks == {rank for low, high in shown["alike"] for rank in range(low, high + 1)} - {row.rank}
        assert shown["alike_count"] == len(row.cannot_be_told_apart_from)
        assert len(shown["alike"]) <= ALIKE_MAX


def test_cells_have_the_numbers_of_the_pairings(cup: PageSource) -> None:
    ids = [row.entry for row in cup.standings.rows]
    cells = page_data(cup)["cells"]
    assert len(cells) == 11 * 10
    for one, other, share, low, high, wins, battles in cells:
        found = cup.standings.pairing(ids[one], ids[other])
        assert found is not None
        assert (share, wins) == pytest.approx((found.share, found.win_share), abs=1e-4)
        assert (low is None) == (found.low is None)
        assert (high is None) == (found.high is None)
        assert battles == found.battles


def test_lines_end_at_the_standings(cup: PageSource) -> None:
    series = page_data(cup)["series"][0]
    assert len(series["at"]) <= POINTS_MAX
    assert series["at"][-1] == cup.standings.counted
    assert len(series["lines"]) == LINES_MAX
    for line, row in zip(series["lines"], cup.standings.rows, strict=False):
        assert line[-1] == pytest.approx(row.aps, abs=1e-3)


def test_a_point_of_a_line_is_the_aps_of_the_battles_until_then(cup: PageSource) -> None:
    series = page_data(cup)["series"][0]
    assert series["name"] == "aps"
    middle = len(series["at"]) // 2
    then = standings_of(cup.entries, cup.played[: series["at"][middle]], cup.rules)
    aps = {row.entry: row.aps for row in then.rows}
    for line, row in zip(series["lines"], cup.standings.rows, strict=False):
        assert line[middle] == (None if aps[row.entry] is None else pytest.approx(aps[row.entry], abs=1e-3))


def test_a_battle_has_the_reason_why_it_does_not_count_and_its_failures() -> None:
    entries = entries_of(2)
    one, other = (entry.id for entry in entries)
    late = battle({one: 5, other: 5}, 1, suspect=("the server was late in 12 of 800 turns",), played_us=2)
    lost = battle({one: 0, other: 7}, 2, state="forfeit", record="records/aa/x.twr", played_us=1)
    exited = Failure(FailureReason.EXITED, 1, 3, "exit code 0")
    lost = replace(
        lost, scores=(replace(lost.scores[0], failure=exited, skipped=3, p99_us=900), lost.scores[1])
    )
    data = page_data(source(entries, [lost, late]))
    first, second = data["battles"]
    assert first[0] == late.id
    assert first[7] == list(late.suspect)
    assert (second[1], second[8]) == ("forfeit", True)
    (failed,) = (row for row in second[10] if row[7] is not None)
    assert data["entries"][failed[0]]["name"] == entries[0].name
    assert failed[7] == exited.full_text
    trouble = {shown["name"]: shown["trouble"] for shown in data["entries"]}
    assert trouble[entries[0].name] == [0, 1, 0, 0, 0, 0, 0, 3, 0, 900]
    assert (data["counted"], data["forfeits"], data["suspect"]) == (1, 1, 1)


def test_the_page_knows_the_failures_in_the_same_order() -> None:
    words = re.search(r"FAILURES = \[(.*)\]", MODEL.read_text(encoding="utf-8"))
    assert words is not None
    assert re.findall(r'"([^"]*)"', words[1]) == list(FailureReason)


def test_the_page_knows_every_field(cup: PageSource) -> None:
    model = MODEL.read_text(encoding="utf-8")
    named = set(re.findall(r"@property \{.*\} (\w+)", model))
    data = page_data(replace(cup, progress=PageProgress(1, 2, 3.0)))
    used = {*data, *data["columns"][0], *data["entries"][0], *data["progress"]}
    used -= {one["name"] for one in data["columns"]}
    assert used <= named
    rounds = page_data(source(cup.entries, cup.played[:0], replace(RULES, format="swiss")))["rounds"]
    assert set(rounds[0]) == {"number", "groups", "idle", "bye"}


def test_swiss_rounds_have_the_shares_of_their_own_battles() -> None:
    entries, rules = entries_of(9), replace(RULES, format="swiss")
    played = timed(play_all(entries, rules, by_strength(entries, 1.0)))
    data = page_data(source(entries, played, rules))
    rounds = tournament_rounds(entries, rules, played)
    assert [len(one["groups"]) for one in data["rounds"]] == [len(groups) for groups in rounds]
    assert sum(group[2] for one in data["rounds"] for group in one["groups"]) == len(played)
    for one in data["rounds"]:
        assert len(one["idle"]) == 1
        for members, shares, battles in one["groups"]:
            assert battles == rules.battles
            assert sum(shares) == pytest.approx(100, abs=0.01)
            assert sorted(members) == members


def test_a_swiss_table_has_the_points_of_the_standings_and_the_byes() -> None:
    entries, rules = entries_of(9), replace(RULES, format="swiss")
    played = timed(play_all(entries, rules, by_strength(entries, 1.0)))
    given = source(entries, played, rules)
    data = page_data(given)
    places = format_places(entries, rules, played)
    assert places is not None
    rows = given.standings.rows
    assert data["swiss"] == [[places[row.entry].points, places[row.entry].opponents_points] for row in rows]
    assert [one["idle"] for one in data["rounds"]] == [[one["bye"]] for one in data["rounds"]]
    won = [sum(_points(one, nth) for one in data["rounds"]) for nth in range(9)]
    assert won == [points for points, _ in data["swiss"]]
    assert page_data(source(entries, played, RULES))["swiss"] is None


def _points(one: dict[str, Any], nth: int) -> float:
    """Return the points of an entry in a round, as the page computes them."""
    for members, shares, _ in one["groups"]:
        if nth in members:
            mine, other = shares[members.index(nth)], shares[1 - members.index(nth)]
            return 0.5 + 0.5 * (mine > other) - 0.5 * (mine < other)
    return 1.0 if one["bye"] == nth else 0.0


def test_a_bracket_has_all_matches_with_shares_and_winners() -> None:
    entries, rules = entries_of(6), replace(RULES, format="knockout")
    played = timed(play_all(entries, rules, by_strength(entries)))
    data = page_data(source(entries, played, rules))["bracket"]
    assert (data["first"], [len(row) for row in data["rounds"]]) == (1, [4, 2, 1])
    ((sides, shares, battles, winner, is_bye),) = data["rounds"][2]
    assert (sides, battles, winner, is_bye) == ([0, 1], 2, 0, False)
    assert shares == [pytest.approx(100 * 6 / 11, abs=0.01), pytest.approx(100 * 5 / 11, abs=0.01)]
    assert sum(match[4] for match in data["rounds"][0]) == 2
    half = page_data(source(entries, played[:4], rules))["bracket"]["rounds"]
    assert [match[3] is None for match in half[2]] == [True]


@pytest.mark.parametrize(("count", "first"), [(64, 1), (65, 2)])
def test_only_the_last_rounds_of_a_large_bracket_are_shown(count: int, first: int) -> None:
    data = page_data(source(entries_of(count), [], replace(RULES, format="knockout")))["bracket"]
    assert data["first"] == first
    assert [len(row) for row in data["rounds"]] == [32, 16, 8, 4, 2, 1]


def test_ratings_over_time_end_with_those_of_the_standings(cup: PageSource) -> None:
    ratings = ratings_of(cup.entries, cup.played).columns
    table = standings_of(cup.entries, cup.played, cup.rules, ratings)
    _, glicko, *_ = page_data(replace(cup, standings=table))["series"]
    assert glicko["name"] == "glicko2"
    counted = sorted((one for one in cup.played if one.counts), key=lambda one: one.played_us)
    assert glicko["at"][-1] == len(counted)
    for line, row in zip(glicko["lines"], table.rows, strict=False):
        assert line[-1] == pytest.approx(row.ratings["glicko2"], abs=1e-3)
    middle = len(glicko["at"]) // 2
    then = ratings_of(cup.entries, counted[: glicko["at"][middle]]).columns["glicko2"]
    for line, row in zip(glicko["lines"], table.rows, strict=False):
        assert line[middle] == pytest.approx(then[row.entry], abs=1e-3)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_many_battles_are_rated_at_fewer_points(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = entries_of(4)
    played = timed(play_all(entries, replace(RULES, battles=10), by_strength(entries, 1.0)))
    monkeypatch.setattr(page_series, "RATED_BATTLES_MAX", 300 + 30 * more)
    table = standings_of(entries, played, RULES, ratings_of(entries, played).columns)
    found = page_series.series_data(entries, played, table)[1]
    assert len(found["at"]) == 10 + more
    assert page_series.RATING_POINTS_MAX > 11


def test_a_ladder_that_meets_again_keeps_its_rounds_apart() -> None:
    entries, rules = entries_of(3), replace(RULES, format="ladder", rounds=4)
    played = timed(play_all(entries, rules, by_strength(entries, 3.0)))
    data = page_data(source(entries, played, rules))
    assert [[group[2] for group in one["groups"]] for one in data["rounds"]] == [[2], [2], [2], [2]]


def test_a_page_without_battles_is_empty() -> None:
    data = page_data(source(entries_of(3), []))
    assert [row["aps"] for row in data["entries"]] == [None] * 3
    assert (data["cells"], data["battles"]) == ([], [])
    assert data["series"] == [{"name": "aps", "at": [], "lines": []}]


def test_battles_of_unknown_entries_are_left_out() -> None:
    entries = entries_of(3)
    gone = battle({entries[0].id: 1, entries[2].id: 2}, 1)
    assert page_data(source(entries[:2], [gone]))["battles"] == []


@pytest.mark.parametrize("count", [-1, 0, 1])
def test_problems_and_the_newest_of_each_pairing_survive_the_limit_of_battles(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATTLES_MAX", 20)
    monkeypatch.setattr(module, "PROBLEMS_MAX", 3)
    a, b, c = (entry.id for entry in entries_of(3))
    rare = battle({a: 1, c: 1}, 1, played_us=1)
    bad = battle({a: 1, b: 1}, 2, played_us=2, state="void")
    often = [battle({a: 1, b: 2}, 10 + nth, played_us=10 + nth) for nth in range(18 + count)]
    data = page_data(source(entries_of(3), [rare, bad, *often]))
    kept = [one[0] for one in data["battles"]]
    assert len(kept) + data["battles_more"] == 20 + count
    assert len(kept) == min(20, 20 + count)
    assert {rare.id, bad.id, often[-1].id} <= set(kept)
    assert [one[4] for one in data["battles"]] == sorted((one[4] for one in data["battles"]), reverse=True)


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_the_matrix_has_the_best_and_counts_the_rest(more: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MATRIX_MAX", 6)
    entries = entries_of(6 + more)
    played = play_all(entries, RULES, by_strength(entries, 1.0))
    data = page_data(source(entries, played))
    assert data["matrix_more"] == max(0, more)
    assert max(cell[0] for cell in data["cells"]) == min(5, 5 + more)
    assert MATRIX_MAX > 6


def names_of(*names: str) -> list[str]:
    entries = [TournamentEntry(name, "1", "bot", f"{nth:04x}") for nth, name in enumerate(names)]
    return [shown_names(entries)[entry.id] for entry in entries]


def test_no_two_names_look_alike_by_hidden_letters() -> None:
    found = names_of("Ace", "Ace\u200b", "A\u202ece", "\u2067Ace\u2069", "Other")
    assert len(set(found)) == 5
    assert found[4] == "Other"
    assert all(re.fullmatch(r"Ace #[0-9a-f]{6}", name) for name in found[:4])


@pytest.mark.parametrize("name", ["", " ", "\u200b\u200d", "\x00\x1b"])
def test_a_name_of_nothing_has_one(name: str) -> None:
    assert names_of(name, "Other")[0] == "(no name)"


@pytest.mark.parametrize("length", [NAME_MAX - 1, NAME_MAX, NAME_MAX + 1, 100_000])
def test_long_names_are_cut(length: int) -> None:
    (name, _) = names_of("W" * length, "Other")
    assert len(name) == min(length, NAME_MAX)
    assert name.endswith("…") == (length > NAME_MAX)


def test_marks_piled_on_a_letter_are_left_out() -> None:
    (name, _) = names_of("Z" + "\u0301" * 40 + "x", "Other")
    assert name == "Z\u0301\u0301x"


@pytest.mark.parametrize("text", INJECTIONS[::7])
def test_names_keep_no_letter_that_hides_or_turns(text: str) -> None:
    entries = [TournamentEntry(text, text, "bot", "1"), TournamentEntry("Other", "1", "bot", "2")]
    data: Any = page_data(replace(source(entries, []), title=text, notes=(text,)))
    said = [data["title"], *data["notes"]]
    said += [row[name] for row in data["entries"] for name in ("name", "version")]
    assert all(one.isprintable() for one in said)
    assert all(len(one) <= NAME_MAX + 10 for row in data["entries"] for one in (row["name"], row["version"]))


def test_infinite_scores_are_written_as_null() -> None:
    entries = entries_of(2)
    one, other = (entry.id for entry in entries)
    data = page_data(source(entries, [battle({one: math.inf, other: 1.0})]))
    assert "null" in module_json(data)


def module_json(data: dict[str, Any]) -> str:
    from turnwright_league.app.page.files import page_json

    return page_json(data).decode()
