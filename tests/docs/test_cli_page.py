"""The pages of all commands and of what they print as JSON are the ones that are generated."""

from __future__ import annotations

from pathlib import Path

from turnwright.cli.reference import render, render_json

PAGES = Path(__file__).parents[2] / "docs" / "reference"


def test_the_reference_page_is_fresh() -> None:
    assert (PAGES / "cli.md").read_text(encoding="utf-8") == render(), (
        "run: python -m turnwright.cli.reference > docs/reference/cli.md"
    )


def test_the_page_of_json_objects_is_fresh() -> None:
    assert (PAGES / "json.md").read_text(encoding="utf-8") == render_json(), (
        "run: python -m turnwright.cli.reference json > docs/reference/json.md"
    )
