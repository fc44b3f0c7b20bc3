"""The page of all commands is the one that is generated."""

from __future__ import annotations

from pathlib import Path

from turnwright.cli.reference import render

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"


def test_the_reference_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run: python -m turnwright.cli.reference > docs/reference/cli.md"
    )
