"""The bench of the tournaments' statistics runs to its end, on rounds from a file."""

from __future__ import annotations

import json
import random
import sys
from itertools import combinations_with_replacement
from pathlib import Path
from types import ModuleType

import pytest

from packages.core.tests.messages import naming

BENCH = Path(__file__).resolve().parents[2] / "bench"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The bench, as a module, with small populations."""
    monkeypatch.syspath_prepend(str(BENCH))
    import tournament_statistics

    monkeypatch.setattr(tournament_statistics, "POOL", 200)
    return tournament_statistics


@pytest.fixture
def rounds(bench: ModuleType, tmp_path: Path) -> Path:
    rng = random.Random(1)
    pairs = combinations_with_replacement(bench.BOTS, 2)
    file = tmp_path / "rounds.json"
    file.write_text(
        json.dumps([[a, b, [[60 + rng.gauss(0, 5), 40] for _ in range(20)]] for a, b in pairs]), "utf-8"
    )
    return file


def test_the_bench_prints_coverage_and_error_rates(
    bench: ModuleType, rounds: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "--file", str(rounds), "--runs", "5"])
    bench.main()
    told = capsys.readouterr().out
    assert told.startswith("rounds: 300, after")
    assert "LiteRumble %" in told
    assert naming(told, "Crawler", "all +2")


def test_the_page_has_no_error_rate_above_the_promised_one() -> None:
    page = (BENCH / "README.md").read_text(encoding="utf-8")
    table = page.partition("| scenarios |")[2].partition("\n\n")[0].splitlines()[2:]
    wrong = [float(row.split("|")[3].strip().removesuffix(" %")) for row in table]
    assert len(wrong) == 7
    assert max(wrong) <= 5
