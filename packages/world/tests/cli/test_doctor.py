from __future__ import annotations

import json
from typing import Any

import pytest

from packages.core.tests.messages import missing
from turnwright.cli.__main__ import main
from turnwright_world.net import status as world_status

STATUS: dict[str, Any] = {
    "name": "Hollowmere",
    "turn": 40,
    "pace_ms": 250.0,
    "durations": [
        {"name": "turn", "ms": 275.0, "min_ms": 250.0, "max_ms": 900.0, "raised": 2, "lowered": 1},
        {"name": "planning", "ms": 100.0, "min_ms": 100.0, "max_ms": 100.0, "raised": 0, "lowered": 0},
    ],
    "planning": {"slots": 2, "plan_ms": 30.0, "slowness": 1.5},
    "trouble": "disk full",
    "players": 1,
    "creatures": 38,
    "turns": 40,
    "overruns": 1,
    "skipped": 0,
    "late_ms": {"p50": 0.1, "p99": 20.0, "max": 51.1},
    "used_ms": {"p50": 0.7, "p99": 0.8, "max": 0.9},
    "worst": [
        {
            "turn": 7,
            "late_ms": 51.1,
            "skipped": 0,
            "used_ms": {"resolve": 0.5, "tell": 0.1},
            "slowest": [{"body": 42, "mind": "rat", "ms": 20.0}],
        }
    ],
    "misses": [{"mind": "troll", "owner": "world", "reason": "slow", "count": 3}],
    "clients": [
        {"name": "Wolf", "carrier": "program", "rtt_ms": 13.9, "error_ms": 6.95, "lead_ms": 10.0},
        {"name": "Ann", "carrier": "telnet", "rtt_ms": None, "error_ms": None, "lead_ms": None},
    ],
}


def test_doctor_prints_turns_overruns_misses_and_clocks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    def ask(port: int) -> dict[str, Any]:
        asked.append(port)
        return STATUS

    monkeypatch.setattr(world_status, "ask", ask)
    assert main(["world", "doctor", "--port", "7000"]) == 0
    said = capsys.readouterr().out
    assert asked == [7000]
    lines = said.splitlines()
    for named in (
        ("Hollowmere", "turn 40", "1 players", "38 creatures", "250 ms"),
        ("turn time", "275 ms", "250 to 900 ms", "raised 2", "lowered 1"),
        ("planning time", "100 ms", "fixed"),
        ("2 at once", "30 ms", "1.5 times"),
        ("not stored", "disk full"),
    ):
        assert any(not missing(line, *named) for line in lines), named
    for part in ("99 of 100 20.00", "1 of 40 turns", "rat 42: 20 ms", "troll", "slow", "13.9", " 7.0 "):
        assert part in said


def test_json_is_the_servers_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(world_status, "ask", lambda port: STATUS)
    assert main(["world", "doctor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == STATUS


@pytest.mark.process
def test_a_missing_world_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["world", "doctor", "--port", "1009"]) == 2
    said = capsys.readouterr().err
    assert not missing(said, "world", "port 1009")
    assert len(said.splitlines()) == 1


def test_an_invalid_port_is_refused_in_one_line_with_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["world", "doctor", "--port", "99999"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert not missing(line, "turnwright", 99999, "1000 to 65535")
