from __future__ import annotations

from pathlib import Path

from turnwright.cli.commands import commands
from turnwright.cli.docs import render

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"


def test_the_reference_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), (
        "run: python -m turnwright.cli.docs > docs/reference/cli.md"
    )


def test_every_command_is_on_the_page() -> None:
    page = render()
    for name in commands():
        assert f"turnwright {name}\n" in page


def test_no_option_is_without_a_meaning() -> None:
    assert "|  |" not in render()
