"""The page on compatibility opens with what most readers want, and its departures have reasons."""

from __future__ import annotations

import re

from tests.house.source import ROOT

PAGE = (ROOT / "docs" / "compatibility.md").read_text(encoding="utf-8")


def rows(text: str) -> list[list[str]]:
    """Return the cells of the first table in a text."""
    table = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert table is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[0].splitlines()]


def test_it_opens_with_ten_rows_that_have_reasons() -> None:
    head, _, *first = rows(PAGE)
    assert head == ["Question", "turnwright", "Why"]
    assert len(first) == 10
    assert all(all(row) for row in first)


def test_departures_from_the_documents_and_the_official_server_say_why() -> None:
    for choice in ("time of SkippedTurnEvent", "range of TPS", "the rules raise an exception"):
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| {choice} "))
        assert re.search(r"because|, so |Otherwise", row), choice


def test_what_a_machine_or_a_player_can_still_notice_has_a_row() -> None:
    for choice in ("what still depends on", "reactions of programs", "`quit`"):
        assert any(line.startswith(f"| {choice} ") for line in PAGE.splitlines()), choice
