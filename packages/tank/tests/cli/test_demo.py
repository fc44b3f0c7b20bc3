from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from turnwright.cli.__main__ import main
from turnwright_tank.cli.demo import DEMO_BOTS, next_steps


@pytest.fixture(autouse=True)
def _no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")


def test_the_demo_plays_and_says_where_its_record_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--rounds", "1", "--seed", "8", "--tps", "-1"]) == 0
    out, err = capsys.readouterr()
    assert "record: records/demo-8.twr" in out
    assert all(name in out for name in DEMO_BOTS)
    assert re.search(r"^watch: http://127\.0\.0\.1:\d+/", err, re.MULTILINE)
    steps = re.findall(r"^  turnwright (\w+) (\S+) ", out.partition("next:\n")[2], re.MULTILINE)
    assert steps == [(name, "records/demo-8.twr") for name in ("replay", "trace", "verify")]
    assert main(["verify", "records/demo-8.twr"]) == 0


def test_the_demo_accepts_another_file_and_prints_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "-n", "1", "-t", "-1", "--record", "own.twr", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["record"] == "own.twr"
    assert [path.name for path in tmp_path.iterdir()] == ["own.twr"]


def test_a_place_that_cannot_be_written_ends_with_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records").touch()
    assert main(["demo", "-n", "1"]) == 2
    assert "give --record FILE" in capsys.readouterr().err


def test_the_next_commands_call_the_program_as_this_one_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", [".venv/bin/turnwright", "demo"])
    assert "  .venv/bin/turnwright replay 'a b.twr'  " in next_steps(Path("a b.twr"))
    program = tmp_path / "turnwright"
    program.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.argv", [str(program), "demo"])
    assert "  turnwright verify a.twr" in next_steps(Path("a.twr"))
