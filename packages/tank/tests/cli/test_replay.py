"""One page that holds a duel of tanks, or a recording of Tank Royale."""

from __future__ import annotations

import base64
import gzip
import json
from pathlib import Path

import pytest

from turnwright import run_battle
from turnwright.cli.__main__ import main


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A duel of ten rounds."""
    path = tmp_path_factory.mktemp("records") / "duel.twr"
    run_battle("Ace", "Dodger", rounds=10, seed=3, record=path)
    return path


def test_one_file_holds_a_duel_of_ten_rounds_in_three_megabytes(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.html"
    assert main(["replay", str(record), "--html", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["bytes"] == out.stat().st_size <= 3_000_000


def test_a_recording_of_tank_royale_becomes_one_file_too(tmp_path: Path) -> None:
    file = tmp_path / "x.battle.gz"
    file.write_bytes(gzip.compress(b'{"type":"GameAbortedEvent"}\n'))
    out = tmp_path / "out.html"
    assert main(["replay", str(file), "--html", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert 'data-name="x.battle.gz"' in page
    assert base64.b64encode(file.read_bytes()).decode() in page
