"""A player's mind: its name, its limits, and its bounded history."""

from __future__ import annotations

import pytest

from turnwright_world.host.minds.player_mind import LOOKS_MAX, MindHistory, PlayerMind, why_not_source
from turnwright_world.intent import PLAYER_SOURCE_SIZE_MAX


def test_equal_sources_have_equal_names_that_no_file_can_have() -> None:
    one, same, other = PlayerMind("a", 1, "x"), PlayerMind("b", 2, "x", on=False), PlayerMind("a", 1, "y")
    assert one.name == same.name != other.name
    assert not one.name.replace(":", "_").islower() or ":" in one.name


@pytest.mark.parametrize(("more", "fits"), [(-1, True), (0, True), (1, False)])
def test_bytes_are_counted_not_characters(more: int, fits: bool) -> None:
    source = "é" * (PLAYER_SOURCE_SIZE_MAX // 2 - 1) + "x" * (2 + more)
    assert (why_not_source(source) is None) is fits


@pytest.mark.parametrize("source", ["", " \n\t\n", "x = '\ud800'"])
def test_empty_or_invalid_text_is_not_a_mind(source: str) -> None:
    assert why_not_source(source)


def test_the_last_prints_are_remembered_with_a_part_of_each() -> None:
    standing = MindHistory()
    for turn in range(LOOKS_MAX + 5):
        standing.note(turn, "printed", "x" * 10_000)
    assert [turn for turn, _, _ in standing.looks] == list(range(5, LOOKS_MAX + 5))
    assert max(len(text) for _, _, text in standing.looks) <= 400
