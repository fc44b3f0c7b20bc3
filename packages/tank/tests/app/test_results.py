from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from turnwright.app.results import BattleResult, LatencyRow
from turnwright.app.results import result_of as result_with
from turnwright.host.summary import BattleSummary, SeatSummary
from turnwright.kernel.failure import Failure, FailureReason
from turnwright_tank.app.results import ranking_of
from turnwright_tank.wire.royale.message_parts import ResultsForObserver


def seat(name: str, *, team: int | None = None, disqualified: bool = False) -> SeatSummary:
    return SeatSummary(name, "1.0", 1_999, 20_000, 30_000, 40_000, 5, 6, 7, disqualified, team)


def row(identity: int, name: str, rank: int, *, is_team: bool = False) -> ResultsForObserver:
    return ResultsForObserver(
        id=identity,
        name=name,
        version="1.0",
        is_team=is_team,
        rank=rank,
        survival=10,
        last_survivor_bonus=11,
        bullet_damage=12,
        bullet_kill_bonus=13,
        ram_damage=14,
        ram_kill_bonus=15,
        total_score=16,
        first_places=17,
        second_places=18,
        third_places=19,
    )


def summary(rows: list[ResultsForObserver], seats: list[SeatSummary]) -> BattleSummary:
    return BattleSummary("over", 42, "classic", 3, 900, tuple(rows), tuple(seats), server_late_turns=2)


def result_of(summary: BattleSummary, record: Path | None) -> BattleResult:
    return result_with(summary, ranking_of(summary), record)


def test_a_summary_becomes_a_result() -> None:
    result = result_of(summary([row(2, "B", 1), row(1, "A", 2)], [seat("A"), seat("B")]), Path("x.twr"))
    assert (result.seed, result.game_type, result.rounds, result.turns) == (42, "classic", 3, 900)
    assert (result.server_late_turns, result.record) == (2, "x.twr")
    best = result.results[0]
    assert (best.rank, best.name, best.version, best.total_score, best.survival) == (1, "B", "1.0", 16, 10)
    assert (best.last_survivor_bonus, best.bullet_damage, best.bullet_kill_bonus) == (11, 12, 13)
    assert (best.ram_damage, best.ram_kill_bonus) == (14, 15)
    assert (best.first_places, best.second_places, best.third_places) == (17, 18, 19)
    assert result.latency == {
        "A": LatencyRow(1, 20, 30, 40, 5, 6, 7),
        "B": LatencyRow(1, 20, 30, 40, 5, 6, 7),
    }


def test_without_any_score_all_have_rank_1() -> None:
    """Rank 0 stays on Royale's wire, as the official server has it."""
    result = result_of(summary([row(1, "A", 0), row(2, "B", 0)], [seat("A"), seat("B")]), None)
    assert [one.rank for one in result.results] == [1, 1]
    assert [one["rank"] for one in result.to_data()["results"]] == [1, 1]


def test_a_bot_that_never_answered_is_named_with_the_output_of_its_process() -> None:
    mute = replace(seat("A", disqualified=True), never_answered=True, last_lines=("no thread",))
    mute = replace(mute, failure=Failure(FailureReason.SILENT, 1, 30))
    result = result_of(summary([row(1, "A", 1), row(2, "B", 1)], [mute, seat("B")]), None)
    assert [r.never_answered for r in result.results] == [True, False]
    assert result.last_lines == {"A": ("no thread",)}
    assert result.to_data()["last_lines"] == {"A": ["no thread"]}
    assert result.failures == {"A": mute.failure}
    assert [r.to_data()["reason"] for r in result.results] == ["silent", None]
    assert not result.no_bot_answered
    both = result_of(summary([row(1, "A", 1), row(2, "A", 1)], [mute, mute]), None)
    assert both.no_bot_answered
    assert list(both.last_lines) == ["A", "A (2)"]


def test_a_row_tells_its_seats_and_its_score_in_each_round() -> None:
    seats = [seat("A", team=1), seat("B"), seat("C", team=1)]
    ended = summary([row(1, "Team", 1, is_team=True), row(2, "B", 2)], seats)
    ended = replace(ended, round_scores=((1.5, 7.0, 2.0), (0.0, 3.0, 4.0)), digest="ab", behaviour_version=3)
    result = result_of(ended, None)
    assert [(one.seats, one.rounds) for one in result.results] == [((0, 2), (3.5, 4.0)), ((1,), (7.0, 3.0))]
    assert (result.names, result.digest, result.behaviour_version) == (("A", "B", "C"), "ab", 3)


def test_a_team_never_answered_if_none_of_its_members_did() -> None:
    mute, heard = replace(seat("A", team=1), never_answered=True), seat("B", team=1)
    team = row(1, "Team", 1, is_team=True)
    assert not result_of(summary([team], [mute, heard]), None).results[0].never_answered
    assert result_of(summary([team], [mute, mute]), None).results[0].never_answered


def test_the_first_seat_keeps_the_plain_name_whatever_its_rank() -> None:
    result = result_of(
        summary([row(3, "A", 1), row(1, "A", 2), row(2, "B", 3)], [seat("A"), seat("B"), seat("A")]), None
    )
    assert [r.name for r in result.results] == ["A (2)", "A", "B"]
    assert list(result.latency) == ["A", "B", "A (2)"]


def test_a_team_is_a_row_and_each_member_has_its_own_latency() -> None:
    seats = [seat("A", team=1), seat("A", team=1), seat("A"), seat("A", team=2)]
    rows = [row(1, "T", 1, is_team=True), row(3, "A", 2), row(2, "T", 3, is_team=True)]
    result = result_of(summary(rows, seats), None)
    assert [r.name for r in result.results] == ["T", "A", "T (2)"]
    assert list(result.latency) == ["A (2)", "A (3)", "A", "A (4)"]


def test_a_team_is_disqualified_only_with_all_its_members() -> None:
    rows = [row(1, "T", 1, is_team=True), row(2, "U", 2, is_team=True), row(5, "S", 3)]
    seats = [
        seat("a", team=1, disqualified=True),
        seat("b", team=1),
        seat("c", team=2, disqualified=True),
        seat("d", team=2, disqualified=True),
        seat("S", disqualified=True),
    ]
    assert [r.disqualified for r in result_of(summary(rows, seats), None).results] == [False, True, True]


def test_a_team_with_the_number_of_a_seat_is_not_taken_for_it() -> None:
    seats = [seat("Solo"), seat("x", team=1, disqualified=True)]
    result = result_of(summary([row(1, "Solo", 1), row(1, "T", 2, is_team=True)], seats), None)
    assert [(r.name, r.disqualified) for r in result.results] == [("Solo", False), ("T", True)]
