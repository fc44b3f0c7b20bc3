from __future__ import annotations

from turnwright.cli.commands import commands
from turnwright.cli.reference import render


def test_every_command_is_on_the_page() -> None:
    page = render()
    for name in commands():
        assert f"turnwright {name}\n" in page


def test_no_option_is_without_a_meaning() -> None:
    assert "|  |" not in render()
