from __future__ import annotations

import json
from pathlib import Path

import pytest

from packages.tank.tests.wire.recording.shown_battles import a_setup, play, some_seats, write_record
from turnwright.cli.__main__ import main

TOLD = play(a_setup(), some_seats(3), turns=30)


@pytest.fixture
def record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return write_record(TOLD, tmp_path / "x.twr").name


def test_the_command_prints_the_file_that_it_wrote(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", record, "y.battle.gz"]) == 0
    out, err = capsys.readouterr()
    size = Path("y.battle.gz").stat().st_size
    assert out == f"y.battle.gz: 32 lines, {size:,} bytes, aborted\n"
    assert err == ""


def test_json_says_it_for_programs(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "--json", record, "y.battle"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told.pop("size") == Path("y.battle").stat().st_size
    assert told == {
        "source": "x.twr",
        "kind": "record",
        "target": "y.battle",
        "lines": 32,
        "ending": "aborted",
        "notes": [],
    }


def test_skipped_lines_are_reported_on_stderr(
    record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("z.battle").write_bytes(b"\n".join((*TOLD.messages[:3], b'{"type":"\x1b[2J"}')))
    assert main(["convert", "z.battle", "y.battle.gz"]) == 0
    out, err = capsys.readouterr()
    assert "without an end" in out
    assert err.startswith("turnwright: line 4: ")
    assert "\x1b" not in err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["x.twr", "y.zip"], 2),
        (["none.twr", "y.battle"], 2),
        (["x.twr", "taken.battle"], 2),
        (["x.twr", "taken.battle", "--force"], 0),
    ],
)
def test_bad_input_is_refused_in_one_line(
    record: str, capsys: pytest.CaptureFixture[str], words: list[str], code: int
) -> None:
    Path("taken.battle").write_text("mine")
    assert main(["convert", *words]) == code
    assert len(capsys.readouterr().err.splitlines()) == (1 if code else 0)


def test_a_bar_is_shown_on_a_terminal(
    record: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setattr("turnwright.cli.terminal.SHOWN_AFTER_S", 0.0)
    assert main(["convert", record, "y.battle.gz"]) == 0
    assert "turns/s" in capsys.readouterr().err
