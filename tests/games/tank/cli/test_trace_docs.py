from __future__ import annotations

from pathlib import Path

import msgspec

from turnwright.games.tank.analysis.counts import Tally
from turnwright.games.tank.analysis.facts import EnergyLoss, Fact, Opening, TankInfo
from turnwright.games.tank.analysis.findings import NOTES
from turnwright.games.tank.cli.trace_docs import render

PAGE = Path(__file__).parents[4] / "docs" / "reference" / "trace.md"


def test_the_reference_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run `python -m turnwright.games.tank.cli.trace_docs > docs/reference/trace.md`"
    )


def test_every_key_and_note_is_on_the_page_with_its_meaning() -> None:
    page = render()
    for structure in (*Fact.__args__, TankInfo, Opening, EnergyLoss, Tally):
        for name in msgspec.structs.fields(structure):
            rows = [line for line in page.splitlines() if line.startswith(f"| `{name.encode_name}` |")]
            assert rows, f"{structure.__name__}.{name.encode_name}"
            assert all(not row.endswith("|  |") for row in rows), rows
    assert all(f"| `{name}` |" in page for name in NOTES)
