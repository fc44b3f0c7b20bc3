"""The page on compatibility opens with what most readers want, and its departures have reasons."""

from __future__ import annotations

import re

import pytest

from tests.house.source import ROOT

HEAD = "| Choice | The documents say | The official server does | turnwright does | Why |"
SHORT_HEAD = "| Choice | The document says | turnwright does | Why |"
PAGE = (ROOT / "packages/tank/docs/compatibility.md").read_text(encoding="utf-8")


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


@pytest.mark.parametrize(("head", "tables"), [(HEAD, 8), (SHORT_HEAD, 2)], ids=["official", "own"])
def test_every_departure_has_a_reason(head: str, tables: int) -> None:
    found = PAGE.split(head)[1:]
    assert len(found) >= tables
    for table in found:
        choices = table.partition("\n\n")[0].splitlines()[2:]
        assert len(choices) >= 8
        for choice in choices:
            cells = [cell.strip() for cell in choice.strip("|").split(" | ")]
            assert len(cells) == head.count(" | ") + 1, choice
            assert all(cells), choice
            *_, theirs, ours, why = cells
            follows = ours.startswith("the same") or "as the official server" in ours or ours == theirs
            assert follows or why not in ("existing bots", "–"), choice


def test_what_a_machine_or_a_player_can_still_notice_has_a_row() -> None:
    for choice in ("what still depends on", "reactions of programs", "`quit`"):
        assert any(line.startswith(f"| {choice} ") for line in PAGE.splitlines()), choice
