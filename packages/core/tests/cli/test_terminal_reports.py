from __future__ import annotations

import io
from dataclasses import replace

from packages.core.tests.messages import missing, says
from turnwright.app.results import BattleResult, LatencyRow, Progress, ResultRow, Standing
from turnwright.cli.terminal import (
    STANDINGS_MAX,
    Style,
    battle_report,
    progress_text,
    result_table,
    standing_lines,
    width,
)
from turnwright.kernel.failure import Failure, FailureReason, refusal

PLAIN = Style(io.StringIO(), {})
COLUMNS = {"score": "Score", "eaten": "Eaten"}
RESULT = BattleResult(
    seed=42,
    game_type="classic",
    rounds=10,
    turns=12_345,
    results=(
        ResultRow(1, "Walls", "1.0", {"score": 1234, "eaten": 14}),
        ResultRow(2, "S\x1bpin", "0.1", {"score": 56, "eaten": 0}, disqualified=True),
    ),
    latency={
        "Walls": LatencyRow(120, 800, 1_500, 29_000, 0, 0, 0),
        "Spin": LatencyRow(1, 2, 3, 4, 31, 2, 1, 5_000, 7_000),
    },
)


def test_the_report_holds_results_latencies_and_the_seed() -> None:
    assert battle_report(RESULT, PLAIN, COLUMNS) == [
        "   Name                  Version  Score  Eaten",
        "1  Walls                 1.0      1,234     14",
        "2  S�pin (disqualified)  0.1         56      0",
        "",
        "Name      p50     p95     p99    max  Missed  Late  Late by  Malformed",
        "Walls  120 µs  800 µs  1.5 ms  29 ms       0     0        –          0",
        "Spin     1 µs    2 µs    3 µs   4 µs      31     2     7 ms          1",
        "",
        "classic, 10 rounds, 12,345 turns, seed 42",
    ]


def test_the_report_tells_a_late_server_and_the_record() -> None:
    result = BattleResult(1, "1v1", 1, 1, (), {}, server_late_turns=1, record="x.twr", recording="y")
    played, late, *files = battle_report(result, PLAIN, COLUMNS)[-4:]
    assert played == "1v1, 1 round, 1 turn, seed 1"
    assert not missing(late, "server", "late in 1 turn", "no bot")
    assert files == ["record: x.twr", "recording: y"]


def test_the_report_tells_for_whose_late_answers_the_battle_waited() -> None:
    latency = {
        "Quick": LatencyRow(1, 1, 1, 1, 0, 0, 0),
        "Slow": LatencyRow(1, 1, 1, 1, 2, 1, 0, held_us=600_000),
    }
    waited = battle_report(BattleResult(1, "1v1", 1, 1, (), latency), PLAIN, COLUMNS)[-1]
    assert not missing(waited, "waited", "late answers", "Slow 600 ms")
    assert missing(waited, "Quick")


def test_a_bot_that_never_answered_is_named_with_its_last_lines() -> None:
    silent = Failure(FailureReason.SILENT, 1, 31)
    row = ResultRow(1, "Mute", "1.0", {"score": 0, "eaten": 0}, disqualified=True, never_answered=True)
    result = BattleResult(
        1,
        "classic",
        1,
        31,
        (replace(row, failure=silent),),
        last_lines={"Mute": ("no \x1b[31mthread",), "Deaf": ()},
        failures={"Mute": silent, "Deaf": Failure(FailureReason.SILENT)},
    )
    text = "\n".join(battle_report(result, PLAIN, COLUMNS))
    assert says(text, "Mute (never answered … disqualified …)")
    assert says(text, "\nMute disqualified in turn 31 … to do: … \n    no ")
    assert says(text, "\nDeaf never answered … to do: … nothing")
    assert says(text, "no bot … answered")
    assert "\x1b" not in text


def test_the_row_of_a_bot_that_was_out_of_some_rounds_names_the_reasons() -> None:
    slow, busy = (Failure(reason, 1, 31) for reason in (FailureReason.SLOW, FailureReason.BUSY))
    out = (slow, replace(busy, round=2), replace(slow, round=4))
    row = ResultRow(1, "Odd", "1.0", {"score": 0}, seats=(0,), disqualified_rounds=(1, 2, 4))
    result = BattleResult(1, "classic", 5, 31, (row,), names=("Odd",), disqualifications={"Odd": out})
    (_, said) = result_table(result, PLAIN, {"score": "Score"})
    assert says(said, "Odd (disqualified … round 1, 4 … too slow … round 2 … machine … busy)")


def test_a_bot_with_refused_answers_is_distinguished_from_a_silent_one() -> None:
    refused = Failure(FailureReason.SILENT, error=refusal("'x' is no intent"))
    row = ResultRow(1, "Odd", "1.0", {"score": 0, "eaten": 0}, disqualified=True, never_answered=True)
    rows = (replace(row, failure=refused),)
    result = BattleResult(1, "classic", 1, 31, rows, failures={"Odd": refused})
    text = "\n".join(battle_report(result, PLAIN, COLUMNS))
    assert not missing(text, "Odd", "no valid answer", "'x' is no intent", "no bot ever gave", "correct its")
    assert "never answered" not in text


def test_a_battle_without_a_limit_is_reported_as_such() -> None:
    unlimited = battle_report(replace(RESULT, turn_timeout_us=None), PLAIN, COLUMNS)
    (said,) = set(unlimited) - set(battle_report(RESULT, PLAIN, COLUMNS))
    assert says(said, "limit … turn")


def test_rows_keep_the_order_and_rank_that_they_have() -> None:
    lines = result_table(RESULT, PLAIN, COLUMNS)
    assert [line.split()[0] for line in lines[1:]] == ["1", "2"]


def test_progress_is_one_line_with_the_best_first() -> None:
    standings = tuple(Standing(name, score) for name, score in (("A", 1), ("B", 9), ("C", 5), ("D", 0)))
    playing = Progress("round over", 3, 10, 400, 1_234, standings)
    assert progress_text(playing).split(": ") == ["round 3 of 10, 1,234 turns", "B 9, C 5, A 1 and 1 more"]


def test_progress_names_a_team_once() -> None:
    standings = (Standing("a", 7, team="T"), Standing("b", 7, team="T"), Standing("S", 3))
    assert progress_text(Progress("round over", 1, 2, 4, 4, standings)).endswith(": T 7, S 3")


def test_progress_names_the_bots_it_waits_for() -> None:
    assert progress_text(Progress("starting", waiting_for=("A", "B"))) == "waiting for A, B"
    first = Progress("playing", 1, 2, 1, 1, waiting_for=("A",))
    assert says(progress_text(first), "waiting … first answer of A")
    assert progress_text(Progress("starting")) == "starting"


def test_standings_show_energy_and_score_and_mark_dead_and_slow_bots() -> None:
    lines = standing_lines(
        [Standing("A", 5, level=50.0), Standing("Bee", 100, False), Standing("C", 1, level=130.0, slow=True)],
        79,
        PLAIN,
    )
    assert lines == [
        "  Bee  out                  100",
        "  A    █████·····  50.0       5",
        "  C    ██████████ 130.0       1  slow",
    ]


def test_standings_fit_the_terminal_and_their_number() -> None:
    many = [Standing("x" * 60, number, level=100.0, slow=True) for number in range(STANDINGS_MAX + 5)]
    lines = standing_lines(many, 40, PLAIN)
    assert len(lines) == STANDINGS_MAX + 1
    assert lines[-1] == "  and 5 more"
    assert max(map(width, lines)) <= 40
