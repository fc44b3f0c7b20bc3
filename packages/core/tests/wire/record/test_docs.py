"""The reference page of records: complete and fresh."""

from __future__ import annotations

from pathlib import Path

from turnwright.wire.record.docs import render
from turnwright.wire.record.v2 import FooterLine, HeaderLine, TurnLine

PAGE = Path(__file__).parents[3] / "docs" / "record.md"


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run: python -m turnwright.wire.record.docs > packages/core/docs/record.md"
    )


def test_every_key_of_a_line_is_on_the_page() -> None:
    page = render()
    for line in (HeaderLine, TurnLine, FooterLine):
        for name in line.__struct_fields__:
            assert f"| `{name}` |" in page
