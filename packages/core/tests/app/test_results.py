from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace

import pytest

from turnwright.app.results import BattleResult, LatencyRow, ResultRow
from turnwright.kernel.game import unique_names

ROW = ResultRow(1, "A", "1.0", {"score": 100.0, "eaten": 4})
RESULT = BattleResult(
    seed=7,
    game_type="snake",
    rounds=1,
    turns=1234,
    results=(ROW, ResultRow(2, "Blå", "1.0", {"score": 5.0, "eaten": 0}, disqualified=True)),
    latency={"A": LatencyRow(1, 2, 3, 4, 5, 6, 7)},
    server_late_turns=3,
    record="x.twr",
)


def test_the_json_has_exactly_the_documented_keys_in_their_order() -> None:
    data = json.loads(RESULT.to_json())
    assert list(data) == [
        "seed", "game_type", "rounds", "turns", "results", "latency", "server_late_turns",
        "late_missed_turns", "record", "recording", "record_error", "turn_timeout_us", "failures",
        "disqualifications", "printed_errors", "last_lines", "printed",
        "shared_skip_turns", "names", "behaviour_version", "digest", "sandbox",
    ]  # fmt: skip
    assert list(data["results"][0]) == [
        "rank", "name", "version", "score", "eaten", "disqualified", "disqualified_rounds",
        "never_answered", "reason", "seats", "rounds",
    ]  # fmt: skip
    assert data["latency"] == {
        "A": {
            **{"p50_us": 1, "p95_us": 2, "p99_us": 3, "max_us": 4, "skipped": 5, "late": 6, "malformed": 7},
            **{"late_p50_us": 0, "late_max_us": 0, "held_us": 0, "left": False, "skip_reasons": {}},
        }
    }


def test_the_json_is_one_line_with_the_data_of_the_result() -> None:
    text = RESULT.to_json()
    assert "\n" not in text
    assert "Blå" in text
    assert json.loads(text) == RESULT.to_data()
    assert [row["disqualified"] for row in json.loads(text)["results"]] == [False, True]


def test_no_record_is_null() -> None:
    assert json.loads(BattleResult(0, "snake", 1, 1, ()).to_json())["record"] is None


@pytest.mark.parametrize(
    ("names", "taken", "unique"),
    [
        (["A", "B"], [], ["A", "B"]),
        (["A", "A", "A"], [], ["A", "A (2)", "A (3)"]),
        (["A", "A", "A (2)"], [], ["A", "A (2)", "A (2) (2)"]),
        (["A (2)", "A", "A"], [], ["A (2)", "A", "A (3)"]),
        (["A", "B"], ["A"], ["A (2)", "B"]),
        ([], ["A"], []),
    ],
)
def test_a_second_one_of_a_name_is_numbered(names: list[str], taken: list[str], unique: list[str]) -> None:
    assert unique_names(names, taken) == unique


def test_a_column_of_the_game_is_an_attribute_of_its_row() -> None:
    row = ResultRow(1, "A", "1.0", {"score": 2.5, "eaten": 3})
    assert (row.score, row.eaten) == (2.5, 3)
    assert list(row.to_data()) == [
        "rank",
        "name",
        "version",
        "score",
        "eaten",
        "disqualified",
        "disqualified_rounds",
        "never_answered",
        "reason",
        "seats",
        "rounds",
    ]
    with pytest.raises(AttributeError, match=r"length.*score, eaten"):
        print(row.length)
    assert copy.deepcopy(row) == pickle.loads(pickle.dumps(row)) == row


def test_details_of_the_game_are_in_the_json_if_there_are_any() -> None:
    assert "details" not in RESULT.to_data()
    assert replace(RESULT, details={"food": 3}).to_data()["details"] == {"food": 3}
