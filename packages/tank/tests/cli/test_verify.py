"""`turnwright verify` names tanks and their fields, and other commands report their progress."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from packages.core.tests.messages import missing
from turnwright import run_battle
from turnwright.cli.__main__ import main
from turnwright.net.files.reader import read_record


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a small battle."""
    path = tmp_path_factory.mktemp("records") / "good.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path)
    return path


def test_a_changed_intent_exits_with_4_and_names_its_consequences(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = gzip.decompress(good.read_bytes()).splitlines(keepends=True)
    number = next(k for k, line in enumerate(lines, 1) if k > 9 and b'"gunTurnRate":' in line)
    seat = int(re.search(rb'"(\d)":\{[^}]*"gunTurnRate"', lines[number - 1]).group(1))  # type: ignore[union-attr]
    lines[number - 1] = re.sub(rb'"gunTurnRate":[-.\d]+', b'"gunTurnRate":3.25', lines[number - 1], count=1)
    path = tmp_path / "changed.twr"
    path.write_bytes(gzip.compress(b"".join(lines)))
    assert main(["verify", str(path)]) == 4
    said = capsys.readouterr().out
    assert not missing(said, path, f"line {number}", f"turn {number - 1}")
    assert re.search(rf"\btanks? .*\b{seat + 1} \(\w+\)", said), said


def test_a_battle_that_went_on_after_failures_of_its_rules_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tolerant.twr"
    run_battle("Spinner", "Rammer", rounds=1, seed=3, record=path, on_rules_error="continue")
    assert read_record(path).header.tolerant
    assert main(["verify", str(path)]) == 0


@pytest.mark.parametrize("command", [["trace"], ["replay", "--once"], ["replay", "--text"]])
def test_other_commands_show_it_too(
    good: Path, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("turnwright.cli.terminal.SHOWN_AFTER_S", 0.0)
    assert main([*command, str(good)]) == 0
    plain = capsys.readouterr()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main([*command, str(good)]) == 0
    shown = capsys.readouterr()
    assert shown.out == plain.out
    assert "bytes/s" in shown.err
