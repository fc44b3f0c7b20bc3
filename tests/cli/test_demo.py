from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnwright.cli.__main__ import main
from turnwright.cli.demo import DEMO_BOTS


def test_the_demo_plays_and_says_where_its_record_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--rounds", "1", "--seed", "8", "--tps", "-1"]) == 0
    out = capsys.readouterr().out
    assert "record: records/demo-8.twr" in out
    assert all(name in out for name in DEMO_BOTS)
    assert main(["verify", "records/demo-8.twr"]) == 0


def test_the_demo_takes_a_file_of_its_own_and_prints_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "-n", "1", "-t", "-1", "--record", "own.twr", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["record"] == "own.twr"
    assert [path.name for path in tmp_path.iterdir()] == ["own.twr"]


def test_a_place_that_cannot_be_written_is_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records").touch()
    assert main(["demo", "-n", "1"]) == 2
    assert "give --record FILE" in capsys.readouterr().err
