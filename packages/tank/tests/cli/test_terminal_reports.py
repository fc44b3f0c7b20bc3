"""The table of a battle of tanks has the official columns."""

from __future__ import annotations

import io

from packages.tank.tests.rows import tank_row
from turnwright.app.results import BattleResult
from turnwright.cli.terminal import Style, battle_report
from turnwright_tank.app.results import COLUMNS

RESULT = BattleResult(
    seed=42,
    game_type="classic",
    rounds=10,
    turns=12_345,
    results=(
        tank_row(1, "Walls", "1.0", 1234, 500, 50, 600, 40, 30, 14, 9, 1, 0),
        tank_row(2, "Spin", "0.1", 56, 0, 0, 56, 0, 0, 0, 1, 9, 0, disqualified=True),
    ),
)


def test_the_report_holds_results_and_the_seed() -> None:
    lines = battle_report(RESULT, Style(io.StringIO(), {}), COLUMNS)
    headings = "Name Version Total Survival Last Bullets Bullet kills Rams Ram kills 1st 2nd 3rd"
    assert lines[0].split() == headings.split()
    assert [line.split() for line in lines[1:3]] == [
        ["1", "Walls", "1.0", "1,234", "500", "50", "600", "40", "30", "14", "9", "1", "0"],
        ["2", "Spin", "(disqualified)", "0.1", "56", "0", "0", "56", "0", "0", "0", "1", "9", "0"],
    ]
    assert lines[-1] == "classic, 10 rounds, 12,345 turns, seed 42"
