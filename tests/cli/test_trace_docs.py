from __future__ import annotations

from pathlib import Path

import msgspec

from turnwright.cli.trace_docs import render
from turnwright.games.tank.story.facts import Blow, Fact, Opening, Who
from turnwright.games.tank.story.notes import NOTES
from turnwright.games.tank.story.tally import Tally

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "trace.md"


def test_the_reference_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run `python -m turnwright.cli.trace_docs > docs/reference/trace.md`"
    )


def test_every_key_and_note_is_on_the_page_with_its_meaning() -> None:
    page = render()
    for structure in (*Fact.__args__, Who, Opening, Blow, Tally):
        for name in msgspec.structs.fields(structure):
            rows = [line for line in page.splitlines() if line.startswith(f"| `{name.encode_name}` |")]
            assert rows, f"{structure.__name__}.{name.encode_name}"
            assert all(not row.endswith("|  |") for row in rows), rows
    assert all(f"| `{name}` |" in page for name in NOTES)
